// The names of a run: remembered ones, those in the run's own answers, and remembered ones that were sent as ids.

import type { Answer, ApiRequest, Sending } from '../api/types.ts';
import { UnavailableError } from '../errors.ts';
import type { GlobalFlags } from '../global-flags.ts';
import type { Io } from '../output/streams/io.ts';
import type { Settings } from '../profiles/settings.ts';
import { namedKinds, type Word } from '../resources/named.ts';
import type { Id } from '../values/parse.ts';
import { isMembers } from '../values/paths.ts';
import { crmWith } from '../values/text/shell-word.ts';
import type { Named } from '../values/value-type.ts';
import { type KnownName, type KnownNames, knownPath, readKnown, saveKnown, withSeen } from './known.ts';
import { plainName } from './matching.ts';
import type { ListPage } from './pages.ts';
import { idIn, listOf, referencesIn, SeenNames } from './seen.ts';

/** The parts of a command's session that RunNames uses. */
interface NamesSurroundings {
  readonly io: Pick<Io, 'holdsSecret'>;
  readonly flags: Pick<GlobalFlags, 'profile'>;
  readonly signal: AbortSignal;
  dataDir(): Promise<string>;
}

/** A remembered name that the run sends as its id, without having seen the name again. */
interface Assumed {
  readonly of: Named;
  readonly id: Id;
  readonly name: string;
  /** The flag or argument with the name. */
  readonly where: string;
}

/** The position of a run in a list that is searched for names. */
interface Cursor {
  readonly pages: AsyncGenerator<ListPage>;
  /** The records read so far. */
  read: number;
  isWhole: boolean;
}

/** The names of a run. Without a profile, no names are remembered. */
export async function openNames(
  surroundings: NamesSurroundings,
  { rememberedAs, baseUrl }: Pick<Settings, 'rememberedAs' | 'baseUrl'>,
): Promise<RunNames> {
  const path = rememberedAs === undefined ? undefined : knownPath(await surroundings.dataDir(), rememberedAs);
  return new RunNames(surroundings, path, baseUrl);
}

/** The name of an id; undefined when unknown. */
export type NameOf = (of: Named, id: string) => string | undefined;

/** Finds names by id among those that a run read or remembers. A name that several things share is not used. */
export function namesById(names: RunNames): NameOf {
  const found = new Map<string, string>();
  return (of, id) => {
    const key = `${of} ${id}`;
    const all = found.has(key) ? [] : names.of(of);
    const name = all.find((one) => String(one.id) === id)?.name;
    if (name !== undefined && all.filter((one) => one.name === name).length === 1) found.set(key, name);
    return found.get(key);
  };
}

export class RunNames {
  readonly #surroundings: NamesSurroundings;
  readonly #path: string | undefined;
  readonly #baseUrl: string;
  readonly #seen: SeenNames;
  readonly #assumed: Assumed[] = [];
  readonly #cursors = new Map<string, Cursor>();
  #remembered: KnownNames | undefined;
  #refuted: string | undefined;

  /** `path` is the profile's file of names. */
  constructor(surroundings: NamesSurroundings, path: string | undefined, baseUrl: string) {
    this.#surroundings = surroundings;
    this.#path = path;
    this.#baseUrl = baseUrl;
    this.#seen = new SeenNames((text) => surroundings.io.holdsSecret(text));
  }

  /** The known names, remembered or seen. `whole` is that of `withSeen`. */
  known(whole?: readonly Word[]): KnownNames {
    this.#remembered ??= this.#path === undefined ? { names: {}, words: {}, titles: {} } : readKnown(this.#path, this.#baseUrl);
    return withSeen(this.#remembered, this.#seen.known(), whole) ?? this.#remembered;
  }

  /** The names of a kind, the latest seen first. */
  of(kind: Named): readonly KnownName[] {
    return this.known().names[kind] ?? [];
  }

  /** The names of a kind that this run has read. */
  shown(kind: Named): readonly KnownName[] {
    return this.#seen.known().names[kind] ?? [];
  }

  /** The cursor of a list. Made once, so that the next search goes on after the last page. */
  cursor(list: string, begin: () => AsyncGenerator<ListPage>): Cursor {
    const cursor = this.#cursors.get(list) ?? { pages: begin(), read: 0, isWhole: false };
    this.#cursors.set(list, cursor);
    return cursor;
  }

  /**
   * Notes the names in an answer to a read. Throws UnavailableError when the answer gives an assumed id another name: the user meant
   * another record.
   */
  see(request: ApiRequest, answer: Pick<Answer, 'data'>): void {
    this.#seen.see(request, answer);
    const { data } = answer;
    for (const record of Array.isArray(data) ? data : [data]) {
      if (!this.#refutes(request, record)) continue;
      throw new UnavailableError(`${this.#refuted} Nothing is done with it.`, {
        hint: 'Its name is remembered now: run the command again.',
        request: { method: request.method, path: request.path },
      });
    }
  }

  /** Notes a name that is sent as an id. Later answers are checked against the name. */
  assume(name: Assumed): void {
    this.#assumed.push(name);
  }

  /** True when assumed names were sent as ids. Writes then go out singly, until an answer confirms the name. */
  get isAssuming(): boolean {
    return this.#assumed.length > 0;
  }

  /** Sends a write and notes the names in its answer. Throws what `hold` and `took` throw. */
  async written(sending: Sending, send: (sending: Sending) => Promise<Answer>): Promise<Answer> {
    const sent: ApiRequest[] = [];
    const answer = await send(async () => {
      const one = typeof sending === 'function' ? await sending() : sending;
      this.hold(one);
      sent.push(one);
      return one;
    });
    const request = sent.at(-1);
    if (request !== undefined) this.took(request, answer);
    return answer;
  }

  /** Throws UnavailableError after an answer gave an assumed id another name: no further write is sent. */
  hold({ method, path }: Pick<ApiRequest, 'method' | 'path'>): void {
    if (this.#refuted !== undefined) throw new UnavailableError(`Not sent. ${this.#refuted}`, { request: { method, path } });
  }

  /** Notes the names in the answer to a write. Throws UnavailableError when the answer gives an assumed id another name. */
  took(request: ApiRequest, answer: Pick<Answer, 'data'>): void {
    this.#seen.see(request, answer);
    const { data } = answer;
    if (!this.#refutes(request, data)) return;
    const family = listOf(request)?.slice('/api/'.length);
    const record = isMembers(data) ? idIn(data.id) : undefined;
    throw new UnavailableError(`${this.#refuted} The write was done.`, {
      hint: `Its name is remembered now.${record === undefined ? '' : ` See the record: ${crmWith(this.#surroundings.flags.profile)} ${family} get ${record}`}`,
      request: { method: request.method, path: request.path },
    });
  }

  /** True when a record gives an assumed id another name. In the answer to a write, also when another id stands in its place. */
  #refutes(request: ApiRequest, record: unknown): boolean {
    const list = this.#assumed.length === 0 ? undefined : listOf(request);
    for (const { of, id, name, where } of list === undefined ? [] : this.#assumed) {
      const shown = referencesIn(of, list ?? '', record);
      const { noun, list: own } = namedKinds[of];
      const same = shown.find((one) => String(one.id) === String(id));
      const [instead] = request.method === 'GET' || own !== undefined || same !== undefined ? [] : shown;
      const said = `${where}: "${name}" was known as ${noun} ${id}, and the service`;
      if (same !== undefined && plainName(same.name) !== plainName(name)) this.#refuted = `${said} calls ${noun} ${id} "${same.name}".`;
      else if (instead !== undefined) this.#refuted = `${said} answers with ${noun} ${instead.id}, "${instead.name}".`;
      else continue;
      return true;
    }
    return false;
  }

  /** Saves the seen names for the profile. Never throws: names that can't be saved are looked up again. */
  save(whole?: readonly Word[]): void {
    if (this.#path === undefined || this.#surroundings.signal.aborted) return;
    try {
      saveKnown(this.#path, this.#baseUrl, this.#seen.known(), whole);
    } catch {
      // A failed save is no failure of the command.
    }
  }
}
