// `crm-admin/client`: each call, and exactly what the service must then see. Typed by hand from the interface document alone.

import { getEventListeners, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleLibrary } from '../../support/build.ts';

type Library = typeof import('../../../src/client/library/client.ts');
type Client = Awaited<ReturnType<Library['openClient']>>;

// As it is handed out: a bundler gives names of its own.
const folder = mkdtempSync(join(tmpdir(), 'crm-library-'));
await bundleLibrary(folder);
const inFolder = (name: string): string => pathToFileURL(join(folder, name)).href;
const { CrmError, InterruptedError, isCrmError, openClient, UsageError } = (await import(/* @vite-ignore */ inFolder('client.js'))) as Library;
const { openSandbox } = (await import(/* @vite-ignore */ inFolder('sandbox.js'))) as typeof import('../../../src/client/library/sandbox.ts');
type Reply = (response: ServerResponse, request: IncomingMessage) => void;

const key = 'library-test-key-1234';
let server: Server;
let baseUrl: string;
let replies: Reply[] = [];
let seen: string[] = [];
let keys: (string | undefined)[] = [];

const answer = (data: unknown, status = 200, more: object = {}): Reply => raw(status, JSON.stringify({ data, ...more, message: 'OK' }));
const raw =
  (status: number, text: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
/** The record that the path names, by its id alone. */
const itself: Reply = (response, request) => answer({ id: Number(/(\d+)(?!.*\d)/.exec(request.url ?? '')?.[0]) })(response, request);
const breakOff: Reply = (response) => response.destroy();
const problem = (status: number, body: object, headers = {}): Reply => raw(status, JSON.stringify(body), headers);

/** `PATCH /api/leads/12 lead_title=a&lead_status=3`: a request as the tables below have it. */
async function shown(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
  const text = isForm ? [...new URLSearchParams(body)].map((pair) => pair.join('=')).join('&') : body;
  return `${request.method} ${decodeURIComponent(request.url ?? '')}${text === '' ? '' : ` ${text}`}`;
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    keys.push(request.headers.authorization);
    seen.push(await shown(request));
    const reply = replies.shift() ?? itself;
    reply(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const clients: Client[] = [];
const open = async (options: object = {}): Promise<Client> => {
  const client = await openClient({ baseUrl, key, retries: 2, ...options });
  clients.push(client);
  return client;
};
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  [replies, seen, keys] = [[], [], []];
});

/** A lead with every value that an update sends back, some of which a float would change. */
const lead = `{"id":12,"title":"Tills","value":12345678901234567890.10,"status":{"id":3,"title":"Q","color":"#fff"},"active_state":"active",
"category":{"id":1,"name":"I"},"source":null,"last_contacted":"2026-11-02","description":" two  spaces ","contact":{"first_name":"Ada",
"last_name":"Byron","email":"ada@example.com","phone":null,"job_position":"","company_name":"Harbour","website":null},"address":{"street":null,
"city":null,"state":null,"zip":"01067","country":null},"converted":{"is_converted":false,"client_id":null,"date":null},
"assigned":[{"id":2,"name":"Tom"}],"tags":["hot","old"],"dates":{"created":"2026-01-01T00:00:00.000000Z","updated":"2026-01-01T00:00:00.000000Z"}}`;
const readLead = raw(200, `{"data":${lead},"message":"OK"}`);
const leadWith = (held: string, now: string): Reply => raw(200, `{"data":${lead.replace(held, now)},"message":"OK"}`);
const leadBack =
  'lead_title=Tills&lead_status=3&lead_categoryid=1&lead_firstname=Ada&lead_lastname=Byron&lead_email=ada@example.com&lead_job_position=' +
  '&lead_company_name=Harbour&lead_value=12345678901234567890.10&lead_last_contacted=2026-11-02&lead_description= two  spaces &lead_zip=01067';
const proposal = {
  id: 5, title: 'Offer', status: 'new', body: '<p>x</p>', client: { id: 2, name: 'N' }, lead: { id: null, name: null },
  category: { id: 4, name: 'I' },
  dates: { start: '2026-03-01', end: '2026-03-31', created: '2026-01-01T00:00:00.000000Z', published: null },
  signed: { date: null, first_name: null, last_name: null }, tags: [],
};
const signed = { ...proposal, signed: { date: '2026-02-01', first_name: 'Ada', last_name: 'Byron' } };

interface Call {
  readonly name: string;
  readonly run: (client: Client) => Promise<unknown>;
  readonly replies?: Reply[];
  readonly sends: string[];
  readonly gives?: unknown;
}

const calls: Call[] = [
  { name: 'contacts.list', run: ({ contacts }) => contacts.list({ client: 2, account_owner: 'yes', sort: 'last_name', order: 'desc' }).page(), replies: [answer([{ id: 1 }], 200, { meta: { current_page: 1, per_page: 25, total: 30, last_page: 2 } })], sends: ['GET /api/contacts?client_id=2&account_owner=yes&sort=last_name&order=desc'], gives: { records: [{ id: 1 }], total: 30, page: 1, lastPage: 2 } },
  { name: 'a page of a size', run: ({ items }) => items.list({ rate_min: '10.50', tax_rate: 2 }).page(3, 50), replies: [answer([])], sends: ['GET /api/items?rate_min=10.50&tax_rate_id=2&page=3&limit=50'], gives: { records: [] } },
  { name: 'contacts.create', run: ({ contacts }) => contacts.create({ first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com', client: 2, job_position: 'CTO', phone: undefined, send_email: true }), replies: [answer({ id: 7, name: 'Ada Byron' }, 201)], sends: ['POST /api/contacts first_name=Ada&last_name=Byron&email=ada@example.com&clientid=2&position=CTO&send_email=yes'], gives: { id: 7, name: 'Ada Byron' } },
  { name: 'contacts.accountOwner', run: ({ contacts }) => contacts.accountOwner(6), replies: [answer({ id: 6, account_owner: 'yes' })], sends: ['PUT /api/contacts/6/account-owner'], gives: { id: 6, account_owner: 'yes' } },
  { name: 'contacts.delete', run: ({ contacts }) => contacts.delete('6'), sends: ['DELETE /api/contacts/6'], gives: undefined },
  { name: 'leads.list', run: ({ leads }) => leads.list({ status: 3, category: 1, source: 'Fair', active_state: 'active', assigned: 2, search: 'a b', sort: 'last_contacted' }).page(1), replies: [answer([])], sends: ['GET /api/leads?status=3&category_id=1&source=Fair&active_state=active&assigned_user_id=2&search=a+b&sort=lead_last_contacted&page=1'] },
  { name: 'leads.get keeps every digit', run: async ({ leads }) => ((await leads.get(12)) as { value: string }).value, replies: [readLead], sends: ['GET /api/leads/12'], gives: '12345678901234567890.10' },
  { name: 'leads.create', run: ({ leads }) => leads.create({ title: 'Tills', status: 3, category: 1, value: '1250.00', company_name: 'Harbour', zip: '01067', last_contacted: '2026-11-02', set: { lead_region: 'North' } }), replies: [answer({ id: 45, title: 'Tills' }, 201)], sends: ['POST /api/leads lead_title=Tills&lead_status=3&lead_categoryid=1&lead_value=1250.00&lead_company_name=Harbour&lead_zip=01067&lead_last_contacted=2026-11-02&lead_region=North'], gives: { id: 45, title: 'Tills' } },
  { name: 'leads.update sends everything back', run: ({ leads }) => leads.update(12, { source: 'Fair' }), replies: [readLead, leadWith('"source":null', '"source":"Fair"')], sends: ['GET /api/leads/12', `PATCH /api/leads/12 ${leadBack.replace('&lead_last_contacted', '&lead_source=Fair&lead_last_contacted')}`] },
  { name: 'leads.update clears with null', run: ({ leads }) => leads.update(12, { value: null }), replies: [readLead, leadWith('12345678901234567890.10', 'null')], sends: ['GET /api/leads/12', `PATCH /api/leads/12 ${leadBack.replace('12345678901234567890.10', '')}`] },
  { name: 'leads.update without reading', run: ({ leads }) => leads.update(12, { title: 'T', status: 3, category: 1 }, { replace: true }), sends: ['PATCH /api/leads/12 lead_title=T&lead_status=3&lead_categoryid=1'], gives: { id: 12 } },
  { name: 'leads.archive with an empty answer', run: ({ leads }) => leads.archive(12), replies: [raw(204, ''), answer({ id: 12, active_state: 'archived' })], sends: ['PUT /api/leads/12/archive', 'GET /api/leads/12'], gives: { id: 12, active_state: 'archived' } },
  { name: 'leads.activate', run: ({ leads }) => leads.activate(12), sends: ['PUT /api/leads/12/activate'] },
  { name: 'leads.status', run: ({ leads }) => leads.status(12, 4), sends: ['PUT /api/leads/12/status status=4'] },
  { name: 'leads.assign', run: ({ leads }) => leads.assign(12, [2, 3]), sends: ['PUT /api/leads/12/assigned assigned[]=2&assigned[]=3'] },
  { name: 'leads.assign to nobody', run: ({ leads }) => leads.assign(12, []), sends: ['PUT /api/leads/12/assigned {"assigned":[]}'] },
  { name: 'leads.assign to one more', run: ({ leads }) => leads.assign(12, { add: [5], remove: [2] }), replies: [readLead], sends: ['GET /api/leads/12', 'PUT /api/leads/12/assigned assigned[]=5'] },
  { name: 'leads.tags', run: ({ leads }) => leads.tags(12, { add: ['new'], remove: ['old'] }), replies: [readLead], sends: ['GET /api/leads/12', 'PUT /api/leads/12/tags tags[]=hot&tags[]=new'] },
  { name: 'leads.convert', run: ({ leads }) => leads.convert(12, { email: 'b@example.com', invoice_due_days: 30, delete_lead: true }), replies: [readLead, answer({ id: 9, company_name: 'Harbour' }, 201)], sends: ['GET /api/leads/12', 'POST /api/leads/12/convert first_name=Ada&last_name=Byron&email=b@example.com&client_company_name=Harbour&client_billing_invoice_due_days=30&delete_lead=yes'], gives: { id: 9, company_name: 'Harbour' } },
  { name: 'leads.clone', run: ({ leads }) => leads.clone(12, { copy_files: true }), replies: [readLead, answer({ id: 46 }, 201)], sends: ['GET /api/leads/12', 'POST /api/leads/12/clone lead_title=Tills (copy)&lead_status=3&copy_files=on'], gives: { id: 46 } },
  { name: 'leads.clone without reading', run: ({ leads }) => leads.clone(12, { title: 'T', status: 1 }), replies: [answer({ id: 46 }, 201)], sends: ['POST /api/leads/12/clone lead_title=T&lead_status=1'] },
  { name: 'leads.comments.list', run: ({ leads }) => leads.comments.list(12), replies: [answer([{ id: 1, text: 'a' }])], sends: ['GET /api/leads/12/comments'], gives: [{ id: 1, text: 'a' }] },
  { name: 'leads.comments.add', run: ({ leads }) => leads.comments.add(12, '@home'), replies: [answer({ id: 2, text: '@home' }, 201)], sends: ['POST /api/leads/12/comments comment=@home'], gives: { id: 2, text: '@home' } },
  { name: 'leads.comments.delete', run: ({ leads }) => leads.comments.delete(12, 2), sends: ['DELETE /api/leads/12/comments/2'], gives: undefined },
  { name: 'proposals.create', run: ({ proposals }) => proposals.create({ lead: 3, title: 'Offer', start: '2027-01-04', end: '2027-12-31', category: 5, body: '<p>x</p>' }), replies: [answer({ id: 8 }, 201)], sends: ['POST /api/proposals customer_type=lead&doc_lead_id=3&doc_title=Offer&doc_date_start=2027-01-04&doc_date_end=2027-12-31&doc_categoryid=5&doc_body=<p>x</p>'], gives: { id: 8 } },
  { name: 'proposals.update', run: ({ proposals }) => proposals.update(5, { title: 'Second' }), replies: [answer(proposal), answer({ ...proposal, title: 'Second' })], sends: ['GET /api/proposals/5', 'PATCH /api/proposals/5 doc_title=Second&doc_date_start=2026-03-01&doc_categoryid=4&doc_date_end=2026-03-31'] },
  { name: 'proposals.status', run: ({ proposals }) => proposals.status(5, 'accepted'), replies: [answer(proposal), answer({ ...proposal, status: 'accepted' })], sends: ['GET /api/proposals/5', 'PUT /api/proposals/5/status status=accepted'] },
  { name: 'proposals.status of a signed one', run: ({ proposals }) => proposals.status(5, 'revised', { clear_signature: true }), replies: [answer(signed), answer({ ...proposal, status: 'revised' })], sends: ['GET /api/proposals/5', 'PUT /api/proposals/5/status status=revised'] },
  { name: 'proposals.clone', run: ({ proposals }) => proposals.clone(5, { lead: 3, end: '2026-04-30' }), replies: [answer(proposal), answer({ id: 6 }, 201)], sends: ['GET /api/proposals/5', 'POST /api/proposals/5/clone customer_type=lead&doc_title=Offer (copy)&doc_categoryid=4&doc_date_start=2026-03-01&doc_date_end=2026-04-30&doc_lead_id=3'], gives: { id: 6 } },
  { name: 'items.create', run: ({ items }) => items.create({ description: 'Cable', rate: '9.90', category: 7, default_tax: 2, unit: 'metre', estimation_notes: 'x', custom_field: { 1: 'CB-2M' } }), replies: [answer({ id: 24, rate: 9.9 }, 201)], sends: ['POST /api/items item_description=Cable&item_rate=9.90&item_categoryid=7&item_default_tax=2&item_unit=metre&item_notes_estimatation=x&item_custom_field_1=CB-2M'], gives: { id: 24, rate: '9.9' } },
  { name: 'notes.list', run: ({ notes }) => notes.list({ resource: { type: 'lead', id: 12 }, visibility: 'private' }).page(), replies: [answer([])], sends: ['GET /api/notes?resource_type=lead&resource_id=12&visibility=private'] },
  { name: 'notes.create', run: ({ notes }) => notes.create({ title: 'Call', description: 'back', resource: 'lead:3' }), replies: [answer({ id: 3 }, 201)], sends: ['POST /api/notes note_title=Call&note_description=back&noteresource_type=lead&noteresource_id=3'] },
  { name: 'notes.tags', run: ({ notes }) => notes.tags(5, ['urgent']), sends: ['PUT /api/notes/5/tags tags[]=urgent'] },
  { name: 'clients.list', run: ({ clients }) => clients.list({ status: 'active', sort: 'company_name' }).page(), replies: [answer([])], sends: ['GET /api/clients?status=active&sort=client_company_name'] },
  { name: 'team.get', run: ({ team }) => team.get(1), replies: [answer({ id: 1, name: 'Maya' })], sends: ['GET /api/team/1'], gives: { id: 1, name: 'Maya' } },
  { name: 'categories.list', run: ({ categories }) => categories.list({ type: 'lead' }).page(), replies: [answer([])], sends: ['GET /api/categories?type=lead'] },
];

const pairs = (request: string): string => {
  const [, head = '', body = ''] = /^(\S+ \S+) ?(.*)$/s.exec(request) ?? [];
  const [path = '', query = ''] = head.split('?');
  const sorted = (text: string): string => (text.startsWith('{') ? text : text.split('&').sort().join('&'));
  return `${path}?${sorted(query)} ${sorted(body)}`;
};

describe('each call sends', () => {
  it.each(calls)('$name', async (call) => {
    replies = [...(call.replies ?? [])];
    const given = await call.run(await open());
    expect(seen.map(pairs)).toEqual(call.sends.map(pairs));
    expect(new Set(keys)).toEqual(new Set([`Bearer ${key}`]));
    if ('gives' in call) expect(given).toEqual(call.gives);
  });

  it('JSON where a client is opened so', async () => {
    const { leads } = await open({ encoding: 'json' });
    replies = [answer({ id: 45 }, 201)];
    await leads.create({ title: 'Tills', status: 3, category: 1, value: '1250.00' });
    expect(seen).toEqual(['POST /api/leads {"lead_title":"Tills","lead_status":3,"lead_categoryid":1,"lead_value":"1250.00"}']);
  });
});

describe('nothing is sent', () => {
  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    ['without what is required', ({ leads }) => leads.create({ status: 3 }), 'Missing title, category.'],
    ['with a name that there is not', ({ contacts }) => contacts.create({ fist_name: 'Ada' }), 'fist_name: there is no such value. Did you mean "first_name"? Fields by their wire names go into set.'],
    ['with a flag in place of a name', ({ leads }) => leads.update(12, { 'company-name': 'x' }), 'company-name: there is no such value. Did you mean "company_name"?'],
    ['with a day that there is not', ({ leads }) => leads.update(12, { last_contacted: '2026-02-30' }), 'last_contacted: "2026-02-30" is not a day of the calendar, written YYYY-MM-DD.'],
    ['with an end before the start', ({ proposals }) => proposals.create({ client: 1, title: 'x', category: 4, start: '2026-03-01', end: '2026-02-01' }), 'end: 2026-02-01 is before start 2026-03-01.'],
    ['for two customers', ({ proposals }) => proposals.create({ client: 1, lead: 2, title: 'x', category: 4, start: '2026-03-01' }), 'Give only one of client and lead.'],
    ['with what creation alone takes', ({ contacts }) => contacts.update(5, { client: 3 }), "client: it can't be changed after creation."],
    ['with nothing to change', ({ leads }) => leads.update(12, { title: undefined }), 'Nothing to change: give at least one value.'],
    ['for an id that is none', ({ leads }) => leads.archive(1.5), 'id: "1.5" is not an id, a whole number above 0.'],
    ['with a filter that there is not', async ({ leads }) => leads.list({ stauts: 3 }), 'stauts: there is no such filter. Did you mean "status"?'],
    ['with a sort that there is not', async ({ leads }) => leads.list({ sort: 'lead_title' }), 'sort: "lead_title" is not one of title, value, created, last_contacted.'],
    ['for a page that is too large', ({ leads }) => leads.list().page(1, 101), 'size: 101 is more than 100.'],
    ['with an empty comment', ({ leads }) => leads.comments.add(12, ' '), "text: a comment can't be empty."],
    ['to clear what is required', ({ leads }) => leads.update(12, { title: null }), "title: it is blank, and can't be cleared."],
    ['to create with null where something is required', ({ leads }) => leads.create({ title: null, status: 1, category: 1 }), 'title: it is blank, and a new lead needs it.'],
    ['to add and remove the same', ({ leads }) => leads.tags(12, { add: ['a'], remove: ['a'] }), 'add: remove names a, too.'],
  ])('%s', async (_name, run, message) => {
    const client = await open();
    const error: Error = await run(client).then(() => expect.fail('it went through'), (one) => one);
    expect([error.message.slice(0, message.length), error instanceof UsageError]).toEqual([message, true]);
    expect(seen).toEqual([]);
  });

  it('to a signed proposal, unless that is allowed', async () => {
    const { proposals } = await open();
    replies = [answer(signed)];
    await expect(proposals.status(5, 'revised')).rejects.toMatchObject({ name: 'UnconfirmedError', code: 'proposal_signed' });
    expect(seen).toEqual(['GET /api/proposals/5']);
  });

  it('for a record that came without what an update sends back', async () => {
    const { notes } = await open();
    replies = [answer({ id: 5, title: 'x', visibility: 'public' })];
    await expect(notes.update(5, { title: 'y' })).rejects.toThrow(
      'The service answered /api/notes/5 without description; nothing was changed.',
    );
    expect(seen).toEqual(['GET /api/notes/5']);
  });
});

describe('a client that only reads', () => {
  const writing = calls.filter(({ sends }) => sends.some((request) => !request.startsWith('GET ')));

  it.each(writing)('refuses $name', async ({ run, replies: prepared = [] }) => {
    replies = [...prepared];
    await expect(run(await open({ readOnly: true }))).rejects.toMatchObject({ name: 'UnconfirmedError', code: 'read_only' });
    expect(seen.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });

  it('reads', async () => {
    const { leads, request } = await open({ readOnly: true });
    replies = [readLead];
    expect(await leads.get(12)).toMatchObject({ id: 12 });
    await expect(request('POST', '/api/leads', { body: {} })).rejects.toThrow('The client was opened with readOnly: nothing was changed.');
    expect(seen).toEqual(['GET /api/leads/12']);
  });
});

describe('what goes wrong', () => {
  it('a read is sent again, a write whose answer was lost is not', async () => {
    const { leads } = await open();
    replies = [breakOff, readLead];
    expect(await leads.get(12)).toMatchObject({ id: 12 });
    expect(seen).toHaveLength(2);
    replies = [breakOff];
    await expect(leads.create({ title: 'x', status: 1, category: 1 })).rejects.toMatchObject({
      name: 'UnavailableError',
      message: expect.stringContaining('The outcome of POST /api/leads is unknown: it may or may not have taken effect.'),
      details: { hint: expect.stringContaining("await client.leads.list({ sort: 'created', order: 'desc' }).page()") },
    });
    replies = [problem(502, { message: 'Bad gateway' })];
    await expect(leads.comments.add(12, 'x')).rejects.toThrow('The outcome of POST /api/leads/12/comments is unknown');
    expect(seen.slice(2)).toEqual(['POST /api/leads lead_title=x&lead_status=1&lead_categoryid=1', 'POST /api/leads/12/comments comment=x']);
  });

  it('a refusal names the values as the program does, too', async () => {
    const { leads } = await open();
    replies = [problem(422, { message: 'The given data was invalid.', errors: { lead_email: ['It is taken.'] } })];
    await expect(leads.create({ title: 'x', status: 1, category: 1, email: 'a@b' })).rejects.toMatchObject({
      name: 'RefusedError', code: 'refused',
      details: { httpStatus: 422, fields: [{ name: 'lead_email', flag: 'email', messages: ['It is taken.'] }] },
    });
  });

  it('a conflict has the code that says which', async () => {
    const { leads } = await open();
    replies = [readLead, problem(409, { message: 'This lead was converted.' })];
    await expect(leads.convert(12)).rejects.toMatchObject({ name: 'ConflictError', code: 'already_converted' });
    replies = [breakOff];
    await expect(leads.delete(12)).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('a redirect elsewhere is not followed, and no error shows the key', async () => {
    const { leads } = await open();
    replies = [raw(302, '', { location: 'http://localhost:1/api/leads/12' })];
    await expect(leads.get(12)).rejects.toThrow('a key belongs to one origin');
    replies = [problem(403, { message: `The key ${key} is not allowed.` })];
    const error: Error = await leads.get(12).catch((one: Error) => one);
    expect([error.message, error.name]).toEqual(['The key … is not allowed.', 'UnauthorizedError']);
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(key);
    replies = [raw(200, `{"message":"Hello ${key}"}`), problem(422, { message: 'No.', errors: { [key]: ['?'] } })];
    for (const call of [leads.list().page(), leads.archive(12)]) {
      const said = await call.then(String, (one: Error) => `${one.stack}${JSON.stringify(one)}`);
      expect(said).toMatch(/without a list of records; it said: "Hello …"|RefusedError: No\./);
      expect(said).not.toContain(key);
    }
  });

  it('a time-out and a signal end what is under way', async () => {
    const slow = await open({ timeout: 50, retries: 0 });
    replies = [() => {}, () => {}];
    await expect(slow.leads.get(12)).rejects.toMatchObject({ details: { hint: 'Allow more time with timeout, in milliseconds.' } });
    const controller = new AbortController();
    const { leads } = await open({ signal: controller.signal });
    const under = leads.archive(12);
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(under).rejects.toMatchObject({
      name: 'AbortError', code: 'outcome_unknown',
      message: expect.stringMatching(/^The call was aborted\. The outcome of PUT \/api\/leads\/12\/archive is unknown/),
      cause: new Error('enough'),
    });
    await expect(leads.get(12)).rejects.toMatchObject({ name: 'AbortError', code: 'interrupted', message: 'The call was aborted.' });
  });

  it('a closed client sends nothing', async () => {
    const client = await open();
    await client.close();
    await expect(client.leads.get(12)).rejects.toThrow('The client is closed.');
    expect(seen).toEqual([]);
  });

  it('a client that is closed during a write does not know what became of it', async () => {
    const client = await open();
    replies = [() => client.close()];
    await expect(client.leads.archive(12)).rejects.toMatchObject({
      name: 'AbortError', message: expect.stringContaining('The outcome of PUT /api/leads/12/archive is unknown'),
    });
  });
});

describe('what one call is given', () => {
  const hang: Reply = () => {};

  it('a signal of its own, which ends it alone', async () => {
    const { leads } = await open();
    const controller = new AbortController();
    replies = [hang, readLead];
    const [ended, other] = [leads.get(12, { signal: controller.signal }), leads.get(12, { timeout: 200 })];
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toMatchObject({ name: 'AbortError', code: 'interrupted', cause: new Error('enough') });
    expect(await other.catch(() => leads.get(12))).toMatchObject({ id: 12 });
    const onArrival = new AbortController();
    replies = [() => onArrival.abort(new DOMException('enough', 'TimeoutError'))];
    const write = leads.archive(12, { signal: onArrival.signal });
    await expect(write).rejects.toMatchObject({ name: 'AbortError', code: 'outcome_unknown', cause: { name: 'TimeoutError' } });
    await expect(leads.create({ title: 'x', status: 1, category: 1 }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('a signal that lives longer keeps no listener of it', async () => {
    const { leads } = await open();
    const { signal } = new AbortController();
    for (let count = 0; count < 3; count += 1) await leads.get(12, { signal });
    replies = [answer([{ id: 1 }])];
    for await (const _lead of leads.list({}, { signal, limit: 1 })) break;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('a signal, which ends a list at once, within its page', async () => {
    const { leads } = await open();
    const controller = new AbortController();
    replies = [answer([{ id: 1 }, { id: 2 }, { id: 3 }])];
    const seenIds: number[] = [];
    const list = (async () => {
      for await (const { id } of leads.list({}, { signal: controller.signal })) {
        seenIds.push(id);
        if (id === 2) controller.abort();
      }
    })();
    const error: unknown = await list.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AbortError', code: 'interrupted', cause: { name: 'AbortError' } });
    expect(error).toBeInstanceOf(InterruptedError);
    expect(seenIds).toEqual([1, 2]);
  });

  it.each([
    ['close', (client: Client, _ends: AbortController) => client.close()],
    ["the client's signal", (_client: Client, ends: AbortController) => ends.abort()],
  ])('%s ends a list at once, too', async (_name, end) => {
    const ends = new AbortController();
    const client = await open({ signal: ends.signal });
    replies = [answer([{ id: 1 }, { id: 2 }])];
    const list = client.leads.list()[Symbol.asyncIterator]();
    expect(await list.next()).toMatchObject({ value: { id: 1 } });
    await end(client, ends);
    await expect(list.next()).rejects.toMatchObject({ name: 'AbortError', code: 'interrupted' });
  });

  it('a pause for Retry-After ends with its signal', async () => {
    const { leads } = await open();
    replies = [problem(429, {}, { 'retry-after': '50' })];
    const call = leads.get(12, { signal: AbortSignal.timeout(200) });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('a pause of more than 60 s ends every call at once, with when to come again, and the next call sends nothing', async () => {
    const { leads } = await open();
    replies = [problem(429, {}, { 'retry-after': '3600' })];
    await expect(leads.get(12)).rejects.toMatchObject({ name: 'RateLimitedError', details: { retryIn: 3600, httpStatus: 429 } });
    await expect(leads.get(13)).rejects.toMatchObject({ message: 'The service asked for a pause, so nothing was sent.' });
    expect(seen).toEqual(['GET /api/leads/12']);
  });

  it('a time and retries of its own', async () => {
    const { leads } = await open({ retries: 0 });
    replies = [hang];
    await expect(leads.get(12, { timeout: 50 })).rejects.toMatchObject({ code: 'timed_out' });
    replies = [breakOff, breakOff, readLead];
    expect(await leads.get(12, { retries: 2 })).toMatchObject({ id: 12 });
    replies = [breakOff];
    await expect(leads.list({}, { retries: 0 }).page()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each<[string, (client: Client) => unknown, string]>([
    ['nothing for an id', ({ leads }) => leads.get(), 'client.leads.get takes the id of a record, a whole number above 0, not undefined.'],
    ['a record for an id', ({ leads }) => leads.archive({ id: 12 }), 'client.leads.archive takes the id of a record, a whole number above 0, not an object.'],
    ['no values', ({ leads }) => leads.create(), 'client.leads.create takes an object of values, not undefined.'],
    ['a text for values', ({ leads }) => leads.update(12, 'x'), 'client.leads.update takes an object of values, not the string x.'],
    ['null for values', ({ leads }) => leads.update(12, null), 'client.leads.update takes an object of values, not null.'],
    ['an array for filters', ({ leads }) => leads.list([]), 'client.leads.list takes an object of filters, not an array.'],
    ['one tag for many', ({ leads }) => leads.tags(12, 'hot'), 'client.leads.tags takes the whole new set as an array, or { add, remove }, not the string hot.'],
    ['one tag to add', ({ leads }) => leads.tags(12, { add: 'hot' }), 'client.leads.tags: add is an array.'],
    ['another option', ({ leads }) => leads.get(12, { singal: null }), 'client.leads.get has no option singal. Did you mean signal?'],
    ['a controller for a signal', ({ leads }) => leads.get(12, { signal: new AbortController() }), 'signal is an AbortSignal, not an AbortController.'],
    ['a text for a time', ({ leads }) => leads.get(12, { timeout: '5' }), 'timeout: 5 is not a number of milliseconds above 0 and up to a day.'],
    ['more time than a timer has', ({ leads }) => leads.get(12, { timeout: 1e12 }), 'timeout: 1000000000000 is not a number of milliseconds above 0 and up to a day.'],
    ['a method without a path', ({ request }) => (request as (one: unknown) => unknown)('GET'), "client.request takes a method and a path: ('GET', '/api/clients')."],
  ])('%s is a TypeError, and nothing is sent', async (_what, run, message) => {
    const client = await open();
    await expect((async () => run(client))()).rejects.toSatisfy((error) => error instanceof TypeError && error.message === message);
    expect(seen).toEqual([]);
  });
});

it.each([Symbol('x'), () => 1, true, new Date(0)])('%s is no value, and nothing is sent', async (title) => {
  const { leads } = await open();
  await expect(leads.create({ title, status: 1, category: 1 } as never)).rejects.toThrow('title: give a text or a number.');
  expect(seen).toEqual([]);
});

describe('a list as an array', () => {
  it('has all records, or as many as are wanted', async () => {
    const { notes } = await open();
    const meta = { meta: { current_page: 1, total: 9, last_page: 5 } };
    replies = [answer([{ id: 1 }, { id: 2 }], 200, meta)];
    expect(await notes.list({}, { limit: 2 }).toArray()).toEqual([{ id: 1 }, { id: 2 }]);
    expect(seen.splice(0)).toEqual(['GET /api/notes?limit=2&page=1']);
    replies = [answer([{ id: 1 }, { id: 2 }], 200, meta)];
    expect(await notes.list({ visibility: 'public', limit: 2 }).toArray()).toEqual([{ id: 1 }, { id: 2 }]);
    expect(seen.splice(0)).toEqual(['GET /api/notes?visibility=public&limit=2&page=1']);
    replies = [answer([{ id: 1 }, { id: 2 }])];
    replies.push(answer([]));
    expect(await notes.list().toArray()).toEqual([{ id: 1 }, { id: 2 }]);
    expect(() => notes.list({}, { limit: 0 })).toThrow('limit: "0" is not a whole number above 0.');
  });
});

describe('a request of its own', () => {
  it('goes to any endpoint, with the key, and tells status and rate limit', async () => {
    const { request } = await open();
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '58' };
    replies = [raw(200, '{"data":[{"id":1,"total":12345678901234567890.10}],"meta":{"total":1},"message":"OK"}', headers)];
    expect(await request('GET', 'tickets', { query: { status: 'open', 'id[]': [1, 2] } })).toEqual({
      status: 200, data: [{ id: 1, total: '12345678901234567890.10' }], meta: { total: 1 }, message: 'OK',
      rateLimit: { limit: 60, remaining: 58 },
    });
    replies = [answer({ id: 3 }, 201)];
    expect(await request('POST', '/api/tickets', { body: { subject: 'x', tags: [] } })).toEqual({ status: 201, data: { id: 3 }, message: 'OK' });
    expect(seen).toEqual(['GET /api/tickets?status=open&id[]=1&id[]=2', 'POST /api/tickets {"subject":"x","tags":[]}']);
    expect(new Set(keys)).toEqual(new Set([`Bearer ${key}`]));
  });

  it('that is lost is unknown where it writes, and nothing goes elsewhere', async () => {
    const { request } = await open();
    replies = [breakOff];
    await expect(request('POST', 'tickets', { body: {} })).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(seen.splice(0)).toHaveLength(1);
    for (const path of ['https://evil.example/api', '//evil.example/api', '/api/../x', '/api/%2e%2e/x', '']) {
      await expect(request('GET', path)).rejects.toMatchObject({ name: 'InvalidValues', details: { fields: [{ name: 'path' }] } });
    }
    await expect(request('GET', 'tickets', { body: {} })).rejects.toThrow('body: a GET has no body.');
    expect(seen).toEqual([]);
  });
});

it('a log hears of every exchange, those that are tried again, too, and its own failures stay its own', async () => {
  const heard: object[] = [];
  const { leads } = await open({
    log: (exchange: object) => {
      heard.push(exchange);
      throw new Error('the log is full');
    },
  });
  replies = [problem(429, {}, { 'retry-after': '0' }), readLead];
  await leads.get(12);
  replies = [breakOff];
  await leads.archive(12).catch(() => {});
  const milliseconds = expect.any(Number);
  expect(heard).toEqual([
    { method: 'GET', path: '/api/leads/12', milliseconds, status: 429, rateLimit: { retryAfter: '0' } },
    { method: 'GET', path: '/api/leads/12', milliseconds, status: 200 },
    { method: 'PUT', path: '/api/leads/12/archive', milliseconds, failure: expect.any(String) }, ...heard.slice(3),
  ]);
  expect(JSON.stringify(heard)).not.toContain(key);
});

describe('a fetch beside a base URL', () => {
  it('sends the requests, and follows nothing by itself', async () => {
    const asked: [string, RequestInit | undefined][] = [];
    const own: typeof fetch = async (input, init) => {
      asked.push([String(input), init]);
      return new Response(`{"data":${lead}}`, { headers: { 'content-type': 'application/json' } });
    };
    const { leads } = await open({ baseUrl: 'https://crm.example.com/sub/', fetch: own });
    expect(await leads.get(12)).toMatchObject({ id: 12, value: '12345678901234567890.10' });
    expect(asked).toMatchObject([['https://crm.example.com/sub/api/leads/12', { method: 'GET', redirect: 'manual', headers: { authorization: `Bearer ${key}` } }]]);
    const real = await open({ fetch: globalThis.fetch });
    replies = [raw(302, '', { location: 'http://localhost:1/api/leads/12' })];
    await expect(real.leads.get(12)).rejects.toMatchObject({ details: { hint: 'If the service has moved there, open the client with the new base URL.' } });
  });

  it('that fails tells nothing of a write: it is unknown, and sent once', async () => {
    let count = 0;
    const refused: typeof fetch = async () => {
      count += 1;
      throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) });
    };
    const { leads } = await open({ fetch: refused, retries: 1 });
    await expect(leads.create({ title: 'x', status: 1, category: 1 })).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(count).toBe(1);
    await expect(leads.get(12)).rejects.toMatchObject({ code: 'unreachable' });
    expect(count).toBe(3);
  });
});

describe('whatever takes no notice of a signal', () => {
  const never = (): Promise<never> => new Promise(() => {});
  const endless = async (): Promise<Response> => new Response(new ReadableStream({ pull: never }));
  const slow: typeof fetch = async (...call) => (await openSandbox({ faults: 'slow=1:600000' })).fetch(...call);
  const places: [string, object][] = [
    ['a fetch that never answers', { fetch: never }], ['a fetch whose answer never ends', { fetch: endless }],
    ['a sandbox that is slow', { sandbox: { fetch: slow }, baseUrl: undefined, key: undefined }],
  ];
  const ways: [string, (client: Client) => Promise<unknown>, object][] = [
    ['a signal', ({ leads }) => leads.get(12, { signal: AbortSignal.timeout(20) }), { code: 'interrupted' }],
    ['a time-out', ({ leads }) => leads.get(12, { timeout: 20, retries: 0 }), { code: 'timed_out' }],
    ['a write its time-out', ({ leads }) => leads.archive(12, { timeout: 20 }), { code: 'outcome_unknown' }],
    ['close', (client) => Promise.race([client.leads.get(12), setImmediate().then(() => client.close()).then(never)]), { message: 'The call was aborted. The client is closed.' }],
    ['close, a write', (client) => Promise.race([client.leads.archive(12), setImmediate().then(() => client.close()).then(never)]), { code: 'outcome_unknown' }],
  ];
  it.each(places.flatMap(([what, options]) => ways.map(([way, run, error]) => ({ what, way, options, run, error }))))(
    '$what: $way ends it',
    async ({ options, run, error }) => {
      await expect(run(await open(options))).rejects.toMatchObject(error);
    },
  );
});

describe('changes of one record at once', () => {
  it('are made one after the other, and each rests on what it finds', async () => {
    const client = await open({ sandbox: await openSandbox(), baseUrl: undefined, key: undefined });
    const { leads } = client;
    await leads.tags(12, []);
    await Promise.all([
      ...['a', 'b', 'c'].map((tag) => leads.tags(12, { add: [tag] })), leads.update(12, { title: 'New' }),
      leads.update('12', { source: 'Fair' }), leads.status(12, 4),
      leads.tags(13, { add: ['x'] }, { signal: AbortSignal.abort() }).catch(() => {}), leads.tags(13, { add: ['y'] }),
    ]);
    expect(await leads.get(12)).toMatchObject({ title: 'New', source: 'Fair', status: { id: 4 }, tags: ['a', 'b', 'c'] });
    expect(((await leads.get(13)) as { tags: string[] }).tags).toContain('y');
  });

  it('end while they wait, and let the next one in only behind those before', async () => {
    const { leads } = await open();
    const held = Promise.withResolvers<() => void>();
    const tags = (...more: string[]): Reply => raw(200, JSON.stringify({ data: { id: 12, tags: ['hot', ...more] } }));
    const hold: Reply = (response, request) => held.resolve(() => tags()(response, request));
    replies = [hold, tags('a'), tags(), tags('c')];
    const first = leads.tags(12, { add: ['a'] });
    await expect(leads.tags(12, { add: ['b'] }, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ code: 'interrupted' });
    const third = leads.tags(12, { add: ['c'] });
    (await held.promise)();
    await Promise.all([first, third]);
    expect(seen).toEqual(['GET /api/leads/12', 'PUT /api/leads/12/tags tags[]=hot&tags[]=a', 'GET /api/leads/12', 'PUT /api/leads/12/tags tags[]=hot&tags[]=c']);
  });
});

describe('an update gives the whole record', () => {
  const contact = { id: 6, first_name: 'Ada', last_name: 'B', name: 'Ada B', email: 'a@example.com', phone: null, job_position: null };

  it('as the service answers it, or read behind it', async () => {
    const { contacts } = await open();
    replies = [answer(contact), answer({ id: 6, name: 'Ada B' }), answer({ ...contact, phone: '1' })];
    expect(await contacts.update(6, { phone: '1' })).toEqual({ ...contact, phone: '1' });
    expect(seen.splice(0).map((one) => one.split(' ')[0])).toEqual(['GET', 'PATCH', 'GET']);
    replies = [answer(contact), answer({ ...contact, phone: '1' })];
    expect(await contacts.update(6, { phone: '1' })).toEqual({ ...contact, phone: '1' });
    expect(seen).toHaveLength(2);
  });

  it('or says that it was changed', async () => {
    const { contacts } = await open({ retries: 0 });
    replies = [answer(contact), answer({ id: 6, name: 'Ada B' }), breakOff];
    await expect(contacts.update(6, { phone: '1' })).rejects.toMatchObject({
      name: 'PartialError', message: expect.stringContaining('The contact 6 was changed, but could not be read: '),
      details: { id: 6, hint: 'See it with: await client.contacts.get(6)' },
    });
  });
});

it('ids are numbers, also where the service sends texts, but for those that a number can not hold', async () => {
  const { leads } = await open();
  const sent = { id: '12', status: { id: '3', title: '7' }, converted: { client_id: '4' }, assigned: [{ id: '2', name: '8' }], tags: ['9'], crm_id: '5' };
  replies = [answer(sent), answer([sent, { id: '9007199254740993' }]), answer([]), answer({ id: '45' }, 201), answer([{ id: '1', creator: { id: '2' } }])];
  const whole = { ...sent, id: 12, status: { id: 3, title: '7' }, converted: { client_id: 4 }, assigned: [{ id: 2, name: '8' }] };
  expect(await leads.get(12)).toEqual(whole);
  expect(await leads.list().toArray()).toEqual([whole, { id: '9007199254740993' }]);
  expect(await leads.create({ title: 'a', status: 1, category: 1 })).toEqual({ id: 45 });
  expect(await leads.comments.list(12)).toEqual([{ id: 1, creator: { id: 2 } }]);
  expect(await leads.archive('12')).toEqual({ id: 12 });
});

describe('a create that is read', () => {
  const values = { title: 'Tills', status: 3, category: 1 };

  it('gives the whole record', async () => {
    const { leads } = await open();
    replies = [answer({ id: 12, title: 'Tills' }, 201), readLead];
    expect(await leads.create(values, { read: true })).toMatchObject({ id: 12, tags: ['hot', 'old'] });
    expect(seen.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual(['POST /api/leads', 'GET /api/leads/12']);
  });

  it.each<[string, Reply, string]>([
    ['is not there', problem(404, { message: 'Lead not found.' }), 'Lead 12 not found.'],
    ['fails', problem(500, { message: 'Oops.' }), 'The service failed (500): Oops.'],
    ['is another record', answer({ id: 13 }), 'Asked for /api/leads/12, the service answered with record 13'],
  ])('says that it is done, with the id, where the record %s', async (_what, reply, why) => {
    const { leads } = await open({ retries: 0 });
    replies = [answer({ id: 12 }, 201), reply];
    await expect(leads.create(values, { read: true })).rejects.toMatchObject({
      name: 'PartialError', code: 'partial', message: expect.stringContaining(`The lead 12 was created, but could not be read: ${why}`),
      details: { id: 12, hint: "Don't create it again. See it with: await client.leads.get(12)" },
    });
    expect(seen).toHaveLength(2);
  });

  it('says so, too, where the caller gives up meanwhile', async () => {
    const { leads } = await open();
    const controller = new AbortController();
    replies = [answer({ id: 12 }, 201), () => controller.abort()];
    const call = leads.create(values, { read: true, signal: controller.signal });
    await expect(call).rejects.toMatchObject({ name: 'PartialError', details: { id: 12 }, cause: { name: 'AbortError' } });
  });
});

describe('errors', () => {
  it('have the values that are wrong', async () => {
    const { leads } = await open();
    const error: Error = await leads.create({ title: 'x', status: 'x', category: 0 }).catch((one: Error) => one);
    expect(error).toMatchObject({
      name: 'InvalidValues',
      code: 'invalid_value',
      details: { fields: [{ name: 'status', messages: [expect.stringContaining('not an id')] }, { name: 'category', messages: [expect.any(String)] }] },
    });
    replies = [problem(422, { message: 'No.', errors: { lead_email: ['Taken.'], odd: ['?'] } })];
    const refused = await leads.create({ title: 'x', status: 1, category: 1 }).catch((one: Error) => one);
    expect(refused).toMatchObject({ details: { fields: [{ name: 'lead_email', flag: 'email' }, { name: 'odd' }] } });
    expect(JSON.parse(JSON.stringify(refused))).toMatchObject({ name: 'RefusedError', code: 'refused', message: 'No.', details: { httpStatus: 422 } });
  });

  it('are told by isCrmError, whichever copy of the library made them', async () => {
    const copy: typeof import('../../../src/client/library/errors.ts') = await import(/* @vite-ignore */ `${'../../../src/client/library/errors.ts'}?copy`);
    const other = new copy.NotFoundError('x');
    expect([other instanceof CrmError, isCrmError(other), isCrmError(new Error('x')), isCrmError({ code: 'not_found' })]).toEqual([false, true, false, false]);
  });

  it('say of a create whose answer nobody can follow that its outcome is unknown', async () => {
    const { leads } = await open();
    const deep = `{"data":{"id":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
    replies = [raw(201, deep)];
    await expect(leads.create({ title: 'x', status: 1, category: 1 })).rejects.toMatchObject({
      code: 'outcome_unknown', message: expect.stringContaining('but its JSON is nested too deeply'),
    });
    replies = [raw(200, deep)];
    await expect(leads.get(1)).rejects.toMatchObject({ code: 'unavailable' });
    const long = '1'.repeat(3_000_000);
    replies = [raw(200, JSON.stringify({ data: { id: 1, title: `${long} ${long} ` } }))];
    expect(((await leads.get(1)) as { title: string }).title).toHaveLength(6_000_002);
  });
});

describe('a client that can not be opened', () => {
  it.each<[unknown, string]>([
    [undefined, 'openClient takes an object of options, { baseUrl, key } or { sandbox }, not undefined.'],
    ['https://crm.example.com', 'openClient takes an object of options, { baseUrl, key } or { sandbox }, not the string https://crm.example.com.'],
    [{ baseURL: 'https://crm.example.com' }, 'openClient has no option baseURL. Did you mean baseUrl?'],
    [{ baseUrl: 5 }, 'baseUrl is a string, not the number 5.'],
    [{ sandbox: null }, 'sandbox is what openSandbox gives, not null.'],
    [{ baseUrl, key, fetch: {} }, 'fetch is a function, not an object.'],
    [{ baseUrl, key, signal: 'x' }, 'signal is an AbortSignal, not the string x.'],
  ])('%j is a TypeError', async (options, message) => {
    await expect(openClient(options as { baseUrl: string })).rejects.toSatisfy((error) => error instanceof TypeError && error.message === message);
  });

  it.each<[object, string]>([
    [{}, 'Give baseUrl, or sandbox.'], [{ baseUrl: 'https://crm.example.com' }, 'key: it is missing.'],
    [{ baseUrl: 'https://crm.example.com', key: 'two words' }, 'key has white space in it, so it is not a key.'],
    [{ baseUrl: 'http://crm.example.com', key }, 'baseUrl: plain http sends the key unencrypted; use https, or { insecureHttp: true }.'],
    [{ baseUrl: 'crm.example.com', key }, 'baseUrl is not a web address such as https://crm.example.com.'],
    [{ baseUrl: 'sandbox:' }, 'baseUrl: name the file of the embedded CRM: sandbox:/path/to/file.'],
    [{ baseUrl: 'sandbox:/nowhere/at/all.sqlite' }, 'There is no embedded CRM at /nowhere/at/all.sqlite yet.'],
    [{ baseUrl: 'https://crm.example.com', key, timeout: 0 }, 'timeout: 0 is not a number of milliseconds above 0 and up to a day.'],
    [{ baseUrl: 'https://crm.example.com', key, retries: -1 }, 'retries: -1 is not a whole number from 0 to 99.'],
    [{ baseUrl: 'https://crm.example.com', key, encoding: 'xml' }, 'encoding: "xml" is not one of form, json.'],
  ])('%j', async (options, message) => {
    await expect(openClient(options as { baseUrl: string })).rejects.toThrow(message);
  });
});

it('the embedded CRM in a file is a service, too', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'crm-client-')), 'crm.sqlite');
  await (await openSandbox({ path, demo: false })).close();
  const client = await openClient({ baseUrl: `sandbox:${path}` });
  clients.push(client);
  const { id } = await client.notes.create({ title: 'a', description: 'b' });
  expect(await client.notes.get(id)).toMatchObject({ id: 1, title: 'a', visibility: 'public' });
  rmSync(dirname(path), { recursive: true });
});
