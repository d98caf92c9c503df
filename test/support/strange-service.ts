// A CRM on a bad day, for tests that need a process: it loses answers, says what is not true, and people are at work in it at the worst
// moment. A test says what befalls which request. It keeps every version of every record with who made it, and finds out by itself
// what was overwritten or deleted that the program had not seen: tests assert on what is true. Typed from the interface and the vendor's
// facts, with nothing of the program's own. Its time runs as fast as that of the programs that talk to it (fast-time.ts).

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { later, timeNow } from './fast-time.ts';

/** How it is by nature; times in milliseconds of its own. */
export interface Manners {
  /** Parameters of lists that it takes no notice of. */
  readonly ignores?: readonly string[];
  /** What every answer takes. */
  readonly takes?: number;
}

/** us: the program under test. colleague: somebody else, meanwhile. before: nobody of today. */
export type Who = 'us' | 'colleague' | 'before';

export type Values = { [name: string]: unknown };

export interface Version {
  readonly at: number;
  readonly who: Who;
  readonly gone: boolean;
  readonly values: Values;
  /** What was written: paths. */
  readonly paths: readonly string[];
}

export interface Kept {
  readonly family: string;
  readonly id: number;
  readonly maker: Who;
  /** Oldest first; the last is what is there. */
  readonly versions: Version[];
  /** How many of the versions the program has been shown. */
  shown: number;
}

export interface Incoming {
  /** Among all requests, from 1; and among those of its method and family. */
  readonly number: number;
  readonly nth: number;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly family: string;
  readonly id: number | undefined;
  /** `status`, `tags`, `comments`; empty for the record itself. */
  readonly action: string;
  readonly body: Values;
  readonly at: number;
  /** Once it was carried out: with what end. */
  status?: number;
}

export interface Told {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; text as it is; nothing for an empty body. */
  readonly body?: unknown;
}

/** What befalls a request. */
export interface Turn {
  /** Who is at work before it is carried out. */
  readonly first?: () => void;
  /** At once when absent. */
  readonly carried?: 'never';
  /** Without this, what it came to. */
  readonly answer?: 'cut' | 'silence' | Told | ((meant: Told) => Told);
  /** Who is at work once the answer has left. */
  readonly meanwhile?: () => void;
}

export type Script = (incoming: Incoming) => Turn | undefined;

/** 429: not carried out, come again in so many seconds. */
export const tooMany = (seconds: number): Turn => ({
  carried: 'never',
  answer: { status: 429, headers: { 'retry-after': String(seconds) }, body: { message: 'Too Many Attempts.' } },
});

export interface StrangeService {
  readonly baseUrl: string;
  readonly key: string;
  /** Every request with our key. */
  readonly requests: readonly Incoming[];
  /** Those that aren't reads. */
  writes(): readonly Incoming[];
  /** Records of a family that are there. */
  there(family: string): readonly Kept[];
  /** What a record holds now; also once it is gone. */
  values(kept: Kept): Values;
  isGone(kept: Kept): boolean;
  /** What was done to others' work without having seen it; empty as it should be. */
  readonly harm: readonly string[];
  /** Says what befalls requests from now on. */
  script(script: Script | undefined): void;
  /** A record that was there before, by its body's wire names or by paths. */
  has(family: string, values: Values): Kept;
  /** What somebody else does. */
  readonly colleague: {
    create(family: string, values: Values, id?: number): Kept;
    /** Sets members by their paths; `unstamped`: the record's time doesn't tell. */
    edit(kept: Kept, members: Values, how?: { unstamped: boolean }): void;
    remove(kept: Kept): void;
    comment(lead: Kept, text: string): Kept;
    sign(proposal: Kept): void;
  };
  /** Resolves when so many requests that match have come. */
  came(matches: (incoming: Incoming) => boolean, count?: number): Promise<void>;
  close(): Promise<void>;
}

/** Wire name -> path in the record. */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  contacts: {
    first_name: 'first_name',
    last_name: 'last_name',
    email: 'email',
    clientid: 'client.id',
    phone: 'phone',
    position: 'job_position',
  },
  proposals: {
    doc_client_id: 'client.id',
    doc_lead_id: 'lead.id',
    doc_title: 'title',
    doc_date_start: 'dates.start',
    doc_date_end: 'dates.end',
    doc_categoryid: 'category.id',
    doc_body: 'body',
  },
  leads: {
    lead_title: 'title',
    lead_status: 'status.id',
    lead_categoryid: 'category.id',
    lead_firstname: 'contact.first_name',
    lead_lastname: 'contact.last_name',
    lead_email: 'contact.email',
    lead_phone: 'contact.phone',
    lead_company_name: 'contact.company_name',
    lead_job_position: 'contact.job_position',
    lead_website: 'contact.website',
    lead_value: 'value',
    lead_source: 'source',
    lead_last_contacted: 'last_contacted',
    lead_description: 'description',
    lead_street: 'address.street',
    lead_city: 'address.city',
    lead_state: 'address.state',
    lead_zip: 'address.zip',
    lead_country: 'address.country',
  },
  items: {
    item_description: 'description',
    item_rate: 'rate',
    item_categoryid: 'category.id',
    item_default_tax: 'default_tax.id',
    item_unit: 'unit.id',
    item_notes: 'notes',
    item_notes_estimatation: 'estimation_notes',
  },
  notes: {
    note_title: 'title',
    note_description: 'description',
    note_visibility: 'visibility',
    noteresource_type: 'resource.type',
    noteresource_id: 'resource.id',
  },
};

const required: Readonly<Record<string, readonly string[]>> = {
  contacts: ['first_name', 'last_name', 'email', 'clientid'],
  proposals: ['doc_title', 'doc_date_start', 'doc_categoryid'],
  leads: ['lead_title', 'lead_status', 'lead_categoryid'],
  items: ['item_description', 'item_rate', 'item_categoryid', 'item_default_tax', 'item_unit'],
  notes: ['note_title', 'note_description'],
};

/** What only a create takes. */
const onceOnly = new Set(['clientid', 'doc_client_id', 'doc_lead_id', 'noteresource_type', 'noteresource_id']);

const named = () => ({ id: null, name: null });

const blanks: Readonly<Record<string, () => Values>> = {
  contacts: () => ({
    first_name: '',
    last_name: '',
    name: '',
    email: '',
    phone: null,
    job_position: null,
    account_owner: 'no',
    status: 'active',
    client: { id: null, company_name: null },
    role: { id: 2, name: 'Client' },
    social: { facebook: null, twitter: null, linkedin: null, github: null, dribbble: null },
    dates: {},
  }),
  proposals: () => ({
    title: '',
    status: 'draft',
    body: null,
    client: named(),
    lead: named(),
    category: named(),
    project_id: null,
    dates: { start: null, end: null, created: null, published: null },
    signed: { date: null, first_name: null, last_name: null },
    tags: [],
  }),
  leads: () => ({
    title: '',
    value: null,
    status: { id: null, title: null, color: 'default' },
    active_state: 'active',
    category: named(),
    source: null,
    last_contacted: null,
    description: null,
    contact: { first_name: null, last_name: null, email: null, phone: null, job_position: null, company_name: null, website: null },
    address: { street: null, city: null, state: null, zip: null, country: null },
    converted: { is_converted: false, client_id: null, date: null },
    assigned: [],
    tags: [],
    dates: {},
  }),
  items: () => ({
    type: 'standard',
    description: '',
    notes: null,
    rate: '0.00',
    tax_status: 'taxable',
    default_tax: named(),
    unit: named(),
    category: named(),
    creator_id: 1,
    estimation_notes: null,
    custom_fields: [],
    dates: {},
  }),
  notes: () => ({
    title: '',
    description: '',
    visibility: 'public',
    resource: { type: null, id: null },
    creator_id: 1,
    tags: [],
    dates: {},
  }),
  comments: () => ({ text: '', creator: { id: 1, name: 'Ada Boss' }, dates: {} }),
  clients: () => ({ company_name: '', description: null, status: 'active', category: named(), owner: named(), tags: [], dates: {} }),
  team: () => ({ first_name: '', last_name: '', name: '', email: '', status: 'active', role: { id: 3, name: 'Staff' }, dates: {} }),
  categories: () => ({ name: '', type: 'lead', dates: {} }),
};

/** Query parameter -> path. */
const filters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  contacts: { status: 'status', client_id: 'client.id', account_owner: 'account_owner' },
  proposals: { status: 'status', client_id: 'client.id', lead_id: 'lead.id', category_id: 'category.id' },
  leads: { status: 'status.id', category_id: 'category.id', source: 'source', active_state: 'active_state' },
  items: { category_id: 'category.id', unit_id: 'unit.id', tax_rate_id: 'default_tax.id' },
  notes: { resource_type: 'resource.type', resource_id: 'resource.id', visibility: 'visibility' },
  clients: { status: 'status', category_id: 'category.id' },
  team: { status: 'status' },
  categories: { type: 'type' },
};

const searched: Readonly<Record<string, readonly string[]>> = {
  contacts: ['first_name', 'last_name', 'email', 'phone'],
  proposals: ['title'],
  leads: ['title', 'contact.company_name', 'contact.email'],
  items: ['description'],
  notes: ['title', 'description'],
  clients: ['company_name'],
  team: ['first_name', 'last_name', 'email'],
  categories: ['name'],
};

const statuses = new Map([
  [1, 'New'],
  [2, 'Contacted'],
  [3, 'Won'],
]);

const key = 'strange-key-0123456789';

/** Starts the service on a free port of 127.0.0.1: a client, a team of three, one category a family, and nothing else. */
export async function startStrangeService(manners: Manners = {}): Promise<StrangeService> {
  let script: Script | undefined;
  let last = 100;
  const kepts: Kept[] = [];
  const requests: Incoming[] = [];
  const harm: string[] = [];
  const waiting = new Set<() => void>();

  const now = (kept?: Kept): Version | undefined => kept?.versions.at(-1);
  const isThere = (kept: Kept): boolean => now(kept)?.gone === false;
  const find = (family: string, id: number | undefined): Kept | undefined =>
    kepts.findLast((kept) => kept.family === family && kept.id === id && isThere(kept));

  const stamp = (): string => new Date(timeNow()).toISOString().replace('Z', '000Z');

  const add = (kept: Kept, who: Who, paths: readonly string[], change: (values: Values) => void, gone = false): void => {
    const values = structuredClone(now(kept)?.values ?? {});
    change(values);
    kept.versions.push({ at: timeNow(), who, gone, values, paths });
  };

  const create = (family: string, who: Who, change: (values: Values) => void, id?: number): Kept => {
    last += 1;
    const kept: Kept = { family, id: id ?? last, maker: who, versions: [], shown: 0 };
    const time = who === 'before' ? '2025-01-01T08:00:00.000000Z' : stamp();
    add(kept, who, [], (values) => {
      Object.assign(values, blanks[family]?.());
      change(values);
      put(values, 'dates.created', time);
      if (family !== 'proposals') put(values, 'dates.updated', time);
    });
    kepts.push(kept);
    return kept;
  };

  const write = (kept: Kept, who: Who, members: Values, unstamped = false): void =>
    add(kept, who, Object.keys(members), (values) => {
      for (const [path, value] of Object.entries(members)) put(values, path, value);
      settle(kept.family, values);
      if (kept.family !== 'proposals' && !unstamped) put(values, 'dates.updated', stamp());
    });

  const remove = (kept: Kept, who: Who): void => {
    add(kept, who, [], () => undefined, true);
    if (kept.family !== 'leads') return;
    for (const other of kepts) if (isThere(other) && isOn(other, kept.id)) remove(other, who);
  };

  const isOn = (other: Kept, lead: number): boolean => {
    const values = now(other)?.values ?? {};
    return (
      (other.family === 'comments' && values.lead_id === lead) ||
      (other.family === 'proposals' && at(values, 'lead.id') === lead) ||
      (other.family === 'notes' && at(values, 'resource.type') === 'lead' && at(values, 'resource.id') === lead)
    );
  };

  /** Names and titles that follow from ids. */
  const settle = (family: string, values: Values): void => {
    if (family === 'leads') put(values, 'status.title', statuses.get(Number(at(values, 'status.id'))) ?? null);
    if (family === 'contacts') values.name = `${values.first_name} ${values.last_name}`;
    const client = find('clients', Number(at(values, 'client.id')));
    if (family === 'contacts') put(values, 'client.company_name', now(client)?.values.company_name ?? null);
    if (family === 'proposals') put(values, 'client.name', now(client)?.values.company_name ?? null);
    if (family === 'proposals') put(values, 'lead.name', now(find('leads', Number(at(values, 'lead.id'))))?.values.title ?? null);
    const category = now(find('categories', Number(at(values, 'category.id'))))?.values.name;
    if (category !== undefined) put(values, 'category.name', category);
  };

  const membersOf = (family: string, body: Values, isNew: boolean): Values => {
    const members: Values = {};
    for (const [wire, path] of Object.entries(fields[family] ?? {})) {
      // An update of a lead replaces all editable values; of anything else what isn't sent stays.
      if (body[wire] === undefined && !(family === 'leads' && !isNew)) continue;
      if (!isNew && onceOnly.has(wire)) continue;
      members[path] = valueAs(path, body[wire] === undefined ? '' : String(body[wire]));
    }
    return members;
  };

  const shows = (kept: Kept): Values => {
    kept.shown = kept.versions.length;
    const values = structuredClone(now(kept)?.values ?? {});
    delete values.lead_id;
    return { id: kept.id, ...values };
  };

  /** Notes where a write of ours goes over what others did and the program was never shown. `late`: it came before that. */
  const judge = (kept: Kept, { at: came, method, path }: Incoming, members: Values): void => {
    const unseen = kept.versions.slice(kept.shown).filter(({ who, at: done }) => who === 'colleague' && done <= came);
    for (const version of unseen) {
      if (method === 'DELETE') harm.push(`${method} ${path}: deleted what a colleague had changed (${version.paths.join(', ')})`);
      for (const one of version.paths) {
        if (!(one in members) || JSON.stringify(members[one]) === JSON.stringify(at(version.values, one))) continue;
        if (Array.isArray(members[one]) && keepsAll(members[one], at(version.values, one))) continue;
        harm.push(`${method} ${path}: wrote ${one} = ${JSON.stringify(members[one])} over ${JSON.stringify(at(version.values, one))}`);
      }
    }
  };

  const carryOut = (incoming: Incoming): Told => {
    const { method, family, id, action, body } = incoming;
    if (blanks[family] === undefined) return notFound;
    if (id === undefined) return method === 'POST' ? made(incoming) : notFound;
    const kept = find(family, id);
    if (kept === undefined) return notFound;
    const change = (members: Values): Told => {
      judge(kept, incoming, members);
      write(kept, 'us', members);
      const answer = shows(kept);
      return { status: 200, body: { data: family === 'contacts' && action === '' ? { id, name: answer.name } : answer, message: 'Done.' } };
    };
    if (method === 'DELETE' && action === '') {
      judge(kept, incoming, {});
      if (kept.maker === 'colleague') harm.push(`DELETE ${incoming.path}: it was a colleague's`);
      remove(kept, 'us');
      return { status: 200, body: { data: { id }, message: 'Deleted.' } };
    }
    if (method === 'PATCH' && action === '')
      return missing(family, body) ?? taken(family, body, kept) ?? change(membersOf(family, body, false));
    if (method === 'PUT' && action === 'status' && family === 'leads') return change({ 'status.id': Number(body.status) });
    if (method === 'PUT' && action === 'status')
      return change({ status: body.status, 'signed.date': null, 'signed.first_name': null, 'signed.last_name': null });
    if (method === 'PUT' && action === 'tags') return change({ tags: listed(body.tags) });
    if (method === 'PUT' && action === 'assigned')
      return change({ assigned: listed(body.assigned).map((one) => ({ id: Number(one), name: nameOf(Number(one)) })) });
    if (method === 'PUT' && (action === 'archive' || action === 'activate'))
      return change({ active_state: action === 'archive' ? 'archived' : 'active' });
    if (method === 'POST' && action === 'comments') {
      const comment = create('comments', 'us', (values) => Object.assign(values, { text: body.comment, lead_id: id }));
      return { status: 201, body: { data: shows(comment), message: 'Lead comment added successfully.' } };
    }
    return notFound;
  };

  const nameOf = (id: number): unknown => now(find('team', id))?.values.name ?? `User ${id}`;

  const made = (incoming: Incoming): Told => {
    const { family, body } = incoming;
    const wrong = missing(family, body) ?? taken(family, body);
    if (wrong !== undefined) return wrong;
    const members = membersOf(family, body, true);
    const kept = create(family, 'us', (values) => {
      for (const [path, value] of Object.entries(members)) put(values, path, value);
      settle(family, values);
    });
    const { id, name, title, status, ...rest } = shows(kept);
    const data =
      family === 'contacts' ? { id, name } : ['proposals', 'leads'].includes(family) ? { id, title, status } : { id, title, ...rest };
    return { status: 201, body: { data, message: 'Created successfully.' } };
  };

  const missing = (family: string, body: Values): Told | undefined => {
    const absent = (required[family] ?? []).filter(
      (wire) => String(body[wire] ?? '').trim() === '' && !(onceOnly.has(wire) && !('clientid' in body)),
    );
    return absent.length === 0 ? undefined : invalid(Object.fromEntries(absent.map((wire) => [wire, [`The ${wire} field is required.`]])));
  };

  const taken = (family: string, body: Values, own?: Kept): Told | undefined => {
    const isSame = (kept: Kept): boolean =>
      kept !== own &&
      isThere(kept) &&
      kept.family === 'contacts' &&
      String(now(kept)?.values.email).toLowerCase() === String(body.email).toLowerCase();
    return family === 'contacts' && kepts.some(isSame) ? invalid({ email: ['The email has already been taken.'] }) : undefined;
  };

  const read = ({ family, id, action, query }: Incoming): Told => {
    if (id !== undefined && action === '') {
      const kept = find(family, id);
      return kept === undefined ? notFound : { status: 200, body: { data: shows(kept), message: 'Retrieved successfully.' } };
    }
    if (action === 'comments') {
      const comments = kepts.filter((kept) => kept.family === 'comments' && isThere(kept) && now(kept)?.values.lead_id === id);
      return { status: 200, body: { data: comments.map(shows), message: 'Comments retrieved successfully.' } };
    }
    return blanks[family] === undefined || action !== '' ? notFound : list(family, query);
  };

  const list = (family: string, query: URLSearchParams): Told => {
    const { ignores = [] } = manners;
    const told = kepts.filter((kept) => kept.family === family && isThere(kept)).map((kept) => ({ kept, values: now(kept)?.values ?? {} }));
    const asked = (name: string): string | undefined => (ignores.includes(name) ? undefined : (query.get(name) ?? undefined));
    const matches = told.filter(({ values }) => {
      const words = asked('search')?.toLowerCase();
      const user = asked('assigned_user_id');
      return (
        Object.entries(filters[family] ?? {}).every(
          ([name, path]) => (asked(name) ?? String(at(values, path))) === String(at(values, path)),
        ) &&
        (words === undefined ||
          (searched[family] ?? []).some((path) =>
            String(at(values, path) ?? '')
              .toLowerCase()
              .includes(words),
          )) &&
        (user === undefined || (values.assigned as { id: number }[]).some(({ id }) => String(id) === user))
      );
    });
    const by = sortPath(asked('sort'));
    const down = (asked('order') ?? (family === 'contacts' ? 'asc' : 'desc')) === 'desc' ? -1 : 1;
    matches.sort((a, b) => {
      const order = by === undefined ? 0 : compare(at(a.values, by), at(b.values, by));
      return down * (order || a.kept.id - b.kept.id);
    });
    const size = Math.min(100, Number(query.get('limit') ?? 25));
    const page = Number(query.get('page') ?? 1);
    const shown = matches.slice((page - 1) * size, page * size);
    for (const { kept } of shown) kept.shown = kept.versions.length;
    const data = shown.map(({ kept, values: { lead_id: _lead, ...values } }) => ({ id: kept.id, ...values }));
    const meta = { current_page: page, per_page: size, total: matches.length, last_page: Math.max(1, Math.ceil(matches.length / size)) };
    return { status: 200, body: { data, meta, message: 'Retrieved successfully.' } };
  };

  const perform = async (incoming: Incoming, outgoing: ServerResponse, socket: IncomingMessage['socket']): Promise<void> => {
    const turn = script?.(incoming) ?? {};
    turn.first?.();
    const { carried, answer } = turn;
    let meant: Told = { status: 500, body: { message: 'Server Error' } };
    if (carried === undefined) {
      meant = incoming.method === 'GET' ? read(incoming) : carryOut(incoming);
      incoming.status = meant.status;
    }
    if (manners.takes !== undefined) await later(manners.takes);
    if (answer === 'cut') socket.destroy();
    else if (answer !== 'silence') reply(outgoing, typeof answer === 'function' ? answer(meant) : (answer ?? meant));
    turn.meanwhile?.();
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers, socket } = incoming;
    const { pathname, searchParams } = new URL(url, 'http://service');
    const text = await textOf(incoming);
    if (headers.authorization !== `Bearer ${key}`)
      return reply(outgoing, { status: 401, body: { message: 'Unauthorized. A valid API key is required.' } });
    const [, family = '', id, action = ''] = /^\/api\/([a-z]+)(?:\/(\d+))?(?:\/([a-z-]+)(?:\/\d+)?)?$/.exec(pathname) ?? [];
    const one: Incoming = {
      number: requests.length + 1,
      nth: requests.filter((other) => other.method === method && other.family === family).length + 1,
      method,
      path: pathname,
      query: searchParams,
      family,
      id: id === undefined ? undefined : Number(id),
      action,
      body: bodyOf(text, headers['content-type'] ?? ''),
      at: timeNow(),
    };
    requests.push(one);
    for (const look of waiting) look();
    await perform(one, outgoing, socket);
  };

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });

  const set = (family: string, values: Values): ((record: Values) => void) => {
    const members = Object.entries(values).map(([name, value]): [string, unknown] => {
      const path = fields[family]?.[name];
      return path === undefined ? [name, value] : [path, valueAs(path, String(value))];
    });
    return (record) => {
      for (const [path, value] of members) put(record, path, value);
      settle(family, record);
    };
  };

  create('clients', 'before', set('clients', { company_name: 'Northgate Trading' }), 1);
  for (const [id, name] of ['Ada Boss', 'Ben Staff', 'Cleo Staff'].entries()) {
    const [first_name, last_name] = name.split(' ');
    create('team', 'before', set('team', { first_name, last_name, name, email: `${first_name?.toLowerCase()}@team.example` }), id + 1);
  }
  create('categories', 'before', set('categories', { name: 'Inbound', type: 'lead' }), 1);
  create('categories', 'before', set('categories', { name: 'Offers', type: 'proposal' }), 4);
  create('categories', 'before', set('categories', { name: 'Goods', type: 'item' }), 6);

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    requests,
    writes: () => requests.filter(({ method }) => method !== 'GET'),
    there: (family) => kepts.filter((kept) => kept.family === family && isThere(kept)),
    values: (kept) => now(kept)?.values ?? {},
    isGone: (kept) => !isThere(kept),
    harm,
    script: (next) => {
      script = next;
    },
    has: (family, values) => create(family, 'before', set(family, values)),
    colleague: {
      create: (family, values, id) => create(family, 'colleague', set(family, values), id),
      edit: (kept, members, how) => write(kept, 'colleague', members, how?.unstamped),
      remove: (kept) => remove(kept, 'colleague'),
      comment: (lead, text) => create('comments', 'colleague', (values) => Object.assign(values, { text, lead_id: lead.id })),
      sign: (kept) =>
        write(kept, 'colleague', {
          'signed.date': '2026-11-22',
          'signed.first_name': 'Olga',
          'signed.last_name': 'Client',
          status: 'accepted',
        }),
    },
    came: (matches, count = 1) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const from = requests.length;
      const look = (): void => {
        if (requests.slice(from).filter(matches).length >= count) resolve();
      };
      waiting.add(look);
      return promise.finally(() => waiting.delete(look));
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const notFound: Told = { status: 404, body: { message: 'Not found.' } };
const invalid = (errors: Values): Told => ({ status: 422, body: { message: 'The given data was invalid.', errors } });

function reply(outgoing: ServerResponse, { status, headers = {}, body }: Told): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A form's fields, `name[]` as a list; or JSON. */
function bodyOf(text: string, type: string): Values {
  if (type.includes('json')) return JSON.parse(text === '' ? '{}' : text) as Values;
  const body: Values = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (name.endsWith('[]')) body[name.slice(0, -2)] = [...listed(body[name.slice(0, -2)]), value];
    else body[name] = value;
  }
  return body;
}

const listed = (value: unknown): string[] => (Array.isArray(value) ? value.map(String).filter((one) => one !== '') : []);

/** What the service keeps of a text: ids as numbers, money with two decimals, nothing as null. */
function valueAs(path: string, text: string): unknown {
  if (text === '') return path === 'title' || path === 'description' ? '' : null;
  if (path.endsWith('.id')) return Number(text);
  if (path === 'value' || path === 'rate') return Number(text).toFixed(2);
  return text;
}

/** Whether a set that was written has all of another one. */
const keepsAll = (written: unknown, theirs: unknown): boolean => {
  const own = new Set((written as unknown[]).map((one) => JSON.stringify(one)));
  return Array.isArray(theirs) && theirs.every((one) => own.has(JSON.stringify(one)));
};

const sortPath = (sort: string | undefined): string | undefined =>
  sort === undefined
    ? undefined
    : /created$/.test(sort)
      ? 'dates.created'
      : /updated$/.test(sort)
        ? 'dates.updated'
        : sort.replace(/^[a-z]+_/, '');

function compare(one: unknown, other: unknown): number {
  const [a, b] = [String(one ?? ''), String(other ?? '')];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What is at a path such as `contact.email`. */
export function at(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Values | null | undefined)?.[name], values);
}

function put(values: Values, path: string, value: unknown): void {
  const names = path.split('.');
  const end = names.pop() ?? '';
  let inner = values;
  for (const name of names) {
    inner[name] ??= {};
    inner = inner[name] as Values;
  }
  inner[end] = value;
}
