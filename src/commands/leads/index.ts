// The commands that only leads have.

import type { Command } from '../../command.ts';
import { leadCloneCommand } from './clone.ts';
import { leadCommentCommands } from './comments.ts';
import { leadContactedCommand } from './contacted.ts';
import { leadConvertCommand } from './convert.ts';

export const leadCommands: readonly Command[] = [leadContactedCommand, leadConvertCommand, leadCloneCommand, ...leadCommentCommands];
