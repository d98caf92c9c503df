// The commands that only proposals have.

import type { Command } from '../../command.ts';
import { proposalCloneCommand } from './clone.ts';
import { proposalStatusCommand } from './status.ts';

export const proposalCommands: readonly Command[] = [proposalStatusCommand, proposalCloneCommand];
