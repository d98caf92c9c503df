// `crm leads convert ID`: a lead becomes a client; what isn't given is read from the lead's contact.

import { recordOf } from '../../api/envelope.ts';
import type { Answer } from '../../api/types.ts';
import { confirmWrite } from '../../ask/confirm.ts';
import { checkGiven } from '../../bodies/create-body.ts';
import { bodyFlags } from '../../bodies/flags.ts';
import { givenBody } from '../../bodies/given.ts';
import { asFlag } from '../../bodies/names.ts';
import { conversionBody } from '../../bodies/operations.ts';
import type { Command } from '../../command.ts';
import { clients } from '../../resources/clients.ts';
import { leadConversion, leads } from '../../resources/leads.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { type Id, parseId, together } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { recordName } from '../../verbs/question.ts';
import { readBodyTexts } from '../../verbs/texts.ts';

/** The answer is the client (vendor facts: conversion). */
const client = { columns: [], record: clients.record };

export const leadConvertCommand: Command = {
  path: ['leads', 'convert'],
  summary: 'Turn a lead into a client with its primary user',
  description:
    "What is not given is read from the lead's contact; what that lacks is asked for on a terminal. The lead's proposals move to the new client. --delete-lead can't be undone.",
  args: [{ name: 'id', help: 'The lead' }],
  flags: bodyFlags(leadConversion, 'update'),
  answers: client,
  examples: ['crm leads convert 12', 'crm leads convert 15 --email billing@example.com --invoice-due-days 30 --send-welcome-email'],
  run: async (context, input) => {
    const texts = await readBodyTexts(context, leadConversion, input.flags);
    const [id, given] = together(
      () => parseId(input.args[0] ?? '', 'lead'),
      () => givenBody(leadConversion, input.flags, texts),
    );
    checkGiven(leadConversion, given, asFlag);
    const path = `${leads.path}/${id}`;
    const api = await context.api();
    let lead: unknown;
    const readLead = async (): Promise<unknown> => (lead ??= recordOf(await api.read({ method: 'GET', path }), path));
    const isWhole = leadConversion.fields.every(({ read, wire }) => read === undefined || given.has(wire));
    const wholeBody = async (): Promise<Body> => conversionBody(leadConversion, isWhole ? undefined : await readLead(), given, asFlag);
    if (given.get('delete_lead') === 'yes') {
      const question = (name: string): string => `Convert ${name} and delete it? This can't be undone.`;
      await confirmWrite(context, question(`lead ${id}`), async () => {
        // What is missing is told, or asked for, before this question.
        await wholeBody();
        return question(await recordName(leads, { id, record: await readLead() }));
      });
    }
    const body = await wholeBody();
    const answer = await api.write({ method: 'POST', path: `${path}/${leadConversion.path}`, body, check: `crm leads get ${id}` });
    return { kind: 'record', answer, shape: client, notice: noticeOf(id, answer) };
  },
};

/** Which client the lead has become, and the command that shows it; the service's own words where it doesn't say. */
function noticeOf(lead: Id, { data, message }: Answer): string {
  const made = scalarText(valueAt(data, 'id'));
  if (made === '') return message ?? `Converted lead ${lead}.`;
  const name = scalarText(valueAt(data, 'company_name'));
  return `Converted lead ${lead} to client ${made}${name === '' ? '' : `, ${name}`}. See: crm clients get ${made}`;
}
