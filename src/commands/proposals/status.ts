// `crm proposals status ID STATUS`: reads first, because a change clears a recorded signature for good.

import { confirm } from '../../ask/confirm.ts';
import { actionBody } from '../../bodies/operations.ts';
import type { Command } from '../../command.ts';
import { proposalStatusChange, proposals } from '../../resources/proposals.ts';
import { parseId } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import { actionArguments } from '../family-flags.ts';

export const proposalStatusCommand: Command = {
  path: ['proposals', 'status'],
  summary: proposalStatusChange.summary,
  description:
    'A change clears a recorded signature, which cannot be undone: on a signed proposal it asks, and off a terminal it needs --yes.',
  args: actionArguments(proposals, proposalStatusChange),
  flags: [],
  examples: ['crm proposals status 5 accepted', 'crm proposals status 5 revised --dry-run'],
  run: async (context, input) => {
    const id = parseId(input.args[0] ?? '', 'proposal');
    const body = actionBody(proposalStatusChange, input.args[1] ?? '', 'status');
    const path = `${proposals.path}/${id}`;
    const api = await context.api();
    const { data } = await api.read({ method: 'GET', path });
    if (isSigned(data)) await confirm(context, `Proposal ${id} is signed; setting its status clears the signature for good. Go on?`);
    const answer = await api.write({
      method: 'PUT',
      path: `${path}/${proposalStatusChange.path}`,
      ...(body === undefined ? {} : { body }),
      check: `crm proposals get ${id}`,
    });
    return { kind: 'record', answer, shape: proposals, notice: answer.message ?? `Proposal ${id} is now ${body?.get('status')}.` };
  },
};

/** Whether anything of a signature is recorded: a service may give a name without a date (interface: Proposal, `signed`). */
function isSigned(proposal: unknown): boolean {
  const signed = valueAt(proposal, 'signed');
  if (!isMembers(signed)) return signed !== undefined && signed !== null && signed !== false && signed !== '';
  return Object.values(signed).some((value) => value !== null && value !== undefined && value !== '');
}
