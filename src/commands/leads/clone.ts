// `crm leads clone ID`: a new lead like an old one; title and status come from the source when not given.

import { recordOf } from '../../api/envelope.ts';
import { givenBody, readBack, requireFields } from '../../bodies/body.ts';
import { bodyFlags } from '../../bodies/flags.ts';
import type { Command } from '../../command.ts';
import { leadCloneFields, leads } from '../../resources/leads.ts';
import type { Body } from '../../values/body.ts';
import { parseId, together } from '../../values/parse.ts';
import { newestCommand } from '../../verbs/create.ts';
import { readBodyTexts } from '../../verbs/texts.ts';

const shape = { fields: leadCloneFields };

export const leadCloneCommand: Command = {
  path: ['leads', 'clone'],
  summary: 'Make a new lead like an old one',
  description: 'Title and status come from the source when not given; the service copies the rest.',
  args: [{ name: 'id', help: 'The lead to copy' }],
  flags: bodyFlags(shape, 'update'),
  examples: ['crm leads clone 12', "crm leads clone 12 --title 'Second site' --value 9000 --copy-checklist"],
  run: async (context, input) => {
    const texts = await readBodyTexts(context, input.flags);
    const [id, given] = together(
      () => parseId(input.args[0] ?? '', 'lead'),
      () => givenBody(shape, input.flags, texts),
    );
    const path = `${leads.path}/${id}`;
    const api = await context.api();
    const isWhole = leadCloneFields.every(({ required, wire }) => !required || given.has(wire));
    const body = isWhole ? given : cloneBody(recordOf(await api.read({ method: 'GET', path })), given);
    requireFields(leadCloneFields, body);
    const answer = await api.write({ method: 'POST', path: `${path}/clone`, body, check: newestCommand(leads) });
    return { kind: 'record', answer, shape: leads, notice: answer.message ?? `Cloned lead ${id}.` };
  },
};

/** The clone body (interface: Leads, clone body): only what it requires is taken from the source. */
function cloneBody(source: unknown, given: Body): Body {
  const required = leadCloneFields.filter((field) => field.required);
  const body: Body = new Map(required.flatMap((field) => readBack(field, source)));
  for (const [wire, value] of given) body.set(wire, value);
  return body;
}
