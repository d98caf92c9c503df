// A CRM that keeps to the interface and is nothing like the embedded one: it rewrites values, numbers records as it
// likes, shows them late, loses answers, and other people work in it. What is unusual is a trait; a test switches on what
// it is about. It remembers every write and who made each record, so a test asserts on what is true, not on what was said.
// Typed from the interface's documents, with nothing of the program's own.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, randomFrom } from './random.ts';

export interface Traits {
  /** What becomes of text values that are written. */
  readonly trims?: boolean;
  readonly escapesHtml?: boolean;
  readonly normalises?: 'NFC' | 'NFD' | 'NFKC';
  /** Titles are cut after so many characters. */
  readonly cutsTitlesAt?: number;
  /** `+49 (0)30 123` is kept as `4903 0123` and the like: digits alone, in groups of four. */
  readonly formatsPhones?: boolean;
  /** Fields that weren't sent get a value of their own. */
  readonly defaults?: boolean;
  /** One after the other, downwards, at random, from three counters, or with twenty digits. */
  readonly ids?: 'ascending' | 'descending' | 'random' | 'counters' | 'long';
  /** What a time stamp is cut to, in milliseconds: 1000 is a second. */
  readonly roughness?: number;
  /** By how much the service's clock is ahead, in milliseconds. */
  readonly skew?: number;
  /** Time stamps are told in this zone, `+05:30`, instead of UTC. */
  readonly zone?: '+05:30' | '-08:00';
  /** The order of lists: as asked, or one that takes no notice of `sort` and `order`. */
  readonly order?: 'asked' | 'oldest' | 'scrambled';
  /** A page holds so many whatever `limit` asks for. */
  readonly page?: number;
  /** New records come into lists so many milliseconds late; by their id they are there at once. */
  readonly lag?: number;
  /** Every connection is cut before anything is done. */
  readonly down?: boolean;
  /** Lists of leads leave archived ones out unless they are asked for. */
  readonly hidesArchived?: boolean;
  /** Members of records come in another order, with one that no document names. */
  readonly reorders?: boolean;
  /** How often of 1 each fault befalls a write. */
  readonly faults?: { readonly [kind in Fault]?: number };
  /** How late a late write is carried out, in milliseconds. */
  readonly lateBy?: number;
  /** How often of 1 somebody else copies a record that was made, makes one much like it, or edits any; emails of leads, too. */
  readonly colleagues?: { readonly equal?: number; readonly near?: number; readonly edit?: number; readonly emails?: boolean };
}

/**
 * cut: done, and the connection is cut. lose: cut, and not done. fail: done, and answered with 500. refuse: 503, not done.
 * nameless: done, a 201 that tells nothing. misnamed: done, a 201 with the id of the family's oldest record. hold: done, never answered. late: done after `lateBy`, and answered to whoever
 * is still there. limit: 429, not done;
 * by chance in bursts of five.
 */
export type Fault = 'cut' | 'lose' | 'fail' | 'refuse' | 'nameless' | 'misnamed' | 'hold' | 'late' | 'limit';

/** Who did something: the program under test, somebody else, or nobody of today. */
export type Who = 'us' | 'colleague' | 'setup';

export type Values = { [name: string]: unknown };

/** A record and its history. */
export interface Kept {
  readonly family: string;
  readonly id: string;
  readonly maker: Who;
  /** Its number among the writes when it was made by us. */
  readonly write: number | undefined;
  readonly values: Values;
  readonly touched: { readonly who: Who; readonly how: 'changed' | 'deleted' }[];
  readonly made: number;
  gone: boolean;
}

export interface SeenWrite {
  /** 1 for the first. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly values: Values;
  /** The same as `name=value` lines, sorted. */
  readonly body: string;
  fault: Fault | undefined;
  /** The status that was meant for it once it was carried out; 0 as long as it wasn't. */
  status: number;
}

export interface OtherService {
  readonly baseUrl: string;
  readonly port: number;
  readonly key: string;
  /** What came so far, oldest first; only requests with our key. */
  readonly writes: readonly SeenWrite[];
  /** Every record that ever was. */
  readonly records: readonly Kept[];
  /** Records that are there, of one family. */
  there(family: string): readonly Kept[];
  change(traits: Traits): void;
  /** Decides about each write instead of chance; nothing means that it goes through. */
  onWrite(decide: ((write: SeenWrite) => Fault | undefined) | undefined): void;
  /** Resolves when the nth write from now has come. */
  write(nth: number): Promise<void>;
  /** Answers the writes that are held. */
  release(): void;
  /** Resolves when no write is on its way any more. */
  settled(): Promise<void>;
  /** A record of somebody else's, by its body's wire names; without what the service does to values. */
  add(family: string, body: Values, who?: Who): Kept;
  /** Somebody else sets members, by their paths. */
  edit(kept: Kept, members: Values): void;
  /** Everything is gone, and ids begin again. */
  reset(): void;
  close(): Promise<void>;
}

interface Family {
  readonly required: readonly string[];
  /** Wire name of a body -> path in the record. */
  readonly fields: Readonly<Record<string, string>>;
  /** Wire names that an update doesn't take. */
  readonly fixed?: readonly string[];
  /** An update without a field clears it. */
  readonly replaces?: boolean;
  readonly filters: Readonly<Record<string, string>>;
  readonly search: readonly string[];
  readonly sort: Readonly<Record<string, string>>;
  readonly order: 'asc' | 'desc';
  readonly title: string;
  /** What a create answers; everything when absent. */
  readonly answers?: readonly string[];
  readonly empty: () => Values;
}

const dates = { created: 'dates.created', updated: 'dates.updated' };

const families: Readonly<Record<string, Family>> = {
  contacts: {
    required: ['first_name', 'last_name', 'email', 'clientid'],
    fields: {
      first_name: 'first_name',
      last_name: 'last_name',
      email: 'email',
      clientid: 'client.id',
      phone: 'phone',
      position: 'job_position',
    },
    fixed: ['clientid'],
    filters: { status: 'status', client_id: 'client.id', account_owner: 'account_owner' },
    search: ['first_name', 'last_name', 'email', 'phone'],
    sort: { first_name: 'first_name', last_name: 'last_name', email: 'email', ...dates },
    order: 'asc',
    title: 'first_name',
    answers: ['id', 'name'],
    empty: () => ({
      first_name: '',
      last_name: '',
      name: '',
      email: '',
      phone: null,
      job_position: null,
      account_owner: 'no',
      status: 'active',
      client: { id: null, company_name: null },
      role: { id: '2', name: 'Client' },
      social: { facebook: null, twitter: null, linkedin: null, github: null, dribbble: null },
    }),
  },
  proposals: {
    required: ['customer_type', 'doc_title', 'doc_date_start', 'doc_categoryid'],
    fields: {
      doc_title: 'title',
      doc_date_start: 'dates.start',
      doc_date_end: 'dates.end',
      doc_categoryid: 'category.id',
      doc_body: 'body',
      doc_client_id: 'client.id',
      doc_lead_id: 'lead.id',
    },
    fixed: ['doc_client_id', 'doc_lead_id'],
    filters: { status: 'status', client_id: 'client.id', lead_id: 'lead.id', category_id: 'category.id' },
    search: ['title'],
    sort: { doc_title: 'title', doc_status: 'status', doc_date_start: 'dates.start', doc_created: 'dates.created' },
    order: 'desc',
    title: 'title',
    answers: ['id', 'title', 'status'],
    empty: () => ({
      title: '',
      status: 'draft',
      body: null,
      client: { id: null, name: null },
      lead: { id: null, name: null },
      category: { id: null, name: null },
      project_id: null,
      dates: { start: null, end: null, published: null },
      signed: { date: null, first_name: null, last_name: null },
      tags: [],
    }),
  },
  leads: {
    required: ['lead_title', 'lead_status', 'lead_categoryid'],
    fields: {
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
    replaces: true,
    filters: { status: 'status.id', category_id: 'category.id', source: 'source', active_state: 'active_state' },
    search: ['title', 'contact.company_name', 'contact.email'],
    sort: { lead_title: 'title', lead_value: 'value', lead_created: 'dates.created', lead_last_contacted: 'last_contacted' },
    order: 'desc',
    title: 'title',
    answers: ['id', 'title', 'status'],
    empty: () => ({
      title: '',
      value: null,
      status: { id: null, title: null, color: null },
      active_state: 'active',
      category: { id: null, name: null },
      source: null,
      last_contacted: null,
      description: null,
      contact: {
        first_name: null,
        last_name: null,
        email: null,
        phone: null,
        job_position: null,
        company_name: null,
        website: null,
      },
      address: { street: null, city: null, state: null, zip: null, country: null },
      converted: { is_converted: false, client_id: null, date: null },
      assigned: [],
      tags: [],
    }),
  },
  items: {
    required: ['item_description', 'item_rate', 'item_categoryid', 'item_default_tax', 'item_unit'],
    fields: {
      item_description: 'description',
      item_rate: 'rate',
      item_categoryid: 'category.id',
      item_default_tax: 'default_tax.id',
      item_unit: 'unit.id',
      item_notes: 'notes',
      item_notes_estimatation: 'estimation_notes',
    },
    filters: { category_id: 'category.id', unit_id: 'unit.id', tax_rate_id: 'default_tax.id' },
    search: ['description'],
    sort: { item_description: 'description', item_rate: 'rate', item_created: 'dates.created' },
    order: 'desc',
    title: 'description',
    empty: () => ({
      type: 'standard',
      description: '',
      notes: null,
      rate: '0.00',
      tax_status: 'taxable',
      default_tax: { id: null, name: null },
      unit: { id: null, name: null },
      category: { id: null, name: null },
      creator_id: '1',
      estimation_notes: null,
      custom_fields: [],
    }),
  },
  notes: {
    required: ['note_title', 'note_description'],
    fields: {
      note_title: 'title',
      note_description: 'description',
      note_visibility: 'visibility',
      noteresource_type: 'resource.type',
      noteresource_id: 'resource.id',
    },
    fixed: ['noteresource_type', 'noteresource_id'],
    filters: { resource_type: 'resource.type', resource_id: 'resource.id', visibility: 'visibility' },
    search: ['title', 'description'],
    sort: { note_title: 'title', note_created: 'dates.created', note_updated: 'dates.updated' },
    order: 'desc',
    title: 'title',
    empty: () => ({
      title: '',
      description: '',
      visibility: 'public',
      resource: { type: null, id: null },
      creator_id: '1',
      tags: [],
    }),
  },
  clients: {
    required: [],
    fields: { company_name: 'company_name' },
    filters: { status: 'status', category_id: 'category.id' },
    search: ['company_name'],
    sort: { client_company_name: 'company_name', client_created: 'dates.created' },
    order: 'desc',
    title: 'company_name',
    empty: () => ({ company_name: '', description: null, status: 'active', owner: { id: null, name: null }, tags: [] }),
  },
};

// What every installation has before anybody works in it: one client, the team, categories.
const team = [
  { id: '1', first_name: 'Ada', last_name: 'Boss', name: 'Ada Boss', email: 'ada@team.example', status: 'active' },
  { id: '2', first_name: 'Ben', last_name: 'Staff', name: 'Ben Staff', email: 'ben@team.example', status: 'active' },
];
const categories = [
  { id: '1', name: 'Inbound', type: 'lead' },
  { id: '4', name: 'Offers', type: 'proposal' },
  { id: '6', name: 'Goods', type: 'item' },
  { id: '9', name: 'General', type: 'client' },
];

const key = 'our-own-key-0123456789';

/**
 * Starts the service on a free port of 127.0.0.1. `seed` is what chance follows from; `mayCopy` says of a create whether a
 * colleague may make an equal record: nobody could tell that one from a further equal record that is still to be made.
 */
export async function startOtherService(
  begin: Traits = {},
  seed = 1,
  mayCopy: (write: SeenWrite) => boolean = () => true,
): Promise<OtherService> {
  let traits = begin;
  let decide: ((write: SeenWrite) => Fault | undefined) | undefined;
  let random = randomFrom(seed);
  const records: Kept[] = [];
  const comments: { id: string; lead: string; text: string }[] = [];
  const writes: SeenWrite[] = [];
  const waiting: { at: number; resolve: () => void }[] = [];
  let underWay = 0;
  let held = Promise.withResolvers<void>();
  let ids = idsOf(traits, random);

  const store = (family: string, values: Values, who: Who, write?: number): Kept => {
    const now = stamp(traits);
    const { dates: others, ...rest } = values;
    const kept: Kept = {
      family,
      id: ids(),
      maker: who,
      write,
      values: { ...rest, dates: { ...(others as Values | undefined), created: now, updated: now } },
      touched: [],
      made: Date.now(),
      gone: false,
    };
    if (family === 'proposals') delete (kept.values.dates as Values).updated;
    records.push(kept);
    return kept;
  };

  const touch = (kept: Kept, who: Who, members: Values): void => {
    for (const [path, value] of Object.entries(members)) put(kept.values, path, value);
    if (kept.family !== 'proposals') put(kept.values, 'dates.updated', stamp(traits));
    kept.touched.push({ who, how: 'changed' });
  };

  const remove = (kept: Kept, who: Who): void => {
    kept.gone = true;
    kept.touched.push({ who, how: 'deleted' });
    if (kept.family !== 'leads') return;
    // Related records are deleted too.
    for (const other of records) {
      const hangs =
        at(other.values, 'lead.id') === kept.id ||
        (at(other.values, 'resource.type') === 'lead' && at(other.values, 'resource.id') === kept.id);
      if (!other.gone && hangs) remove(other, who);
    }
  };

  const find = (family: string, id: string): Kept | undefined =>
    records.find((kept) => kept.family === family && kept.id === id && !kept.gone);

  const nameOf = (family: string, id: unknown): string | null => {
    const kept = find(family, String(id));
    return kept === undefined ? null : String(kept.values[family === 'clients' ? 'company_name' : 'title']);
  };

  /** Names beside ids, as records tell them. */
  const named = (values: Values): Values => {
    const copy = structuredClone(values);
    const status = at(copy, 'status.id');
    if (typeof status === 'string') Object.assign(copy.status as Values, { title: `Status ${status}`, color: '#888888' });
    for (const [relation, word] of [
      ['default_tax', 'Tax'],
      ['unit', 'Unit'],
    ] as const) {
      const id = at(copy, `${relation}.id`);
      if (typeof id === 'string') put(copy, `${relation}.name`, `${word} ${id}`);
    }
    const category = at(copy, 'category.id');
    if (typeof category === 'string') put(copy, 'category.name', categories.find(({ id }) => id === category)?.name ?? null);
    const client = at(copy, 'client.id');
    if (typeof client === 'string') put(copy, 'email' in copy ? 'client.company_name' : 'client.name', nameOf('clients', client));
    const lead = at(copy, 'lead.id');
    if (typeof lead === 'string') put(copy, 'lead.name', nameOf('leads', lead));
    if ('first_name' in copy) copy.name = `${copy.first_name} ${copy.last_name}`;
    return copy;
  };

  const told = (kept: Kept): Values => {
    const whole = { id: kept.id, ...named(kept.values) };
    return traits.reorders === true ? Object.fromEntries([['kind', kept.family], ...Object.entries(whole).reverse()]) : whole;
  };

  const read = (path: string, query: URLSearchParams): Answer => {
    const [, , family = '', id, more] = path.split('/');
    if (family === 'team' || family === 'categories') {
      const all = (family === 'team' ? team : categories).filter(
        (one) => !query.has('type') || ('type' in one && one.type === query.get('type')),
      );
      const one = all.find((record) => record.id === id);
      return id === undefined ? page(all, query) : one === undefined ? notFound : { status: 200, data: one };
    }
    const declared = families[family];
    if (declared === undefined) return notFound;
    if (more === 'comments' && id !== undefined) {
      return {
        status: 200,
        data: comments
          .filter(({ lead }) => lead === id)
          .map(({ lead: _lead, ...rest }) => ({ ...rest, creator: { id: '1', name: 'Ada Boss' } })),
      };
    }
    if (id !== undefined) {
      const kept = find(family, id);
      return kept === undefined ? notFound : { status: 200, data: told(kept) };
    }
    const shown = records.filter(
      (kept) => kept.family === family && !kept.gone && Date.now() - kept.made >= (kept.maker === 'setup' ? 0 : (traits.lag ?? 0)),
    );
    const hidden = (values: Values): boolean =>
      traits.hidesArchived === true && !query.has('active_state') && values.active_state === 'archived';
    const matching = shown.filter(({ values }) => isMatch(declared, values, query) && !hidden(values));
    return page(inOrder(declared, matching, query).map(told), query);
  };

  const page = (all: readonly unknown[], query: URLSearchParams): Answer => {
    const size = traits.page ?? Math.min(Number(query.get('limit') ?? 25), 100);
    const number = Number(query.get('page') ?? 1);
    const meta = { current_page: number, per_page: size, total: all.length, last_page: Math.max(1, Math.ceil(all.length / size)) };
    return { status: 200, data: all.slice((number - 1) * size, number * size), meta };
  };

  const inOrder = (declared: Family, list: readonly Kept[], query: URLSearchParams): Kept[] => {
    if (traits.order === 'oldest') return [...list];
    if (traits.order === 'scrambled') return list.toSorted((a, b) => scramble(a.id) - scramble(b.id));
    const by = declared.sort[query.get('sort') ?? ''] ?? 'dates.created';
    const down = (query.get('order') ?? declared.order) === 'desc' ? -1 : 1;
    return list.toSorted((a, b) => {
      const [one, other] = [String(at(a.values, by) ?? ''), String(at(b.values, by) ?? '')];
      const first = one === other ? Number(BigInt(a.id) - BigInt(b.id)) : one < other ? -1 : 1;
      return first * down;
    });
  };

  /** Carries a write out. */
  const carryOut = (method: string, path: string, body: Values, write: SeenWrite): Answer => {
    const [, , family = '', id, action, sub] = path.split('/');
    const declared = families[family];
    if (declared === undefined || family === 'clients') return notFound;
    if (id === undefined) {
      const wrong = complaints(declared, body, family, undefined);
      if (wrong !== undefined) return wrong;
      const kept = store(family, valuesOf(declared, declared.empty(), body, traits), 'us', write.number);
      const whole = told(kept);
      return {
        status: 201,
        data: declared.answers === undefined ? whole : Object.fromEntries(declared.answers.map((name) => [name, whole[name]])),
      };
    }
    const kept = find(family, id);
    if (kept === undefined) return notFound;
    if (action === undefined && method === 'DELETE') {
      remove(kept, 'us');
      return { status: 200, data: { id } };
    }
    if (action === undefined) {
      const wrong = complaints(declared, body, family, kept);
      if (wrong !== undefined) return wrong;
      const values = valuesOf(
        declared,
        declared.replaces === true ? blanked(declared, kept.values) : structuredClone(kept.values),
        body,
        traits,
        declared.fixed,
      );
      for (const name of Object.keys(kept.values)) delete kept.values[name];
      Object.assign(kept.values, values);
      touch(kept, 'us', {});
      return { status: 200, data: told(kept) };
    }
    return act(kept, action, sub, body, method);
  };

  const act = (kept: Kept, action: string, sub: string | undefined, body: Values, method: string): Answer => {
    if (action === 'comments') {
      if (method === 'DELETE') {
        const index = comments.findIndex((comment) => comment.id === sub);
        if (index === -1) return notFound;
        comments.splice(index, 1);
        return { status: 200, data: { id: sub } };
      }
      const comment = { id: ids(), lead: kept.id, text: changed(String(body.comment ?? ''), traits) };
      comments.push(comment);
      return { status: 201, data: { id: comment.id, text: comment.text, creator: { id: '1', name: 'Ada Boss' } } };
    }
    if (action === 'convert') return convert(kept, body);
    const members: Record<string, () => Values> = {
      status: () => ({ [kept.family === 'leads' ? 'status.id' : 'status']: body.status }),
      tags: () => ({ tags: listOf(body.tags) }),
      assigned: () => ({ assigned: team.filter(({ id }) => listOf(body.assigned).includes(id)).map(({ id, name }) => ({ id, name })) }),
      archive: () => ({ active_state: 'archived' }),
      activate: () => ({ active_state: 'active' }),
      'account-owner': () => ({ account_owner: 'yes' }),
    };
    const set = members[action];
    if (set === undefined) return notFound;
    if (action === 'account-owner') {
      const client = at(kept.values, 'client.id');
      for (const other of records)
        if (other.family === 'contacts' && at(other.values, 'client.id') === client) other.values.account_owner = 'no';
    }
    touch(kept, 'us', set());
    return { status: 200, data: told(kept) };
  };

  const convert = (lead: Kept, body: Values): Answer => {
    if (at(lead.values, 'converted.is_converted') === true) return { status: 409, message: 'The lead is converted already.' };
    if (isTaken(body.email, undefined)) return taken('email');
    const client = store(
      'clients',
      { ...families.clients?.empty(), company_name: changed(String(body.client_company_name ?? ''), traits) },
      'us',
    );
    const person = {
      first_name: body.first_name,
      last_name: body.last_name,
      email: body.email,
      client: { id: client.id, company_name: null },
    };
    store('contacts', { ...families.contacts?.empty(), ...person, account_owner: 'yes' }, 'us');
    for (const kept of records) {
      if (kept.family !== 'proposals' || at(kept.values, 'lead.id') !== lead.id) continue;
      put(kept.values, 'lead.id', null);
      put(kept.values, 'client.id', client.id);
    }
    if (body.delete_lead === 'yes') remove(lead, 'us');
    else touch(lead, 'us', { 'converted.is_converted': true, 'converted.client_id': client.id, 'converted.date': stamp(traits) });
    return { status: 201, data: told(client) };
  };

  const isTaken = (email: unknown, except: Kept | undefined): boolean =>
    records.some(
      (kept) =>
        kept.family === 'contacts' &&
        !kept.gone &&
        kept !== except &&
        String(kept.values.email).toLowerCase() === String(email).trim().toLowerCase(),
    );

  const complaints = (declared: Family, body: Values, family: string, kept: Kept | undefined): Answer | undefined => {
    const needed = declared.required.filter((name) => kept === undefined || !(declared.fixed ?? ['customer_type']).includes(name));
    const missing = needed.filter((name) => name !== 'customer_type' && String(body[name] ?? '').trim() === '');
    if (missing.length > 0)
      return invalid(Object.fromEntries(missing.map((name) => [name, [`The ${name.replaceAll('_', ' ')} field is required.`]])));
    if (family === 'contacts' && isTaken(body.email, kept)) return taken('email');
    if (family === 'contacts' && kept === undefined && find('clients', String(body.clientid)) === undefined)
      return invalid({ clientid: ['The selected clientid is invalid.'] });
    const resource = body.noteresource_type === 'lead' ? find('leads', String(body.noteresource_id)) : true;
    if (resource === undefined) return invalid({ noteresource_id: ['The selected noteresource id is invalid.'] });
    return undefined;
  };

  /** What other people do meanwhile. A copy has a twin that we are sure of, so that nothing is asked that nobody can know. */
  const colleaguesWork = (write: SeenWrite, fault: Fault | undefined): void => {
    const { equal = 0, near = 0, edit = 0 } = traits.colleagues ?? {};
    const kept = records.findLast((one) => one.maker === 'us' && one.write === write.number);
    const [copies, resembles, edits] = [random.chance(equal), random.chance(near), random.chance(edit)];
    if (kept === undefined) return;
    const declared = families[kept.family];
    if (declared === undefined) return;
    const copy = (changes: Values): void => {
      const { dates: mine, ...values } = structuredClone(kept.values);
      const { created: _created, updated: _updated, ...others } = mine as Values;
      const made = store(kept.family, { ...values, dates: others }, 'colleague');
      for (const [path, value] of Object.entries(changes)) put(made.values, path, value);
    };
    const isAlone =
      writes.filter(({ body, path, method }) => body === write.body && path === write.path && method === write.method).length === 1;
    if (copies && fault === undefined && isAlone && mayCopy(write) && kept.family !== 'contacts') copy({});
    if (resembles && kept.family !== 'contacts')
      copy({ [declared.title]: `${String(at(kept.values, declared.title)).slice(0, 30)}0 ${records.length}` });
    const mine = records.filter(
      ({ family, gone, values }) => family === kept.family && !gone && at(values, 'dates.created') !== stamp(traits),
    );
    if (edits && mine.length > 0 && kept.family !== 'clients') {
      const path =
        kept.family === 'leads' && traits.colleagues?.emails === true && random.chance(0.5)
          ? 'contact.email'
          : kept.family === 'contacts'
            ? 'last_name'
            : declared.title;
      touch(random.pick(mine), 'colleague', {
        [path]: path === 'contact.email' ? `e${records.length}@other.example` : `Edited ${records.length}`,
      });
    }
  };

  let limited = 0;
  const chance = (): Fault | undefined => {
    const fault = limited > 0 ? 'limit' : chanceOf(traits, random);
    if (fault === 'limit') limited = limited === 0 ? 4 : limited - 1;
    return fault;
  };

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = incoming;
    const { pathname, searchParams } = new URL(url, 'http://service');
    if (traits.down === true) return void incoming.socket.destroy();
    const text = await textOf(incoming);
    if (incoming.headers.authorization !== `Bearer ${key}`) {
      return reply(outgoing, { status: 401, message: 'Unauthorized. A valid API key is required.' });
    }
    if (method === 'GET') return reply(outgoing, read(pathname, searchParams));
    const body = bodyOf(text, incoming.headers['content-type'] ?? '');
    const write: SeenWrite = {
      number: writes.length + 1,
      method,
      path: pathname,
      values: body,
      body: linesOf(body),
      fault: undefined,
      status: 0,
    };
    writes.push(write);
    const fault = decide === undefined ? chance() : decide(write);
    write.fault = fault;
    for (const one of waiting.splice(0)) {
      if (writes.length >= one.at) one.resolve();
      else waiting.push(one);
    }
    if (fault === 'lose') return void incoming.socket.destroy();
    if (fault === 'limit') return reply(outgoing, { status: 429, message: 'Too Many Attempts.' });
    if (fault === 'refuse') return reply(outgoing, { status: 503, message: 'Service Unavailable' });
    const release = held.promise;
    underWay += 1;
    if (fault === 'late') await sleep(traits.lateBy ?? 3000);
    const answered = carryOut(method, pathname, body, write);
    write.status = answered.status;
    underWay -= 1;
    if (answered.status < 300) colleaguesWork(write, fault);
    if (fault === 'hold') await release;
    if (fault === 'cut') return void incoming.socket.destroy();
    if (fault === 'fail') return reply(outgoing, { status: 500, message: 'Server Error' });
    if (fault === 'nameless' && answered.status === 201) return reply(outgoing, { status: 201, message: 'Created.' });
    if (fault === 'misnamed' && answered.status === 201) {
      const [oldest] = records.filter((one) => !one.gone && pathname === `/api/${one.family}`);
      return reply(outgoing, { ...answered, data: { id: oldest?.id } });
    }
    return reply(outgoing, answered);
  };

  const setUp = (): void => {
    const kept = store('clients', { ...families.clients?.empty(), company_name: 'Northgate Trading' }, 'setup');
    // The client that every installation begins with is number 1 whatever the rest is numbered like.
    Object.assign(kept, { id: '1' });
  };
  setUp();

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    key,
    writes,
    records,
    there: (family) => records.filter((kept) => kept.family === family && !kept.gone),
    change: (next) => {
      traits = next;
    },
    onWrite: (next) => {
      decide = next;
    },
    write: (nth) => new Promise((resolve) => waiting.push({ at: writes.length + nth, resolve })),
    release: () => {
      held.resolve();
      held = Promise.withResolvers();
    },
    settled: async () => {
      while (underWay > 0) await sleep(20);
    },
    add: (family, body, who = 'colleague') => {
      const declared = families[family];
      if (declared === undefined) throw new Error(`no family ${family}`);
      return store(family, valuesOf(declared, declared.empty(), body, {}), who);
    },
    edit: (kept, members) => touch(kept, 'colleague', members),
    reset: () => {
      for (const kept of records) kept.gone = true;
      random = randomFrom(seed);
      ids = idsOf(traits, random);
      setUp();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly meta?: unknown;
  readonly message?: string;
  readonly errors?: unknown;
}

const notFound: Answer = { status: 404, message: 'Not found.' };
const invalid = (errors: Values): Answer => ({ status: 422, message: 'The given data was invalid.', errors });
const taken = (name: string): Answer => invalid({ [name]: [`The ${name} has already been taken.`] });

function reply(outgoing: ServerResponse, { status, ...answer }: Answer): void {
  const more = status === 429 ? { 'retry-after': '0' } : {};
  const whole = answer.data === undefined || answer.message !== undefined ? answer : { ...answer, message: 'Done.' };
  outgoing.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(whole, asNumbers));
}

/** Ids are kept as text and told as numbers, twenty digits and all. */
function asNumbers(name: string, value: unknown): unknown {
  return typeof value === 'string' && (name === 'id' || name.endsWith('_id')) ? JSON.rawJSON(value) : value;
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
    if (name.endsWith('[]')) body[name.slice(0, -2)] = [...listOf(body[name.slice(0, -2)]), value];
    else body[name] = value;
  }
  return body;
}

/** A body in the same words whatever the order and the encoding: what two writes are compared by. */
function linesOf(body: Values): string {
  const lines = Object.entries(body).map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : value}`);
  return lines.toSorted().join('\n');
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String).filter((one) => one !== '') : []);

/** A record's values with those of a body put in, changed as the service changes values. */
function valuesOf(declared: Family, values: Values, body: Values, traits: Traits, leave: readonly string[] = []): Values {
  for (const [wire, path] of Object.entries(declared.fields)) {
    if (leave.includes(wire) || body[wire] === undefined) continue;
    const text = String(body[wire]);
    put(values, path, text === '' ? null : kept(text, path, declared, traits));
  }
  if (traits.defaults === true) for (const [path, value] of Object.entries(unset)) if (at(values, path) === null) put(values, path, value);
  return values;
}

const unset: Values = { source: 'Web', 'address.country': 'Netherlands', job_position: 'Unknown', estimation_notes: '-' };

/** A record's values without those that an update sets. */
function blanked(declared: Family, values: Values): Values {
  const copy = structuredClone(values);
  for (const path of Object.values(declared.fields)) put(copy, path, null);
  return copy;
}

function kept(text: string, path: string, declared: Family, traits: Traits): string {
  if (path.endsWith('.id') || path.startsWith('dates.')) return text;
  if (path === 'value' || path === 'rate') return twoDecimals(text);
  if (path.endsWith('phone') && traits.formatsPhones === true) return text.replaceAll(/\D/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ');
  const changedText = changed(text, traits);
  return path === declared.title && traits.cutsTitlesAt !== undefined
    ? [...changedText].slice(0, traits.cutsTitlesAt).join('')
    : changedText;
}

function changed(text: string, { trims, escapesHtml, normalises }: Traits): string {
  let changedText = trims === true ? text.trim().replaceAll(/ {2,}/g, ' ') : text;
  if (normalises !== undefined) changedText = changedText.normalize(normalises);
  if (escapesHtml !== true) return changedText;
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
  return changedText.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

const twoDecimals = (text: string): string => {
  const [whole = '0', part = ''] = text.split('.');
  return `${whole}.${part.padEnd(2, '0')}`;
};

function isMatch(declared: Family, values: Values, query: URLSearchParams): boolean {
  const filters = Object.entries(declared.filters).every(
    ([name, path]) => !query.has(name) || String(at(values, path)) === query.get(name),
  );
  const words = query.get('search')?.toLowerCase();
  const isFound =
    words === undefined ||
    declared.search.some((path) =>
      String(at(values, path) ?? '')
        .toLowerCase()
        .includes(words),
    );
  const user = query.get('assigned_user_id');
  const isTheirs = user === null || (values.assigned as { id: string }[] | undefined)?.some(({ id }) => id === user) === true;
  return filters && isFound && isTheirs;
}

/** What is at a path such as `contact.email`. */
export function at(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Values | null | undefined)?.[name], values);
}

function put(values: Values, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let inner = values;
  for (const name of names) {
    inner[name] ??= {};
    inner = inner[name] as Values;
  }
  inner[last] = value;
}

/** The service's time, as it tells it. */
function stamp({ skew = 0, roughness = 1, zone }: Traits): string {
  const now = Math.floor((Date.now() + skew) / roughness) * roughness;
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(zone ?? '') ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return new Date(now + shift).toISOString().replace('Z', `000${zone ?? 'Z'}`);
}

function idsOf({ ids }: Traits, random: Random): () => string {
  const used = new Set<string>(['1', '2', '4', '6', '9']);
  let count = 0;
  const counters = [100, 40_000, 700_000];
  const next = (): string => {
    count += 1;
    if (ids === 'descending') return String(900_000 - count);
    if (ids === 'random') return String(random.between(10, 2_000_000_000));
    if (ids === 'long') return String(10_000_000_000_000_000_000n + BigInt(count) * 7n);
    if (ids !== 'counters') return String(count + 9);
    const which = random.between(0, counters.length - 1);
    counters[which] = (counters[which] ?? 0) + 1;
    return String(counters[which]);
  };
  return () => {
    for (;;) {
      const id = next();
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
  };
}

function chanceOf({ faults = {} }: Traits, random: Random): Fault | undefined {
  let roll = random.next();
  for (const [fault, share] of Object.entries(faults) as [Fault, number][]) {
    if (roll < share) return fault;
    roll -= share;
  }
  return undefined;
}

/** An order that has nothing to do with age. */
const scramble = (id: string): number => Number((BigInt(id) * 7919n) % 1009n);
