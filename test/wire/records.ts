// Sample records and answers for the wire tests, typed by hand from the interface document ("Resources and their
// fields" and the response columns). It knows the service and the exit table, and nothing of the code under test.

import { bodyOf, type Fields, type Json, pairs, pathAndQuery } from '../support/request.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';

export type Reply = NonNullable<Exchange['reply']>;

/** A GET, whose query stands behind `?` as it reads, or in `query` where it needs escapes. */
export const get = (target: string, reply?: Reply, query: Fields = {}): Exchange => {
  const { path, query: written } = pathAndQuery(target);
  return { request: { method: 'GET', path, query: [...written, ...pairs(query)] }, ...(reply && { reply }) };
};

/** A page of a list that is read as a whole: the GET with `limit=100` and its `page`. */
export const whole = (target: string, reply: Reply, page: number | string = 1, query: Fields = {}): Exchange =>
  get(target, reply, { ...query, limit: '100', page: String(page) });

/** The requests for a list that is never whole: it is read three times. */
export const thrice = (reading: Exchange): Exchange[] => [reading, reading, reading];

/** A write. `{}`: without a body. */
const write = (method: Exchange['request']['method']) => (path: string, body: Fields | Json, reply?: Reply): Exchange =>
  ({ request: { method, path, ...bodyOf(body) }, ...(reply && { reply }) });
export const post = write('POST');
export const put = write('PUT');
export const patch = write('PATCH');
export const del = (path: string, reply?: Reply): Exchange => write('DELETE')(path, {}, reply);

const word = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

/** A command line as words. Quotes, single or double, keep blanks within a word. Throws for a quote that is left open. */
function words(line: string): string[] {
  if (line.replaceAll(word, '').trim() !== '') throw new Error(`A quote is left open: ${line}`);
  return [...line.matchAll(word)].map(([one]) => one.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

type Line = string | readonly string[];
type Sent = Exchange | readonly Exchange[];
type More = Omit<WireCase, 'name' | 'argv' | 'exchanges'>;

/** A case: the line that is typed after `crm`, or its words; the requests that are then sent; and what comes of it. */
export const sends = (name: string, line: Line, sent: Sent, more: More = {}): WireCase =>
  ({ name, argv: typeof line === 'string' ? words(line) : [...line], exchanges: [sent].flat() as Exchange[], ...more });

/** A command line that is wrong by itself: exit 2, nothing sent. */
export const refused = (name: string, line: Line, stderr = /\S/): WireCase => sends(name, line, [], { exit: 2, stderr });

export const CONTACT = {
  id: 5, first_name: 'Jane', last_name: 'Doe', name: 'Jane Doe', email: 'jane@acme.test', phone: '+44 20 7946 0001',
  job_position: 'Buyer', account_owner: 'no', status: 'active', client: { id: 12, company_name: 'Acme Ltd' },
  role: { id: 2, name: 'Client' }, social: { facebook: null, twitter: null, linkedin: 'janedoe', github: null, dribbble: null },
  dates: { created: '2026-01-05T09:30:00.000000Z', updated: '2026-02-01T10:00:00.000000Z' },
};

export const PROPOSAL = {
  id: 5, title: 'Website relaunch', status: 'draft', body: '<p>Dear Jane</p>', client: { id: 4, name: 'Acme Ltd' },
  lead: { id: null, name: null }, category: { id: 6, name: 'Web' }, project_id: null,
  dates: { start: '2026-03-01', end: '2026-03-31', created: '2026-02-20T08:00:00.000000Z', published: null },
  signed: { date: null, first_name: null, last_name: null }, tags: ['web', 'big'],
};

export const LEAD = {
  id: 12, title: 'Shop fitting', value: '10.50', status: { id: 3, title: 'Qualified', color: 'blue' }, active_state: 'active',
  category: { id: 2, name: 'Retail' }, source: 'Web', last_contacted: '2026-01-15', description: 'Two floors',
  contact: {
    first_name: 'Ann', last_name: 'Lee', email: 'ann@lee.test', phone: '030 1234', job_position: 'Owner', company_name: 'Lee Stores',
    website: 'https://lee.test',
  },
  address: { street: '1 High St', city: 'Leeds', state: 'Yorkshire', zip: '01001', country: 'United Kingdom' },
  converted: { is_converted: false, client_id: null, date: null }, assigned: [{ id: 5, name: 'Sam Hill' }, { id: 8, name: 'Kim Park' }],
  tags: ['warm', 'retail'], dates: { created: '2026-01-02T09:00:00.000000Z', updated: '2026-01-15T12:00:00.000000Z' },
};

/** LEAD as the body of an update has it, which replaces all of it. */
export const LEAD_FORM = {
  lead_title: 'Shop fitting', lead_status: '3', lead_categoryid: '2', lead_firstname: 'Ann', lead_lastname: 'Lee',
  lead_email: 'ann@lee.test', lead_phone: '030 1234', lead_company_name: 'Lee Stores', lead_job_position: 'Owner',
  lead_website: 'https://lee.test', lead_value: '10.50', lead_source: 'Web', lead_last_contacted: '2026-01-15',
  lead_description: 'Two floors', lead_street: '1 High St', lead_city: 'Leeds', lead_state: 'Yorkshire', lead_zip: '01001',
  lead_country: 'United Kingdom',
};

export const ITEM = {
  id: 8, type: 'standard', description: 'Oak shelf', notes: 'Oiled', rate: '12.50', tax_status: 'taxable',
  default_tax: { id: 1, name: 'VAT' }, unit: { id: 3, name: 'piece' }, category: { id: 7, name: 'Shelves' }, creator_id: 1,
  estimation_notes: 'Two weeks', custom_fields: [{ id: 1, name: 'SKU', value: 'AB-1' }, { id: 2, name: 'Colour', value: null }],
  dates: { created: '2026-01-03T09:00:00.000000Z', updated: '2026-01-03T09:00:00.000000Z' },
};

export const NOTE = {
  id: 9, title: 'Call', description: 'Asked for a price', visibility: 'public', resource: { type: 'client', id: 3 },
  creator_id: 1, tags: ['phone'], dates: { created: '2026-01-04T09:00:00.000000Z', updated: '2026-01-04T09:00:00.000000Z' },
};

/** 200 with the envelope. */
export const ok = (data: unknown, message = 'OK'): Reply => ({ json: { data, message } });

/** 201 with the envelope. */
export const created = (data: unknown, message = 'Created.'): Reply => ({ status: 201, json: { data, message } });

/** One page of a list: `current` of `last`, with `perPage` records to a page. Default `total`: that of full pages; of one page, its records. */
export const list = (
  records: unknown[], current = 1, last = 1, perPage = 25, total = last === 1 ? records.length : last * perPage,
): Reply => ({
  json: { data: records, meta: { current_page: current, per_page: perPage, total, last_page: last }, message: 'Retrieved successfully.' },
});

/** The records `{id: from}` to `{id: to}`. */
export const numbered = (from: number, to: number): { id: number }[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index }));

/** 422 with the interface's error body. */
export const invalid = (errors: Record<string, string[]>): Reply => ({
  status: 422, json: { message: 'The given data was invalid.', errors },
});

/** A failure whose body is an object with `message` alone. */
export const failure = (status: number, message: string): Reply => ({ status, json: { message } });
