// Wire tests of `leads create --assigned`: the service takes no assignees with a new lead, so they are sent once it is there. A create that
// went through stays one. Typed by hand from the interface document; imports no declaration.

import { wireCases } from '../support/wire.ts';
import { created, failure, get, LEAD, ok, post, put, type Reply, sends } from './records.ts';

const lead = 'leads create --title Shop --status 3 --category 2 --assigned 5 --assigned 8';
const answered = { id: 12, title: 'Shop', status: { id: 3, title: 'Qualified', color: 'blue' } };
const posted = post('/api/leads', { lead_title: 'Shop', lead_status: '3', lead_categoryid: '2' }, created(answered));
const assigned = (reply: Reply) => put('/api/leads/12/assigned', { 'assigned[]': ['5', '8'] }, reply);

wireCases('leads create --assigned', [
  sends('assigns the new lead with a second request, and prints the answer to the create', `${lead} --json`,
    [posted, assigned(ok(LEAD))], { json: answered, stderr: /^Lead 12 created: Shop\n$/ }),
  sends('reads afterwards with --read', `${lead} --read --json`,
    [posted, assigned(ok(LEAD)), get('/api/leads/12', ok(LEAD))], { json: LEAD }),
  sends('sends no assignees for a lead that is refused', lead, { ...posted, reply: failure(422, 'The given data was invalid.') },
    { exit: 5, stdout: /^$/ }),
  sends('names the new lead and the next command when assigning fails', `${lead} --json`,
    [posted, assigned(failure(422, 'The given data was invalid.'))],
    { exit: 8, json: answered,
      stderr: /"code":"partial","message":"Lead 12 was created, but without --assigned: The given data was invalid.".*"hint":"Don't create it again. Go on with: crm leads assign 12 5 8"/ }),
  sends('shows both requests in a dry run', `${lead} --dry-run`, [],
    { stdout: /^POST .*\/api\/leads\n[\s\S]*\nPUT .*\/api\/leads\/\{id\}\/assigned\n {2}assigned\[\]=5\n {2}assigned\[\]=8\n/ }),
  sends('refuses id 0 before anything is sent', `${lead} --assigned 0`, [], { exit: 2, stderr: /--assigned/ }),
]);
