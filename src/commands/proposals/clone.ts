// `crm proposals clone ID`: a new proposal like an old one; what isn't given comes from the source.

import { recordOf } from '../../api/envelope.ts';
import { checkOrder, givenBody, readBack, requireFields, withOneOf } from '../../bodies/body.ts';
import { bodyFlags } from '../../bodies/flags.ts';
import type { Command } from '../../command.ts';
import { proposalCloneFields, proposals } from '../../resources/proposals.ts';
import type { Body } from '../../values/body.ts';
import { parseId, together } from '../../values/parse.ts';
import { newestCommand } from '../../verbs/create.ts';
import { readBodyTexts } from '../../verbs/texts.ts';

const shape = { fields: proposalCloneFields, ...(proposals.oneOf === undefined ? {} : { oneOf: proposals.oneOf }) };

export const proposalCloneCommand: Command = {
  path: ['proposals', 'clone'],
  summary: 'Make a new proposal like an old one',
  description: 'What is not given comes from the source; the title gets " (copy)".',
  args: [{ name: 'id', help: 'The proposal to copy' }],
  flags: bodyFlags(shape, 'update'),
  examples: ['crm proposals clone 5', "crm proposals clone 5 --lead 3 --title 'Second offer' --start 2027-02-01 --end 2027-03-01"],
  run: async (context, input) => {
    const texts = await readBodyTexts(context, input.flags);
    const [id, given] = together(
      () => parseId(input.args[0] ?? '', 'proposal'),
      () => givenBody(shape, input.flags, texts),
    );
    if (shape.oneOf?.flags.some((flag) => input.flags[flag] !== undefined)) withOneOf(shape, given);
    checkOrder(shape.fields, given);
    const path = `${proposals.path}/${id}`;
    const api = await context.api();
    const source = recordOf(await api.read({ method: 'GET', path }));
    const body = cloneBody(source, given);
    const answer = await api.write({ method: 'POST', path: `${path}/clone`, body, check: newestCommand(proposals) });
    return { kind: 'record', answer, shape: proposals, notice: answer.message ?? `Cloned proposal ${id}.` };
  },
};

/** The clone body (interface: Proposals, clone body). Throws UsageError when the source lacks something required. */
function cloneBody(source: unknown, given: Body): Body {
  const customers = proposalCloneFields.filter(({ flag }) => shape.oneOf?.flags.includes(flag));
  const customerGiven = customers.some(({ wire }) => given.has(wire));
  const body: Body = new Map();
  for (const field of proposalCloneFields) {
    if (customerGiven && customers.includes(field)) continue;
    for (const [wire, value] of readBack(field, source)) body.set(wire, field.flag === 'title' ? `${value} (copy)` : value);
  }
  for (const [wire, value] of given) body.set(wire, value);
  requireFields(proposalCloneFields, body);
  checkOrder(proposalCloneFields, body, { singular: proposals.singular, given });
  return withOneOf(shape, body);
}
