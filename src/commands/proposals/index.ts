// The commands that only proposals have.

import type { Command } from '../../cli/command.ts';
import { proposalClone, proposals } from '../../model/resources/proposals.ts';
import { cloneCommand } from '../clone.ts';
import { proposalStatusCommand } from './status.ts';

export const proposalCommands: readonly Command[] = [
  proposalStatusCommand,
  cloneCommand(proposals, proposalClone, {
    description: 'Values that are not given come from the source; the title gets " (copy)".',
    fails: [],
    examples: ['crm proposals clone 5', "crm proposals clone 5 --lead 3 --title 'Second offer' --start 2027-02-01 --end 2027-03-01"],
  }),
];
