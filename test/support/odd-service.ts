// A service of leads in this process, over real HTTP, which a test makes odd: it may keep other values than it is given, or answer another
// record. Its records are typed from the interface's document.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OddLead {
  id: number;
  title: string;
  value: string | null;
  status: { id: number; title: string; color: string };
  active_state: string;
  category: { id: number; name: string };
  source: string | null;
  last_contacted: string | null;
  description: string | null;
  contact: Record<string, string | null>;
  address: Record<string, string | null>;
  converted: { is_converted: boolean; client_id: number | null; date: string | null };
  assigned: { id: number; name: string }[];
  tags: string[];
  dates: { created: string; updated: string };
}

/** A write as it comes: `POST`, `PATCH`, or the word behind the id, such as `tags`; and its body. */
export interface OddWrite {
  readonly what: string;
  readonly body: URLSearchParams;
}

/** What is odd. All members but `refuses` are asked at each write. */
export interface Oddities {
  /** Changes what a write has left in the lead. `before`: the lead before the write; absent for a new one. */
  keeps?(lead: OddLead, write: OddWrite, before: OddLead | undefined): void;
  /** The answer in place of 200 or 201 and the lead. `before`: the lead before the write. `nothing`: the write is not done. */
  answers?(lead: OddLead, write: OddWrite, before: OddLead | undefined): { status?: number; data?: unknown } | undefined;
  /** True: the write is answered, and not done. */
  ignores?(write: OddWrite): boolean;
  /** The status of a read that is refused. */
  refuses?(id: number): number | undefined;
  /** The id of a new lead. */
  idOf?(ids: readonly number[]): number;
}

export const people: readonly { id: number; name: string }[] = [
  { id: 1, name: 'Ada Boss' },
  { id: 2, name: 'Jonas Weber' },
  { id: 3, name: 'Cleo Kin' },
];
const statuses = ['', 'New', 'Offer', 'Won'];

export const oddLead = (id: number, more: Partial<OddLead> = {}): OddLead => {
  const at = new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString();
  return {
    id,
    title: `Lead ${id}`,
    value: null,
    status: { id: 1, title: 'New', color: '#888' },
    active_state: 'active',
    category: { id: 1, name: 'Inbound' },
    source: null,
    last_contacted: null,
    description: null,
    contact: { first_name: null, last_name: null, email: null, phone: null, job_position: null, company_name: null, website: null },
    address: { street: null, city: null, state: null, zip: null, country: null },
    converted: { is_converted: false, client_id: null, date: null },
    assigned: [],
    tags: [],
    dates: { created: at, updated: at },
    ...more,
  };
};

/** The members of a lead that are no texts of its contact or address, by wire names without `lead_`. */
const partOf: Readonly<Record<string, (value: string | null) => Partial<OddLead>>> = {
  title: (value) => ({ title: value ?? '' }),
  value: (value) => ({ value }),
  source: (source) => ({ source }),
  last_contacted: (value) => ({ last_contacted: value }),
  description: (description) => ({ description }),
  status: (value) => ({ status: { id: Number(value), title: statuses[Number(value)] ?? '', color: '#888' } }),
  categoryid: (value) => ({ category: { id: Number(value), name: 'Inbound' } }),
};
const contactFields: Readonly<Record<string, string>> = {
  firstname: 'first_name',
  lastname: 'last_name',
  email: 'email',
  phone: 'phone',
  job_position: 'job_position',
  company_name: 'company_name',
  website: 'website',
};

/** Puts the values of a whole body into a lead. What is not sent is cleared, as the interface says. */
function fill(lead: OddLead, body: URLSearchParams): void {
  const of = (name: string): string | null => body.get(`lead_${name}`) || null;
  for (const [name, part] of Object.entries(partOf)) Object.assign(lead, part(of(name)));
  for (const [name, member] of Object.entries(contactFields)) lead.contact[member] = of(name);
  for (const name of Object.keys(lead.address)) lead.address[name] = of(name);
}

export interface OddService {
  readonly leads: Map<number, OddLead>;
  /** `GET /api/leads/7`, without the query. */
  readonly requests: string[];
  readonly env: Record<string, string>;
  odd: Oddities;
  stop(): Promise<void>;
}

/** Serves some leads, with settings for `crm` whose data is in `folder`. */
export async function oddService(folder: string, leads: readonly OddLead[], odd: Oddities = {}): Promise<OddService> {
  const own: OddService = {
    leads: new Map(leads.map((lead) => [lead.id, lead])),
    requests: [],
    env: {},
    odd,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    own.requests.push(`${request.method} ${url.pathname}`);
    const { status = 200, data, meta } = carriedOut(own, request.method ?? '', url, await bodyOf(request));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data, message: '', ...(meta === undefined ? {} : { meta }) }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(own.env, {
    CRM_BASE_URL: `http://127.0.0.1:${port}`,
    CRM_API_KEY: 'a-key-of-this-test',
    CRM_DATA_DIR: `${folder}/data`,
    CRM_CONFIG_DIR: `${folder}/config`,
  });
  return own;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const some of request) text += String(some);
  if (!(request.headers['content-type'] ?? '').includes('json')) return new URLSearchParams(text);
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(JSON.parse(text || '{}') as Record<string, unknown>))
    for (const one of [value].flat()) body.append(Array.isArray(value) ? `${name}[]` : name, String(one ?? ''));
  return body;
}

interface Answered {
  readonly status?: number;
  readonly data?: unknown;
  readonly meta?: object;
}

const page = (rows: readonly unknown[], url: URL): Answered => {
  const limit = Number(url.searchParams.get('limit') ?? 25);
  const at = Number(url.searchParams.get('page') ?? 1);
  const meta = { current_page: at, per_page: limit, total: rows.length, last_page: Math.max(1, Math.ceil(rows.length / limit)) };
  return { data: rows.slice((at - 1) * limit, at * limit), meta };
};

function carriedOut({ leads, odd }: OddService, method: string, url: URL, body: URLSearchParams): Answered {
  const [, , family, id, below] = url.pathname.split('/');
  if (family === 'team')
    return page(
      people.map((one) => ({ ...one, email: `${one.id}@team.example`, status: 'active' })),
      url,
    );
  // Nothing hangs on the leads.
  if (family !== 'leads' || below === 'comments') return page([], url);
  if (id === undefined && method === 'GET') {
    const rows = [...leads.values()].toSorted((a, b) => (a.dates.created < b.dates.created ? 1 : -1));
    return page(url.searchParams.get('order') === 'asc' ? rows.toReversed() : rows, url);
  }
  const write: OddWrite = { what: below ?? method, body };
  const isIgnored = odd.ignores?.(write) === true;
  if (id === undefined) {
    const ids = [...leads.keys()];
    const made = oddLead(odd.idOf?.(ids) ?? Math.max(0, ...ids) + 1, { dates: oddLead(Math.max(0, ...ids) + 1).dates });
    fill(made, body);
    odd.keeps?.(made, write, undefined);
    if (!isIgnored) leads.set(made.id, made);
    return { status: 201, data: made, ...odd.answers?.(made, write, undefined) };
  }
  const lead = leads.get(Number(id));
  if (lead === undefined) return { status: 404 };
  if (method === 'GET') {
    const status = odd.refuses?.(lead.id);
    return status === undefined ? { data: lead } : { status };
  }
  const before = structuredClone(lead);
  if (method === 'DELETE') leads.delete(lead.id);
  else if (!isIgnored) {
    if (below === undefined) fill(lead, body);
    else if (below === 'tags') lead.tags = body.getAll('tags[]');
    else if (below === 'assigned') lead.assigned = people.filter((one) => body.getAll('assigned[]').includes(String(one.id)));
    else if (below === 'status') Object.assign(lead, partOf.status?.(body.get('status')));
    else lead.active_state = below === 'archive' ? 'archived' : 'active';
    odd.keeps?.(lead, write, before);
  }
  return { data: lead, ...odd.answers?.(lead, write, before) };
}
