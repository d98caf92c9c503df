// Wire tests that cut across the families: paging, the grammar, output, long texts, exact bytes, dry runs, failures.
// Typed by hand from the interface document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { WireCase } from '../support/wire-case.ts';
import {
  CONTACT, changed, created, failure, ITEM, invalid, LEAD, list, NOTE, numbered, ok, type Pair, PROPOSAL, type Reply, refused, WHOLE,
} from './records.ts';

/** Text that breaks whatever escapes badly. */
const AWKWARD = ' Zoë & Søn=100% +1 "q" \'s\' 日本 🎉\r\nline\t2 \\n ; ';

const JOHN = ['--first-name', 'John', '--last-name', 'Roe', '--email', 'john@roe.test', '--client', '12'];
const JOHN_FORM: Pair[] = [['first_name', 'John'], ['last_name', 'Roe'], ['email', 'john@roe.test'], ['clientid', '12']];

/** The first page of a list that counts more records than it gives. */
const longList = (total: number, given = 1): Reply => ({
  json: { data: [LEAD, ...numbered(100, 98 + given)], meta: { current_page: 1, per_page: 100, total, last_page: 1 } },
});

wireCases('paging', [
  { name: '--limit under 100 is one page', argv: ['leads', 'list', '--limit', '30', '--json'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads', query: [['limit', '30'], ['page', '1']] }, reply: list(numbered(1, 30), 1, 4, 30),
    }],
    stdout: { json: numbered(1, 30) } },
  { name: '--limit 250 is three pages of 100, cut at 250', argv: ['leads', 'list', '--limit', '250', '--json'],
    exchanges: [
      {
        request: { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', '1']] }, reply: list(numbered(1, 100), 1, 9, 100),
      },
      { request: { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', '2']] },
        reply: list(numbered(101, 200), 2, 9, 100) },
      { request: { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', '3']] },
        reply: list(numbered(201, 300), 3, 9, 100) },
    ],
    stdout: { json: numbered(1, 250) } },
  { name: '--limit stops at the last page', argv: ['contacts', 'list', '--limit=250', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/contacts', query: [['limit', '100'], ['page', '1']] },
        reply: list(numbered(1, 100), 1, 2, 100) },
      { request: { method: 'GET', path: '/api/contacts', query: [['limit', '100'], ['page', '2']] },
        reply: list(numbered(101, 120), 2, 2, 100) },
    ],
    stdout: { json: numbered(1, 120) } },
  { name: '--page alone sends just that', argv: ['items', 'list', '--page', '2', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/items', query: [['page', '2']] }, reply: list(numbered(26, 50), 2, 5) }],
    stdout: { json: numbered(26, 50) } },
  { name: '--page with --limit takes it as the page size', argv: ['notes', 'list', '--page', '2', '--limit', '50', '--json'],
    exchanges: [{
      request: { method: 'GET', path: '/api/notes', query: [['limit', '50'], ['page', '2']] }, reply: list(numbered(51, 100), 2, 5, 50),
    }],
    stdout: { json: numbered(51, 100) } },
  { name: '--all walks to the last page, filters and order with it',
    argv: ['proposals', 'list', '--all', '--client', '4', '--sort', 'created', '--order', 'desc', '--json'],
    exchanges: [1, 2, 3].map((page) => ({
      request: {
        method: 'GET', path: '/api/proposals',
        query: [['client_id', '4'], ['sort', 'doc_created'], ['order', 'desc'], ['limit', '100'], ['page', String(page)]],
      },
      reply: list(numbered(page * 10, page * 10 + 1), page, 3, 100),
    })),
    stdout: { json: [{ id: 10 }, { id: 11 }, { id: 20 }, { id: 21 }, { id: 30 }, { id: 31 }] } },
  { name: '--all of nothing is one request and an empty array', argv: ['items', 'list', '--all', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/items', query: [['limit', '100'], ['page', '1']] }, reply: list([], 1, 1, 100) }],
    stdout: { json: [] } },
  ...[['--json'], ['-o', 'ndjson'], ['--csv'], ['-o', 'yaml'], ['-o', 'ids'], ['--jq', '.[].id'], ['--csv', '--was'], []].map(
    (format): WireCase => ({
      name: `without a paging flag a program gets every page: ${format.join(' ') || 'a table in a pipe'}`,
      argv: ['leads', 'list', ...format],
      exchanges: ['1', '2'].map((page) => ({
        request: { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', page]] },
        reply: list([{ ...LEAD, id: 7000 + Number(page) }], Number(page), 2, 1),
      })),
      stdout: /7001[\s\S]*7002/, stderr: /^$/,
    })
  ),
  { name: 'without a paging flag a terminal gets the first page, of the size that the service gives it', argv: ['leads', 'list'],
    terminal: true, exchanges: [{ request: { method: 'GET', path: '/api/leads' }, reply: list([LEAD], 1, 7, 1) }],
    stdout: /1 of 7 leads · More: --page 2, --all/ },
  ...[['--json'], ['-o', 'ids']].map((format): WireCase => ({
    name: `a terminal gets every page of what a program may read: ${format.join(' ')}`, argv: ['leads', 'list', ...format], terminal: true,
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([LEAD]) }], stdout: /12/,
  })),
  ...(
    [
      [[], /^Reading all 1,001 leads\. For fewer: --limit N\.$/m],
      [['--where', 'value=10.50'], /^Reading all 1,001 leads\. For fewer: --limit N\.$/m], [['-q'], /^$/], [['--all'], /^The list changed/],
      [['--limit', '1500'], /^The list changed/],
    ] as const
  ).map(([more, stderr]): WireCase => ({
    name: `more than ten pages are announced, unless they were asked for: ${more.join(' ')}`, argv: ['leads', 'list', '-o', 'ids', ...more],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: longList(1001) }], stdout: /^12\n/, stderr,
  })),
  { name: 'ten pages are not announced', argv: ['leads', 'list', '-o', 'ids'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: longList(1000) }], stdout: /^12\n/,
    stderr: /^The list changed/ },
  ...(
    [
      [40_001, [], 2, /--jq: jq takes at most 40,000 leads as one array, and these are 40,001\. Give -o ndjson .* or --limit N\./],
      [40_001, ['--all'], 2, /--jq: jq takes at most 40,000 leads/],
      [50_000, ['--limit', '40001'], 2, /--jq: jq takes at most 40,000 leads as one array, and these are 40,001\./],
      [40_001, ['--limit', '100'], 0, /^$/], [40_001, ['--page', '1'], 0, /^$/], [40_000, ['--all'], 0, /^The list changed/],
      [40_001, ['--all', '-o', 'ndjson'], 0, /^The list changed/],
    ] as const
  ).map(([total, more, exit, stderr]): WireCase => ({
    name: `jq gets no more than it can hold, and the first page tells: ${total} ${more.join(' ')}`,
    argv: ['leads', 'list', '--jq', '.', ...more],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads', query: more[0] === '--page' ? [['page', '1']] : WHOLE },
      reply: longList(total, more[1] === '100' ? 100 : 1),
    }],
    exit, stdout: exit === 0 ? /12/ : /^$/, stderr,
  })),
  { name: 'a list has no body and keeps its query under the JSON encoding', argv: ['leads', 'list', '--status', '3', '--page', '2'],
    encoding: 'json',
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: [['status', '3'], ['page', '2']] }, reply: list([], 2, 2) }] },
  refused('--page with --limit over 100 is refused', ['leads', 'list', '--page', '2', '--limit', '101'], /--limit/),
  ...['value', 'last-contacted'].map((name) => refused(`--sort -${name} names --order`, ['leads', 'list', `--sort=-${name}`], new RegExp(
    `--sort: write --sort ${name} --order desc\\.`
  ))),
  refused('--sort of no name is told as it was typed', ['leads', 'list', '--sort=-colour'], /--sort: "-colour" is not one of/),
  refused('--limit 0 is refused', ['leads', 'list', '--limit', '0'], /--limit/),
  refused('--page 0 is refused', ['leads', 'list', '--page', '0'], /--page/),
  refused('--limit that is no number is refused', ['leads', 'list', '--limit', 'all'], /--limit/),
]);

wireCases('grammar', [
  ...(
    [
      ['contact', '5', '/api/contacts/5', CONTACT], ['proposal', '5', '/api/proposals/5', PROPOSAL], ['lead', '12', '/api/leads/12', LEAD],
      ['item', '8', '/api/items/8', ITEM], ['note', '9', '/api/notes/9', NOTE],
    ] as const
  ).map(([family, id, path, record]): WireCase => ({
    name: `${family} in the singular`, argv: [family, 'get', id, '--json'],
    exchanges: [{ request: { method: 'GET', path }, reply: ok(record) }], stdout: { json: record },
  })),
  ...[
    ['--json', 'leads', 'get', '12'], ['leads', '--json', 'get', '12'], ['leads', 'get', '--json', '12'],
    ['-o', 'json', 'leads', 'get', '12'], ['leads', 'get', '12', '--output=json', '--timeout', '5', '--no-input', '--quiet'],
  ].map((argv): WireCase => ({
    name: `global flags anywhere: crm ${argv.join(' ')}`, argv,
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) }], stdout: { json: LEAD },
  })),
  { name: '--yes before the family', argv: ['--yes', 'note', 'rm', '9'],
    exchanges: [{ request: { method: 'DELETE', path: '/api/notes/9' }, reply: ok({ id: 9 }) }] },
  { name: 'a flag value that starts with a hyphen', argv: ['contacts', 'list', '--search=-5'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts', query: [['search', '-5'], ...WHOLE] }, reply: list([]) }] },
  { name: 'an argument that starts with hyphens, after --', argv: ['leads', 'comments', 'add', '12', '--', '--not-a-flag'],
    exchanges: [{
      request: { method: 'POST', path: '/api/leads/12/comments', form: [['comment', '--not-a-flag']] },
      reply: created({ id: 1, text: '--not-a-flag' }),
    }] },
  { name: 'an id beyond the integers that a float can hold', argv: ['leads', 'get', '9007199254740993'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/9007199254740993' }, reply: failure(404, 'Lead not found.') }], exit: 3 },
  refused('an unknown flag is refused', ['leads', 'list', '--frobnicate'], /--frobnicate/),
  refused('an unknown verb is refused', ['leads', 'frobnicate', '12'], /frobnicate/),
  refused('an unknown family is refused', ['invoices', 'list'], /invoices/),
  refused('one id too many is refused', ['leads', 'get', '5', '6']),
  refused('an unknown output format is refused', ['leads', 'get', '5', '-o', 'xml'], /xml/),
  refused('items have no tags', ['items', 'tags', '8', 'a']),
]);

wireCases('output', [
  { name: '--envelope prints the whole answer', argv: ['leads', 'get', '12', '--json', '--envelope'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ id: 12 }, 'Lead retrieved successfully.') }],
    stdout: { json: { data: { id: 12 }, message: 'Lead retrieved successfully.' } } },
  { name: '--fields picks members', argv: ['leads', 'list', '--json', '--fields', 'title,id'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([LEAD]) }],
    stdout: { json: [{ title: 'Shop fitting', id: 12 }] } },
  { name: '--fields refuses a path that no record has, though one has nothing on the way',
    argv: ['leads', 'list', '--fields', 'assigned.0.name'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([LEAD, { ...LEAD, id: 13, assigned: [] }]) }],
    exit: 2, stdout: /^$/, stderr: /--fields: unknown field "assigned\.0\.name", did you mean / },
  { name: 'ids are one a line', argv: ['leads', 'list', '-o', 'ids'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list(numbered(5, 7)) }], stdout: /^5\n6\n7\n$/ },
  { name: 'ndjson is one record a line', argv: ['leads', 'list', '-o', 'ndjson'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list(numbered(5, 6)) }],
    stdout: /^\{"id":\s?5\}\n\{"id":\s?6\}\n$/ },
  { name: 'csv opens with a header', argv: ['contacts', 'list', '--csv'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts', query: WHOLE }, reply: list([CONTACT]) }],
    stdout: /^[^\n]*\bid\b[^\n]*\n[^\n]*jane@acme\.test/ },
  { name: 'yaml', argv: ['contacts', 'get', '5', '-o', 'yaml'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts/5' }, reply: ok(CONTACT) }], stdout: /^id: 5$/m },
  { name: 'a table off a terminal is tab-separated', argv: ['contacts', 'list'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts', query: WHOLE }, reply: list([CONTACT]) }],
    stdout: /^[^\n]*\t[^\n]*\n[^\n]*\t[^\n]*\n$/ },
  { name: 'a number keeps its characters', argv: ['leads', 'get', '12', '--json'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads/12' },
      reply: { text: '{"data": {"id": 12, "value": 12345678901234567890.10}, "message": "OK"}' },
    }],
    stdout: /12345678901234567890\.10/ },
]);

wireCases('texts', [
  { name: 'awkward text in a query', argv: ['contacts', 'list', '--search', AWKWARD],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts', query: [['search', AWKWARD], ...WHOLE] }, reply: list([]) }] },
  { name: 'awkward text in a form', argv: ['notes', 'create', '--title', 'a&b=c', '--description', AWKWARD],
    exchanges: [{
      request: { method: 'POST', path: '/api/notes', form: [['note_title', 'a&b=c'], ['note_description', AWKWARD]] }, reply: created(NOTE),
    }] },
  { name: 'awkward text in JSON', argv: ['notes', 'create', '--title', '7', '--description', AWKWARD], encoding: 'json',
    exchanges: [{
      request: { method: 'POST', path: '/api/notes', json: { note_title: '7', note_description: AWKWARD } }, reply: created(NOTE),
    }] },
  { name: 'awkward text that was read goes back unchanged', argv: ['notes', 'update', '9', '--title', 'x'],
    exchanges: [
      { request: { method: 'GET', path: '/api/notes/9' }, reply: ok({ ...NOTE, description: AWKWARD }) },
      {
        request: {
          method: 'PATCH', path: '/api/notes/9', form: [['note_title', 'x'], ['note_description', AWKWARD], ['note_visibility', 'public']],
        },
        reply: ok(NOTE),
      },
    ] },
  { name: 'text that was read and starts with @ or is - is no file', argv: ['notes', 'update', '9', '--visibility', 'private'],
    exchanges: [
      { request: { method: 'GET', path: '/api/notes/9' }, reply: ok({ ...NOTE, title: '-', description: '@home' }) },
      {
        request: {
          method: 'PATCH', path: '/api/notes/9', form: [['note_title', '-'], ['note_description', '@home'], ['note_visibility', 'private']],
        },
        reply: ok(NOTE),
      },
    ] },
  { name: 'awkward tags', argv: ['leads', 'tags', '12', 'a,b', 'c&d', '@x', '日本'],
    exchanges: [{
      request: {
        method: 'PUT', path: '/api/leads/12/tags', form: [['tags[]', 'a,b'], ['tags[]', 'c&d'], ['tags[]', '@x'], ['tags[]', '日本']],
      },
      reply: ok(LEAD),
    }] },
  { name: 'a description from a file', argv: ['notes', 'create', '--title', 'Call', '--description', '@call.md'],
    files: { 'call.md': '# Call\n\nAsked for a price — 10 €.' },
    exchanges: [{
      request: {
        method: 'POST', path: '/api/notes', form: [['note_title', 'Call'], ['note_description', '# Call\n\nAsked for a price — 10 €.']],
      },
      reply: created(NOTE),
    }] },
  { name: 'a description from standard input', argv: ['items', 'update', '8', '--description', '-'], stdin: 'Oak shelf, long',
    exchanges: [
      { request: { method: 'GET', path: '/api/items/8' }, reply: ok(ITEM) },
      {
        request: {
          method: 'PATCH', path: '/api/items/8',
          form: [
            ['item_description', 'Oak shelf, long'], ['item_rate', '12.50'], ['item_categoryid', '7'], ['item_default_tax', '1'],
            ['item_unit', '3'], ['item_notes', 'Oiled'], ['item_notes_estimatation', 'Two weeks'], ['item_custom_field_1', 'AB-1'],
          ],
        },
        reply: ok(ITEM),
      },
    ] },
  { name: '@@ is a literal @', argv: ['leads', 'comments', 'add', '12', '@@sam please call'],
    exchanges: [{
      request: { method: 'POST', path: '/api/leads/12/comments', form: [['comment', '@sam please call']] }, reply: created({ id: 1 }),
    }] },
  { name: '@@ is a literal @ in the body of a proposal', argv: ['proposals', 'update', '5', '--body', '@@home'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      {
        request: {
          method: 'PATCH', path: '/api/proposals/5',
          form: [
            ['doc_title', 'Website relaunch'], ['doc_date_start', '2026-03-01'], ['doc_categoryid', '6'], ['doc_date_end', '2026-03-31'],
            ['doc_body', '@home'],
          ],
        },
        reply: ok(PROPOSAL),
      },
    ] },
  refused('a text file that is not there is refused', ['notes', 'create', '--title', 'x', '--description', '@missing.md'], /missing\.md/),
]);

wireCases('values from --set and --data', [
  { name: '--set overrides a flag', argv: ['contacts', 'create', ...JOHN, '--set', 'email=other@roe.test'],
    exchanges: [{
      request: { method: 'POST', path: '/api/contacts', form: changed(JOHN_FORM, ['email', 'other@roe.test']) },
      reply: created({ id: 31, name: 'John Roe' }),
    }] },
  { name: '--data can give a proposal its customer',
    argv: ['proposals', 'create', '--data', '{"lead":7,"title":"Relaunch","start":"2026-03-01","category":6}'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/proposals',
        form: [
          ['customer_type', 'lead'], ['doc_lead_id', '7'], ['doc_title', 'Relaunch'], ['doc_date_start', '2026-03-01'],
          ['doc_categoryid', '6'],
        ],
      },
      reply: created({ id: 40, title: 'Relaunch', status: 'draft' }),
    }] },
  { name: 'a long number in --data keeps its characters',
    argv: ['leads', 'create', '--data', '{"title":"Shop","status":3,"category":2,"value":12345678901234567890.10}'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads',
        form: [['lead_title', 'Shop'], ['lead_status', '3'], ['lead_categoryid', '2'], ['lead_value', '12345678901234567890.10']],
      },
      reply: created({ id: 50 }),
    }] },
  { name: '--set sends a name that no flag has as it is, for custom fields',
    argv: ['leads', 'create', '--title', 'Shop', '--status', '3', '--category', '2', '--set', 'lead_region=North'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads',
        form: [['lead_title', 'Shop'], ['lead_status', '3'], ['lead_categoryid', '2'], ['lead_region', 'North']],
      },
      reply: created({ id: 50 }),
    }] },
  refused(
    "--set with a flag's name is refused", ['leads', 'update', '12', '--set', 'value=5.55'],
    /^error: --set value: its wire name is lead_value\. Use --value\.$/m
  ),
  refused(
    "--set with a flag's name is refused in underscores, too", ['leads', 'clone', '12', '--set', 'first_name=Bo'],
    /--set first_name: its wire name is lead_firstname\. Use --first-name\./
  ),
  refused(
    '--set with the name of a value that is two fields is refused', ['notes', 'create', '--set', 'resource=lead:3'],
    /its wire name is noteresource_type \(and noteresource_id\)\. Use --resource\./
  ),
  refused(
    '--set with a value of creation alone is refused on an update', ['contacts', 'update', '5', '--set', 'client=3'],
    /--set client: it can't be changed after creation\./
  ),
  refused(
    '--data with a value of creation alone is refused on an update', ['contacts', 'update', '5', '--data', '{"client":3}'],
    /--data client: it can't be changed after creation\./
  ),
  refused(
    'half of a character in --data is refused', ['leads', 'update', '12', '--data', '{"title":"A\\ud800"}'],
    /^error: --data title: it holds half of a character \(\\ud800\), which can't be sent\.$/m
  ),
  { name: '--data takes custom fields as they read back, and a switch as a word',
    argv: [
      'items', 'create', '--data',
      '{"description":"Shelf","rate":"12.50","category":7,"default_tax":1,"unit":3,"custom_field":[{"id":2,"name":"Code","value":"AB"}]}',
    ],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/items',
        form: [
          ['item_description', 'Shelf'], ['item_rate', '12.50'], ['item_categoryid', '7'], ['item_default_tax', '1'], ['item_unit', '3'],
          ['item_custom_field_2', 'AB'],
        ],
      },
      reply: created({ id: 9 }),
    }] },
  { name: '--set turns a switch on by a word', argv: ['contacts', 'create', ...JOHN, '--set', 'send_email=on'],
    exchanges: [{
      request: { method: 'POST', path: '/api/contacts', form: [...JOHN_FORM, ['send_email', 'yes']] },
      reply: created({ id: 31, name: 'John Roe' }),
    }] },
  refused(
    'too many requests at once are refused, of a seed file too', ['seed', 'apply', 'x.yaml', '--concurrency', '99'],
    /^error: --concurrency: "99" is more than 64, the most requests at once\.$/m
  ),
  refused(
    'an impossible day in --data is refused',
    ['proposals', 'create', '--data', '{"client":4,"title":"x","start":"2026-02-30","category":6}'], /start/
  ),
]);

wireCases('dry runs', [
  { name: 'a create sends nothing and shows the request', argv: ['contacts', 'create', ...JOHN, '--dry-run', '--json'], exchanges: [],
    stdout: /(?=[\s\S]*"method":\s*"POST")(?=[\s\S]*"url":\s*"https:\/\/crm\.test\/api\/contacts")(?=[\s\S]*"?clientid)/ },
  { name: 'an update reads and does not write', argv: ['leads', 'update', '12', '--value', '11.00', '--dry-run', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) }],
    stdout: /(?=[\s\S]*"method":\s*"PATCH")(?=[\s\S]*\/api\/leads\/12")(?=[\s\S]*lead_value)(?=[\s\S]*11\.00)/ },
  { name: 'a delete needs no confirmation', argv: ['contacts', 'delete', '5', '--dry-run', '--json'], exchanges: [],
    stdout: /(?=[\s\S]*"method":\s*"DELETE")(?=[\s\S]*\/api\/contacts\/5")/ },
  { name: 'a conversion that deletes reads, and needs no confirmation',
    argv: ['leads', 'convert', '12', '--delete-lead', '--dry-run', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) }],
    stdout: /(?=[\s\S]*"method":\s*"POST")(?=[\s\S]*\/api\/leads\/12\/convert")(?=[\s\S]*delete_lead)/ },
  { name: 'a status change of a signed proposal needs no confirmation',
    argv: ['proposals', 'status', '5', 'revised', '--dry-run', '--json'],
    exchanges: [{
      request: { method: 'GET', path: '/api/proposals/5' },
      reply: ok({ ...PROPOSAL, signed: { date: '2026-03-05', first_name: 'Jane', last_name: 'Doe' } }),
    }],
    stdout: /(?=[\s\S]*"method":\s*"PUT")(?=[\s\S]*\/api\/proposals\/5\/status")(?=[\s\S]*revised)/ },
  { name: 'tags are read and not written', argv: ['leads', 'tags', '12', '--add', 'hot', '--dry-run'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) }], stdout: /PUT[\s\S]*hot/ },
  refused('values are still checked', ['leads', 'update', '12', '--value', 'ten', '--dry-run'], /--value/),
]);

wireCases('failures', [
  ...([[401, 4], [403, 4], [400, 5], [404, 3], [405, 5], [409, 10]] as const).map(([status, exit]): WireCase => ({
    name: `a GET that is answered ${status} exits ${exit}`, argv: ['leads', 'get', '12', '--retries', '0'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: failure(status, 'The message of the service.') }], exit,
    stdout: /^$/, stderr: /The message of the service\./,
  })),
  { name: 'a GET that is answered 500 exits 7 without retries', argv: ['leads', 'get', '12', '--retries', '0'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: failure(500, 'Server Error') }], exit: 7 },
  { name: "a proxy's page of HTML exits 7", argv: ['leads', 'get', '12', '--retries', '0'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads/12' },
      reply: { status: 502, text: '<html><h1>Bad Gateway</h1></html>', headers: { 'content-type': 'text/html' } },
    }],
    exit: 7, stdout: /^$/, stderr: /502/ },
  { name: 'a GET that is answered 429 exits 6 without retries', argv: ['leads', 'get', '12', '--retries', '0'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads/12' },
      reply: { status: 429, json: { message: 'Too Many Attempts.' }, headers: { 'retry-after': '0' } },
    }],
    exit: 6 },
  { name: 'a GET that is answered 429 is sent again', argv: ['leads', 'get', '12', '--retries', '1', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' },
        reply: { status: 429, json: { message: 'Too Many Attempts.' }, headers: { 'retry-after': '0' } } },
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
    ],
    stdout: { json: LEAD } },
  { name: 'a POST that is answered 500 is sent once', argv: ['contacts', 'create', ...JOHN],
    exchanges: [{ request: { method: 'POST', path: '/api/contacts', form: JOHN_FORM }, reply: failure(500, 'Server Error') }], exit: 7,
    stdout: /^$/ },
  { name: 'a read that is answered 401 stops an update', argv: ['leads', 'update', '12', '--title', 'x'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: failure(401, 'Unauthorized. A valid API key is required.') }],
    exit: 4, stderr: /A valid API key is required\./ },
  { name: 'a refused PATCH shows the field beside the flag',
    argv: ['leads', 'update', '12', '--email', 'nobody@nowhere', '--replace', '--title', 'x', '--status', '1', '--category', '2'],
    exchanges: [{
      request: {
        method: 'PATCH', path: '/api/leads/12',
        form: [['lead_email', 'nobody@nowhere'], ['lead_title', 'x'], ['lead_status', '1'], ['lead_categoryid', '2']],
      },
      reply: invalid({ lead_email: ['The lead email must be a valid email address.'] }),
    }],
    exit: 5, stderr: /--email: The lead email must be a valid email address\./ },
  { name: 'with --json the error is an object on stderr, and stdout is empty', argv: ['contacts', 'create', ...JOHN, '--json'],
    exchanges: [{
      request: { method: 'POST', path: '/api/contacts', form: JOHN_FORM }, reply: invalid({ email: ['The email has already been taken.'] }),
    }],
    exit: 5, stdout: /^$/,
    stderr: /(?=[\s\S]*"error")(?=[\s\S]*"status":\s*422)(?=[\s\S]*--email)(?=[\s\S]*The email has already been taken\.)/ },
  { name: 'pages that fail midway leave no half document on stdout', argv: ['leads', 'list', '--all', '--json', '--retries', '0'],
    exchanges: [
      {
        request: { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', '1']] }, reply: list(numbered(1, 100), 1, 2, 100),
      },
      { request: { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', '2']] }, reply: failure(500, 'Server Error') },
    ],
    exit: 7, stdout: /^$/ },
]);

const BIG = '12345678901234567890';

wireCases('another record than the one asked for', [
  ...(
    [
      ['get', ['leads', 'get', '12']], ['update', ['leads', 'update', '12', '--title', 'x']],
      ['tags', ['leads', 'tags', '12', '--add', 'x']], ['assign', ['leads', 'assign', '12', '--add', '9']],
      ['clone', ['leads', 'clone', '12']], ['convert', ['leads', 'convert', '12']],
    ] as const
  ).map(([verb, argv]): WireCase => ({
    name: `stops ${verb}`, argv: [...argv],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ ...LEAD, id: 13 }) }], exit: 7, stdout: /^$/,
    stderr: /Asked for \/api\/leads\/12, the service answered with record 13; nothing was changed\./,
  })),
  { name: 'is no answer to an action', argv: ['leads', 'archive', '12'],
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/archive' }, reply: ok({ ...LEAD, id: 13 }) }], exit: 7, stdout: /^$/,
    stderr: /with record 13 in place of 12\. The outcome of PUT .* is unknown: .*\n.*before you repeat it: crm leads get 12$/m },
  { name: 'is no answer to a delete', argv: ['leads', 'delete', '12', '--yes'],
    exchanges: [{ request: { method: 'DELETE', path: '/api/leads/12' }, reply: ok({ id: 13 }) }], exit: 7, stdout: /^$/,
    stderr: /with record 13 in place of 12\. The outcome of DELETE .* is unknown/ },
  { name: 'is no answer to a new set of tags', argv: ['leads', 'tags', '12', 'hot'],
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/tags', form: [['tags[]', 'hot']] }, reply: ok({ ...LEAD, id: 13 }) }],
    exit: 7, stderr: /with record 13 in place of 12/ },
  { name: 'stops the clone of a proposal', argv: ['proposals', 'clone', '5'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals/5' }, reply: ok({ ...PROPOSAL, id: 6 }) }], exit: 7,
    stderr: /answered with record 6/ },
  { name: 'stops an update in an array of one, too', argv: ['leads', 'update', '12', '--title', 'x'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok([{ ...LEAD, id: 13 }]) }], exit: 7 },
  { name: 'is told by the last of twenty digits', argv: ['leads', 'get', BIG],
    exchanges: [{
      request: { method: 'GET', path: `/api/leads/${BIG}` },
      reply: { text: '{"data": {"id": 12345678901234567891, "title": "x"}, "message": "OK"}' },
    }],
    exit: 7 },
  ...([['as text', '{"id": "12"}'], ['with zeros before it', '{"id": "0012"}'], ['nowhere', '{"title": "x"}']] as const).map(([
    where, record,
  ]): WireCase => ({
    name: `is not one that has its id ${where}`, argv: ['leads', 'get', '12', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: { text: `{"data": ${record}, "message": "OK"}` } }],
  })),
  { name: 'is not one with the same twenty digits', argv: ['leads', 'get', BIG, '--json'],
    exchanges: [{ request: { method: 'GET', path: `/api/leads/${BIG}` }, reply: { text: `{"data": {"id": ${BIG}}, "message": "OK"}` } }],
    stdout: /12345678901234567890/ },
]);
