// Wire tests of what selects records: --where, filters given twice, --count, words for days and hyphenated values.
// Typed by hand from the interface document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { WireCase } from '../support/wire-case.ts';
import {
  CONTACT, get, ITEM, LEAD, LEAD_FORM, list, NOTE, ok, PROPOSAL, patch, post, put, type Reply, refused, sends, thrice, whole,
} from './records.ts';

const lead = (id: number, members: object = {}) => ({ ...LEAD, id, ...members });
const conversion = { is_converted: true, client_id: 4, date: '2026-01-20' };
const CONVERTED = lead(12, { converted: conversion });

/** One condition on one record of a family: what is sent beside the page, and whether the record matches. */
const asks = (family: string, record: { id: number }, condition: string, sent: string, matches: boolean) =>
  sends(`${family} --where ${condition}`, `${family} list --where '${condition}' --json --fields id`,
    whole(`/api/${family}?${sent}`, list([record])), { json: matches ? [{ id: record.id }] : [] });

/** Conditions that a record meets, or doesn't meet, of which nothing is sent. */
const holds = (family: string, record: { id: number }, ...conditions: string[]) =>
  conditions.map((condition) => asks(family, record, condition, '', true));
const fails = (family: string, record: { id: number }, ...conditions: string[]) =>
  conditions.map((condition) => asks(family, record, condition, '', false));

wireCases('ids and words are sent, and compared as well', [
  asks('leads', LEAD, 'status=3', 'status=3', true),
  asks('leads', LEAD, 'status.id=3', 'status=3', true),
  asks('leads', LEAD, 'status=4', 'status=4', false),
  asks('leads', LEAD, 'category=2', 'category_id=2', true),
  asks('leads', LEAD, 'assigned=8', 'assigned_user_id=8', true),
  asks('leads', LEAD, 'assigned=5', 'assigned_user_id=5', true),
  asks('leads', LEAD, 'state=open', 'active_state=active', true),
  asks('leads', CONVERTED, 'state=open', 'active_state=active', false),
  asks('leads', lead(12, { active_state: 'archived' }), 'state=archived', 'active_state=archived', true),
  asks('leads', LEAD, 'assigned=6', 'assigned_user_id=6', false),
  asks('leads', LEAD, 'active-state=active', 'active_state=active', true),
  asks('contacts', CONTACT, 'client=12', 'client_id=12', true),
  asks('contacts', CONTACT, 'account_owner=no', 'account_owner=no', true),
  asks('proposals', PROPOSAL, 'status=draft', 'status=draft', true),
  asks('proposals', PROPOSAL, 'client=4', 'client_id=4', true),
  asks('proposals', PROPOSAL, 'lead=4', 'lead_id=4', false),
  asks('proposals', PROPOSAL, 'category=6', 'category_id=6', true),
  asks('items', ITEM, 'unit=3', 'unit_id=3', true),
  asks('items', ITEM, 'default-tax=1', 'tax_rate_id=1', true),
  asks('items', ITEM, 'tax-rate=1', 'tax_rate_id=1', true),
  asks('notes', NOTE, 'visibility=public', 'visibility=public', true),
  asks('notes', NOTE, 'resource=client:3', 'resource_type=client&resource_id=3', true),
  asks('notes', NOTE, 'resource=client', 'resource_type=client', true),
]);

wireCases('everything else is compared here', [
  ...holds('leads', LEAD, 'status~QUAL', 'status.title=qualified', 'source=web', 'value=10.5', 'last_contacted=2026-01-15',
    'last-contacted=..-30d', 'company-name~stores', 'contact.company_name~stores', 'assigned~hill', 'tags=WARM',
    'converted.is_converted=false', 'no:converted.client_id', 'has:contact', 'dates.created=2026-01-01..2026-01-03',
    'created=2026-01-01..2026-01-03', 'company~stores', 'last-contact=2026-01-15', 'address.state!=open',
    'last_contacted!=never..2025-12-31', 'name~n LEE', 'name=ann lee', 'has:name'),
  ...holds('leads', lead(12, { contact: null }), 'no:name'),
  ...fails('leads', LEAD, 'name~lee ann', 'no:name'),
  ...fails('leads', LEAD, 'id=1..11', 'status!=3', 'value=10.51..', 'assigned!=5', 'assigned=none', 'tags=warm, retail',
    'updated=..2025-12-31'),
  ...holds('leads', lead(12, { assigned: [] }), 'assigned=none'),
  ...fails('leads', lead(12, { assigned: [] }), 'assigned!=none'),
  ...holds('leads', CONVERTED, 'state=converted', 'state!=open'),
  ...holds('leads', lead(12, { converted: conversion, active_state: 'archived' }), 'state!=archived'),
  ...holds('leads', lead(12, { last_contacted: null }), 'last_contacted=never..-30d', 'last_contacted=never'),
  ...holds('leads', lead(12, { last_contacted: '2026-01-15' }), 'last_contacted=never..2026-01-15'),
  ...fails('leads', lead(12, { last_contacted: '2026-01-16' }), 'last_contacted=never..2026-01-15'),
  ...fails('leads', lead(12, { last_contacted: null }), 'last_contacted!=never'),
  ...holds('contacts', CONTACT, 'status=active'),
  ...holds('proposals', PROPOSAL, 'no:signed', 'no:lead.name', 'end=2026-03-31'),
  ...fails('proposals', PROPOSAL, 'has:lead'),
  ...holds('items', ITEM, 'custom_fields.SKU=ab-1', 'no:custom-fields.Colour'),
  ...fails('notes', NOTE, 'resource.type=lead', 'resource.id=4'),
  ...holds('notes', NOTE, 'resource.id=3'),
]);

const gone = (id: number) => get(`/api/leads/${id}`, { status: 404, json: { message: 'Lead not found.' } });
const one = (id: number) => get(`/api/leads/${id}`, ok(lead(id)));

wireCases('--where on the id', [
  sends('reads each record by itself, each id once', 'leads list --where id=12,13,12 -o ids', [one(12), one(13)],
    { atOnce: true, stdout: /^12\n13\n$/, stderr: /^$/ }),
  sends('an id that is not there is not selected, and named', 'leads list --where id=12,99,98 --json --fields id', [one(12), gone(99), gone(98)],
    { atOnce: true, json: [{ id: 12 }], stderr: /^There are no leads 99 and 98\.$/m }),
  sends('other conditions hold, too', 'leads list --where id=12,13 --where title~bar -o ids',
    [get('/api/leads/12', ok(lead(12, { title: 'Bar' }))), one(13)], { atOnce: true, stdout: /^12\n$/, stderr: /^1 of 2 leads matches\.$/m }),
  sends('!= leaves each out', 'leads list --where id!=12,13 -o ids', whole('/api/leads', list([12, 13, 14].map((id) => lead(id)))),
    { stdout: /^14\n$/ }),
  sends('a filter of the service is asked, and the ids are compared', 'leads list --status 3 --where id=12,13 -o ids',
    whole('/api/leads?status=3', list([lead(12), lead(14)])), { stdout: /^12\n$/ }),
  sends('selects what is written', 'leads archive --where id=12,99 --yes -o ids', [one(12), gone(99), one(12), put('/api/leads/12/archive', {}, ok(lead(12, { active_state: 'archived' })))],
    { atOnce: true, stderr: /There is no lead 99\./ }),
  sends('sorted by a field', 'leads list --where id=12,13 --sort company-name --order desc --count', [one(12), one(13)], { atOnce: true, stdout: /^2\n$/ }),
  sends('a range reads the list', 'leads list --where id=13.. -o ids', whole('/api/leads', list([12, 13].map((id) => lead(id)))), { stdout: /^13\n$/ }),
  refused('commas split nowhere else', 'leads list --where status.id=3,4', /--where status\.id: "3,4" is not an id/),
  refused('an id is missing', 'leads list --where id=12,', /--where id: "" is not an id/),
]);

wireCases('--where', [
  sends('all conditions must hold, over all pages, and a notice says how many were read',
    'leads list --where status=3 --where value=100..200 --where no:source --where title~SHOP -o ids',
    [whole('/api/leads?status=3',
      list([lead(1, { value: '100.00', source: null }), lead(2, { value: '200.00', source: null }), lead(3, { value: null, source: null }),
        lead(4, { value: '150.00' }), lead(5, { value: '150.00', source: null, title: 'Bar' })], 1, 2, 5, 7)),
      whole('/api/leads?status=3', list([lead(6, { value: '200.01', source: null }), lead(7, { value: '199.99', source: '' })], 2, 2, 5, 7),
        2)], { stdout: /^1\n2\n7\n$/, stderr: /^3 of 7 leads match\.$/m }),
  sends('--limit counts matches, and reads no further', 'leads list --where source=Web --limit 2 --sort last-contacted -o ids',
    whole('/api/leads?sort=lead_last_contacted', list([lead(1), lead(2, { source: null }), lead(3), lead(4)], 1, 1, 4)),
    { stdout: /^1\n3\n$/, stderr: /^2 of the first 4 leads match; the others were not read\.$/m }),
  sends('stands beside a filter, which is sent as it is', 'leads list --status 3 --where status=4 --json',
    whole('/api/leads?status=3', list([LEAD])), { json: [] }),
  sends('a record without the member ends the list', 'leads list --where no:source --json',
    whole('/api/leads', list([{ id: 12, title: 'Shop' }])), { exit: 7, stderr: /--where no:source: lead 12 came without source/ }),
  sends('a value of another kind ends the list', 'leads list --where value=5', whole('/api/leads', list([lead(12, { value: 'a lot' })])),
    { exit: 7, stderr: /--where value=5: lead 12 came with value "a lot"/ }),
  sends('a custom field that no record has is refused', 'items list --where custom_fields.SKUU=1',
    whole('/api/items', list([ITEM])),
    { exit: 2, stderr: /item 8 has no "custom_fields\.SKUU"\. Did you mean "custom_fields\.SKU"\?/ }),
  sends("a record that doesn't say whether it was converted ends the list", 'leads list --state open --json',
    whole('/api/leads?active_state=active', list([{ id: 12, active_state: 'active' }])),
    { exit: 7, stderr: /--where state=open: lead 12 came without converted\.is_converted or active_state/ }),
  sends('--state and none are conditions that are checked here', 'leads list --state open --assigned none --limit 1 --json --fields id',
    whole('/api/leads?active_state=active', list([lead(1), lead(2, { assigned: [] }), lead(3, { assigned: [] })])), { json: [{ id: 2 }] }),
  sends('selects what is written by its state', 'leads archive --where state=converted --yes --json', whole('/api/leads', list([LEAD])),
    { json: [] }),
  refused('refuses an unknown state', 'leads list --where state=opn',
    /--where state: "opn" is not one of converted, archived, open\. Did you mean open\?/),
  refused('refuses a part of a state', 'leads list --where state~op',
    /--where state: write = or != and one of converted, archived, open\./),
  refused('refuses none beside a person', 'leads list --assigned none --assigned 3',
    /--assigned none can't be combined with another --assigned/),
  refused('refuses a page of what is selected here', 'leads list --state open --page 2', /--page can't be combined with --state/),
  refused('refuses a range after never alone', 'leads list --where last_contacted=never..',
    /--where last_contacted: "\.\." is a range without ends/),
  refused("suggests the name of a table's column", 'leads list --where staus=1', /--where: unknown field "staus", did you mean status\?/),
  refused('knows the word of other tools', 'leads list --where owner=Priya', /--where: unknown field "owner", did you mean assigned\?/),
  refused('refuses an unknown field', 'leads list --where titel=x', /--where: unknown field "titel", did you mean title\?/),
  refused('refuses a flag that no record holds', 'leads list --where search=x',
    /unknown field "search"\. See them all: crm leads list --fields help$/m),
  refused('refuses a bare field', 'leads list --where source', /"source" is not FIELD=VALUE/),
  refused('refuses an empty value', 'leads list --where source=', /the value after = is missing/),
  refused('refuses an object of several', 'leads list --where contact=Ann', /--where contact: .* contact\.first_name/),
  refused('refuses an unknown word of a choice', 'proposals list --where status=acepted', /--where status: .* Did you mean accepted\?/),
  refused('refuses a bound that is no number', 'leads list --where value=1k..', /--where value: "1k" is not a decimal number/),
  refused("refuses a day that doesn't exist", 'leads list --where dates.created=2026-02-30', /--where dates\.created: "2026-02-30"/),
  refused('refuses a title in place of an id', 'proposals list --where lead=Shop',
    /--where lead: "Shop" is not an id, .*\. By name: lead\.name=Shop\./),
  refused('refuses a page', 'leads list --where source=Web --page 2', /--page can't be combined with --where/),
  refused('names all mistakes at once', 'leads list --where a=1 --where value=x --limit 0', /3 values are wrong/),
]);

wireCases('a filter given twice', [
  sends('means any of them: one list for each, no record twice, in the order of the values',
    'leads list --assigned 8 --assigned 5 --source a,b --all -o ids',
    [whole('/api/leads?assigned_user_id=8&source=a,b', list([lead(9), lead(7)])),
      whole('/api/leads?assigned_user_id=5&source=a,b', list([lead(8), lead(7), lead(6)]))], { stdout: /^9\n7\n8\n6\n$/ }),
  sends('--limit counts over all of them', 'proposals list --status draft --status new --limit 3 -o ids',
    [whole('/api/proposals?status=draft', list([{ id: 1 }, { id: 2 }])), whole('/api/proposals?status=new', list([{ id: 3 }, { id: 4 }]))],
    { stdout: /^1\n2\n3\n$/ }),
  sends('for a program is all of each', 'leads list --status 3 --status 4 -o ids',
    [whole('/api/leads?status=3', list([{ id: 1 }], 1, 2, 1)), whole('/api/leads?status=3', list([{ id: 3 }], 2, 2, 1), 2),
      whole('/api/leads?status=4', list([{ id: 2 }]))], { stdout: /^1\n3\n2\n$/ }),
  sends('on a terminal is the first page of each', 'leads list --status 3 --status 4',
    [get('/api/leads?status=3', list([LEAD], 1, 2, 1)), get('/api/leads?status=4', list([lead(13)]))],
    { terminal: true, stdout: /2 leads, the first page for each value · More: --limit 4, --all/ }),
  sends('the same value twice is one list', 'leads list --status 3 --status 3 --json', whole('/api/leads?status=3', list([])),
    { json: [] }),
  refused('refuses --sort: each value is a list of its own', 'leads list --status 3 --status 4 --sort value',
    /--sort can't be combined with a filter that is given twice: ask for one value at a time\./),
  refused('refuses --order', 'leads list --status 3 --status 4 --order asc', /--order can't be combined with a filter/),
  refused('refuses a filter for nothing', "leads list --source ''", /--source: give a value/),
  refused('refuses a search for nothing', "leads list --search ' '", /--search: give a value/),
  refused('refuses --page', 'leads list --status 3 --status 4 --page 2', /--page can't be combined with a filter/),
]);

wireCases('--count', [
  sends('prints what the service counted', 'leads list --status 3 --count',
    get('/api/leads?status=3&limit=1&page=1', { json: { data: [LEAD], meta: { total: 46, last_page: 46 } } }), { stdout: /^46\n$/ }),
  sends('is a number in JSON, and counts the matches', 'leads list --where value=100.. --count --json',
    whole('/api/leads', list([LEAD, lead(2, { value: '100' })])), { json: 1 }),
  sends("counts the records where the service doesn't", 'notes list --count',
    [get('/api/notes?limit=1&page=1', { json: [{ id: 1 }] }), whole('/api/notes', { json: [{ id: 1 }, { id: 2 }] }),
      whole('/api/notes', { json: [] }, 2)], { stdout: /^2\n$/ }),
  refused('goes with no limit', 'leads list --count --limit 5', /--count .* --limit/),
]);

const counting = (total: number, line: string, more: Partial<WireCase> = {}) =>
  sends(`${line}, of ${total}`, `leads list --count ${line}`,
    get('/api/leads?limit=1&page=1', { json: { data: total === 0 ? [] : [LEAD], meta: { total, last_page: total } } }),
    { stdout: new RegExp(`^${total}\n$`), ...more });

const unread = (name: string, reply: Reply) =>
  sends(name, 'leads list --count --at-most 5 --retries 0', get('/api/leads?limit=1&page=1', reply), { stdout: /^$/, exit: 7 });

wireCases('a gate', [
  counting(46, '--at-most 46'),
  counting(46, '--at-least 46'),
  counting(46, '--at-most 45', { exit: 11, stderr: /46 leads, and --at-most is 45\./ }),
  counting(46, '--at-least 47', { exit: 11, stderr: /46 leads, and --at-least is 47\./ }),
  counting(46, '--at-most 45 --json', { exit: 11, stderr: /"code":"found"/ }),
  counting(1, '--at-most 0', { exit: 11, stderr: /1 lead, and --at-most is 0\./ }),
  counting(0, '--at-most 0'),
  counting(0, '--at-least 1', { exit: 11 }),
  sends('counts the matches', 'leads list --where value=100.. --count --at-least 2',
    whole('/api/leads', list([LEAD, lead(2, { value: '100' })])), { stdout: /^1\n$/, exit: 11 }),
  sends('refuses a list that lacks records at the third reading, too', 'leads list --where value=100.. --count --at-most 2',
    thrice(whole('/api/leads', { json: { data: [LEAD], meta: { total: 3, last_page: 1 } } })),
    { stdout: /^$/, stderr: /3 records, but only 1 came/, exit: 7 }),
  sends('reads the list where the total is 0 and a record is listed', 'leads list --count --at-most 0',
    [get('/api/leads?limit=1&page=1', { json: { data: [LEAD], meta: { total: 0 } } }),
      whole('/api/leads', { json: { data: [LEAD], meta: { total: 0, last_page: 1 } } })], { stdout: /^1\n$/, exit: 11 }),
  unread('a list that fails is not a list of none', { status: 500, json: {} }),
  unread('an answer that holds no list is not a list of none', { json: { data: null, message: 'OK' } }),
  unread('a page of something else is not a list of none', { text: '<html>Maintenance</html>' }),
  refused('counts nothing without --count', 'leads list --at-most 5', /--at-most and --at-least need --count/),
  refused('is a number', 'leads list --count --at-most few', /--at-most: "few" is not a whole number/),
  refused('is no contradiction', 'leads list --count --at-most 1 --at-least 2', /can't both hold/),
]);

wireCases('checked words', [
  refused('an unknown status', 'proposals list --status acepted',
    /--status: "acepted" is not one of draft, new, accepted, declined, revised\. Did you mean accepted\?/),
  refused('an unknown type', 'notes list --resource led:12', /--resource: "led:12" is not .* Did you mean lead\?/),
  refused('an unknown sort name', 'leads list --sort titel', /--sort: .* did you mean title\?/),
  refused('an unknown format', 'leads list -o jason', /--output: .* Did you mean json\?/),
  refused('a field of a write, before it is sent', 'leads archive 12 --fields id,titel',
    /--fields: unknown field "titel", did you mean title\?/),
  refused('a field of a create', 'contacts create --fields nope', /--fields: unknown field "nope"/),
]);

/** The day so many days before today, by this machine's clock. */
function daysAgo(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() - days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

wireCases('a hyphen and a digit begin a value', [
  sends('of a flag: a day before today, and a number below 0', 'leads update 12 --last-contacted -3d --value -5',
    [get('/api/leads/12', ok(LEAD)),
      patch('/api/leads/12', { ...LEAD_FORM, lead_last_contacted: daysAgo(3), lead_value: '-5' },
        ok({ ...LEAD, last_contacted: daysAgo(3), value: '-5.00' }))]),
  sends('of an argument', "leads comments add 12 '-5 degrees in the hall' --json",
    post('/api/leads/12/comments', { comment: '-5 degrees in the hall' }, ok({ id: 1 }))),
  refused('is refused as a command', 'leads -5d', /Unknown command '-5d'\.\nSee: crm leads --help/),
  refused('is refused as an id', 'leads get -5d', /"-5d" is not an id/),
  refused('a day in hours is refused', 'leads update 12 --last-contacted -3h', /"-3h" is not a day .* -30d/),
]);
