// The names of a run: remembered names, and the names in the run's own answers.

import { isSandbox } from '../../base/base-url.ts';
import { CrmError } from '../../base/errors.ts';
import type { GlobalFlags } from '../../base/global-flags.ts';
import type { Named } from '../../base/values/value-type.ts';
import type { Answer, ApiRequest } from '../../client/types.ts';
import type { Word } from '../../model/named.ts';
import type { Io } from '../../output/streams/io.ts';
import type { Settings } from '../profiles/settings.ts';
import { serviceOf } from '../served.ts';
import { type KnownName, type KnownNames, knownPath, readKnown, saveKnown, withSeen } from './known.ts';
import type { ListPage } from './pages.ts';
import { SeenNames } from './seen.ts';

/** The parts of a command's session that RunNames uses. */
interface NamesSurroundings {
  readonly io: Pick<Io, 'holdsSecret'>;
  readonly flags: Pick<GlobalFlags, 'profile'>;
  readonly signal: AbortSignal;
  dataDir(): Promise<string>;
  ownDataDir(): Promise<string | undefined>;
}

/** How far a run has read a list that it searches for names. */
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
  const folder = rememberedAs === undefined ? undefined : await surroundings.ownDataDir();
  const path = rememberedAs === undefined || folder === undefined ? undefined : knownPath(folder, rememberedAs);
  return new RunNames(surroundings, path, baseUrl, await namesOfEmbedded(surroundings, baseUrl));
}

/** The function that reads the names in the file of an embedded CRM, also of a served one. For any other service, no names. */
async function namesOfEmbedded(surroundings: NamesSurroundings, baseUrl: string): Promise<() => KnownNames['names']> {
  const service = await serviceOf(surroundings, baseUrl);
  if (!isSandbox(service)) return () => ({});
  const [{ ownNames }, { sandboxFile }] = await Promise.all([import('../../sandbox/own-names.ts'), import('../open-client.ts')]);
  const path = await sandboxFile(surroundings, service);
  return () => {
    try {
      return ownNames(path);
    } catch (error) {
      // The command itself tells what is wrong with the file.
      if (error instanceof CrmError) return {};
      throw error;
    }
  };
}

/** The name of an id; undefined when unknown. */
export type NameOf = (of: Named, id: string) => string | undefined;

/** Finds the name of an id among the names that a run has read or remembers. Undefined if several ids share the name. */
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
  readonly #cursors = new Map<string, Cursor>();
  readonly #readOwn: () => KnownNames['names'];
  #own: KnownNames['names'] | undefined;
  #remembered: KnownNames | undefined;

  /** `path` is the profile's file of names. `readOwn`: reads the names in the file of an embedded CRM. */
  constructor(surroundings: NamesSurroundings, path: string | undefined, baseUrl: string, readOwn: () => KnownNames['names'] = () => ({})) {
    this.#readOwn = readOwn;
    this.#surroundings = surroundings;
    this.#path = path;
    this.#baseUrl = baseUrl;
    this.#seen = new SeenNames((text) => surroundings.io.holdsSecret(text));
  }

  /** The known names, remembered or seen. `whole`: see `withSeen`. */
  known(whole?: readonly Word[]): KnownNames {
    this.#remembered ??= this.#path === undefined ? { names: {}, words: {}, titles: {} } : readKnown(this.#path, this.#baseUrl);
    return withSeen(this.#remembered, this.#found(true), whole) ?? this.#remembered;
  }

  /** The seen names, and the own names of an embedded CRM, if they were read or `readsOwn`. */
  #found(readsOwn = false): KnownNames {
    if (readsOwn) this.#own ??= this.#readOwn();
    const [own, seen] = [{ names: this.#own ?? {}, words: {}, titles: {} }, this.#seen.known()];
    return withSeen(own, seen) ?? own;
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

  /** Notes the names in an answer. */
  see(request: ApiRequest, answer: Pick<Answer, 'data'>): void {
    this.#seen.see(request, answer);
  }

  /** Saves the seen names for the profile. Never throws: names that can't be saved are looked up again. */
  save(whole?: readonly Word[]): void {
    if (this.#path === undefined || this.#surroundings.signal.aborted) return;
    try {
      saveKnown(this.#path, this.#baseUrl, this.#found(), whole);
    } catch {
      // The command has done its work, so a failed save must not fail the command.
    }
  }
}
