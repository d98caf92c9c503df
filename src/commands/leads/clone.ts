// `crm leads clone ID`: a new lead like an old one; title and status come from the source when not given, the title with " (copy)".

import { readRecord } from '../../api/read-record.ts';
import { makeRecord } from '../../api/write-record.ts';
import { checkGiven } from '../../bodies/create-body.ts';
import { bodyFlags } from '../../bodies/flags.ts';
import { givenBody } from '../../bodies/given.ts';
import { asFlag } from '../../bodies/names.ts';
import { cloneBody, isWholeClone } from '../../bodies/operations.ts';
import type { Command } from '../../command.ts';
import { leadClone, leads } from '../../resources/leads.ts';
import type { Body } from '../../values/body.ts';
import { parseId, together } from '../../values/parse.ts';
import { newestCommand } from '../../verbs/create.ts';
import { effectOfCreate } from '../../verbs/effect.ts';
import { readBodyTexts } from '../../verbs/texts.ts';

export const leadCloneCommand: Command = {
  path: ['leads', 'clone'],
  summary: 'Make a new lead like an old one',
  description: 'Title and status come from the source when not given, and the title gets " (copy)"; the service copies the rest.',
  args: [{ name: 'id', help: 'The id of the lead to copy', listedBy: 'leads list' }],
  flags: bodyFlags(leadClone, 'update'),
  sends: [
    { method: 'GET', path: '/api/leads/{id}' },
    { method: 'POST', path: '/api/leads/{id}/clone' },
  ],
  does: 'writes',
  fails: ['email_taken'],
  shows: leads,
  examples: ['crm leads clone 12', "crm leads clone 12 --title 'Second site' --value 9000 --copy-checklist"],
  run: async (context, input) => {
    const texts = await readBodyTexts(context, leadClone, input.flags);
    const [id, given] = together(
      () => parseId(input.args[0] ?? '', 'lead'),
      () => givenBody(leadClone, input.flags, texts),
    );
    checkGiven(leadClone, given, asFlag);
    const path = `${leads.path}/${id}`;
    const api = await context.api();
    let body: Body = new Map();
    const answer = await makeRecord(api, async () => {
      // Only what the clone body requires is taken from the source: the service copies the rest.
      const source = isWholeClone(leadClone, given) ? undefined : await readRecord(api, path);
      body = cloneBody(leadClone, source, given, asFlag);
      return { method: 'POST', path: `${path}/${leadClone.path}`, body, check: newestCommand(leads) };
    });
    return { kind: 'record', answer, shape: leads, effect: effectOfCreate(leads, answer, body, `a copy of lead ${id}`) };
  },
};
