// The commands that only leads have.

import type { Command } from '../../cli/command.ts';
import { leadClone, leads } from '../../model/resources/leads.ts';
import { cloneCommand } from '../clone.ts';
import { leadCommentCommands } from './comments.ts';
import { leadContactedCommand } from './contacted.ts';
import { leadConvertCommand } from './convert.ts';
import { leadMergeCommand } from './merge.ts';

export const leadCommands: readonly Command[] = [
  leadContactedCommand,
  leadConvertCommand,
  cloneCommand(leads, leadClone, {
    description: 'Title and status come from the source when not given, and the title gets " (copy)"; the service copies the rest.',
    fails: ['email_taken'],
    examples: ['crm leads clone 12', "crm leads clone 12 --title 'Second site' --value 9000 --copy-checklist"],
  }),
  leadMergeCommand,
  ...leadCommentCommands,
];
