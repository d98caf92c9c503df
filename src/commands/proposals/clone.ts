// `crm proposals clone ID`: a new proposal like an old one; what isn't given comes from the source.

import { readRecord } from '../../api/read-record.ts';
import { makeRecord } from '../../api/write-record.ts';
import { checkGiven } from '../../bodies/create-body.ts';
import { bodyFlags } from '../../bodies/flags.ts';
import { givenBody } from '../../bodies/given.ts';
import { asFlag } from '../../bodies/names.ts';
import { copyBody } from '../../bodies/operations.ts';
import type { Command } from '../../command.ts';
import { proposalClone, proposals } from '../../resources/proposals.ts';
import type { Body } from '../../values/body.ts';
import { parseId, together } from '../../values/parse.ts';
import { newestCommand } from '../../verbs/create.ts';
import { effectOfCreate } from '../../verbs/effect.ts';
import { readBodyTexts } from '../../verbs/texts.ts';

export const proposalCloneCommand: Command = {
  path: ['proposals', 'clone'],
  summary: 'Make a new proposal like an old one',
  description: 'What is not given comes from the source; the title gets " (copy)".',
  args: [{ name: 'id', help: 'The id of the proposal to copy', listedBy: 'proposals list' }],
  flags: bodyFlags(proposalClone, 'update'),
  sends: [
    { method: 'GET', path: '/api/proposals/{id}' },
    { method: 'POST', path: '/api/proposals/{id}/clone' },
  ],
  does: 'writes',
  shows: proposals,
  examples: ['crm proposals clone 5', "crm proposals clone 5 --lead 3 --title 'Second offer' --start 2027-02-01 --end 2027-03-01"],
  run: async (context, input) => {
    const texts = await readBodyTexts(context, proposalClone, input.flags);
    const [id, given] = together(
      () => parseId(input.args[0] ?? '', 'proposal'),
      () => givenBody(proposalClone, input.flags, texts),
    );
    checkGiven(proposalClone, given, asFlag);
    const path = `${proposals.path}/${id}`;
    const api = await context.api();
    let body: Body = new Map();
    const answer = await makeRecord(api, async () => {
      body = copyBody(proposalClone, await readRecord(api, path), given, asFlag, proposals.singular);
      return { method: 'POST', path: `${path}/${proposalClone.path}`, body, check: newestCommand(proposals) };
    });
    return { kind: 'record', answer, shape: proposals, effect: effectOfCreate(proposals, answer, body, `a copy of proposal ${id}`) };
  },
};
