// `crm leads convert ID`: a lead becomes a client; what isn't given is read from the lead's contact.

import { recordOf } from '../../api/envelope.ts';
import { confirm } from '../../ask/confirm.ts';
import { givenBody, readBack, requireFields } from '../../bodies/body.ts';
import { bodyFlags } from '../../bodies/flags.ts';
import type { Command } from '../../command.ts';
import { leadConvertFields, leads } from '../../resources/leads.ts';
import type { Body } from '../../values/body.ts';
import { parseId, together } from '../../values/parse.ts';
import { readBodyTexts } from '../../verbs/texts.ts';

const shape = { fields: leadConvertFields };

/** The client record (vendor facts: conversion). */
const client = {
  columns: [],
  record: [
    'id',
    'company_name',
    'description',
    'status',
    'phone',
    'website',
    'vat',
    'category',
    'owner.id',
    'owner.name',
    'billing.street',
    'billing.city',
    'billing.state',
    'billing.zip',
    'billing.country',
    'billing.invoice_due_days',
  ],
};

export const leadConvertCommand: Command = {
  path: ['leads', 'convert'],
  summary: 'Turn a lead into a client with its primary user',
  description:
    "What is not given is read from the lead's contact. The lead's proposals move to the new client. --delete-lead can't be undone.",
  args: [{ name: 'id', help: 'The lead' }],
  flags: bodyFlags(shape, 'update'),
  examples: ['crm leads convert 12', 'crm leads convert 15 --email billing@example.com --invoice-due-days 30 --send-welcome-email'],
  run: async (context, input) => {
    const texts = await readBodyTexts(context, input.flags);
    const [id, given] = together(
      () => parseId(input.args[0] ?? '', 'lead'),
      () => givenBody(shape, input.flags, texts),
    );
    if (given.get('delete_lead') === 'yes') await confirm(context, `Convert lead ${id} and delete it? This can't be undone.`);
    const path = `${leads.path}/${id}`;
    const api = await context.api();
    const isWhole = leadConvertFields.every(({ read, wire }) => read === undefined || given.has(wire));
    const body = isWhole ? given : convertBody(recordOf(await api.read({ method: 'GET', path })), given);
    requireFields(leadConvertFields, body);
    const answer = await api.write({ method: 'POST', path: `${path}/convert`, body, check: `crm leads get ${id}` });
    return { kind: 'record', answer, shape: client, notice: answer.message ?? `Converted lead ${id}.` };
  },
};

/** The convert body (interface: Leads, convert body): empty values of the lead are left out. */
function convertBody(lead: unknown, given: Body): Body {
  const body: Body = new Map();
  for (const field of leadConvertFields) {
    for (const [wire, value] of readBack(field, lead)) if (value !== '') body.set(wire, value);
  }
  for (const [wire, value] of given) body.set(wire, value);
  return body;
}
