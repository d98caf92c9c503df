// Wire tests of the leads family's plain verbs (list, get, create, update, delete), and of contacted, which is an update too.
// Typed by hand from the interface document (Leads) and the command line's table; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';
import { changed, created, failure, invalid, LEAD, LEAD_FORM, list, ok, type Pair, refused, WHOLE } from './records.ts';

const NEW = created({ id: 50, title: 'Shop', status: { id: 3, title: 'Qualified', color: 'blue' } }, 'Lead created successfully.');
const SHOP = ['--title', 'Shop', '--status', '3', '--category', '2'];
const SHOP_FORM: Pair[] = [['lead_title', 'Shop'], ['lead_status', '3'], ['lead_categoryid', '2']];

/** A lead of which little is known. */
const SPARSE = {
  ...LEAD, value: null, source: null, last_contacted: null, description: null,
  contact: { first_name: 'Ann', last_name: '', email: null, phone: null, job_position: null, company_name: null, website: null },
  address: { street: null, city: 'Leeds', state: null, zip: null, country: null },
};

wireCases('leads list', [
  { name: 'asks for pages of 100 and prints the records', argv: ['leads', 'list', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([LEAD, { ...SPARSE, id: 13 }]) }],
    stdout: { json: [LEAD, { ...SPARSE, id: 13 }] } },
  { name: 'sends its filters by wire name',
    argv: [
      'leads', 'list', '--status', '3', '--category', '2', '--source', 'Web', '--active-state', 'archived', '--assigned', '5', '--search',
      'shop', '--sort', 'title', '--order', 'asc',
    ],
    exchanges: [{
      request: {
        method: 'GET', path: '/api/leads',
        query: [
          ['status', '3'], ['category_id', '2'], ['source', 'Web'], ['active_state', 'archived'], ['assigned_user_id', '5'],
          ['search', 'shop'], ['sort', 'lead_title'], ['order', 'asc'], ...WHOLE,
        ],
      },
      reply: list([]),
    }] },
  { name: 'filters by active state active', argv: ['leads', 'list', '--active-state', 'active', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: [['active_state', 'active'], ...WHOLE] }, reply: list([]) }],
    stdout: { json: [] } },
  ...([['value', 'lead_value'], ['created', 'lead_created'], ['last_contacted', 'lead_last_contacted']] as const).map(
    ([sort, wire]): WireCase => ({
      name: `sorts by ${sort}`, argv: ['leads', 'list', '--sort', sort],
      exchanges: [{ request: { method: 'GET', path: '/api/leads', query: [['sort', wire], ...WHOLE] }, reply: list([]) }],
    })
  ),
  refused('refuses an unknown active state', ['leads', 'list', '--active-state', 'gone'], /--active-state/),
  refused('refuses an unknown sort name', ['leads', 'list', '--sort', 'updated'], /--sort/),
  refused('refuses an assigned user that is no id', ['leads', 'list', '--assigned', '-1'], /--assigned: "-1"/),
]);

wireCases('leads get', [
  { name: 'reads one lead and prints it', argv: ['leads', 'get', '12', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD, 'Lead retrieved successfully.') }],
    stdout: { json: LEAD } },
  { name: 'exits 3 on an unknown id', argv: ['leads', 'get', '99'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/99' }, reply: failure(404, 'No query results for model [Lead] 99') }],
    stderr: /^error: No query results for model \[Lead\] 99$/m, exit: 3 },
  refused('refuses id 0', ['leads', 'get', '0']), refused('refuses an id that is no number', ['leads', 'get', 'abc'], /abc/),
  refused('refuses an id with a fraction', ['leads', 'get', '1.5'], /1\.5/),
]);

wireCases('leads create', [
  { name: 'sends every flag by wire name',
    argv: [
      'leads', 'create', '--title', 'Shop fitting', '--status', '3', '--category', '2', '--first-name', 'Ann', '--last-name', 'Lee',
      '--email', 'ann@lee.test', '--phone', '030 1234', '--job-position', 'Owner', '--company-name', 'Lee Stores', '--website',
      'https://lee.test', '--value', '10.50', '--source', 'Web', '--last-contacted', '2026-01-15', '--description', 'Two floors',
      '--street', '1 High St', '--city', 'Leeds', '--state', 'Yorkshire', '--zip', '01001', '--country', 'United Kingdom', '--json',
    ],
    exchanges: [{ request: { method: 'POST', path: '/api/leads', form: LEAD_FORM }, reply: NEW }],
    stdout: { json: { id: 50, title: 'Shop', status: { id: 3, title: 'Qualified', color: 'blue' } } } },
  { name: 'sends nothing that was not given', argv: ['leads', 'create', ...SHOP],
    exchanges: [{ request: { method: 'POST', path: '/api/leads', form: SHOP_FORM }, reply: NEW }] },
  { name: 'sends JSON: ids as numbers, money and zip as strings', argv: ['leads', 'create', ...SHOP, '--value', '10.50', '--zip', '01001'],
    encoding: 'json',
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads',
        json: { lead_title: 'Shop', lead_status: 3, lead_categoryid: 2, lead_value: '10.50', lead_zip: '01001' },
      },
      reply: NEW,
    }] },
  { name: 'adds custom fields with --set',
    argv: ['leads', 'create', ...SHOP, '--set', 'lead_custom_field_1=a=b', '--set', 'lead_custom_field_2='],
    exchanges: [{
      request: { method: 'POST', path: '/api/leads', form: [...SHOP_FORM, ['lead_custom_field_1', 'a=b'], ['lead_custom_field_2', '']] },
      reply: NEW,
    }] },
  { name: 'sends what --set gives as strings, in JSON too', argv: ['leads', 'create', ...SHOP, '--set', 'lead_custom_field_1=7'],
    encoding: 'json',
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads', json: { lead_title: 'Shop', lead_status: 3, lead_categoryid: 2, lead_custom_field_1: '7' },
      },
      reply: NEW,
    }] },
  { name: 'takes wire names from --data, and flags win',
    argv: ['leads', 'create', '--data', '{"lead_title":"Old","lead_status":1,"lead_categoryid":2}', '--title', 'Shop', '--status', '3'],
    exchanges: [{ request: { method: 'POST', path: '/api/leads', form: SHOP_FORM }, reply: NEW }] },
  { name: 'takes --data from a file', argv: ['leads', 'create', '--data', '@lead.json'],
    files: { 'lead.json': '{"title": "Shop", "status": 3, "category": 2, "company-name": "Lee & Co", "last_contacted": "2026-01-15"}' },
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads', form: [...SHOP_FORM, ['lead_company_name', 'Lee & Co'], ['lead_last_contacted', '2026-01-15']],
      },
      reply: NEW,
    }] },
  { name: 'takes --data from standard input', argv: ['leads', 'create', '--data', '-'],
    stdin: '{"title": "Shop", "status": 3, "category": 2}\n',
    exchanges: [{ request: { method: 'POST', path: '/api/leads', form: SHOP_FORM }, reply: NEW }] },
  { name: 'shows a refused status beside the flag', argv: ['leads', 'create', ...SHOP],
    exchanges: [{
      request: { method: 'POST', path: '/api/leads', form: SHOP_FORM },
      reply: invalid({ lead_status: ['The selected lead status is invalid.'] }),
    }],
    exit: 5, stdout: /^$/, stderr: /--status: The selected lead status is invalid\./ },
  refused('needs a status and a category', ['leads', 'create', '--title', 'Shop'], /(?=[\s\S]*--status)(?=[\s\S]*--category)/),
  ...['12,50', '1e3', 'NaN', '$5', '1.2.3'].map((value) => refused(
    `refuses the value ${value}`, ['leads', 'create', ...SHOP, '--value', value], /--value/
  )),
  refused('refuses a day that does not exist', ['leads', 'create', ...SHOP, '--last-contacted', '2026-02-30'], /--last-contacted/),
  refused(
    'refuses a blank title', ['leads', 'create', '--title', ' ', '--status', '3', '--category', '2'],
    /^error: --title: it is blank, and a new lead needs it\.$/m
  ),
  refused('refuses --data that is not JSON', ['leads', 'create', '--data', '{"title":'], /--data/),
  refused('checks what --data gives', ['leads', 'create', '--data', '{"title":"Shop","status":"0","category":2}'], /status/),
]);

wireCases('leads update', [
  { name: 'reads, merges and sends back every value that is not changed', argv: ['leads', 'update', '12', '--value', '11.00', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'PATCH', path: '/api/leads/12', form: changed(LEAD_FORM, ['lead_value', '11.00']) },
        reply: ok({ ...LEAD, value: '11.00' }, 'Lead updated successfully.') },
    ],
    stdout: { json: { ...LEAD, value: '11.00' } } },
  { name: 'changes every field by its flag',
    argv: [
      'leads', 'update', '12', '--title', 'T', '--status', '4', '--category', '9', '--first-name', 'F', '--last-name', 'L', '--email',
      'e@x.test', '--phone', '1', '--job-position', 'J', '--company-name', 'C', '--website', 'https://w.test', '--value', '0.99',
      '--source', 'S', '--last-contacted', '2026-12-31', '--description', 'D', '--street', 'St', '--city', 'Ci', '--state', 'Sta', '--zip',
      '00007', '--country', 'Co',
    ],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      {
        request: {
          method: 'PATCH', path: '/api/leads/12',
          form: [
            ['lead_title', 'T'], ['lead_status', '4'], ['lead_categoryid', '9'], ['lead_firstname', 'F'], ['lead_lastname', 'L'],
            ['lead_email', 'e@x.test'], ['lead_phone', '1'], ['lead_job_position', 'J'], ['lead_company_name', 'C'],
            ['lead_website', 'https://w.test'], ['lead_value', '0.99'], ['lead_source', 'S'], ['lead_last_contacted', '2026-12-31'],
            ['lead_description', 'D'], ['lead_street', 'St'], ['lead_city', 'Ci'], ['lead_state', 'Sta'], ['lead_zip', '00007'],
            ['lead_country', 'Co'],
          ],
        },
        reply: ok(LEAD),
      },
    ] },
  { name: 'leaves nulls out and sends an empty value back as it is', argv: ['leads', 'update', '12', '--source', 'Fair'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(SPARSE) },
      {
        request: {
          method: 'PATCH', path: '/api/leads/12',
          form: [
            ['lead_title', 'Shop fitting'], ['lead_status', '3'], ['lead_categoryid', '2'], ['lead_firstname', 'Ann'],
            ['lead_lastname', ''], ['lead_city', 'Leeds'], ['lead_source', 'Fair'],
          ],
        },
        reply: ok(SPARSE),
      },
    ] },
  { name: 'clears fields with empty values',
    argv: ['leads', 'update', '12', '--phone', '', '--value', '', '--last-contacted', '', '--description', ''],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      {
        request: {
          method: 'PATCH', path: '/api/leads/12',
          form: changed(LEAD_FORM, ['lead_phone', ''], ['lead_value', ''], ['lead_last_contacted', ''], ['lead_description', '']),
        },
        reply: ok(LEAD),
      },
    ] },
  { name: 'sends a long decimal string back byte for byte', argv: ['leads', 'update', '12', '--title', 'Shop'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ ...LEAD, value: '12345678901234567890.10' }) },
      {
        request: {
          method: 'PATCH', path: '/api/leads/12',
          form: changed(LEAD_FORM, ['lead_title', 'Shop'], ['lead_value', '12345678901234567890.10']),
        },
        reply: ok(LEAD),
      },
    ] },
  { name: 'sends a long JSON number back with the same characters', argv: ['leads', 'update', '12', '--title', 'Shop'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' },
        reply: { text: JSON.stringify({ data: LEAD, message: 'OK' }).replace('"10.50"', '12345678901234567890.10') } },
      {
        request: {
          method: 'PATCH', path: '/api/leads/12',
          form: changed(LEAD_FORM, ['lead_title', 'Shop'], ['lead_value', '12345678901234567890.10']),
        },
        reply: ok(LEAD),
      },
    ] },
  { name: 'sends JSON: ids as numbers, money, phone and zip as strings', argv: ['leads', 'update', '12', '--category', '9'],
    encoding: 'json',
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ ...LEAD, value: '12345678901234567890.10' }) },
      {
        request: {
          method: 'PATCH', path: '/api/leads/12',
          json: {
            lead_title: 'Shop fitting', lead_status: 3, lead_categoryid: 9, lead_firstname: 'Ann', lead_lastname: 'Lee',
            lead_email: 'ann@lee.test', lead_phone: '030 1234', lead_company_name: 'Lee Stores', lead_job_position: 'Owner',
            lead_website: 'https://lee.test', lead_value: '12345678901234567890.10', lead_source: 'Web', lead_last_contacted: '2026-01-15',
            lead_description: 'Two floors', lead_street: '1 High St', lead_city: 'Leeds', lead_state: 'Yorkshire', lead_zip: '01001',
            lead_country: 'United Kingdom',
          },
        },
        reply: ok(LEAD),
      },
    ] },
  { name: 'skips the read with --replace and sends just the flags',
    argv: ['leads', 'update', '12', '--replace', '--title', 'x', '--status', '1', '--category', '2'],
    exchanges: [{
      request: { method: 'PATCH', path: '/api/leads/12', form: [['lead_title', 'x'], ['lead_status', '1'], ['lead_categoryid', '2']] },
      reply: ok(LEAD),
    }] },
  { name: 'takes --set as a change, over the value that was read',
    argv: ['leads', 'update', '12', '--set', 'lead_source=Fair', '--set', 'lead_custom_field_1=x'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      {
        request: {
          method: 'PATCH', path: '/api/leads/12', form: changed(LEAD_FORM, ['lead_source', 'Fair'], ['lead_custom_field_1', 'x']),
        },
        reply: ok(LEAD),
      },
    ] },
  { name: 'takes --data as a change', argv: ['leads', 'update', '12', '--data', '{"first-name":"Anna","lead_city":"York"}'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'PATCH', path: '/api/leads/12', form: changed(LEAD_FORM, ['lead_firstname', 'Anna'], ['lead_city', 'York']) },
        reply: ok(LEAD) },
    ] },
  { name: 'stops after the read when the record has no status', argv: ['leads', 'update', '12', '--title', 'x'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ ...LEAD, status: { id: null, title: null, color: null } }),
    }],
    exit: 2, stderr: /--status/ },
  { name: 'an empty title is sent: the service says whether it may be cleared',
    argv: ['leads', 'update', '12', '--title', '', '--status', '3', '--category', '2', '--replace'],
    exchanges: [{
      request: { method: 'PATCH', path: '/api/leads/12', form: [['lead_title', ''], ['lead_status', '3'], ['lead_categoryid', '2']] },
      reply: {
        status: 422, json: { message: 'The given data was invalid.', errors: { lead_title: ['The lead title field is required.'] } },
      },
    }],
    exit: 5 },
  refused('refuses to change nothing', ['leads', 'update', '12']),
  refused('refuses to replace with nothing', ['leads', 'update', '12', '--replace']),
  refused('refuses a bad date before the read', ['leads', 'update', '12', '--last-contacted', '2026-13-01'], /--last-contacted/),
  refused('refuses a bad value before the read', ['leads', 'update', '12', '--value', 'ten'], /--value/),
  refused('refuses status 0', ['leads', 'update', '12', '--status', '0'], /--status/),
  refused('refuses --set without a value', ['leads', 'update', '12', '--set', 'lead_source'], /--set/),
]);

wireCases('leads create, refused', [
  {
    name: 'names the flags that were typed in place of wire names',
    argv: ['leads', 'create', '--title', 'Till', '--status', '99', '--category', '1'],
    exchanges: [{
      request: { method: 'POST', path: '/api/leads', form: [['lead_title', 'Till'], ['lead_status', '99'], ['lead_categoryid', '1']] },
      reply: {
        status: 422,
        json: { message: 'The lead_status is invalid (and 1 more).', errors: { lead_status: ['No lead_status fits lead_categoryid 1.', 'E.g. 2.'] } },
      },
    }],
    exit: 5,
    stderr: /^error: The --status is invalid \(and 1 more\)\.\n {2}--status: No --status fits --category 1\.\n {2}--status: E\.g\. 2\.$/m,
  },
]);

wireCases('leads delete', [
  { name: 'deletes several in order', argv: ['leads', 'delete', '12', '13', '--yes', '--json'], atOnce: true,
    exchanges: [12, 13].flatMap((id): Exchange[] => [
      { request: { method: 'GET', path: `/api/leads/${id}` }, reply: ok({ ...LEAD, id }) },
      { request: { method: 'DELETE', path: `/api/leads/${id}` }, reply: ok({ id }, 'Lead deleted successfully.') },
    ]),
    stdout: { json: [{ id: 12 }, { id: 13 }] } },
  { name: 'exits 8 when all of several are not found', argv: ['leads', 'delete', '12', '13', '--yes'], atOnce: true,
    exchanges: [12, 13].map((id): Exchange => ({
      request: { method: 'GET', path: `/api/leads/${id}` }, reply: failure(404, 'Lead not found.'),
    })),
    exit: 8 },
  { name: 'sends nothing without --yes', argv: ['leads', 'delete', '12'], exchanges: [], exit: 9, stderr: /--yes/ },
]);

const CONTACTED = { ...LEAD, last_contacted: '2026-02-03' };
const SPOKEN = { id: 34, text: "Said 'maybe'", creator: { id: 1, name: 'Admin' } };
const ON = ['leads', 'contacted', '12', '--on', '2026-02-03'];
const read = { request: { method: 'GET' as const, path: '/api/leads/12' }, reply: ok(LEAD) };
const dated = { method: 'PATCH' as const, path: '/api/leads/12', form: changed(LEAD_FORM, ['lead_last_contacted', '2026-02-03']) };
const commented = { method: 'POST' as const, path: '/api/leads/12/comments', form: [['comment', "Said 'maybe'"]] satisfies Pair[] };

wireCases('leads contacted', [
  {
    name: 'sets the date alone, and loses nothing', argv: [...ON, '--json'], exchanges: [read, { request: dated, reply: ok(CONTACTED) }],
    stdout: { json: CONTACTED },
  },
  {
    name: 'adds the text as a comment, once the date is set', argv: [...ON, '-', '--json'], stdin: "Said 'maybe'",
    exchanges: [read, { request: dated, reply: ok(CONTACTED) }, { request: commented, reply: created(SPOKEN) }],
    stdout: { json: { ...CONTACTED, comment: SPOKEN } },
    stderr: /^Lead 12 contacted: Shop fitting\. last-contacted 2026-01-15 -> 2026-02-03, comment "Said 'maybe'"\n$/,
  },
  {
    name: 'says that the date is set where the comment is refused, and how to send the comment alone',
    argv: [...ON, "Said 'maybe'"],
    exchanges: [
      read, { request: dated, reply: ok(CONTACTED) },
      { request: commented, reply: invalid({ comment: ['The comment is too short.'] }) },
    ],
    exit: 5,
    stdout: /^$/,
    stderr: /The date of the last contact is set, to 2026-02-03\. To send the comment alone: crm leads comments add 12 'Said '\\''maybe'\\'''$/m,
  },
  {
    name: 'says how to look for a comment of which nobody knows whether it arrived; it is not sent again',
    argv: [...ON, "Said 'maybe'"],
    exchanges: [read, { request: dated, reply: ok(CONTACTED) }, { request: commented, reply: failure(500, 'Oops.') }],
    exit: 7,
    stderr: /before you repeat it: crm leads comments list 12\nThe date of the last contact is set, to 2026-02-03\. Only if the comment is not there: crm leads comments add 12 'Said/,
  },
  {
    name: 'sends no comment where the date is refused', argv: [...ON, "Said 'maybe'"],
    exchanges: [read, { request: dated, reply: invalid({ lead_title: ['No.'] }) }], exit: 5, stderr: /The comment was not sent\.$/m,
  },
  {
    name: 'shows both writes under --dry-run', argv: [...ON, "Said 'maybe'", '--dry-run'], exchanges: [read],
    stdout: /^PATCH .*\/leads\/12\n[\s\S]*last_contacted=2026-02-03\n[\s\S]*POST .*\/leads\/12\/comments\n {2}comment=Said 'maybe'\n$/,
  },
  {
    name: 'of several sends the date of each, then its comment',
    argv: ['leads', 'contacted', '12,13', '--on', '2026-02-03', '--text', "Said 'maybe'", '--json'], atOnce: true,
    exchanges: [
      read, { request: dated, reply: ok(CONTACTED) },
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(CONTACTED) },
      { request: { method: 'GET', path: '/api/leads/12/comments' }, reply: ok([]) }, { request: commented, reply: created(SPOKEN) },
      { request: { method: 'GET', path: '/api/leads/13' }, reply: failure(404, 'Lead not found.') },
    ],
    exit: 8, stdout: { json: [{ ...CONTACTED, comment: SPOKEN }] }, stderr: /"failures":\[\{"id":13,/,
  },
  {
    name: 'of several says of each what became of its date where the comment is refused',
    argv: ['leads', 'contacted', '-', '--on', '2026-02-03', '--text', "Said 'maybe'", '--yes'], stdin: '12',
    exchanges: [
      read, { request: dated, reply: ok(CONTACTED) },
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(CONTACTED) },
      { request: { method: 'GET', path: '/api/leads/12/comments' }, reply: ok([]) },
      { request: commented, reply: invalid({ comment: ['The comment is too short.'] }) },
    ],
    exit: 8, stderr: /The date of the last contact is set, to 2026-02-03\. To send the comment alone: crm leads comments add 12 'Said/,
  },
  refused('takes the comment of several with --text alone', ['leads', 'contacted', '12,13', 'Called'], /--text/),
  refused('refuses an empty comment', ['leads', 'contacted', '12', ' '], /^error: text: a comment can't be empty\.$/m),
  refused('refuses a day that does not exist', ['leads', 'contacted', '12', '--on', '2026-02-30'], /--on/),
]);

wireCases('the state of an address is no state of a lead', [
  ...['open', 'Converted', 'archived'].flatMap((word) => [
    refused(`update --state ${word}`, ['leads', 'update', '12', '--state', word], new RegExp(
      `--state: this is the state of the address\\. .*--where state=${word}\\.`
    )),
    refused(`create --state ${word}`, ['leads', 'create', ...SHOP, '--state', word], /--state: this is the state of the address\./),
  ]),
  { name: 'another word is one', argv: ['leads', 'create', ...SHOP, '--state', 'Open County'],
    exchanges: [{ request: { method: 'POST', path: '/api/leads', form: [...SHOP_FORM, ['lead_state', 'Open County']] }, reply: NEW }] },
]);
