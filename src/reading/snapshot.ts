// Takes a snapshot: reads one family after the other and writes each page as it arrives. After an error there is no manifest, and the
// folder is removed.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ConflictError, NotFoundError, systemReason, UsageError } from '../base/errors.ts';
import { diskError } from '../base/files/disk-failure.ts';
import { replaceOwnFile } from '../base/files/make-folder.ts';
import { pathIn } from '../base/files/path-in.ts';
import { format, type Manifest, manifestPath, recordsPath, type SnapshotFile } from '../base/files/snapshot.ts';
import { storedId } from '../base/values/parse.ts';
import { isMembers } from '../base/values/paths.ts';
import { howMany, listed } from '../base/values/text/wording.ts';
import type { Api } from '../client/client.ts';
import { everyPage } from '../client/paging.ts';
import type { ApiRequest } from '../client/types.ts';
import { pluralOf, type Resource } from '../model/define.ts';
import { idText } from '../model/records/display.ts';
import { allFamilies } from '../model/resources/index.ts';
import { leadComments, leads } from '../model/resources/leads.ts';
import { type Result, shapeless } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { Context } from '../session/context.ts';
import { favourMemory } from './list/lean-memory.ts';
import { familiesNamed, moved, wholeFamily } from './list/whole-family.ts';

const commentList = { ...leadComments.records, name: 'comments', record: [...leadComments.records.record, 'lead_id'] };

/** How many leads' comments are read at once. */
const atOnce = 4;

/** Writes a snapshot into a new folder. Throws ConflictError if the folder exists, UnavailableError if a list moved or the disk is full. */
export async function takeSnapshot(
  context: Context,
  folder: string,
  asked: {
    readonly families: string | undefined;
    readonly withComments: boolean;
    /** Makes up what a record of a list says; absent without --mask. */
    readonly mask?: (list: Resource | typeof commentList, record: unknown) => unknown;
  },
): Promise<Result> {
  const { families, withComments, mask } = asked;
  const wanted = families === undefined ? allFamilies : familiesNamed(families);
  if (withComments && !wanted.includes(leads))
    throw new UsageError('--comments reads the comments of leads, but --family leaves leads out.');
  const { baseUrl } = await context.settings();
  const dir = pathIn(context, folder);
  checkNew(dir, folder);
  const taken = context.clock.now().toISOString();
  if (context.flags.dryRun)
    return { kind: 'text', notice: `Would write ${listed(wanted.map(({ name }) => name))} of ${baseUrl} into ${folder}.` };
  favourMemory('young', 'old');
  const files: Record<string, SnapshotFile> = {};
  const api = await context.api();
  makeSnapshotFolder(dir, folder);
  try {
    const leadIds: string[] = [];
    for (const family of wanted) {
      const file = await writeFamily(dir, family.name, async (add) => {
        for await (const records of wholeFamily(context, api, family)) {
          await add(mask === undefined ? records : records.map((record) => mask(family, record)));
          if (withComments && family === leads) leadIds.push(...records.map(idText));
        }
      }).catch((error: unknown) => {
        // Some installations lack the reference families (vendor facts: reference records).
        if (!(error instanceof NotFoundError) || !family.readOnly || families !== undefined) throw error;
        rmSync(recordsPath(dir, family.name));
      });
      if (file !== undefined) files[family.name] = file;
    }
    if (withComments)
      files.comments = await writeFamily(dir, 'comments', (add) =>
        addComments(context, api, leadIds, async (records) =>
          add(mask === undefined ? records : records.map((record) => mask(commentList, record))),
        ),
      );
    const manifest: Manifest = { format, service: baseUrl, taken, ...(mask === undefined ? {} : { masked: true }), files };
    replaceOwnFile(manifestPath(dir), `${JSON.stringify(manifest, null, 2)}\n`);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw unsavedSnapshot(error, folder);
  }
  const lacking = wanted.filter(({ name }) => files[name] === undefined);
  const without = lacking.length === 0 ? '' : ` This service has no list of ${listed(lacking.map(pluralOf))}.`;
  const records = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, file.records]));
  const words = [...wanted.map((one) => [one.name, one.singular, pluralOf(one)] as const), ['comments', 'comment', 'comments'] as const];
  const counts = words.flatMap(([name, one, several]) => (name in records ? [howMany(records[name] ?? 0, one, several)] : []));
  const sentence = `${folder} holds ${listed(counts)}.${without} A snapshot is no backup: nothing can restore it into the service.${mask === undefined ? '' : ` ${madeUp}`}`;
  const data = { folder: dir, service: baseUrl, taken, records };
  return { kind: 'rows', data, shape: shapeless, notice: sentence, drawn: { sentence } };
}

const madeUp = 'Its texts are made up, not anonymous: rare values, dates and amounts can still tell who it was.';

function checkNew(dir: string, folder: string): void {
  if (!existsSync(dir)) return;
  const isWhole = existsSync(manifestPath(dir));
  const what = isWhole ? 'holds a snapshot already' : 'exists already, and is not a complete snapshot: it has no manifest.json';
  throw new ConflictError(`${folder} ${what}.`, {
    hint: isWhole ? 'Give a new folder.' : 'Give a new folder. If an interrupted snapshot left this folder, remove the folder.',
  });
}

function makeSnapshotFolder(dir: string, folder: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process may have made the folder since the check.
    checkNew(dir, folder);
    const full = unsavedSnapshot(error, folder);
    throw full === error ? new UsageError(`The folder ${folder} can't be made (${systemReason(error)}).`, { cause: error }) : full;
  }
}

/** Adds records to a file. */
type Add = (records: readonly unknown[]) => Promise<void>;

/** Writes a file (mode 0600), flushed to the disk. Returns its entry in the manifest. */
async function writeFamily(dir: string, name: string, work: (add: Add) => Promise<void>): Promise<SnapshotFile> {
  const file: FileHandle = await open(recordsPath(dir, name), 'wx', 0o600);
  const hash = createHash('sha256');
  let count = 0;
  try {
    await work(async (records) => {
      const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      hash.update(bytes);
      count += records.length;
      await file.writeFile(bytes);
    });
    await file.sync();
  } finally {
    await file.close();
  }
  return { records: count, sha256: hash.digest('hex') };
}

/** Adds the comments of leads, each with the id of its lead. Estimates from the first reads how long all reads will take. */
async function addComments(context: Context, api: Api, ids: readonly string[], add: Add): Promise<void> {
  const { clock, io, flags } = context;
  const commentsOf = async (id: string): Promise<unknown[]> => {
    const request: ApiRequest = { method: 'GET', path: `${leads.path}/${id}/${leadComments.path}` };
    const pages = await Array.fromAsync(everyPage(api, request)).catch((error: unknown) => {
      throw error instanceof NotFoundError ? moved(leads) : error;
    });
    return pages
      .flatMap(({ data }) => data as unknown[])
      .map((record) => (isMembers(record) ? { ...record, lead_id: storedId(id) } : record));
  };
  let done = 0;
  const end = api.begin((elapsed) => ({ text: `Reading comments: lead ${done} of ${ids.length}`, tail: elapsed }));
  try {
    const since = clock.steady();
    for (let at = 0; at < ids.length; at += atOnce) {
      await add((await Promise.all(ids.slice(at, at + atOnce).map(commentsOf))).flat());
      done = Math.min(at + atOnce, ids.length);
      if (at > 0) continue;
      const seconds = Math.ceil(((clock.steady() - since) / 1000 / done) * ids.length);
      const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
      void notice(io, flags, `Comments take ${howMany(ids.length, 'request')}, one for each lead: about ${time}.`);
    }
  } finally {
    end();
  }
}

/** The error for a full disk, naming the folder. Any other error stays. */
function unsavedSnapshot(error: unknown, folder: string): unknown {
  return diskError(`${folder} could not be written, and nothing of it is left`, error) ?? error;
}
