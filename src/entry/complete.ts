// Answers a Tab: the shells' scripts call `crm __complete SHELL WORDS…`. Reads prepared and local files, sends nothing, and prints
// nothing after an error.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normaliseBaseUrl, serviceAddress, shownBaseUrl } from '../base/base-url.ts';
import { UsageError } from '../base/errors.ts';
import { configDirOf, dataDirOf, type Env } from '../base/files/own-folders.ts';
import { loadSqlite } from '../base/files/sqlite.ts';
import { isMembers, type Members } from '../base/values/paths.ts';
import { type Knowledge, type KnownRun, offerAt, offerLines } from '../cli/completions/candidates.ts';
import { preparedLine } from '../cli/completions/prepared-line.ts';
import { writeNow } from '../output/streams/write-now.ts';
import { knownPath, readNames, readTitles } from '../session/names/known.ts';
import type { ReadPrepared } from './prepared.ts';

/** Prints the candidates for the last word. `argv`: the shell, then the words after `crm`. */
export async function answerTab(argv: readonly string[], read: ReadPrepared, env: Env): Promise<void> {
  try {
    writeNow(await tabText(argv, read, env));
  } catch {
    // After an error, no candidate is offered.
  }
}

/** The candidates as lines for a shell. Throws where a file is not as it should be. */
export async function tabText([shell = '', ...words]: readonly string[], read: ReadPrepared, env: Env): Promise<string> {
  const line = preparedLine(read('tab.txt') ?? '');
  const folders = { config: await configDirOf(env), data: await dataDirOf(env) };
  const offer = offerAt(line, words, (profile) => knowledge(folders, env, profile));
  return offerLines(shell, offer, words.at(-1) ?? '');
}

interface Folders {
  readonly config: string;
  readonly data: string;
}

/** The names, titles, profiles and runs known on this machine. `named`: the profile that the words name. */
function knowledge(folders: Folders, env: Env, named: string | undefined): Knowledge {
  const service = () => serviceInForce(folders, env, named);
  const of = <T>(read: (path: string, baseUrl: string) => readonly T[]): readonly T[] => {
    const { profile, baseUrl } = service();
    return profile === undefined ? [] : read(knownPath(folders.data, profile), baseUrl);
  };
  return {
    names: (kind) => of((path, baseUrl) => readNames(path, baseUrl, kind)),
    titles: (family) => of((path, baseUrl) => readTitles(path, baseUrl, family)),
    profiles: () =>
      [...profilesIn(folders.config).profiles].map(([name, { baseUrl }]) => [
        name,
        typeof baseUrl === 'string' ? shownBaseUrl(baseUrl) : '',
      ]),
    runs: () => runsOfService(join(folders.data, 'journals'), serviceAddress(service().baseUrl)),
  };
}

/**
 * The service that a command would use, by the rules of session/profiles/settings.ts, and the profile of the remembered names. Throws if no
 * service is set.
 */
function serviceInForce({ config }: Folders, env: Env, named: string | undefined): { readonly profile?: string; readonly baseUrl: string } {
  if (named === undefined && env.CRM_BASE_URL) return { baseUrl: normalised(env.CRM_BASE_URL, 'CRM_BASE_URL') };
  const { current, profiles } = profilesIn(config);
  const profile = named ?? (env.CRM_PROFILE || current) ?? '';
  return { profile, baseUrl: normalised(String(profiles.get(profile)?.baseUrl), profile) };
}

const normalised = (baseUrl: string, source: string): string => normaliseBaseUrl(baseUrl, source, (message) => new UsageError(message));

/** The profiles in the settings' file, read without checks. */
function profilesIn(configDir: string): { readonly current?: string; readonly profiles: ReadonlyMap<string, Members> } {
  const document: unknown = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
  if (!isMembers(document) || !isMembers(document.profiles)) return { profiles: new Map() };
  const profiles = Object.entries(document.profiles).flatMap(([name, one]) => (isMembers(one) ? [[name, one] as const] : []));
  return { ...(typeof document.current === 'string' ? { current: document.current } : {}), profiles: new Map(profiles) };
}

/** The runs in a service's journal (runs/journal/journal-file.ts), the newest first. */
function runsOfService(folder: string, service: string): KnownRun[] {
  const { DatabaseSync } = loadSqlite();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.sqlite'))) {
    const database = new DatabaseSync(join(folder, name), { readOnly: true, open: false });
    try {
      database.open();
      if (database.prepare('SELECT address FROM service').get()?.address !== service) continue;
      const rows = database.prepare("SELECT name, kind, title, coalesce(details ->> 'typed', command) AS typed FROM runs ORDER BY id DESC");
      return rows.all().map(({ name, kind, title, typed }) => ({
        name: String(name),
        kind: String(kind),
        title: String(title),
        typed: String(typed),
      }));
    } catch {
      // A damaged journal is skipped, because a later file may be the journal of the service.
    } finally {
      if (database.isOpen) database.close();
    }
  }
  return [];
}
