// `crm proposals status ID STATUS`: sets the status of one or several proposals.

import { signedStatusFlags } from '../../changes/flags.ts';
import { setStatus } from '../../changes/signed-status.ts';
import { command } from '../../cli/command.ts';
import { proposalStatusChange, proposals } from '../../model/resources/proposals.ts';
import { actionArguments, actionNeeds } from '../family-arguments.ts';

export const proposalStatusCommand = command({
  path: ['proposals', 'status'],
  summary: proposalStatusChange.summary,
  description:
    'A change clears a recorded signature for good: on a signed proposal crm asks first, and off a terminal the command needs --yes. ' +
    'If several proposals are given, signed proposals are left out.',
  args: actionArguments(proposals, proposalStatusChange),
  sends: [
    { method: 'GET', path: '/api/proposals/{id}' },
    { method: 'PUT', path: '/api/proposals/{id}/status' },
  ],
  does: 'writes',
  destroysWhen: 'on a signed proposal',
  fails: ['proposal_signed'],
  shows: proposals,
  prints: { json: 'object or array', of: proposals },
  flags: signedStatusFlags(proposals, proposalStatusChange),
  needs: actionNeeds(proposalStatusChange),
  examples: ['crm proposals status 5 accepted', 'crm proposals status 5,6 --to revised --dry-run'],
  run: setStatus,
});
