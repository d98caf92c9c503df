// The service as a simulation has it: five families in memory, typed from the interface's documents. It rewrites what it is
// given, its nodes have clocks of their own, its lists lag, it refuses, loses and is late, and other people work in it.
// It remembers every request and what each record went through, so that whoever asks later is told what is true.

import { hash } from 'node:crypto';
import type { Transport, WireRequest, WireResponse } from '../../src/client/transport/wire.ts';
import { type Random, randomFrom } from '../support/random.ts';
import type { Life, World } from './world.ts';

export interface Traits {
  readonly trims: boolean;
  readonly escapes: boolean;
  /** Tags are kept in small letters. */
  readonly lowers: boolean;
  /** Answers to updates tell the id and what the record is called, alone. */
  readonly isSparse: boolean;
  /** Members of records come in another order. */
  readonly reorders: boolean;
  /** Titles are cut after so many characters. */
  readonly cutsTitlesAt: number;
  /** Ids leave gaps, come in no order at all, or are those of what was deleted. */
  readonly ids: 'one by one' | 'with gaps' | 'at random' | 'used again';
  /** Some writes are answered with a success that is none. */
  readonly lies: boolean;
  /** What stamps are cut to, in milliseconds. */
  readonly roughness: number;
  /** How far the clocks of its nodes are ahead, in milliseconds. */
  readonly nodes: readonly number[];
  /** New records come into lists so many milliseconds late. */
  readonly lag: number;
  /** How often of 1 something befalls a request. */
  readonly faults: number;
  /** How late what is answered otherwise may be committed, in milliseconds. */
  readonly late: number;
  /** How often of 1 a colleague meddles with what we look at or make. */
  readonly colleagues: number;
  /** The longest Retry-After, in seconds. */
  readonly retryAfter: number;
  /** The most records on a page of a list. */
  readonly page: number;
  readonly habit: Habit;
}

/**
 * What a service does behind a success, of its own accord:
 *
 * | habit | it |
 * | --- | --- |
 * | keeps values | answers 200 and keeps the old value of one field of a record, or of all |
 * | answers as before | answers a change with the record before it |
 * | rewrites telling values | cuts titles, names and long texts of new records, writes them in another charset, or prefixes them |
 * | fills sets | gives new records a tag and a person |
 * | answers another's id | answers with the id of a record that stood before, now and then |
 */
export type Habit = (typeof habits)[number];
export const habits = [
  'none',
  'keeps values',
  'answers as before',
  'rewrites telling values',
  'fills sets',
  "answers another's id",
] as const;

/** What a rule gives to new records. */
export const givenByRule = { tags: 'auto', assigned: '3' } as const;

/** The values of a record that a service may keep. */
const keepable: Readonly<Record<string, readonly string[]>> = {
  leads: ['source', 'contact.phone', 'status.id', 'active_state', 'title', 'value', 'last_contacted', 'tags', 'assigned'],
  notes: ['title', 'description', 'tags'],
  contacts: ['phone'],
  proposals: ['title', 'tags'],
  items: ['notes'],
};

/** How a service writes telling values of new records. */
const rewritings: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, 12),
  (text) => text.replaceAll('ß', 'ss').replaceAll(/[^\x20-\x7e]/g, '?'),
  (text) => `CRM: ${text}`,
];

/** The telling values that it writes so. */
const rewritten: ReadonlySet<string> = new Set(['title', 'description', 'first_name', 'last_name']);

type Who = 'us' | 'colleague' | 'setup';
type Value = string | null | Value[] | { [name: string]: Value };
export type Values = Record<string, Value>;

/** Something that a colleague did to a record. */
interface Meddling {
  readonly at: number;
  /** As the record told it afterwards. */
  readonly stamp: string;
  /** Path to the value that it got. */
  readonly values: ReadonlyMap<string, string>;
  /** When a late copy of a request of ours, which had left before it, took all of it back: since then nobody sees it. */
  erased?: number;
}

interface Comment {
  readonly id: number;
  readonly text: string;
  readonly who: Who;
  readonly made: number;
}

export interface Kept {
  readonly family: string;
  readonly id: number;
  readonly maker: Who;
  /** What it was made of, as it came. */
  readonly sent: Readonly<Record<string, string>>;
  /** Values by their paths. */
  readonly values: Map<string, string>;
  readonly sets: Map<string, string[]>;
  readonly made: number;
  created: string;
  updated: string;
  readonly meddlings: Meddling[];
  readonly comments: Comment[];
  /** Of each process when an answer that tells of the record last came. */
  readonly seen: Map<Life, number>;
  gone?: { readonly at: number; readonly who: Who };
}

/** A write as it came. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  readonly departed: number;
  committed?: number;
  /** It was answered otherwise or not at all, and arrived only then. */
  isLate?: true;
  /** A write leaves some time behind its read: the process spaces its requests, or knows that writes are refused. */
  readonly isSpaced: boolean;
  /** Its answer came to the process that sent it, and was a true one. */
  isTold?: true;
  /** When an answer last came that told of the record that it changes. */
  readonly seen: number | undefined;
  /** When its process last asked for each list: of a family, or of what hangs on one lead. */
  readonly listed: ReadonlyMap<string, number>;
  /** What it made or changed. */
  about?: Kept;
  /** Paths of the values and sets that were to change, and that the service kept. */
  kept?: readonly string[];
}

/** What the service saw that must never happen. */
export interface Wrong {
  readonly what: string;
  readonly told: string;
}

interface Family {
  readonly required: readonly string[];
  /** Wire name -> path in the record. */
  readonly fields: Readonly<Record<string, string>>;
  readonly fixed?: readonly string[];
  readonly replaces?: true;
  readonly filters: Readonly<Record<string, string>>;
  readonly search: readonly string[];
  readonly sort: Readonly<Record<string, string>>;
  readonly title: string;
  readonly answers?: readonly string[];
  readonly sets?: readonly string[];
  readonly empty: Readonly<Record<string, string | null>>;
}

const families: Readonly<Record<string, Family>> = {
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
    title: 'title',
    answers: ['id', 'title', 'status'],
    sets: ['assigned', 'tags'],
    empty: {
      title: '',
      value: null,
      'status.id': null,
      'status.title': 'Some',
      'status.color': '#888',
      active_state: 'active',
      'category.id': null,
      'category.name': 'Some',
      source: null,
      last_contacted: null,
      description: null,
      'contact.first_name': null,
      'contact.last_name': null,
      'contact.email': null,
      'contact.phone': null,
      'contact.job_position': null,
      'contact.company_name': null,
      'contact.website': null,
      'address.street': null,
      'address.city': null,
      'address.state': null,
      'address.zip': null,
      'address.country': null,
      'converted.is_converted': 'false',
      'converted.client_id': null,
      'converted.date': null,
    },
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
    title: 'title',
    sets: ['tags'],
    empty: { title: '', description: '', visibility: 'public', 'resource.type': null, 'resource.id': null, creator_id: '1' },
  },
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
    sort: { first_name: 'first_name', last_name: 'last_name', email: 'email', created: 'dates.created', updated: 'dates.updated' },
    title: 'first_name',
    answers: ['id', 'name'],
    empty: {
      first_name: '',
      last_name: '',
      name: '',
      email: '',
      phone: null,
      job_position: null,
      account_owner: 'no',
      status: 'active',
      'client.id': null,
      'client.company_name': 'Some',
      'role.id': '2',
      'role.name': 'Client',
      'social.facebook': null,
    },
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
    title: 'title',
    answers: ['id', 'title', 'status'],
    sets: ['tags'],
    empty: {
      title: '',
      status: 'draft',
      body: null,
      'client.id': null,
      'client.name': null,
      'lead.id': null,
      'lead.name': null,
      'category.id': null,
      'category.name': 'Some',
      project_id: null,
      'dates.start': null,
      'dates.end': null,
      'dates.published': null,
      'signed.date': null,
      'signed.first_name': null,
      'signed.last_name': null,
    },
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
    title: 'description',
    empty: {
      type: 'standard',
      description: '',
      notes: null,
      rate: '0.00',
      tax_status: 'taxable',
      'default_tax.id': null,
      'default_tax.name': 'Some',
      'unit.id': null,
      'unit.name': 'Some',
      'category.id': null,
      'category.name': 'Some',
      creator_id: '1',
      estimation_notes: null,
    },
  },
};

/** Who may be assigned, by their ids. */
const team: Readonly<Record<string, string>> = { 1: 'Ada Boss', 2: 'Bo Field', 3: 'Cleo Kin' };

/** A comment as the service tells it. */
const toldOf = ({ id, text, who }: Comment): unknown => ({
  id,
  text,
  creator: who === 'us' ? { id: 1, name: team[1] } : { id: 3, name: team[3] },
});

/** What is told as a number. */
const isNumber = (path: string): boolean => /(^|\.)(id|creator_id|client_id)$/.test(path);

/** What becomes of a write. `commits`: in how many milliseconds, never when undefined. */
export interface Fate {
  readonly commits?: number;
  readonly answer: 'as it is' | 'never' | 'cut' | 'refused' | number | Lie;
  /** The seconds that a 429 asks for; by default what is left. */
  readonly asks?: number | 'nothing';
}

/** What befalls a request, in words. */
function kindOf({ answer, commits }: Fate, isRead: boolean): string {
  const what = typeof answer === 'number' ? String(answer) : isLie(answer) ? 'a success that is none' : (fateWords[answer] ?? answer);
  if (isRead || answer === 429 || answer === 503 || answer === 'refused') return isRead ? `a read: ${what}` : what;
  return `${what}, ${commits === undefined ? 'not done' : commits > 0 ? 'done later' : 'done'}`;
}

const fateWords: Readonly<Record<string, string>> = { never: 'no answer', cut: 'cut off', refused: 'connection refused' };

/** The most milliseconds between a read and its write where they are spaced: a second, and the ways. */
const behindRead = 1500;

/** A success that is none. */
type Lie = (typeof lies)[number] | "another's id";
const lies = ['success: false', 'error', 'ok', 'accepted', 'nothing'] as const;
const isLie = (answer: Fate['answer']): answer is Lie => answer === "another's id" || lies.some((one) => one === answer);

const lieOf = (lie: (typeof lies)[number]): Answer =>
  ({
    'success: false': { status: 200, body: { success: false, message: 'It could not be saved.' } },
    error: { status: 200, body: { error: 'denied' } },
    ok: { status: 200, body: 'ok' },
    accepted: { status: 202, body: { data: null, message: 'Accepted.' } },
    nothing: { status: 200, body: { data: null, message: '' } },
  })[lie];

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The records that it tells of. */
  readonly tells?: readonly Kept[];
}

export class Service {
  readonly records: Kept[] = [];
  readonly sent: Sent[] = [];
  readonly wrongs: Wrong[] = [];
  /** What befell whom, and how often. */
  readonly befell = new Map<string, number>();
  readonly #listed = new Map<Life, ReadonlyMap<string, number>>();
  /** When a write of a process was refused. Gone once a write that left later was answered otherwise. */
  readonly #refusedWrites = new Map<Life, number>();
  readonly #world: World;
  readonly #seed: number;
  /** Chance in ids and stamps, which follow the order of writes. */
  readonly #random: Random;
  /** How often each request came: what befalls one depends on nothing else that was asked. */
  readonly #attempts = new Map<string, number>();
  readonly #traits: Traits;
  /** How far its clocks were set on since, in milliseconds. */
  stepped = 0;
  /** Whether anything befalls requests. */
  isCalm = false;
  /** What befalls a request in place of what is drawn, and what somebody does when it comes. */
  script?: (sent: Sent) => Fate | undefined;
  /** Until when a proxy before it answers everything with 404. */
  #away = 0;
  #lastId: number;
  /** Until when everything is refused. */
  #refusing = 0;

  constructor(world: World, seed: number, traits: Traits) {
    this.#world = world;
    this.#seed = seed;
    this.#random = randomFrom(seed);
    this.#traits = traits;
    this.#lastId = this.#random.between(1, 900);
  }

  /** What chance does to a request, by its method, path, body and attempt: one more read changes nothing for the others. */
  #chanceOf({ method, target, body = '' }: WireRequest): Random {
    const request = `${method} ${new URL(target, 'http://x').pathname} ${body}`;
    const attempt = (this.#attempts.get(request) ?? 0) + 1;
    this.#attempts.set(request, attempt);
    return randomFrom(Number.parseInt(hash('sha256', `${this.#seed} ${request} ${attempt}`).slice(0, 8), 16));
  }

  transportOf(life: Life): Transport {
    return { exchange: (request, signal) => this.#exchange(life, request, signal), close: async () => {} };
  }

  /** Counts something that befell the program. */
  befalls(what: string): void {
    this.befell.set(what, (this.befell.get(what) ?? 0) + 1);
  }

  /** For so many milliseconds a proxy before it answers everything with 404. */
  goAway(milliseconds: number): void {
    this.#away = this.#world.now + milliseconds;
    this.#world.note(`    a proxy answers 404 for ${milliseconds} ms`);
  }

  /** What a script says is all that befalls. */
  get #habit(): Habit {
    return this.script === undefined ? this.#traits.habit : 'none';
  }

  /** Chance in a habit, apart from what befalls requests. */
  #habitOf(of: string): Random {
    return randomFrom(Number.parseInt(hash('sha256', `${this.#seed} ${this.#habit} ${of}`).slice(0, 8), 16));
  }

  /** Records of a family that are there. */
  there(family: string): Kept[] {
    return this.records.filter((kept) => kept.family === family && kept.gone === undefined);
  }

  /** Somebody makes a record, by the wire names of its body. */
  add(family: string, sent: Readonly<Record<string, string>>, who: Who): Kept {
    const { fields, empty, sets = [] } = familyOf(family);
    const stamp = this.#stamp();
    const values = new Map(Object.entries(empty).flatMap(([path, value]) => (value === null ? [] : [[path, value]])) as [string, string][]);
    for (const [wire, value] of Object.entries(sent)) {
      const path = fields[wire];
      if (path !== undefined && value !== '') values.set(path, who === 'us' ? this.#rewritten(path, this.#kept(path, value)) : value);
    }
    const isFilled = who === 'us' && this.#habit === 'fills sets';
    if (isFilled && sets.length > 0) this.befalls('a rule fills sets');
    const id = this.#newId();
    if (who === 'colleague') this.befalls('a colleague makes a record');
    if (this.records.some((one) => one.id === id && one.family === family)) this.befalls('an id is used again');
    const kept: Kept = {
      family,
      id,
      maker: who,
      sent,
      values,
      sets: new Map(sets.map((name) => [name, isFilled ? [givenByRule[name as keyof typeof givenByRule]] : []])),
      made: this.#world.now,
      created: stamp,
      updated: stamp,
      meddlings: [],
      comments: [],
      seen: new Map(),
    };
    this.records.push(kept);
    return kept;
  }

  /** A colleague sets values of a record. */
  meddle(kept: Kept, values: Readonly<Record<string, string>>): void {
    if (kept.gone !== undefined) return;
    this.befalls(Object.keys(values).some((path) => path.startsWith('signed')) ? 'a colleague signs' : 'a colleague edits');
    this.#world.note(`    colleague: ${kept.family} ${kept.id} gets ${JSON.stringify(values)}`);
    for (const [path, value] of Object.entries(values)) put(kept, path, value);
    kept.updated = this.#stamp();
    kept.meddlings.push({ at: this.#world.now, stamp: kept.updated, values: new Map(Object.entries(values)) });
  }

  /** A colleague converts a lead; the time of its last change stays. */
  convert(kept: Kept): void {
    if (kept.gone !== undefined || kept.values.has('converted.client_id')) return;
    this.befalls('a colleague converts');
    this.#world.note(`    colleague: converts ${kept.family} ${kept.id}`);
    kept.values.set('converted.client_id', '4');
    kept.meddlings.push({ at: this.#world.now, stamp: kept.updated, values: new Map([['converted.client_id', '4']]) });
  }

  /** Somebody comments on a lead. */
  comment(kept: Kept, text: string, who: Who): Comment {
    const comment = { id: this.records.length * 100 + kept.comments.length, text, who, made: this.#world.now };
    if (who === 'colleague') this.befalls('a colleague comments');
    if (who === 'colleague') this.#world.note(`    colleague: comments on ${kept.family} ${kept.id}`);
    kept.comments.push(comment);
    return comment;
  }

  /** A colleague deletes a record. */
  remove(kept: Kept): void {
    if (kept.gone !== undefined) return;
    this.befalls('a colleague deletes');
    this.#world.note(`    colleague: deletes ${kept.family} ${kept.id}`);
    kept.gone = { at: this.#world.now, who: 'colleague' };
  }

  #newId(): number {
    const { ids } = this.#traits;
    if (ids === 'at random') {
      for (;;) {
        const id = this.#random.between(1, 99_999);
        if (!this.records.some((one) => one.id === id)) return id;
      }
    }
    if (ids === 'used again') {
      const free = this.records.find(
        (one) => one.gone !== undefined && !this.records.some(({ id, gone }) => id === one.id && gone === undefined),
      );
      if (free !== undefined) return free.id;
    }
    this.#lastId += ids === 'one by one' ? 1 : this.#random.between(1, 9);
    return this.#lastId;
  }

  #stamp(): string {
    const { nodes, roughness } = this.#traits;
    const time = this.#world.wall(this.#random.pick(nodes) + this.stepped).getTime();
    return new Date(time - (time % roughness)).toISOString().replace('Z', '000Z');
  }

  /** What the service makes of a value. */
  #kept(path: string, value: string): string {
    const { trims, escapes, cutsTitlesAt } = this.#traits;
    let kept = trims ? value.trim().replaceAll(/ {2,}/g, ' ') : value;
    if (escapes) kept = kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    if (path === 'title') kept = kept.slice(0, cutsTitlesAt);
    if (path === 'tags' && this.#traits.lowers) kept = kept.toLowerCase();
    if (path === 'value' || path === 'rate') kept = Number(kept).toFixed(2);
    return kept;
  }

  /** What the service makes of a telling value of a new record. */
  #rewritten(path: string, value: string): string {
    if (this.#habit !== 'rewrites telling values' || !rewritten.has(path)) return value;
    const text = this.#habitOf('').pick(rewritings)(value);
    if (text !== value) this.befalls('a telling value is rewritten');
    return text;
  }

  /** The values of a record that stay as they are, whatever is written. */
  #lockedIn({ family, id, values, sets }: Kept): readonly string[] {
    if (this.#habit !== 'keeps values') return [];
    const random = this.#habitOf(`${family} ${id}`);
    if (!random.chance(0.4)) return [];
    return random.chance(0.5)
      ? [random.pick(keepable[family] ?? [])]
      : [...new Set([...values.keys(), ...(keepable[family] ?? []), ...sets.keys()])];
  }

  /** An answer with the id of a record that stood before, now and then; `told` where the service has no such habit. */
  #asAnothers(kept: Kept, told: unknown, sent: Sent): unknown {
    if (this.#habit !== "answers another's id" || this.isCalm) return told;
    const random = this.#habitOf(`${sent.method} ${sent.path} ${JSON.stringify(sent.values)} ${kept.id}`);
    const other = this.there(kept.family).find((one) => one.maker === 'setup' && one !== kept);
    if (other === undefined || !random.chance(0.3)) return told;
    this.befalls("an answer with another's id");
    return random.chance(0.5) ? this.#told(other) : { ...(told as Values), id: other.id };
  }

  #exchange(life: Life, wire: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    const world = this.#world;
    const { promise, resolve, reject } = Promise.withResolvers<WireResponse>();
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const isRead = wire.method === 'GET';
    const values = isRead ? {} : valuesOf(wire);
    const { pathname, searchParams } = new URL(wire.target, 'http://x');
    const seen = this.#at(pathname)?.seen.get(life);
    const isSpaced = life.isPaced === true || this.#refusedWrites.has(life);
    const listed = new Map(this.#listed.get(life));
    const sent: Sent = { method: wire.method, path: pathname, values, departed: world.now, seen, isSpaced, listed };
    if (!isRead) this.sent.push(sent);
    else {
      const lead = searchParams.get('lead_id') ?? searchParams.get('resource_id') ?? '';
      const list = `${pathname.replace(/^\/api\/(?:leads\/(?=.*\/))?/, '')} ${lead}`.trim();
      this.#listed.set(life, new Map([...sent.listed, [list, world.now]]));
    }
    const name = `${wire.method} ${decodeURIComponent(wire.target)}${isRead ? '' : ` ${JSON.stringify(values)}`}`;
    world.note(`${life.name} > ${name}`);
    const chance = this.#chanceOf(wire);
    const way = (): number => chance.between(1, chance.chance(0.1) ? 400 : 40);
    const answer = ({ status, body, headers = {}, tells = [] }: Answer, isTrue = false): void => {
      world.after(
        way(),
        () => {
          world.note(`${life.name} < ${status} to ${wire.method} ${sent.path}${isRead || status > 299 ? '' : ` ${JSON.stringify(body)}`}`);
          for (const kept of tells) kept.seen.set(life, world.now);
          if (!isRead && status === 429) this.#refusedWrites.set(life, world.now);
          else if (!isRead && sent.departed > (this.#refusedWrites.get(life) ?? 0)) this.#refusedWrites.delete(life);
          if (isTrue) sent.isTold = true;
          resolve({ status, headers, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) });
        },
        life,
      );
    };
    const fail = (code: string): void => {
      world.after(
        way(),
        () => {
          world.note(`${life.name} < ${code} for ${wire.method} ${sent.path}`);
          reject(Object.assign(new Error(code), { code }));
        },
        life,
      );
    };
    world.after(way(), () => {
      if (!this.isCalm && world.now < this.#away) {
        this.befalls('everything is 404');
        answer({ status: 404, body: { message: 'Not found.' } });
        return;
      }
      const fate = this.script?.(sent) ?? this.#fate(wire, chance);
      const carryOut = (): Answer => this.#carryOut(wire, sent, chance);
      if (fate.answer === 'as it is') {
        answer(carryOut(), true);
        return;
      }
      this.befalls(kindOf(fate, isRead));
      if ((fate.commits ?? 0) > 0) sent.isLate = true;
      if (fate.commits !== undefined) world.after(fate.commits, () => void carryOut());
      world.note(
        `    ${wire.method} ${sent.path}: ${fate.answer}, ${fate.commits === undefined ? 'not done' : `done in ${fate.commits} ms`}`,
      );
      this.#meddleAfter(sent.path, fate.answer === 429 ? this.#refusing - world.now : 2000, chance);
      if (isLie(fate.answer)) answer(this.#lieOf(fate.answer, sent));
      else if (fate.answer === 'cut') fail('ECONNRESET');
      else if (fate.answer === 'refused') fail('ECONNREFUSED');
      else if (fate.answer === 429) {
        const { asks = Math.max(0, Math.ceil((this.#refusing - world.now) / 1000)) } = fate;
        const headers = asks === 'nothing' ? {} : { 'retry-after': String(asks) };
        answer({ status: 429, body: { message: 'Too Many Attempts.' }, headers });
      } else if (typeof fate.answer === 'number') answer({ status: fate.answer, body: { message: 'Server Error' } });
    });
    return promise;
  }

  #fate({ method, target }: WireRequest, random: Random): Fate {
    const isRead = method === 'GET';
    const { faults, late, retryAfter } = this.#traits;
    if (this.#refusing > this.#world.now) return { answer: 429 };
    if (this.isCalm || !random.chance(isRead ? faults / 3 : faults)) return { answer: 'as it is' };
    if (isRead) return { answer: random.pick(['cut', 503, 500, 'never', 429, 502] as const) };
    if (this.#traits.lies && random.chance(0.5)) {
      const isCreate = method === 'POST' && /^\/api\/\w+$/.test(target);
      const answer = random.pick<Lie>(isCreate ? [...lies, "another's id"] : lies);
      return { answer, ...(random.chance(0.5) ? { commits: 0 } : {}) };
    }
    const soon = random.chance(0.5) ? 0 : random.between(0, late);
    const fate = random.pick<Fate>([
      { answer: 429 },
      { answer: 429 },
      { answer: 'refused' },
      { answer: 503 },
      { answer: 500 },
      { answer: 500, commits: 0 },
      { answer: 502, commits: soon },
      { answer: 504, commits: soon },
      { answer: 504 },
      { answer: 'cut' },
      { answer: 'cut', commits: soon },
      { answer: 'cut', commits: soon },
      { answer: 'never', commits: soon },
      { answer: 'never' },
    ]);
    if (fate.answer === 429) this.#refusing = this.#world.now + 1000 * random.between(0, retryAfter);
    return fate;
  }

  /**
   * The answer of a lie; with the id of a record that stood before where that is the lie, and there is one. The id of a record that a
   * colleague makes meanwhile is above all that was there: nobody can tell it from ours.
   */
  #lieOf(lie: Lie, { path }: Sent): Answer {
    if (lie !== "another's id") return lieOf(lie);
    const other = this.there(path.split('/')[2] ?? '').findLast(({ maker }) => maker === 'setup');
    return other === undefined ? lieOf('nothing') : { status: 201, body: { data: this.#told(other), message: '' } };
  }

  /** Now and then a colleague does something to a record within so many milliseconds. */
  #meddleAfter(path: string, within: number, random: Random): void {
    const kept = this.#at(path);
    if (kept === undefined || !random.chance(this.#traits.colleagues)) return;
    this.#world.after(random.between(0, Math.max(0, Math.floor(within))), () => this.meddle(kept, this.#doing(kept, random)));
  }

  /** The record that a path is about. */
  #at(path: string): Kept | undefined {
    const [, family, id] = /^\/api\/(\w+)\/(\d+)/.exec(path) ?? [];
    return this.records.findLast((one) => one.family === family && one.id === Number(id));
  }

  #doing({ family }: Kept, random: Random): Record<string, string> {
    const word = `by a colleague at ${Math.floor(this.#world.now)}`;
    if (family === 'contacts') return { phone: word };
    if (family === 'items') return { notes: word };
    if (family === 'proposals') return { 'signed.date': '2026-03-02', 'signed.first_name': 'Cleo', 'signed.last_name': word };
    return random.pick<Record<string, string>>(
      family === 'leads' ? [{ source: word }, { description: word }, { tags: word }] : [{ description: word }],
    );
  }

  /** Does what a request asks for, and gives its answer. */
  #carryOut({ method, target }: WireRequest, sent: Sent, random: Random): Answer {
    const url = new URL(target, 'http://x');
    const [, , name = '', id, action] = url.pathname.split('/');
    const family = families[name];
    if (family === undefined) return this.#reference(name);
    if (id === undefined) return method === 'GET' ? this.#list(name, url.searchParams) : this.#create(name, sent, random);
    const kept = this.records.find((one) => one.family === name && one.id === Number(id) && one.gone === undefined);
    if (kept === undefined) return { status: 404, body: { message: 'Not found.' } };
    if (method === 'GET') {
      if (action === 'comments') return { status: 200, body: { data: kept.comments.map(toldOf), message: '' } };
      this.#meddleAfter(url.pathname, 3000, random);
      return { status: 200, body: { data: this.#told(kept), message: '' }, tells: [kept] };
    }
    if (action === 'comments') {
      sent.committed = this.#world.now;
      sent.about = kept;
      return { status: 201, body: { data: toldOf(this.comment(kept, sent.values.comment ?? '', 'us')), message: '' } };
    }
    const before = this.#told(kept);
    this.#write(kept, sent, action);
    if (this.#habit === 'answers as before') this.befalls('an answer as before');
    // Somebody writes before the record is read again.
    if (this.#traits.isSparse || name === 'contacts') this.#meddleAfter(url.pathname, 50, random);
    if (method === 'DELETE') return { status: 200, body: { data: { id: kept.id }, message: '' } };
    const now = this.#habit === 'answers as before' ? before : this.#told(kept);
    const told = family.answers !== undefined && (name === 'contacts' || this.#traits.isSparse) ? pickMembers(now, family.answers) : now;
    return { status: 200, body: { data: this.#asAnothers(kept, told, sent), message: '' } };
  }

  #create(name: string, sent: Sent, random: Random): Answer {
    const { required, answers } = familyOf(name);
    const missing = required.filter((wire) => (sent.values[wire] ?? '') === '');
    const isTaken =
      name === 'contacts' &&
      this.there(name).some(({ values }) => values.get('email')?.toLowerCase() === sent.values.email?.trim().toLowerCase());
    if (missing.length > 0 || isTaken) {
      const errors = Object.fromEntries(
        (isTaken ? ['email'] : missing).map((wire) => [wire, [isTaken ? 'The email has already been taken.' : 'It is required.']]),
      );
      return { status: 422, body: { message: 'The given data was invalid.', errors } };
    }
    const kept = this.add(name, sent.values, 'us');
    sent.committed = this.#world.now;
    sent.about = kept;
    this.#world.note(`    made ${name} ${kept.id}`);
    if (random.chance(this.#traits.colleagues / 2))
      this.#world.after(random.between(0, 20_000), () => {
        if (name === 'leads' && random.chance(0.3)) this.convert(kept);
        else this.meddle(kept, this.#doing(kept, random));
      });
    const told = answers === undefined ? this.#told(kept) : pickMembers(this.#told(kept), answers);
    return { status: 201, body: { data: this.#asAnothers(kept, told, sent), message: '' } };
  }

  /** Changes or deletes a record; what of a colleague's that takes away unseen is wrong. */
  #write(kept: Kept, sent: Sent, action: string | undefined): void {
    sent.committed = this.#world.now;
    sent.about = kept;
    const before = new Map(kept.values);
    const setsBefore = new Map([...kept.sets].map(([name, elements]) => [name, [...elements]]));
    const { fields, fixed = [], replaces } = familyOf(kept.family);
    if (sent.method === 'DELETE') kept.gone = { at: this.#world.now, who: 'us' };
    else if (action === 'tags' || action === 'assigned')
      kept.sets.set(
        action,
        elementsOf(sent.values, action).map((one) => this.#kept(action, one)),
      );
    else if (action === 'status') {
      kept.values.set(kept.family === 'leads' ? 'status.id' : 'status', sent.values.status ?? '');
      for (const path of ['signed.date', 'signed.first_name', 'signed.last_name']) kept.values.delete(path);
    } else if (action === 'archive' || action === 'activate') kept.values.set('active_state', action === 'archive' ? 'archived' : 'active');
    else {
      for (const [wire, path] of Object.entries(fields)) {
        if (fixed.includes(wire)) continue;
        const value = sent.values[wire];
        if (value !== undefined && value !== '') kept.values.set(path, this.#kept(path, value));
        else if (replaces || value === '') kept.values.delete(path);
      }
    }
    if (sent.method !== 'DELETE') this.#keep(kept, sent, before, setsBefore);
    kept.updated = this.#stamp();
    this.#world.note(`    ${sent.method === 'DELETE' ? 'deleted' : 'changed'} ${kept.family} ${kept.id}`);
    if (sent.method === 'DELETE') this.#takeAlong(kept, sent);
    const lost = this.#lostOf(kept, sent, before, setsBefore);
    if (lost !== undefined) this.wrongs.push(lost);
  }

  /** Puts back what the service keeps, and notes it. */
  #keep(kept: Kept, sent: Sent, before: ReadonlyMap<string, string>, setsBefore: ReadonlyMap<string, string[]>): void {
    const stays = this.#lockedIn(kept).filter((path) => {
      const elements = setsBefore.get(path);
      if (elements !== undefined) return JSON.stringify(kept.sets.get(path)) !== JSON.stringify(elements);
      return kept.values.get(path) !== before.get(path);
    });
    if (stays.length === 0) return;
    for (const path of stays) {
      const [value, elements] = [before.get(path), setsBefore.get(path)];
      if (elements !== undefined) kept.sets.set(path, [...elements]);
      else if (value === undefined) kept.values.delete(path);
      else kept.values.set(path, value);
    }
    sent.kept = stays;
    this.befalls('a value is kept behind a 200');
    this.#world.note(`    keeps ${stays.join(', ')} of ${kept.family} ${kept.id}`);
  }

  /** What hangs on a lead goes with it. Nothing of others' may that was there in the turn of its delete, which begins with the comments. */
  #takeAlong(kept: Kept, { path, departed, listed }: Sent): void {
    if (kept.family !== 'leads') return;
    const asked = (family: string): number =>
      Math.max(listed.get(`${family} ${kept.id}`) ?? departed, listed.get(`${kept.id}/comments`) ?? 0);
    for (const { id, who, made } of kept.comments)
      if (who === 'colleague' && made < (listed.get(`${kept.id}/comments`) ?? 0))
        this.wrongs.push({ what: "took a colleague's comment along", told: `DELETE ${path}: ${id}` });
    for (const other of this.records) {
      const { values } = other;
      const hangs =
        values.get('lead.id') === String(kept.id) ||
        (values.get('resource.type') === 'lead' && values.get('resource.id') === String(kept.id));
      if (!hangs || other.gone !== undefined) continue;
      other.gone = { at: this.#world.now, who: 'us' };
      if (other.maker === 'colleague' && other.made < asked(other.family) - this.#traits.lag)
        this.wrongs.push({ what: `took a colleague's ${other.family} along`, told: `DELETE ${path}: ${other.id}` });
    }
  }

  #lostOf(
    kept: Kept,
    { method, path, departed, seen = -1, isLate, isSpaced }: Sent,
    before: ReadonlyMap<string, string>,
    setsBefore: ReadonlyMap<string, string[]>,
  ): Wrong | undefined {
    const signed = kept.meddlings.findLast(({ values }) => values.has('signed.date'));
    if (path.endsWith('/status') && signed !== undefined && signed.at < seen - 500 && before.has('signed.date'))
      return { what: 'erased a signature that was seen', told: path };
    if (method === 'DELETE' && kept.maker === 'colleague') return { what: 'deleted what is not ours', told: `DELETE ${path}` };
    const isLost = (name: string, value: string): boolean => {
      const set = setsBefore.get(name);
      if (set === undefined) return before.get(name) === value && kept.values.get(name) !== value;
      return set.includes(value) && !kept.sets.get(name)?.includes(value);
    };
    for (const meddling of kept.meddlings) {
      const { at, values } = meddling;
      if (isLate && method !== 'DELETE' && at > departed && [...values].every(([name, value]) => isLost(name, value)))
        meddling.erased = this.#world.now;
      // One round trip lies between a read and its write, whatever anybody does.
      if (at > departed || at <= seen) continue;
      // Between the requests of a turn lies what --rate says; while writes are refused, a second and the way of the read's answer.
      if (isSpaced && at > departed - behindRead) continue;
      if (method === 'DELETE') return { what: 'deleted what a colleague had changed unseen', told: `DELETE ${path}` };
      for (const [name, value] of values) {
        if (isLost(name, value))
          return {
            what: name.startsWith('signed') ? 'erased a signature unseen' : 'overwrote a colleague unseen',
            told: `${method} ${path}: ${name} was '${value}'`,
          };
      }
    }
    return undefined;
  }

  #list(name: string, query: URLSearchParams): Answer {
    const { filters, search, sort } = familyOf(name);
    const limit = Math.min(this.#traits.page, Number(query.get('limit') ?? 25));
    const page = Number(query.get('page') ?? 1);
    const term = query.get('search')?.toLowerCase();
    const rows = this.there(name)
      .filter(({ made, maker }) => maker === 'setup' || this.#world.now - made >= this.#traits.lag)
      .filter(({ values }) => Object.entries(filters).every(([wire, path]) => !query.has(wire) || values.get(path) === query.get(wire)))
      .filter(({ values }) => term === undefined || search.some((path) => values.get(path)?.toLowerCase().includes(term)));
    const by = sort[query.get('sort') ?? ''] ?? 'dates.created';
    const keyOf = (kept: Kept): string =>
      by === 'dates.created' ? kept.created : by === 'dates.updated' ? kept.updated : (kept.values.get(by) ?? '');
    const ordered = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.id - b.id));
    if ((query.get('order') ?? (name === 'contacts' ? 'asc' : 'desc')) === 'desc') ordered.reverse();
    const shown = ordered.slice((page - 1) * limit, page * limit);
    const meta = { current_page: page, per_page: limit, total: rows.length, last_page: Math.max(1, Math.ceil(rows.length / limit)) };
    return { status: 200, body: { data: shown.map((kept) => this.#told(kept)), message: '', meta }, tells: shown };
  }

  #reference(name: string): Answer {
    const rows: Readonly<Record<string, unknown[]>> = {
      clients: [{ id: 1, company_name: 'Acme' }],
      team: Object.entries(team).map(([id, name]) => ({
        id: Number(id),
        name,
        first_name: name.split(' ')[0],
        last_name: name.split(' ')[1],
        email: `user${id}@team.example`,
        status: 'active',
      })),
      categories: [{ id: 1, name: 'Inbound', type: 'lead' }],
    };
    const data = rows[name] ?? [];
    return { status: 200, body: { data, message: '', meta: { current_page: 1, per_page: 100, total: data.length, last_page: 1 } } };
  }

  #told(kept: Kept): Values {
    const { empty } = familyOf(kept.family);
    const told: Values = { id: kept.id as unknown as Value };
    for (const path of Object.keys(empty)) {
      const text = kept.values.get(path) ?? null;
      set(told, path, text === null ? null : isNumber(path) ? (Number(text) as unknown as Value) : text);
    }
    if (kept.family === 'leads') set(told, 'converted.is_converted', kept.values.has('converted.client_id') as unknown as Value);
    if (kept.family === 'contacts') told.name = `${told.first_name} ${told.last_name}`;
    for (const [name, elements] of kept.sets)
      told[name] =
        name === 'assigned' ? elements.map((id) => ({ id: Number(id) as unknown as Value, name: team[id] ?? id })) : [...elements];
    set(told, 'dates.created', kept.created);
    if (kept.family !== 'proposals') set(told, 'dates.updated', kept.updated);
    return this.#traits.reorders ? Object.fromEntries(Object.entries(told).reverse()) : told;
  }
}

function familyOf(name: string): Family {
  const family = families[name];
  if (family === undefined) throw new Error(`There is no family ${name}.`);
  return family;
}

function put(kept: Kept, path: string, value: string): void {
  const elements = kept.sets.get(path);
  if (elements === undefined) kept.values.set(path, value);
  else elements.push(value);
}

function set(record: Values, path: string, value: Value): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = record;
  for (const name of names) {
    place[name] ??= {};
    place = place[name] as Values;
  }
  place[last] = value;
}

const pickMembers = (record: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, record[name] ?? null]));

function valuesOf({ headers, body = '' }: WireRequest): Record<string, string> {
  if (headers['content-type']?.includes('json')) {
    const members = JSON.parse(body) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value.map(String)) : String(value)]),
    );
  }
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    if (!name.endsWith('[]')) values[name] = value;
    else values[name.slice(0, -2)] = JSON.stringify([...(JSON.parse(values[name.slice(0, -2)] ?? '[]') as string[]), value]);
  }
  return values;
}

const elementsOf = (values: Readonly<Record<string, string>>, name: string): string[] => JSON.parse(values[name] ?? '[]') as string[];
