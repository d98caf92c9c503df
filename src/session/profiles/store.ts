// The profiles' file: `config.json` in the configuration folder, readable by its owner only. Reading creates nothing. A change reads and
// writes under a lock (SQLite's on `config.lock`, which stays), and leaves an unreadable file alone.

import { accessSync, chmodSync, closeSync, constants, existsSync, fstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sleep, systemClock } from '../../base/clock.ts';
import { ConflictError, type CrmError, systemCode, systemReason, UnauthorizedError } from '../../base/errors.ts';
import { diskError } from '../../base/files/disk-failure.ts';
import { makeFolder, makeOwnFile } from '../../base/files/make-folder.ts';
import { foreign } from '../../base/files/own-folders.ts';
import { bytesOfFile, openToRead } from '../../base/files/read-whole.ts';
import { lockOn } from '../../base/files/sqlite.ts';
import type { GlobalFlags } from '../../base/global-flags.ts';
import { isMembers } from '../../base/values/paths.ts';
import { writtenByNewer } from '../../base/version.ts';
import type { Io } from '../../output/streams/io.ts';
import { notice } from '../../output/streams/notice.ts';
import type { ProfilesDocument } from './document.ts';
import type { NamedProfile, Profile, ProfileStoreData } from './profile.ts';
import { checkProfileName, encodings, requireProfile } from './profile.ts';

/** The `version` of the file. */
const format = 1;

/** The file's path. */
export function profilesPath(configDir: string): string {
  return join(configDir, 'config.json');
}

/** The profiles; no profiles when there is no file. Throws UnauthorizedError for a file that can't be read or understood. */
export async function readProfiles(configDir: string): Promise<ProfileStoreData> {
  const document = await readProfilesDocument(configDir);
  if (document === undefined) return { profiles: new Map() };
  return {
    ...(document.current === undefined ? {} : { current: document.current }),
    profiles: new Map(Object.entries(document.profiles).map(([name, entry]) => [name, profileFromEntry(entry)])),
  };
}

interface SaveOptions {
  /** Makes the profile the current one when it is the first. */
  readonly makeCurrentIfFirst?: boolean;
  /** Replaces a profile of the same name, instead of a ConflictError. */
  readonly replace?: boolean;
  readonly unlocked?: () => void;
}

/** Says that the profiles can't be locked, for `unlocked` of a change. */
export const sayingUnlocked = (io: Io, flags: Pick<GlobalFlags, 'quiet'>) => (): void =>
  void notice(io, flags, "The folder of the profiles can't be locked: change profiles in one terminal at a time.", 'warning');

/**
 * Adds a profile. Tells whether the profile is now the current profile. Throws UsageError for an invalid name, ConflictError for a taken
 * one.
 */
export async function saveProfile(
  configDir: string,
  name: string,
  profile: Profile,
  options: SaveOptions = {},
): Promise<{ current: boolean }> {
  checkProfileName(name);
  return changeDocument(
    configDir,
    (document) => {
      refuseTaken(Object.keys(document.profiles), name, options.replace);
      if (options.makeCurrentIfFirst === true && Object.keys(document.profiles).length === 0) document.current = name;
      document.profiles[name] = { ...profile };
      return { current: document.current === name };
    },
    options.unlocked,
  );
}

/**
 * Replaces the profile that was read before. Members that this version doesn't know stay. Tells whether the profile is the current profile.
 * Throws NotFoundError, and ConflictError when the profile changed since the read.
 */
export async function changeProfile(
  configDir: string,
  before: NamedProfile,
  profile: Profile,
  unlocked?: () => void,
): Promise<{ current: boolean }> {
  const { name } = before;
  return changeDocument(
    configDir,
    (document) => {
      if (!isDeepStrictEqual(requireEntry(document, name), before)) {
        throw new ConflictError(`Profile "${name}" was changed in the meantime.`, {
          hint: `Look at it and try again: crm profile show ${name}`,
        });
      }
      const { key: _key, keyCommand: _command, me: _me, columns: _columns, readOnly: _readOnly, ...rest } = { ...document.profiles[name] };
      document.profiles[name] = { ...rest, ...profile };
      return { current: document.current === name };
    },
    unlocked,
  );
}

/** Throws ConflictError for a name in use, unless `mayBe`, and for a name that differs from a name in use in case alone. */
export function refuseTaken(names: Iterable<string>, name: string, mayBe = false): void {
  const alike = [...names].filter((one) => one.toLowerCase() === name.toLowerCase());
  const taken = alike.find((one) => one === name) ?? alike[0];
  if (taken === undefined || (mayBe && taken === name)) return;
  const other = taken === name ? '' : ` Names that differ in case alone share files on Windows and macOS, so "${name}" is refused.`;
  throw new ConflictError(`There is a profile "${taken}" already.${other}`, {
    code: 'name_taken',
    hint: `Change it: crm profile set ${taken} …, or remove it first: crm profile remove ${taken}`,
  });
}

/** Makes a profile the current one. Throws NotFoundError. */
export async function useProfile(configDir: string, name: string, unlocked?: () => void): Promise<NamedProfile> {
  requireProfile(await readProfiles(configDir), name);
  return changeDocument(
    configDir,
    (document) => {
      const found = requireEntry(document, name);
      document.current = name;
      return found;
    },
    unlocked,
  );
}

/**
 * Removes a profile. Tells whether the profile was the current profile (then no profile is current), and how many profiles are left. Throws
 * NotFoundError.
 */
export async function removeProfile(
  configDir: string,
  name: string,
  unlocked?: () => void,
): Promise<{ wasCurrent: boolean; left: number }> {
  requireProfile(await readProfiles(configDir), name);
  return changeDocument(
    configDir,
    (document) => {
      requireEntry(document, name);
      const wasCurrent = document.current === name;
      delete document.profiles[name];
      if (wasCurrent) delete document.current;
      return { wasCurrent, left: Object.keys(document.profiles).length };
    },
    unlocked,
  );
}

function requireEntry(document: ProfilesDocument, name: string): NamedProfile {
  const entries = Object.entries(document.profiles).map(([key, entry]) => [key, profileFromEntry(entry)] as const);
  return requireProfile({ profiles: new Map(entries) }, name);
}

function profileFromEntry(entry: ProfilesDocument['profiles'][string]): Profile {
  return {
    baseUrl: entry.baseUrl,
    ...(entry.key === undefined ? {} : { key: entry.key }),
    ...(entry.keyCommand === undefined ? {} : { keyCommand: entry.keyCommand }),
    encoding: entry.encoding ?? 'form',
    insecureHttp: entry.insecureHttp ?? false,
    protected: entry.protected ?? false,
    ...(entry.readOnly ? { readOnly: true } : {}),
    ...(entry.me === undefined ? {} : { me: entry.me }),
    ...(entry.columns === undefined ? {} : { columns: entry.columns }),
  };
}

async function readProfilesDocument(configDir: string): Promise<ProfilesDocument | undefined> {
  const path = profilesPath(configDir);
  const bytes = readBytes(configDir);
  if (bytes === undefined) return undefined;
  const value = jsonIn(bytes);
  if (isProfilesDocument(value)) return value;
  if (isMembers(value) && Number.isInteger(value.version) && Number(value.version) > format)
    throw new UnauthorizedError(writtenByNewer(path, Number(value.version), format));
  const { brokenProfiles } = await import('./document.ts');
  throw brokenProfiles(value, path);
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Checks the shape of `document.ts` by hand: every command reads the file, and to load zod takes longer. */
function isProfilesDocument(value: unknown): value is ProfilesDocument {
  if (!isMembers(value) || value.version !== format || !isMembers(value.profiles)) return false;
  return isOptional(value.current, 'string') && Object.values(value.profiles).every(isEntry);
}

function isEntry(value: unknown): boolean {
  if (!isMembers(value) || typeof value.baseUrl !== 'string') return false;
  const { key, keyCommand, encoding, insecureHttp, me, columns } = value;
  const isList = (one: unknown): boolean => Array.isArray(one) && one.every((name) => typeof name === 'string');
  return (
    [key, keyCommand, me].every((text) => isOptional(text, 'string')) &&
    [insecureHttp, value.protected, value.readOnly].every((flag) => isOptional(flag, 'boolean')) &&
    (columns === undefined || (isMembers(columns) && Object.values(columns).every(isList))) &&
    (encoding === undefined || encodings.some((one) => one === encoding)) &&
    (key === undefined || keyCommand === undefined)
  );
}

const isOptional = (value: unknown, type: 'string' | 'boolean'): boolean => value === undefined || typeof value === type;

const longestFile = 1024 * 1024;

/** Throws when other users could have written the file, because its key commands are run. */
function readBytes(configDir: string): Uint8Array | undefined {
  const path = profilesPath(configDir);
  try {
    const file = openToRead(path);
    const facts = fstatSync(file);
    const problem = facts.isFile() ? (ownProblem(facts, path) ?? ownProblem(statSync(configDir), configDir)) : notAFile(path);
    if (problem !== undefined) {
      closeSync(file);
      throw problem;
    }
    const bytes = bytesOfFile(file, longestFile);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    if (error instanceof UnauthorizedError) throw error;
    if (systemCode(error) === 'ENOENT') return undefined;
    const hint =
      systemCode(error) === 'ENOTDIR'
        ? 'A folder of its path is a file. Set CRM_CONFIG_DIR to a folder that you can write to.'
        : `Make ${path} a file that you can read and write.`;
    throw fileError(`The profiles in ${path} can't be read`, error, hint);
  }
  throw new UnauthorizedError(`${path} is longer than ${longestFile / 1024 / 1024} MiB, so it is no file of profiles.`, {
    hint: `Move ${path} away and add the profiles again.`,
  });
}

const notAFile = (path: string): UnauthorizedError =>
  new UnauthorizedError(`${path} is not a file.`, { hint: `Move ${path} away, or set CRM_CONFIG_DIR to another folder.` });

function ownProblem(facts: Stats, path: string): UnauthorizedError | undefined {
  const problem = foreign(facts, path);
  if (problem === undefined) return undefined;
  return new UnauthorizedError(`${problem.found}, so its settings are not used.`, {
    hint: `${problem.advice}, or set CRM_CONFIG_DIR to a folder of your own.`,
  });
}

/** When `change` throws, the file stays as it is. */
async function changeDocument<T>(configDir: string, change: (document: ProfilesDocument) => T, unlocked = (): void => {}): Promise<T> {
  await makeConfigFolder(configDir);
  const release = await lockFolder(configDir, unlocked);
  try {
    const document = (await readProfilesDocument(configDir)) ?? { version: format, profiles: {} };
    const result = change(document);
    await writeDocument(configDir, document);
    return result;
  } finally {
    release();
  }
}

async function makeConfigFolder(configDir: string): Promise<void> {
  try {
    if (makeFolder(configDir)) chmodSync(configDir, 0o700);
    accessSync(configDir, constants.W_OK);
  } catch (error) {
    throw saveFailure(configDir, error);
  }
  const problem = ownProblem(statSync(configDir), configDir);
  if (problem !== undefined) throw problem;
}

/** Milliseconds after which a change gives up: the holder of the lock may be suspended. */
const longestWait = 20_000;
/** Milliseconds between two tries. */
const betweenTries = 20;

/** The lock's file stays: a file that is removed could be held twice. */
async function lockFolder(configDir: string, unlocked: () => void): Promise<() => void> {
  const file = join(configDir, 'config.lock');
  try {
    makeOwnFile(file);
  } catch (error) {
    throw saveFailure(configDir, error);
  }
  for (const began = systemClock.steady(); systemClock.steady() - began < longestWait; await sleep(systemClock, betweenTries)) {
    const lock = lockOn(file);
    if (lock === undefined) unlocked();
    if (lock !== 'held') return () => lock?.close();
  }
  throw new ConflictError('Another crm is changing the profiles.', { hint: 'Try again.' });
}

/** Writes the document: conf writes a temporary file (0600) and renames it. Loaded late, because conf adds signal handlers. */
async function writeDocument(configDir: string, document: ProfilesDocument): Promise<void> {
  const path = profilesPath(configDir);
  try {
    // Inside a snap (an editor's terminal, say) conf writes into the existing file, which is made private first.
    if (existsSync(path)) chmodSync(path, 0o600);
    const { default: Conf } = await import('conf');
    const conf = new Conf<Record<string, unknown>>({
      projectName: 'crm',
      cwd: configDir,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    conf.store = document;
  } catch (error) {
    throw saveFailure(configDir, error);
  }
}

function saveFailure(configDir: string, error: unknown): CrmError {
  const disk = diskError(`The profiles in ${configDir} can't be saved`, error);
  if (disk !== undefined) return disk;
  const hint = `Make ${configDir} a folder that you can write to, or set CRM_CONFIG_DIR to another one.`;
  return fileError(`The profiles in ${configDir} can't be saved`, error, hint);
}

function fileError(message: string, cause: unknown, hint: string): UnauthorizedError {
  const why = systemCode(cause) === undefined ? '' : ` (${systemReason(cause)})`;
  return new UnauthorizedError(`${message}${why}.`, { hint, cause });
}
