// A run's ledger: what it created and did, as a journal. An intent is durable before its request leaves; what has an
// intent and no outcome is in doubt. Entries change the state the same way when they are written as when they are read back.

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConflictError, systemCode, UsageError } from '../errors.ts';
import type { Body, BodyValue } from '../values/body.ts';
import type { Id } from '../values/parse.ts';
import type { Members } from '../values/paths.ts';
import type { Effect, MadeBesides } from './actions.ts';
import { type Journal, journalEntries, openJournal } from './legacy/journal.ts';

/** One line of a ledger, behind its header. `name` is `lead` or `lead[3]`. */
export type LedgerEntry =
  /** An apply begins with nothing there: earlier entries are history. */
  | {
      readonly did: 'begin';
      readonly file: string;
      readonly random_seed: number;
      /** The profile in force; null without one. */
      readonly profile: string | null;
      /** Where the file is, absolute; absent for what is not on the disk. */
      readonly path?: string;
      readonly at: string;
    }
  /** The highest id of a family before the run created any of it. */
  | { readonly did: 'looked'; readonly type: string; readonly highest: Id }
  /** A record with its key is there already; `key`: its flags and their values. */
  | { readonly did: 'found'; readonly name: string; readonly type: string; readonly id: Id; readonly key: KeyPairs }
  | { readonly did: 'sending'; readonly name: string; readonly type: string; readonly body: BodyPairs; readonly above: number }
  /** `at`: when the service's answer had come; absent where it had to be looked for. */
  | { readonly did: 'created'; readonly name: string; readonly id: Id; readonly at?: string }
  /** It was refused, or turned out not to have arrived. */
  | { readonly did: 'not created'; readonly name: string }
  | {
      readonly did: 'acting';
      readonly name: string;
      readonly step: number;
      readonly verb: string;
      readonly body?: BodyPairs;
      /** What is known of its effect beforehand. */
      readonly effect?: Effect;
    }
  | { readonly did: 'acted'; readonly name: string; readonly step: number; readonly effect?: Effect }
  | { readonly did: 'not acted'; readonly name: string; readonly step: number }
  /** The file is done, as far as it says. */
  | { readonly did: 'complete'; readonly at: string }
  | { readonly did: 'destroying'; readonly at: string }
  | { readonly did: 'deleted'; readonly name: string }
  /** What has its id is not what was created: it is none of the run's business any more. */
  | { readonly did: 'left'; readonly name: string }
  /** What an action made besides. */
  | { readonly did: 'deleted made'; readonly name: string; readonly type: string; readonly id: Id }
  /** Nothing of the run is left that can be deleted. */
  | { readonly did: 'destroyed'; readonly at: string };

export type KeyPairs = readonly (readonly [flag: string, value: string])[];

/** A body as pairs, in the order in which they are sent. */
export type BodyPairs = readonly (readonly [wire: string, value: BodyValue])[];

export interface LedgerAct {
  readonly verb: string;
  readonly state: 'in doubt' | 'done' | 'not done';
  readonly body?: Body;
  readonly effect?: Effect;
}

export interface LedgerRecord {
  readonly name: string;
  /** The family, singular. */
  readonly type: string;
  readonly state: 'in doubt' | 'created' | 'not created' | 'deleted';
  readonly body: Body;
  /** What the run created has a higher id than this. */
  readonly above: number;
  readonly id?: Id;
  /** When it was there for certain, ISO 8601, where that is known. */
  readonly at?: string;
  readonly acts: ReadonlyMap<number, LedgerAct>;
}

export interface LedgerHeader {
  readonly run: string;
  readonly service: string;
  readonly began: string;
}

export type RunState = 'applied' | 'unfinished' | 'destroyed' | 'partly destroyed';

type FoundEntry = Extract<LedgerEntry, { did: 'found' }>;

/** How a run began. */
interface Begun {
  readonly file: string;
  readonly randomSeed: number;
  readonly profile: string | null;
  readonly path?: string;
  readonly at: string;
}

type Step = { readonly name: string; readonly step: number };

/** The sum of a ledger's entries. */
export class LedgerState {
  /** In the order in which they were sent. */
  readonly records = new Map<string, LedgerRecord>();
  /** What was found by its key, by name. */
  readonly found = new Map<string, FoundEntry>();
  /** The highest id of a family before the run, by type. */
  readonly before = new Map<string, Id>();
  readonly #highest = new Map<string, number>();
  #begun: Begun | undefined;
  #phase: RunState = 'unfinished';
  #at: string | undefined;

  get file(): string | undefined {
    return this.#begun?.file;
  }

  get randomSeed(): number | undefined {
    return this.#begun?.randomSeed;
  }

  /** The profile that it was begun with; null without one. */
  get profile(): string | null | undefined {
    return this.#begun?.profile;
  }

  /** Where the file is that it was begun from, absolute. */
  get path(): string | undefined {
    return this.#begun?.path;
  }

  /** When it began, ISO 8601. */
  get began(): string | undefined {
    return this.#begun?.at;
  }

  get state(): RunState {
    return this.#phase;
  }

  /** When it was last begun, completed or destroyed, ISO 8601. */
  get at(): string | undefined {
    return this.#at;
  }

  /** Whether something of the run may be in the service. */
  get isLive(): boolean {
    return this.created > 0 || this.all().some(({ state, acts }) => state === 'in doubt' || madeBy(acts).length > 0);
  }

  /** How many records there are, as far as the ledger knows. */
  get created(): number {
    return this.all().filter(({ state }) => state === 'created').length;
  }

  all(): LedgerRecord[] {
    return [...this.records.values()];
  }

  /** The highest id of a family that is known by now. */
  highest(type: string): number {
    return this.#highest.get(type) ?? 0;
  }

  /** Takes an entry into account. */
  apply(entry: LedgerEntry): void {
    switch (entry.did) {
      case 'begin':
        this.records.clear();
        this.found.clear();
        this.before.clear();
        this.#highest.clear();
        this.#begun = { ...entry, randomSeed: entry.random_seed };
        this.#enter('unfinished', entry.at);
        break;
      case 'looked':
        if (!this.before.has(entry.type)) this.before.set(entry.type, entry.highest);
        this.#raise(entry.type, entry.highest);
        break;
      case 'found':
        this.found.set(entry.name, entry);
        break;
      case 'sending':
        this.#send(entry);
        break;
      case 'created':
        this.#change(entry.name, { state: 'created', id: entry.id, ...(entry.at === undefined ? {} : { at: entry.at }) });
        this.#raise(this.records.get(entry.name)?.type ?? '', entry.id);
        break;
      case 'not created':
        this.#change(entry.name, { state: 'not created' });
        break;
      case 'left':
      case 'deleted':
        this.#change(entry.name, { state: 'deleted' });
        this.found.delete(entry.name);
        break;
      case 'acting':
        this.#act(entry, {
          verb: entry.verb,
          state: 'in doubt',
          ...(entry.body === undefined ? {} : { body: new Map(entry.body) }),
          ...(entry.effect === undefined ? {} : { effect: entry.effect }),
        });
        break;
      case 'acted':
        this.#act(entry, { state: 'done', ...(entry.effect === undefined ? {} : { effect: entry.effect }) });
        break;
      case 'not acted':
        this.#act(entry, { state: 'not done' });
        break;
      case 'deleted made':
        this.#forgetMade(entry);
        break;
      case 'complete':
        this.#enter('applied', entry.at);
        break;
      case 'destroying':
        this.#enter('partly destroyed', entry.at);
        break;
      case 'destroyed':
        this.#enter('destroyed', entry.at);
        break;
    }
  }

  #raise(type: string, id: Id): void {
    this.#highest.set(type, Math.max(this.highest(type), Number(id)));
  }

  #enter(state: RunState, at: string): void {
    this.#phase = state;
    this.#at = at;
  }

  /** A record that is sent anew is the newest. */
  #send({ name, type, body, above }: Extract<LedgerEntry, { did: 'sending' }>): void {
    this.records.delete(name);
    this.records.set(name, { name, type, state: 'in doubt', body: new Map(body), above, acts: new Map() });
    if (this.#phase !== 'partly destroyed') this.#phase = 'unfinished';
  }

  #change(name: string, change: Partial<LedgerRecord>): void {
    const record = this.records.get(name);
    if (record !== undefined) this.records.set(name, { ...record, ...change });
  }

  #act({ name, step }: Step, change: Partial<LedgerAct> & Pick<LedgerAct, 'state'>): void {
    const acts = new Map(this.records.get(name)?.acts);
    acts.set(step, { ...(acts.get(step) ?? { verb: '' }), ...change });
    this.#change(name, { acts });
    if (change.state === 'in doubt' && this.#phase === 'applied') this.#phase = 'unfinished';
  }

  #forgetMade({ name, type, id }: Extract<LedgerEntry, { did: 'deleted made' }>): void {
    const acts = new Map(this.records.get(name)?.acts);
    for (const [step, act] of acts) {
      const made = act.effect?.made?.filter((one) => one.type !== type || one.id !== id);
      if (made !== undefined) acts.set(step, { ...act, effect: { ...act.effect, made } });
    }
    this.#change(name, { acts });
  }
}

/** What a record's actions made besides, and is there. */
export function madeBy(acts: LedgerRecord['acts']): readonly MadeBesides[] {
  return [...acts.values()].flatMap(({ effect }) => effect?.made ?? []);
}

export interface Ledger {
  readonly path: string;
  readonly state: LedgerState;
  /** When an earlier process last wrote to it, in milliseconds since 1970. */
  readonly lastWrite?: number;
  /** Adds an entry; durable once a later `flush` resolves. */
  note(entry: LedgerEntry): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a run's ledger for this process alone, or begins it. Throws ConflictError when another process uses it. */
export async function openLedger(path: string, header: LedgerHeader): Promise<Ledger> {
  const state = new LedgerState();
  let isHeader = true;
  const journal = await openJournal(path, { journal: 'seed', version: 1, ...header }, (entry) => {
    if (isHeader) checkHeader(path, entry, header);
    else state.apply(entry as LedgerEntry);
    isHeader = false;
  });
  return ledgerOn(journal, state);
}

function ledgerOn(journal: Journal, state: LedgerState): Ledger {
  return {
    path: journal.path,
    state,
    ...(journal.lastWrite === undefined ? {} : { lastWrite: journal.lastWrite }),
    note: (entry) => {
      journal.append(entry);
      state.apply(entry);
    },
    flush: journal.flush,
    close: journal.close,
  };
}

function checkHeader(path: string, entry: Members, { run, service }: LedgerHeader): void {
  if (entry.journal !== 'seed' || entry.version !== 1 || entry.run !== run || entry.service !== service) {
    throw new ConflictError(`${path} is not the ledger of run "${run}" at ${service}.`);
  }
}

/** What a ledger says, without opening it for writing; undefined when it is none. */
export async function readLedger(path: string): Promise<{ readonly header: LedgerHeader; readonly state: LedgerState } | undefined> {
  const state = new LedgerState();
  let header: LedgerHeader | undefined;
  for await (const entry of journalEntries(path)) {
    if (header !== undefined) state.apply(entry as LedgerEntry);
    else if (entry.journal !== 'seed' || entry.version !== 1) return undefined;
    else header = entry as Members & LedgerHeader;
  }
  return header === undefined ? undefined : { header, state };
}

/** The ledger of a run that is gone on with. Throws ConflictError when it can't be read whole: what it says can't be relied upon. */
export async function soundLedger(path: string): Promise<{ readonly header: LedgerHeader; readonly state: LedgerState }> {
  try {
    const ledger = await readLedger(path);
    if (ledger !== undefined && !(await isDamaged(path))) return ledger;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new ConflictError(`The ledger ${path} can't be read (${code}).`, { cause: error });
  }
  throw new ConflictError(`The ledger ${path} is damaged: it can't be relied upon.`, {
    hint: 'Put back a copy of it. Without one, delete by hand what the run created, remove the file, and apply anew.',
  });
}

/** Whether a line is broken with a whole one behind it: a crash tears the end only. */
async function isDamaged(path: string): Promise<boolean> {
  let last: Members | undefined;
  let whole = 0;
  for await (const entry of journalEntries(path)) {
    last = entry;
    whole += 1;
  }
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  // Entries come without their checksum.
  return lines.length > whole && lines.at(-1)?.startsWith(JSON.stringify(last).slice(0, -1)) === true;
}

/** The folder of all ledgers. */
export const ledgerFolder = (dataDir: string): string => join(dataDir, 'seeds');

/** The ledger of a run against a service. */
export function ledgerPath(dataDir: string, run: string, service: string): string {
  return join(ledgerFolder(dataDir), `${run}-${createHash('sha256').update(service).digest('hex').slice(0, 8)}.ledger`);
}

/** The ledgers of the other runs of the same service, and when each was last written to, in milliseconds since 1970. */
export async function otherLedgers(path: string): Promise<{ readonly path: string; readonly lastWrite: number }[]> {
  const [folder, own] = [dirname(path), basename(path)];
  // The ending stands for the service.
  const ending = own.slice(own.lastIndexOf('-'));
  const names = (await readdir(folder)).filter((name) => name !== own && name.endsWith(ending));
  const files = await Promise.all(names.map(async (name) => ({ path: join(folder, name), facts: await stat(join(folder, name)) })));
  return files.flatMap(({ path: other, facts }) => (facts.isFile() ? [{ path: other, lastWrite: facts.mtimeMs }] : []));
}

/** A run's name, as it is given. Throws UsageError. */
export function checkRun(run: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(run)) return run;
  throw new UsageError(`"${run}" can't be the name of a run: it has 1 to 64 letters, digits, dots, hyphens and underscores.`);
}

/** A run's name out of a file's: without folders, ending and what a name can't have. */
export function runOfFile(path: string): string {
  const base = path.replace(/^.*[\\/]/, '').replace(/\.(ya?ml|json)$/i, '');
  return checkRun(
    base
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 64) || 'seed',
  );
}
