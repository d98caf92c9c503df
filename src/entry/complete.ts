// `crm __complete SHELL WORDS…`: what the shells' scripts ask on every Tab. It reads what the build has prepared and files of this
// machine, sends nothing, and says nothing where anything is wrong: a Tab is no place for messages.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Knowledge, offerAt, offerLines } from '../completions/candidates.ts';
import type { CommandLine } from '../completions/levels.ts';
import { UsageError } from '../errors.ts';
import { configDirOf, dataDirOf, type Env } from '../files/own-folders.ts';
import { loadSqlite } from '../files/sqlite.ts';
import { knownPath, readNames, readTitles } from '../names/known.ts';
import { writeNow } from '../output/streams/write-now.ts';
import { normaliseBaseUrl, shownBaseUrl } from '../values/base-url.ts';
import { isMembers, type Members } from '../values/paths.ts';
import type { ReadPrepared } from './prepared.ts';

/** Prints what may stand where the last of the words is; `argv`: the shell, then the words after `crm`, as text. */
export async function answerTab(argv: readonly string[], read: ReadPrepared, env: Env): Promise<void> {
  try {
    writeNow(await tabText(argv, read, env));
  } catch {
    // Nothing is offered.
  }
}

/** The lines for a shell. Throws whatever stands in the way. */
async function tabText([shell = '', ...words]: readonly string[], read: ReadPrepared, env: Env): Promise<string> {
  const line = JSON.parse(read('tab.json') ?? '') as CommandLine;
  const folders = { config: await configDirOf(env), data: await dataDirOf(env) };
  const offer = offerAt(line, words, (profile) => knowledge(folders, env, profile));
  return offerLines(shell, offer, words.at(-1) ?? '');
}

interface Folders {
  readonly config: string;
  readonly data: string;
}

/** `named`: the profile that the words name. */
function knowledge(folders: Folders, env: Env, named: string | undefined): Knowledge {
  const of = <T>(read: (path: string, baseUrl: string) => readonly T[]): readonly T[] => {
    const place = namesFile(folders, env, named);
    return place === undefined ? [] : read(place.path, place.baseUrl);
  };
  return {
    names: (kind) => of((path, baseUrl) => readNames(path, baseUrl, kind)),
    titles: (family) => of((path, baseUrl) => readTitles(path, baseUrl, family)),
    profiles: () =>
      [...profilesIn(folders.config).profiles].map(([name, { baseUrl }]) => [
        name,
        typeof baseUrl === 'string' ? shownBaseUrl(baseUrl) : '',
      ]),
    runs: () => seedsIn(folders.data),
  };
}

/** The file of the profile in force, as settings.ts decides it: none where the environment alone says which service it is. */
function namesFile(folders: Folders, env: Env, named: string | undefined): { path: string; baseUrl: string } | undefined {
  const { current, profiles } = profilesIn(folders.config);
  const name = named ?? (env.CRM_PROFILE || current);
  if (name === undefined || (named === undefined && env.CRM_BASE_URL)) return undefined;
  const profile = profiles.get(name);
  if (typeof profile?.baseUrl !== 'string') return undefined;
  const baseUrl = normaliseBaseUrl(profile.baseUrl, name, (message) => new UsageError(message));
  return { path: knownPath(folders.data, name), baseUrl };
}

/** The profiles' file, as far as it can be read; its keys are left alone. */
function profilesIn(configDir: string): { readonly current?: string; readonly profiles: ReadonlyMap<string, Members> } {
  const document: unknown = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
  if (!isMembers(document) || !isMembers(document.profiles)) return { profiles: new Map() };
  const profiles = Object.entries(document.profiles).flatMap(([name, one]) => (isMembers(one) ? [[name, one] as const] : []));
  return { ...(typeof document.current === 'string' ? { current: document.current } : {}), profiles: new Map(profiles) };
}

/** What the seeds of all services are called, the latest one of a service first, out of their journals (runs/journal/journal-file.ts). */
function seedsIn(dataDir: string): string[] {
  const folder = join(dataDir, 'journals');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
  return [...new Set(files.flatMap((name) => titlesIn(join(folder, name))))];
}

/** None of a journal that is damaged: the others have theirs. */
function titlesIn(journal: string): string[] {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(journal, { readOnly: true, open: false });
  try {
    database.open();
    const rows = database.prepare("SELECT title FROM runs WHERE kind = 'seed' ORDER BY id DESC").all();
    return rows.map(({ title }) => String(title));
  } catch {
    return [];
  } finally {
    if (database.isOpen) database.close();
  }
}
