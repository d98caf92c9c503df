// `crm leads convert ID`: turns a lead into a client. Values that are not given come from the lead's contact.

import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { type Id, parseId, together } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { isWatched } from '../../changes/change-each.ts';
import { keepingText, keptOf } from '../../changes/kept-record.ts';
import { recordName, refuseChanged } from '../../changes/question.ts';
import type { Command } from '../../cli/command.ts';
import type { Api } from '../../client/client.ts';
import { readRecord } from '../../client/read-record.ts';
import type { Answer } from '../../client/types.ts';
import { makeFrom } from '../../client/write-record.ts';
import { checkGiven } from '../../model/bodies/create-body.ts';
import { bodyFlags } from '../../model/bodies/flags.ts';
import { givenBody } from '../../model/bodies/given.ts';
import { asFlag } from '../../model/bodies/names.ts';
import { wholeBody } from '../../model/bodies/operations.ts';
import { converted } from '../../model/identity.ts';
import { newOnly } from '../../model/records/difference.ts';
import { displayText, idText } from '../../model/records/display.ts';
import { clients } from '../../model/resources/clients.ts';
import { leadConversion, leads } from '../../model/resources/leads.ts';
import { proposals } from '../../model/resources/proposals.ts';
import type { Effect } from '../../output/result.ts';
import { seeNext, subjectOf } from '../../output/subject.ts';
import { confirmWrite } from '../../session/ask/confirm.ts';
import { canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { readBodyTexts } from '../../session/texts.ts';

/** The shape of the answer: the new client (vendor facts: conversion). */
const client = {
  columns: [],
  record: clients.record,
  types: clients.types ?? {},
  nullable: clients.nullable ?? [],
  arrays: clients.arrays ?? [],
};

export const leadConvertCommand: Command = {
  path: ['leads', 'convert'],
  summary: 'Turn a lead into a client with its primary user',
  description:
    "Values that you don't give come from the lead's contact; on a terminal crm asks for values that the contact lacks. The lead's " +
    "proposals move to the new client. A conversion can't be undone: on a terminal crm asks first. With --delete-lead the command needs " +
    '--yes off a terminal.',
  args: [{ name: 'id', help: "The lead's id", listedBy: 'leads list' }],
  flags: bodyFlags(leadConversion, 'update'),
  sends: [
    { method: 'GET', path: '/api/leads/{id}' },
    { method: 'GET', path: '/api/proposals' },
    { method: 'POST', path: '/api/leads/{id}/convert' },
  ],
  does: 'writes',
  destroysWhen: 'with --delete-lead',
  fails: ['email_taken', 'already_converted'],
  shows: client,
  examples: ['crm leads convert 12', 'crm leads convert 15 --email billing@example.com --invoice-due-days 30 --send-welcome-email'],
  run: async (context, input) => {
    const texts = await readBodyTexts(context, leadConversion, input.flags);
    const [id, given] = together(
      () => parseId(input.args[0] ?? '', 'lead'),
      () => givenBody(leadConversion, input.flags, texts),
    );
    checkGiven(leadConversion, given, asFlag);
    const api = await context.api();
    let shown: unknown;
    const isDeleting = given.get('delete_lead') === 'yes';
    if (isDeleting || canAsk(context)) {
      const question = (name: string, becomes = '', moving = ''): string =>
        `Convert ${name}${becomes}${isDeleting ? ' and delete it' : ''}?${moving} This can't be undone.${isDeleting && isWatched(context) ? ` ${keepingText(false)}` : ''}`;
      await confirmWrite(context, question(`lead ${id}`), async () => {
        shown = await readRecord(api, `${leads.path}/${id}`);
        // Throws for missing values: crm asks for these before this question.
        const becomes = clientWords(wholeBody(leadConversion, shown, given, asFlag, leads.singular));
        return question(await recordName(leads, { id, record: shown }), becomes, await movingText(context, api, id));
      });
    }
    let lead: unknown;
    const seen = (now: unknown): void => {
      lead = now;
      if (shown !== undefined) refuseChanged(leads, shown, now);
    };
    const isSeen = shown !== undefined || (isDeleting && isWatched(context));
    const { answer, body } = await makeFrom(api, leads, id, leadConversion, {
      given,
      named: asFlag,
      check: `leads get ${id}`,
      seen: isSeen ? seen : undefined,
    });
    const after = { client: displayText(valueAt(answer.data, 'company_name')) || idText(answer.data) };
    const gone = isDeleting ? { before: keptOf(leads, lead) } : {};
    context.written.push({ resource: leads, id, kind: 'convert', did: converted, ...gone, record: shown, after });
    return { kind: 'record', answer, shape: client, effect: conversionEffect(id, answer, body) };
  },
};

/** ` 2 proposals move to the client.` Empty without proposals, and where they can't be counted. */
async function movingText({ signal }: Context, api: Api, id: Id): Promise<string> {
  const query: [string, string][] = [
    ['lead_id', String(id)],
    ['limit', '1'],
  ];
  const answer = await api.read({ method: 'GET', path: proposals.path, query }).catch(() => undefined);
  signal.throwIfAborted();
  const count = answer?.meta?.total ?? 0;
  return count === 0 ? '' : ` ${howMany(count, 'proposal moves', 'proposals move')} to the client.`;
}

/** The words ` to client "Lee Stores" with the user ann@lee.example`, or ` to a client …` without a company name. */
function clientWords(body: Body): string {
  const company = displayText(body.get('client_company_name'));
  return ` to ${company === '' ? 'a client' : `client "${company}"`} with the user ${displayText(body.get('email'))}`;
}

function conversionEffect(lead: Id, { data }: Answer, body: Body): Effect {
  const made = idText(data);
  const company = displayText(valueAt(data, 'company_name'));
  const user = ['first_name', 'last_name'].map((wire) => scalarText(body.get(wire))).join(' ');
  return {
    subject: subjectOf(leads.singular, lead),
    done: made === '' ? 'converted' : `converted to client ${made}`,
    ...(company === '' ? {} : { title: company }),
    changes: [
      // The answer names the client; before there is one, the values that are sent do.
      ...(company === '' ? [newOnly('client', displayText(body.get('client_company_name')) || 'without a company name')] : []),
      newOnly('primary user', `${user}, ${scalarText(body.get('email'))}`),
      ...(body.get('send_welcome_email') === 'yes' ? [newOnly('welcome email', 'asked for')] : []),
      ...(body.get('delete_lead') === 'yes' ? [newOnly(`lead ${lead}`, 'deleted')] : []),
    ],
    ...seeNext(clients, made),
  };
}
