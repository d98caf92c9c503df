// Wire tests of what selects records: --where, filters given twice, --count, words for days and hyphenated values.
// Typed by hand from the interface document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';
import { CONTACT, changed, ITEM, LEAD, LEAD_FORM, list, NOTE, ok, type Pair, PROPOSAL, refused, WHOLE } from './records.ts';

const lead = (id: number, members: object = {}) => ({ ...LEAD, id, ...members });
const conversion = { is_converted: true, client_id: 4, date: '2026-01-20' };
const CONVERTED = lead(12, { converted: conversion });

/** One condition on one record of a family: what is sent beside the page, and whether the record matches. */
const asks = (family: string, record: { id: number }, condition: string, sent: Pair[], matches: boolean): WireCase => ({
  name: `${family} --where ${condition}`, argv: [family, 'list', '--where', condition, '--json', '--fields', 'id'],
  exchanges: [{ request: { method: 'GET', path: `/api/${family}`, query: [...sent, ...WHOLE] }, reply: list([record]) }],
  stdout: { json: matches ? [{ id: record.id }] : [] },
});

wireCases('ids and words are sent, and compared as well', [
  asks('leads', LEAD, 'status=3', [['status', '3']], true), asks('leads', LEAD, 'status.id=3', [['status', '3']], true),
  asks('leads', LEAD, 'status=4', [['status', '4']], false), asks('leads', LEAD, 'category=2', [['category_id', '2']], true),
  asks('leads', LEAD, 'assigned=8', [['assigned_user_id', '8']], true),
  asks('leads', LEAD, 'assigned=5', [['assigned_user_id', '5']], true),
  asks('leads', LEAD, 'state=open', [['active_state', 'active']], true),
  asks('leads', CONVERTED, 'state=open', [['active_state', 'active']], false),
  asks('leads', lead(12, { active_state: 'archived' }), 'state=archived', [['active_state', 'archived']], true),
  asks('leads', LEAD, 'assigned=6', [['assigned_user_id', '6']], false),
  asks('leads', LEAD, 'active-state=active', [['active_state', 'active']], true),
  asks('contacts', CONTACT, 'client=12', [['client_id', '12']], true),
  asks('contacts', CONTACT, 'account_owner=no', [['account_owner', 'no']], true),
  asks('proposals', PROPOSAL, 'status=draft', [['status', 'draft']], true),
  asks('proposals', PROPOSAL, 'client=4', [['client_id', '4']], true), asks('proposals', PROPOSAL, 'lead=4', [['lead_id', '4']], false),
  asks('proposals', PROPOSAL, 'category=6', [['category_id', '6']], true), asks('items', ITEM, 'unit=3', [['unit_id', '3']], true),
  asks('items', ITEM, 'default-tax=1', [['tax_rate_id', '1']], true), asks('items', ITEM, 'tax-rate=1', [['tax_rate_id', '1']], true),
  asks('notes', NOTE, 'visibility=public', [['visibility', 'public']], true),
  asks('notes', NOTE, 'resource=client:3', [['resource_type', 'client'], ['resource_id', '3']], true),
  asks('notes', NOTE, 'resource=client', [['resource_type', 'client']], true),
]);

wireCases('everything else is compared here', [
  asks('leads', LEAD, 'id=12', [], true), asks('leads', LEAD, 'id=1..11', [], false), asks('leads', LEAD, 'status!=3', [], false),
  asks('leads', LEAD, 'status~QUAL', [], true), asks('leads', LEAD, 'status.title=qualified', [], true),
  asks('leads', LEAD, 'source=web', [], true), asks('leads', LEAD, 'value=10.5', [], true), asks('leads', LEAD, 'value=10.51..', [], false),
  asks('leads', LEAD, 'last_contacted=2026-01-15', [], true), asks('leads', LEAD, 'last-contacted=..-30d', [], true),
  asks('leads', LEAD, 'company-name~stores', [], true), asks('leads', LEAD, 'contact.company_name~stores', [], true),
  asks('leads', LEAD, 'assigned~hill', [], true), asks('leads', LEAD, 'assigned!=5', [], false),
  asks('leads', LEAD, 'assigned=none', [], false), asks('leads', lead(12, { assigned: [] }), 'assigned=none', [], true),
  asks('leads', lead(12, { assigned: [] }), 'assigned!=none', [], false), asks('leads', LEAD, 'tags=WARM', [], true),
  asks('leads', LEAD, 'tags=warm, retail', [], false), asks('leads', LEAD, 'converted.is_converted=false', [], true),
  asks('leads', LEAD, 'no:converted.client_id', [], true), asks('leads', LEAD, 'has:contact', [], true),
  asks('leads', LEAD, 'dates.created=2026-01-01..2026-01-03', [], true), asks('leads', LEAD, 'created=2026-01-01..2026-01-03', [], true),
  asks('leads', LEAD, 'updated=..2025-12-31', [], false), asks('leads', LEAD, 'company~stores', [], true),
  asks('leads', LEAD, 'last-contact=2026-01-15', [], true), asks('leads', CONVERTED, 'state=converted', [], true),
  asks('leads', CONVERTED, 'state!=open', [], true),
  asks('leads', lead(12, { converted: conversion, active_state: 'archived' }), 'state!=archived', [], true),
  asks('leads', LEAD, 'address.state!=open', [], true),
  asks('leads', lead(12, { last_contacted: null }), 'last_contacted=never..-30d', [], true),
  asks('leads', lead(12, { last_contacted: '2026-01-15' }), 'last_contacted=never..2026-01-15', [], true),
  asks('leads', lead(12, { last_contacted: '2026-01-16' }), 'last_contacted=never..2026-01-15', [], false),
  asks('leads', lead(12, { last_contacted: null }), 'last_contacted=never', [], true),
  asks('leads', lead(12, { last_contacted: null }), 'last_contacted!=never', [], false),
  asks('leads', LEAD, 'last_contacted!=never..2025-12-31', [], true), asks('contacts', CONTACT, 'status=active', [], true),
  asks('proposals', PROPOSAL, 'no:signed', [], true), asks('proposals', PROPOSAL, 'has:lead', [], false),
  asks('proposals', PROPOSAL, 'no:lead.name', [], true), asks('proposals', PROPOSAL, 'end=2026-03-31', [], true),
  asks('items', ITEM, 'custom_fields.SKU=ab-1', [], true), asks('items', ITEM, 'no:custom-fields.Colour', [], true),
  asks('notes', NOTE, 'resource.type=lead', [], false), asks('notes', NOTE, 'resource.id=3', [], true),
  asks('notes', NOTE, 'resource.id=4', [], false),
]);

wireCases('--where', [
  { name: 'all conditions must hold, over all pages, and a notice says how many were read',
    argv: [
      'leads', 'list', '--where', 'status=3', '--where', 'value=100..200', '--where', 'no:source', '--where', 'title~SHOP', '-o', 'ids',
    ],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads', query: [['status', '3'], ...WHOLE] },
        reply: list(
          [
            lead(1, { value: '100.00', source: null }), lead(2, { value: '200.00', source: null }), lead(3, { value: null, source: null }),
            lead(4, { value: '150.00' }), lead(5, { value: '150.00', source: null, title: 'Bar' }),
          ],
          1, 2, 5
        ) },
      { request: { method: 'GET', path: '/api/leads', query: [['status', '3'], ['limit', '100'], ['page', '2']] },
        reply: list([lead(6, { value: '200.01', source: null }), lead(7, { value: '199.99', source: '' })], 2, 2, 5) },
    ],
    stdout: /^1\n2\n7\n$/, stderr: /^3 of 7 leads match\.$/m },
  { name: '--limit counts matches, and reads no further',
    argv: ['leads', 'list', '--where', 'source=Web', '--limit', '2', '--sort', 'last-contacted', '-o', 'ids'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads', query: [['sort', 'lead_last_contacted'], ...WHOLE] },
      reply: list([lead(1), lead(2, { source: null }), lead(3), lead(4)], 1, 1, 4),
    }],
    stdout: /^1\n3\n$/, stderr: /^2 of the first 4 leads match; the others were not read\.$/m },
  { name: 'stands beside a filter, which is sent as it is', argv: ['leads', 'list', '--status', '3', '--where', 'status=4', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: [['status', '3'], ...WHOLE] }, reply: list([LEAD]) }],
    stdout: { json: [] } },
  { name: 'a record that came without the member is nobody’s to decide', argv: ['leads', 'list', '--where', 'no:source', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([{ id: 12, title: 'Shop' }]) }], exit: 7,
    stderr: /--where no:source: lead 12 came without source/ },
  { name: 'so is a value of another kind', argv: ['leads', 'list', '--where', 'value=5'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([lead(12, { value: 'a lot' })]) }], exit: 7,
    stderr: /--where value=5: lead 12 came with value "a lot"/ },
  { name: 'a custom field that the records don’t have is wrong', argv: ['items', 'list', '--where', 'custom_fields.SKUU=1'],
    exchanges: [{ request: { method: 'GET', path: '/api/items', query: WHOLE }, reply: list([ITEM]) }], exit: 2,
    stderr: /item 8 has no "custom_fields\.SKUU"\. Did you mean "custom_fields\.SKU"\?/ },
  { name: 'a record that doesn’t say whether it was converted is nobody’s to decide', argv: ['leads', 'list', '--state', 'open', '--json'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads', query: [['active_state', 'active'], ...WHOLE] },
      reply: list([{ id: 12, active_state: 'active' }]),
    }],
    exit: 7, stderr: /--where state=open: lead 12 came without converted\.is_converted or active_state/ },
  { name: '--state and none are conditions, too',
    argv: ['leads', 'list', '--state', 'open', '--assigned', 'none', '--limit', '1', '--json', '--fields', 'id'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads', query: [['active_state', 'active'], ...WHOLE] },
      reply: list([lead(1), lead(2, { assigned: [] }), lead(3, { assigned: [] })]),
    }],
    stdout: { json: [{ id: 2 }] } },
  { name: 'selects what is written by its state', argv: ['leads', 'archive', '--where', 'state=converted', '--yes', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([LEAD]) }], stdout: { json: [] } },
  refused(
    'refuses a state that there is none of', ['leads', 'list', '--where', 'state=opn'],
    /--where state: "opn" is not one of converted, archived, open\. Did you mean open\?/
  ),
  refused(
    'refuses a part of a state', ['leads', 'list', '--where', 'state~op'],
    /--where state: write = or != and one of converted, archived, open\./
  ),
  refused(
    'refuses nobody beside somebody', ['leads', 'list', '--assigned', 'none', '--assigned', '3'],
    /--assigned none can't be combined with another --assigned/
  ),
  refused(
    'refuses a page of what is selected here', ['leads', 'list', '--state', 'open', '--page', '2'], /--page can't be combined with --state/
  ),
  refused(
    'refuses a range after never alone', ['leads', 'list', '--where', 'last_contacted=never..'],
    /--where last_contacted: "\.\." is a range without ends/
  ),
  refused(
    'suggests what a table calls it', ['leads', 'list', '--where', 'staus=1'], /--where: unknown field "staus", did you mean status\?/
  ),
  refused('refuses an unknown field', ['leads', 'list', '--where', 'titel=x'], /--where: unknown field "titel", did you mean title\?/),
  refused(
    'refuses a flag that no record holds', ['leads', 'list', '--where', 'search=x'],
    /unknown field "search"\. See them all: crm leads list --fields help$/m
  ),
  refused('refuses a bare field', ['leads', 'list', '--where', 'source'], /"source" is not FIELD=VALUE/),
  refused('refuses nothing behind the operator', ['leads', 'list', '--where', 'source='], /the value after = is missing/),
  refused('refuses an object of several', ['leads', 'list', '--where', 'contact=Ann'], /--where contact: .* contact\.first_name/),
  refused('refuses a word that is none', ['proposals', 'list', '--where', 'status=acepted'], /--where status: .* Did you mean accepted\?/),
  refused('refuses a number that is none', ['leads', 'list', '--where', 'value=1k..'], /--where value: "1k" is not a decimal number/),
  refused('refuses a day that is none', ['leads', 'list', '--where', 'dates.created=2026-02-30'], /--where dates\.created: "2026-02-30"/),
  refused(
    'refuses a title in place of an id', ['proposals', 'list', '--where', 'lead=Shop'],
    /--where lead: "Shop" is not an id, .* by name: lead\.name=Shop\./
  ),
  refused('refuses a page', ['leads', 'list', '--where', 'source=Web', '--page', '2'], /--page can't be combined with --where/),
  refused('tells of all that is wrong', ['leads', 'list', '--where', 'a=1', '--where', 'value=x', '--limit', '0'], /3 values are wrong/),
]);

wireCases('a filter given twice', [
  { name: 'means any of them: one list for each, no record twice, in the order of the values',
    argv: ['leads', 'list', '--assigned', '8', '--assigned', '5', '--source', 'a,b', '--all', '-o', 'ids'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads', query: [['assigned_user_id', '8'], ['source', 'a,b'], ...WHOLE] },
        reply: list([lead(9), lead(7)]) },
      { request: { method: 'GET', path: '/api/leads', query: [['assigned_user_id', '5'], ['source', 'a,b'], ...WHOLE] },
        reply: list([lead(8), lead(7), lead(6)]) },
    ],
    stdout: /^9\n7\n8\n6\n$/ },
  { name: '--limit counts over all of them',
    argv: ['proposals', 'list', '--status', 'draft', '--status', 'new', '--limit', '3', '-o', 'ids'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals', query: [['status', 'draft'], ...WHOLE] }, reply: list([{ id: 1 }, { id: 2 }]) },
      { request: { method: 'GET', path: '/api/proposals', query: [['status', 'new'], ...WHOLE] }, reply: list([{ id: 3 }, { id: 4 }]) },
    ],
    stdout: /^1\n2\n3\n$/ },
  { name: 'for a program is all of each', argv: ['leads', 'list', '--status', '3', '--status', '4', '-o', 'ids'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads', query: [['status', '3'], ...WHOLE] }, reply: list([{ id: 1 }], 1, 2, 1) },
      { request: { method: 'GET', path: '/api/leads', query: [['status', '3'], ['limit', '100'], ['page', '2']] },
        reply: list([{ id: 3 }], 2, 2, 1) },
      { request: { method: 'GET', path: '/api/leads', query: [['status', '4'], ...WHOLE] }, reply: list([{ id: 2 }]) },
    ],
    stdout: /^1\n3\n2\n$/ },
  { name: 'on a terminal is the first page of each', argv: ['leads', 'list', '--status', '3', '--status', '4'], terminal: true,
    exchanges: [
      { request: { method: 'GET', path: '/api/leads', query: [['status', '3']] }, reply: list([LEAD], 1, 2, 1) },
      { request: { method: 'GET', path: '/api/leads', query: [['status', '4']] }, reply: list([lead(13)]) },
    ],
    stdout: /2 leads, the first page for each value · More: --limit 4, --all/ },
  { name: 'twice the same value is one list', argv: ['leads', 'list', '--status', '3', '--status', '3', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: [['status', '3'], ...WHOLE] }, reply: list([]) }],
    stdout: { json: [] } },
  refused(
    'has no order: each value is a list of its own', ['leads', 'list', '--status', '3', '--status', '4', '--sort', 'value'],
    /--sort can't be combined with a filter that is given twice: ask for one value at a time\./
  ),
  refused(
    'nor a direction', ['leads', 'list', '--status', '3', '--status', '4', '--order', 'asc'], /--order can't be combined with a filter/
  ),
  refused('refuses a filter for nothing', ['leads', 'list', '--source', ''], /--source: give a value/),
  refused('refuses a search for nothing', ['leads', 'list', '--search', ' '], /--search: give a value/),
  refused('has no pages', ['leads', 'list', '--status', '3', '--status', '4', '--page', '2'], /--page can't be combined with a filter/),
]);

wireCases('--count', [
  { name: 'prints what the service counted', argv: ['leads', 'list', '--status', '3', '--count'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads', query: [['status', '3'], ['limit', '1'], ['page', '1']] },
      reply: { json: { data: [LEAD], meta: { total: 46, last_page: 46 } } },
    }],
    stdout: /^46\n$/ },
  { name: 'is a number in JSON, and counts what matches', argv: ['leads', 'list', '--where', 'value=100..', '--count', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([LEAD, lead(2, { value: '100' })]) }],
    stdout: { json: 1 } },
  { name: 'counts itself where the service doesn’t', argv: ['notes', 'list', '--count'],
    exchanges: [
      { request: { method: 'GET', path: '/api/notes', query: [['limit', '1'], ['page', '1']] }, reply: { json: [{ id: 1 }] } },
      { request: { method: 'GET', path: '/api/notes', query: WHOLE }, reply: { json: [{ id: 1 }, { id: 2 }] } },
      { request: { method: 'GET', path: '/api/notes', query: [['limit', '100'], ['page', '2']] }, reply: { json: [] } },
    ],
    stdout: /^2\n$/ },
  refused('goes with no limit', ['leads', 'list', '--count', '--limit', '5'], /--count .* --limit/),
]);

const counting = (total: number, argv: string[], more: Partial<WireCase> = {}): WireCase => ({
  name: `${argv.join(' ')}, of ${total}`, argv: ['leads', 'list', '--count', ...argv],
  exchanges: [{
    request: { method: 'GET', path: '/api/leads', query: [['limit', '1'], ['page', '1']] },
    reply: { json: { data: total === 0 ? [] : [LEAD], meta: { total, last_page: total } } },
  }],
  stdout: new RegExp(`^${total}\\n$`), ...more,
});

const unread = (name: string, reply: Exchange['reply']): WireCase => ({
  name, argv: ['leads', 'list', '--count', '--at-most', '5', '--retries', '0'],
  exchanges: [{ request: { method: 'GET', path: '/api/leads', query: [['limit', '1'], ['page', '1']] }, ...(reply && { reply }) }],
  stdout: /^$/, exit: 7,
});

wireCases('a gate', [
  counting(46, ['--at-most', '46']), counting(46, ['--at-least', '46']),
  counting(46, ['--at-most', '45'], { exit: 11, stderr: /46 leads, and --at-most is 45\./ }),
  counting(46, ['--at-least', '47'], { exit: 11, stderr: /46 leads, and --at-least is 47\./ }),
  counting(46, ['--at-most', '45', '--json'], { exit: 11, stderr: /"code":"found"/ }),
  counting(1, ['--at-most', '0'], { exit: 11, stderr: /1 lead, and --at-most is 0\./ }), counting(0, ['--at-most', '0']),
  counting(0, ['--at-least', '1'], { exit: 11 }),
  { name: 'goes by what matches', argv: ['leads', 'list', '--where', 'value=100..', '--count', '--at-least', '2'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: list([LEAD, lead(2, { value: '100' })]) }],
    stdout: /^1\n$/, exit: 11 },
  { name: 'counts no list of which some pages are missing', argv: ['leads', 'list', '--where', 'value=100..', '--count', '--at-most', '2'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: { json: { data: [LEAD], meta: { total: 3, last_page: 1 } } },
    }],
    stdout: /^$/, exit: 7 },
  { name: 'does not believe that there are none where one is listed', argv: ['leads', 'list', '--count', '--at-most', '0'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads', query: [['limit', '1'], ['page', '1']] },
        reply: { json: { data: [LEAD], meta: { total: 0 } } } },
      { request: { method: 'GET', path: '/api/leads', query: WHOLE }, reply: { json: { data: [LEAD], meta: { total: 0, last_page: 1 } } } },
    ],
    stdout: /^1\n$/, exit: 11 },
  unread('a list that fails is not a list of none', { status: 500, json: {} }),
  unread('an answer that holds no list is not a list of none', { json: { data: null, message: 'OK' } }),
  unread('a page of something else is not a list of none', { text: '<html>Maintenance</html>' }),
  refused(
    'counts nothing without --count', ['leads', 'list', '--at-most', '5'], /--at-most and --at-least need --count/
  ),
  refused('is a number', ['leads', 'list', '--count', '--at-most', 'few'], /--at-most: "few" is not a whole number/),
  refused('is no contradiction', ['leads', 'list', '--count', '--at-most', '1', '--at-least', '2'], /can't both hold/),
]);

wireCases('checked words', [
  refused('a status that is none', ['proposals', 'list', '--status', 'acepted'], /--status: "acepted" is not one of draft, new, accepted, declined, revised\. Did you mean accepted\?/),
  refused('a type that is none', ['notes', 'list', '--resource', 'led:12'], /--resource: "led:12" is not .* Did you mean lead\?/),
  refused('a sort that is none', ['leads', 'list', '--sort', 'titel'], /--sort: .* Did you mean title\?/),
  refused('a format that is none', ['leads', 'list', '-o', 'jason'], /--output: .* Did you mean json\?/),
  refused('a field of a write, before it is sent', ['leads', 'archive', '12', '--fields', 'id,titel'], /--fields: unknown field "titel", did you mean title\?/),
  refused('a field of a create', ['contacts', 'create', '--fields', 'nope'], /--fields: unknown field "nope"/),
]);

/** The day so many days before today, by this machine's clock. */
function daysAgo(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() - days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

wireCases('a hyphen and a digit begin a value', [
  { name: 'of a flag: a day before today, and a number below 0',
    argv: ['leads', 'update', '12', '--last-contacted', '-3d', '--value', '-5'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      {
        request: {
          method: 'PATCH', path: '/api/leads/12', form: changed(LEAD_FORM, ['lead_last_contacted', daysAgo(3)], ['lead_value', '-5']),
        },
        reply: ok(LEAD),
      },
    ] },
  { name: 'of an argument', argv: ['leads', 'comments', 'add', '12', '-5 degrees in the hall', '--json'],
    exchanges: [{
      request: { method: 'POST', path: '/api/leads/12/comments', form: [['comment', '-5 degrees in the hall']] }, reply: ok({ id: 1 }),
    }] },
  refused('but no command', ['leads', '-5d'], /Unknown command '-5d'\.\nSee: crm leads --help/),
  refused('nor an id', ['leads', 'get', '-5d'], /"-5d" is not an id/),
  refused('a day that is none', ['leads', 'update', '12', '--last-contacted', '-3h'], /"-3h" is not a day .* -30d/),
]);
