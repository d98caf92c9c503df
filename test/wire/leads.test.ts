// Wire tests of the leads family's plain verbs (list, get, create, update, delete), and of contacted, which is an update too.
// Typed by hand from the interface document (Leads) and the command line's table; imports no declaration.

import { json } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import {
  created, del, failure, get, invalid, LEAD, LEAD_FORM, list, ok, patch, post, put, type Reply, refused, sends, whole,
} from './records.ts';

const NEW = created({ id: 50, title: 'Shop', status: { id: 3, title: 'Qualified', color: 'blue' } }, 'Lead created successfully.');
const SHOP = '--title Shop --status 3 --category 2';
const SHOP_FORM = { lead_title: 'Shop', lead_status: '3', lead_categoryid: '2' };

/** A lead of which little is known. */
const SPARSE = { ...LEAD, value: null, source: null, last_contacted: null, description: null,
  contact: { first_name: 'Ann', last_name: '', email: null, phone: null, job_position: null, company_name: null, website: null },
  address: { street: null, city: 'Leeds', state: null, zip: null, country: null } };

const emailed = (id: number, email: string) => ({ ...LEAD, id, contact: { ...LEAD.contact, email } });
const withEmail = "leads create --title 'Shop fitting' --status 3 --category 2 --email ann@lee.test";
const posted = post('/api/leads', { lead_title: 'Shop fitting', lead_status: '3', lead_categoryid: '2', lead_email: 'ann@lee.test' }, created({ id: 70, title: 'Shop fitting', status: 3 }));
const sameEmail = (...leads: unknown[]) => whole('/api/leads', list(leads), 1, { search: 'ann@lee.test' });

wireCases('an email that a lead has already', [
  sends('is told on a terminal, by one search beside the create, without the new lead', withEmail,
    [posted, sameEmail(emailed(65, 'Ann@lee.test'), emailed(66, 'joann@lee.test'), emailed(70, 'ann@lee.test'))],
    { terminal: true, atOnce: true, stderr: /^Lead 65 has this email, too\.$/m }),
  sends('is told of several leads', withEmail, [posted, sameEmail(emailed(65, 'ann@lee.test'), emailed(66, 'ann@lee.test'))],
    { terminal: true, atOnce: true, stderr: /^Leads 65 and 66 have this email, too\.$/m }),
  sends('a search that fails says nothing', `${withEmail} --retries 0`, [posted, whole('/api/leads', failure(500, 'Oops'), 1, { search: 'ann@lee.test' })],
    { terminal: true, atOnce: true, stderr: /^(?!(.|\n)*email)/ }),
  sends('off a terminal nothing is asked', withEmail, posted),
  sends('-q asks nothing', `${withEmail} -q`, posted, { terminal: true }),
]);

wireCases('leads list', [
  sends('asks for pages of 100 and prints the records', 'leads list --json', whole('/api/leads', list([LEAD, { ...SPARSE, id: 13 }])),
    { json: [LEAD, { ...SPARSE, id: 13 }] }),
  sends('sends its filters by wire name',
    'leads list --status 3 --category 2 --source Web --active-state archived --assigned 5 --search shop --sort title --order asc',
    whole('/api/leads?status=3&category_id=2&source=Web&active_state=archived&assigned_user_id=5&search=shop&sort=lead_title&order=asc',
      list([]))),
  sends('filters by active state active', 'leads list --active-state active --json', whole('/api/leads?active_state=active', list([])),
    { json: [] }),
  ...[['value', 'lead_value'], ['created', 'lead_created'], ['last_contacted', 'lead_last_contacted']].map(([sort, wire]) => sends(
    `sorts by ${sort}`, `leads list --sort ${sort}`, whole(`/api/leads?sort=${wire}`, list([])))),
  refused('refuses an unknown active state', 'leads list --active-state gone', /--active-state/),
  refused('refuses an unknown sort name', 'leads list --sort valeu', /--sort: unknown field "valeu", did you mean value\?/),
  refused('refuses an assigned user that is no id', 'leads list --assigned -1', /--assigned: "-1"/),
]);

wireCases('leads get', [
  sends('reads one lead and prints it', 'leads get 12 --json', get('/api/leads/12', ok(LEAD, 'Lead retrieved successfully.')),
    { json: LEAD }),
  sends('exits 3 on an unknown id', 'leads get 99', get('/api/leads/99', failure(404, 'No query results for model [Lead] 99')),
    { stderr: /^error: No query results for model \[Lead\] 99$/m, exit: 3 }),
  refused('refuses id 0', 'leads get 0'),
  refused('refuses an id that is no number', 'leads get abc', /abc/),
  refused('refuses an id with a fraction', 'leads get 1.5', /1\.5/),
]);

wireCases('leads create', [
  sends('sends every flag by wire name',
    `leads create --title 'Shop fitting' --status 3 --category 2 --first-name Ann --last-name Lee --email ann@lee.test --phone '030 1234'
      --job-position Owner --company-name 'Lee Stores' --website https://lee.test --value 10.50 --source Web --last-contacted 2026-01-15
      --description 'Two floors' --street '1 High St' --city Leeds --state Yorkshire --zip 01001 --country 'United Kingdom' --json`,
    post('/api/leads', LEAD_FORM, created({ ...LEAD, id: 50 })), { json: { ...LEAD, id: 50 } }),
  sends('sends nothing that was not given', `leads create ${SHOP}`, post('/api/leads', SHOP_FORM, NEW)),
  sends('sends JSON: ids as numbers, money and zip as strings', `leads create ${SHOP} --value 10.50 --zip 01001`,
    post('/api/leads', json({ lead_title: 'Shop', lead_status: 3, lead_categoryid: 2, lead_value: '10.50', lead_zip: '01001' }), NEW),
    { encoding: 'json' }),
  sends('adds custom fields with --set', `leads create ${SHOP} --set lead_custom_field_1=a=b --set lead_custom_field_2=`,
    post('/api/leads', { ...SHOP_FORM, lead_custom_field_1: 'a=b', lead_custom_field_2: '' }, NEW)),
  sends('sends what --set gives as strings, in JSON too', `leads create ${SHOP} --set lead_custom_field_1=7`,
    post('/api/leads', json({ lead_title: 'Shop', lead_status: 3, lead_categoryid: 2, lead_custom_field_1: '7' }), NEW),
    { encoding: 'json' }),
  sends('takes wire names from --data, and flags win',
    `leads create --data '{"lead_title":"Old","lead_status":1,"lead_categoryid":2}' --title Shop --status 3`,
    post('/api/leads', SHOP_FORM, NEW)),
  sends('takes --data from a file', 'leads create --data @lead.json',
    post('/api/leads', { ...SHOP_FORM, lead_company_name: 'Lee & Co', lead_last_contacted: '2026-01-15' }, NEW),
    { files: {
        'lead.json': '{"title": "Shop", "status": 3, "category": 2, "company-name": "Lee & Co", "last_contacted": "2026-01-15"}' } }),
  sends('takes --data from standard input', 'leads create --data -', post('/api/leads', SHOP_FORM, NEW),
    { stdin: '{"title": "Shop", "status": 3, "category": 2}\n' }),
  sends('shows a refused status beside the flag', `leads create ${SHOP}`,
    post('/api/leads', SHOP_FORM, invalid({ lead_status: ['The selected lead status is invalid.'] })),
    { exit: 5, stdout: /^$/, stderr: /--status: The selected lead status is invalid\./ }),
  refused('needs a status and a category', 'leads create --title Shop', /(?=[\s\S]*--status)(?=[\s\S]*--category)/),
  ...['12,50', '1e3', 'NaN', '$5', '1.2.3'].map((value) => refused(`refuses the value ${value}`, `leads create ${SHOP} --value ${value}`,
    /--value/)),
  refused('refuses a day that does not exist', `leads create ${SHOP} --last-contacted 2026-02-30`, /--last-contacted/),
  refused('refuses a blank title', "leads create --title ' ' --status 3 --category 2",
    /^error: --title: it is blank, and a new lead needs it\.$/m),
  refused('refuses --data that is not JSON', `leads create --data '{"title":'`, /--data/),
  refused('checks what --data gives', `leads create --data '{"title":"Shop","status":"0","category":2}'`, /status/),
]);

wireCases('leads update', [
  sends('reads, merges and sends back every value that is not changed', 'leads update 12 --value 11.00 --json',
    [get('/api/leads/12', ok(LEAD)),
      patch('/api/leads/12', { ...LEAD_FORM, lead_value: '11.00' }, ok({ ...LEAD, value: '11.00' }, 'Lead updated successfully.'))],
    { json: { ...LEAD, value: '11.00' } }),
  sends('changes every field by its flag',
    `leads update 12 --title T --status 4 --category 9 --first-name F --last-name L --email e@x.test --phone 1 --job-position J
      --company-name C --website https://w.test --value 0.99 --source S --last-contacted 2026-12-31 --description D --street St --city Ci
      --state Sta --zip 00007 --country Co`,
    [get('/api/leads/12', ok(LEAD)),
      patch('/api/leads/12',
        { lead_title: 'T', lead_status: '4', lead_categoryid: '9', lead_firstname: 'F', lead_lastname: 'L', lead_email: 'e@x.test',
          lead_phone: '1', lead_job_position: 'J', lead_company_name: 'C', lead_website: 'https://w.test', lead_value: '0.99',
          lead_source: 'S', lead_last_contacted: '2026-12-31', lead_description: 'D', lead_street: 'St', lead_city: 'Ci', lead_state: 'Sta',
          lead_zip: '00007', lead_country: 'Co' },
        ok({ ...LEAD, title: 'T', status: { id: 4, title: 'Won', color: 'red' }, category: { id: 9, name: 'Nine' }, value: '0.99', source: 'S',
          last_contacted: '2026-12-31', description: 'D',
          contact: { first_name: 'F', last_name: 'L', email: 'e@x.test', phone: '1', job_position: 'J', company_name: 'C', website: 'https://w.test' },
          address: { street: 'St', city: 'Ci', state: 'Sta', zip: '00007', country: 'Co' } }))]),
  sends('sends half a character that a service left in another field back as it is, as JSON', 'leads update 12 --value 11.00',
    [get('/api/leads/12', ok({ ...LEAD, description: 'Cut \ud83d' })),
      patch('/api/leads/12', json({ ...LEAD_FORM, lead_status: 3, lead_categoryid: 2, lead_value: '11.00', lead_description: 'Cut \ud83d' }),
        ok({ ...LEAD, value: '11.00', description: 'Cut \ud83d' }))]),
  sends('leaves nulls out and sends an empty value back as it is', 'leads update 12 --source Fair',
    [get('/api/leads/12', ok(SPARSE)),
      patch('/api/leads/12',
        { lead_title: 'Shop fitting', lead_status: '3', lead_categoryid: '2', lead_firstname: 'Ann', lead_lastname: '', lead_city: 'Leeds',
          lead_source: 'Fair' }, ok({ ...SPARSE, source: 'Fair' }))]),
  sends('clears fields with empty values', "leads update 12 --phone '' --value '' --last-contacted '' --description ''",
    [get('/api/leads/12', ok(LEAD)),
      patch('/api/leads/12', { ...LEAD_FORM, lead_phone: '', lead_value: '', lead_last_contacted: '', lead_description: '' },
        ok({ ...LEAD, contact: { ...LEAD.contact, phone: null }, value: null, last_contacted: null, description: null }))]),
  sends('sends a long decimal string back byte for byte', 'leads update 12 --title Shop',
    [get('/api/leads/12', ok({ ...LEAD, value: '12345678901234567890.10' })),
      patch('/api/leads/12', { ...LEAD_FORM, lead_title: 'Shop', lead_value: '12345678901234567890.10' }, ok({ ...LEAD, title: 'Shop' }))]),
  sends('sends a long JSON number back with the same characters', 'leads update 12 --title Shop',
    [get('/api/leads/12', { text: JSON.stringify({ data: LEAD, message: 'OK' }).replace('"10.50"', '12345678901234567890.10') }),
      patch('/api/leads/12', { ...LEAD_FORM, lead_title: 'Shop', lead_value: '12345678901234567890.10' }, ok({ ...LEAD, title: 'Shop' }))]),
  sends('sends JSON: ids as numbers, money, phone and zip as strings', 'leads update 12 --category 9',
    [get('/api/leads/12', ok({ ...LEAD, value: '12345678901234567890.10' })),
      patch('/api/leads/12',
        json({ lead_title: 'Shop fitting', lead_status: 3, lead_categoryid: 9, lead_firstname: 'Ann', lead_lastname: 'Lee',
          lead_email: 'ann@lee.test', lead_phone: '030 1234', lead_company_name: 'Lee Stores', lead_job_position: 'Owner',
          lead_website: 'https://lee.test', lead_value: '12345678901234567890.10', lead_source: 'Web', lead_last_contacted: '2026-01-15',
          lead_description: 'Two floors', lead_street: '1 High St', lead_city: 'Leeds', lead_state: 'Yorkshire', lead_zip: '01001',
          lead_country: 'United Kingdom' }), ok({ ...LEAD, category: { id: 9, name: 'Nine' } }))], { encoding: 'json' }),
  sends('skips the read with --replace and sends just the flags', 'leads update 12 --replace --title x --status 1 --category 2',
    patch('/api/leads/12', { lead_title: 'x', lead_status: '1', lead_categoryid: '2' }, ok(LEAD))),
  sends('takes --set as a change, over the value that was read', 'leads update 12 --set lead_source=Fair --set lead_custom_field_1=x',
    [get('/api/leads/12', ok(LEAD)), patch('/api/leads/12', { ...LEAD_FORM, lead_source: 'Fair', lead_custom_field_1: 'x' }, ok({ ...LEAD, source: 'Fair' }))]),
  sends('takes --data as a change', `leads update 12 --data '{"first-name":"Anna","lead_city":"York"}'`,
    [get('/api/leads/12', ok(LEAD)), patch('/api/leads/12', { ...LEAD_FORM, lead_firstname: 'Anna', lead_city: 'York' },
      ok({ ...LEAD, contact: { ...LEAD.contact, first_name: 'Anna' }, address: { ...LEAD.address, city: 'York' } }))]),
  sends('stops after the read when the record has no status', 'leads update 12 --title x',
    get('/api/leads/12', ok({ ...LEAD, status: { id: null, title: null, color: null } })), { exit: 2, stderr: /--status/ }),
  refused('refuses to blank what is required, by its flag', "leads update 12 --title '' --dry-run", /--title: it is blank, and can't be cleared\./),
  refused('also with --replace', "leads update 12 --title ' ' --status 3 --category 2 --replace", /--title: it is blank/),
  sends('an empty title of --set is sent: the service says whether it may be cleared',
    "leads update 12 --set lead_title= --status 3 --category 2 --replace",
    patch('/api/leads/12', { lead_title: '', lead_status: '3', lead_categoryid: '2' },
      { status: 422, json: { message: 'The given data was invalid.', errors: { lead_title: ['The lead title field is required.'] } } }),
    { exit: 5 }),
  refused('refuses to change nothing', 'leads update 12'),
  refused('refuses to replace with nothing', 'leads update 12 --replace'),
  refused('refuses a bad date before the read', 'leads update 12 --last-contacted 2026-13-01', /--last-contacted/),
  refused('refuses a bad value before the read', 'leads update 12 --value ten', /--value/),
  refused('refuses status 0', 'leads update 12 --status 0', /--status/),
  refused('refuses a name twice in --set', 'leads update 12 --set lead_source=a --set lead_source=b', /--set: "lead_source" is given twice\./),
  refused('refuses two names of a field in --data', `leads update 12 --data '{"title":"A","lead_title":"B"}'`,
    /--data: "title" and "lead_title" are the same field: give one of them\./),
  sends('sends name[] twice in --set as an array', 'leads update 12 --set lead_custom_field_9[]=a --set lead_custom_field_9[]=b',
    [get('/api/leads/12', ok(LEAD)), patch('/api/leads/12', { ...LEAD_FORM, 'lead_custom_field_9[]': ['a', 'b'] }, ok(LEAD))]),
  refused('refuses --set without a value', 'leads update 12 --set lead_source', /--set/),
]);

wireCases('leads create, refused', [
  sends('names the flags that were typed in place of wire names', 'leads create --title Till --status 99 --category 1',
    post('/api/leads', { lead_title: 'Till', lead_status: '99', lead_categoryid: '1' },
      { status: 422,
        json: { message: 'The lead_status is invalid (and 1 more).',
          errors: { lead_status: ['No lead_status fits lead_categoryid 1.', 'E.g. 2.'] } } }),
    { exit: 5,
      stderr: /^error: The --status is invalid \(and 1 more\)\.\n {2}--status: No --status fits --category 1\.\n {2}--status: E\.g\. 2\.$/m }),
]);

wireCases('leads delete', [
  sends('deletes several in order', 'leads delete 12 13 --yes --json',
    [12, 13].flatMap((id) => [get(`/api/leads/${id}`, ok({ ...LEAD, id })),
      del(`/api/leads/${id}`, ok({ id }, 'Lead deleted successfully.'))]), { atOnce: true, json: [{ id: 12 }, { id: 13 }] }),
  sends('exits 8 when all of several are not found', 'leads delete 12 13 --yes',
    [12, 13].map((id) => get(`/api/leads/${id}`, failure(404, 'Lead not found.'))), { atOnce: true, exit: 8 }),
  sends('sends nothing without --yes', 'leads delete 12', [], { exit: 9, stderr: /--yes/ }),
]);

const CONTACTED = { ...LEAD, last_contacted: '2026-02-03' };
const SPOKEN = { id: 34, text: "Said 'maybe'", creator: { id: 1, name: 'Admin' } };
const ON = 'leads contacted 12 --on 2026-02-03';
const read = get('/api/leads/12', ok(LEAD));
const dated = (reply: Reply) => patch('/api/leads/12', { ...LEAD_FORM, lead_last_contacted: '2026-02-03' }, reply);
const commented = (reply: Reply) => post('/api/leads/12/comments', { comment: "Said 'maybe'" }, reply);
const WON = { ...CONTACTED, status: { id: 4, title: 'Won', color: 'green' } };
const TAGGED = { ...WON, tags: ['warm', 'retail', 'hot', 'fair'] };
const moved = (reply: Reply) => put('/api/leads/12/status', { status: '4' }, reply);
const tagged = (reply: Reply) => put('/api/leads/12/tags', { 'tags[]': ['warm', 'retail', 'hot', 'fair'] }, reply);

wireCases('leads contacted', [
  sends('sets the date alone, and loses nothing', `${ON} --json`, [read, dated(ok(CONTACTED))], { json: CONTACTED }),
  sends('adds the text as a comment, once the date is set', `${ON} - --json`,
    [read, dated(ok(CONTACTED)), commented(created(SPOKEN))],
    { stdin: "Said 'maybe'", json: { ...CONTACTED, comment: SPOKEN },
      stderr: /^Lead 12 contacted: Shop fitting\. last-contacted 2026-01-15 -> 2026-02-03, comment "Said 'maybe'"\n$/ }),
  sends('says that the date is set where the comment is refused, and how to send the comment alone', `${ON} "Said 'maybe'"`,
    [read, dated(ok(CONTACTED)), commented(invalid({ comment: ['The comment is too short.'] }))],
    { exit: 5, stdout: /^$/,
      stderr: /The date of the last contact is set, to 2026-02-03\. To send the comment alone: crm leads comments add 12 'Said '\\''maybe'\\'''$/m }),
  sends('says how to look for a comment of which nobody knows whether it arrived; it is not sent again', `${ON} "Said 'maybe'"`,
    [read, dated(ok(CONTACTED)), commented(failure(500, 'Oops.'))],
    { exit: 7,
      stderr: /see whether it took effect: crm leads comments list 12\nThe date of the last contact is set, to 2026-02-03\. Only if the comment is not there: crm leads comments add 12 'Said/ }),
  sends('sends no comment where the date is refused', `${ON} "Said 'maybe'"`,
    [read, dated(invalid({ lead_title: ['No.'] }))], { exit: 5, stderr: /Not sent: the comment\.$/m }),
  sends('shows both writes under --dry-run', `${ON} "Said 'maybe'" --dry-run`, read,
    { stdout: /^PATCH .*\/leads\/12\n[\s\S]*last_contacted=2026-02-03\n[\s\S]*POST .*\/leads\/12\/comments\n {2}comment=Said 'maybe'\n$/ }),
  sends('of several sends the date of each, then its comment', `leads contacted 12,13 --on 2026-02-03 --text "Said 'maybe'" --json`,
    [read, dated(ok(CONTACTED)), get('/api/leads/12', ok(CONTACTED)), get('/api/leads/12/comments', ok([])),
      commented(created(SPOKEN)), get('/api/leads/13', failure(404, 'Lead not found.'))],
    { atOnce: true, exit: 8, json: [{ ...CONTACTED, comment: SPOKEN }], stderr: /"failures":\[\{"id":13,/ }),
  sends('of several says of each what became of its date where the comment is refused',
    `leads contacted - --on 2026-02-03 --text "Said 'maybe'" --yes`,
    [read, dated(ok(CONTACTED)), get('/api/leads/12', ok(CONTACTED)), get('/api/leads/12/comments', ok([])),
      commented(invalid({ comment: ['The comment is too short.'] }))],
    { stdin: '12', exit: 8,
      stderr: /The date of the last contact is set, to 2026-02-03\. To send the comment alone: crm leads comments add 12 'Said/ }),
  sends('then sets the status and adds the tags, each by its own endpoint, and comments last',
    `${ON} "Said 'maybe'" --status 4 --add-tag hot --add-tag fair --json`,
    [read, dated(ok(CONTACTED)), moved(ok(WON)), get('/api/leads/12', ok(WON)), tagged(ok(TAGGED)), commented(created(SPOKEN))],
    { json: { ...TAGGED, comment: SPOKEN },
      stderr: /^Lead 12 contacted: Shop fitting\. last-contacted 2026-01-15 -> 2026-02-03, status set to Won, tags \+hot \+fair, comment "Said 'maybe'"\n$/ }),
  sends('says what is set, and how to send each part that is not, where the status is refused',
    `${ON} "Said 'maybe'" --status 4 --add-tag hot --add-tag fair`,
    [read, dated(ok(CONTACTED)), moved(invalid({ status: ['No such status.'] }))],
    { exit: 5, stdout: /^$/,
      stderr: /--status: No such status\.[\s\S]*^The date of the last contact is set, to 2026-02-03\. To set the status alone: crm leads status 12 4\nTo add the tags alone: crm leads tags 12 --add hot --add fair\nTo send the comment alone: crm leads comments add 12 'Said /m }),
  sends('of several says of each what became of its parts', 'leads contacted 12,13 --on 2026-02-03 --status 4 --add-tag hot --add-tag fair',
    [read, dated(ok(CONTACTED)), get('/api/leads/12', ok(CONTACTED)), moved(ok(WON)), get('/api/leads/12', ok(WON)),
      tagged(invalid({ tags: ['Too many.'] })), get('/api/leads/13', failure(404, 'Lead not found.'))],
    { atOnce: true, exit: 8,
      stderr: /The date of the last contact is set, to 2026-02-03\. The status is set\. To add the tags alone: crm leads tags 12 --add hot --add fair$/m }),
  sends('names all that was not sent where the date is refused', `${ON} "Said 'maybe'" --status 4 --add-tag hot`,
    [read, dated(invalid({ lead_title: ['No.'] }))], { exit: 5, stderr: /Not sent: the status, the tags, the comment\.$/m }),
  refused('takes the comment of several with --text alone', 'leads contacted 12,13 Called', /--text/),
  refused('refuses an empty comment', "leads contacted 12 ' '", /^error: text: a comment can't be empty\.$/m),
  refused('refuses a day that does not exist', 'leads contacted 12 --on 2026-02-30', /--on/),
]);

wireCases('the state of an address is no state of a lead', [
  ...['open', 'Converted', 'archived'].flatMap((word) => [refused(`update --state ${word}`, `leads update 12 --state ${word}`,
    new RegExp(`--state: this is the state of the address\\. .*--where state=${word}\\.`)),
    refused(`create --state ${word}`, `leads create ${SHOP} --state ${word}`, /--state: this is the state of the address\./)]),
  sends('another word is one', `leads create ${SHOP} --state 'Open County'`,
    post('/api/leads', { ...SHOP_FORM, lead_state: 'Open County' }, NEW)),
]);
