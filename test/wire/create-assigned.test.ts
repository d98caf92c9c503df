// Wire tests of `leads create --assigned`: the service takes no assignees with a new lead, so they are sent once it is there. A create that
// went through stays one. Typed by hand from the interface document; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange } from '../support/wire-case.ts';
import { created, failure, LEAD, ok } from './records.ts';

const lead = ['leads', 'create', '--title', 'Shop', '--status', '3', '--category', '2', '--assigned', '5', '--assigned', '8'];
const answered = { id: 12, title: 'Shop', status: { id: 3, title: 'Qualified', color: 'blue' } };
const posted: Exchange = {
  request: { method: 'POST', path: '/api/leads', form: [['lead_title', 'Shop'], ['lead_status', '3'], ['lead_categoryid', '2']] },
  reply: created(answered),
};
const put = { method: 'PUT', path: '/api/leads/12/assigned', form: [['assigned[]', '5'], ['assigned[]', '8']] } as const satisfies Exchange['request'];

wireCases('leads create --assigned', [
  {
    name: 'assigns the new lead by a request of its own, and prints what the create answered', argv: [...lead, '--json'],
    exchanges: [posted, { request: put, reply: ok(LEAD) }], stdout: { json: answered }, stderr: /^Lead 12 created: Shop\n$/,
  },
  {
    name: 'reads afterwards with --read', argv: [...lead, '--read', '--json'],
    exchanges: [posted, { request: put, reply: ok(LEAD) }, { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) }],
    stdout: { json: LEAD },
  },
  {
    name: 'assigns nobody where the lead was refused', argv: lead,
    exchanges: [{ ...posted, reply: failure(422, 'The given data was invalid.') }], exit: 5, stdout: /^$/,
  },
  {
    name: 'says that the lead is there, and how to go on, where nobody could be assigned',
    argv: [...lead, '--json'],
    exchanges: [posted, { request: put, reply: failure(422, 'The given data was invalid.') }],
    exit: 8,
    stdout: { json: answered },
    stderr:
      /"code":"partial","message":"Lead 12 was created, but without --assigned: The given data was invalid.".*"hint":"Don't create it again. Go on with: crm leads assign 12 5 8"/,
  },
  {
    name: 'shows both requests in a dry run', argv: [...lead, '--dry-run'], exchanges: [],
    stdout: /^POST .*\/api\/leads\n[\s\S]*\nPUT .*\/api\/leads\/\{id\}\/assigned\n {2}assigned\[\]=5\n {2}assigned\[\]=8\n/,
  },
  { name: 'refuses what is no id before anything is sent', argv: [...lead, '--assigned', '0'], exchanges: [], exit: 2, stderr: /--assigned/ },
]);
