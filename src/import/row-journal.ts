// An import's journal: which import it is the journal of, and what became of its rows. Entries change the states in
// memory the same way when they are written as when they are read back.

import { ConflictError } from '../errors.ts';
import { type Journal, journalEntries, journalHeader, openJournal } from '../runs/journal.ts';
import type { Members } from '../values/paths.ts';
import { type RowEntry, RowStates, type Tally } from './row-states.ts';

/** What makes two imports the same one. */
export interface ImportIdentity {
  /** SHA-256 of the file. */
  readonly content: string;
  /** The base URL. */
  readonly service: string;
  /** Its name, for one service may keep the data of several keys apart; null without one. */
  readonly profile: string | null;
  readonly family: string;
  readonly mode: string;
  /** What else decides what is sent: match, maps, blanks, format. */
  readonly settings: string;
}

export interface ImportHeader extends ImportIdentity {
  /** The file's absolute path, or `-`. */
  readonly file: string;
  readonly rows: number;
  /** ISO 8601. */
  readonly began: string;
  /** The command that goes on with it. */
  readonly command: string;
}

export interface RowJournal {
  readonly path: string;
  readonly states: RowStates;
  /** When an earlier run last wrote to it, in milliseconds since 1970. */
  readonly lastWrite?: number;
  /** What became of the rows; under --dry-run, what would become of those that have no outcome yet. */
  readonly tally: Tally;
  /** Notes an entry; durable once a later `flush` resolves. */
  note(entry: RowEntry): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the journal of an import, or begins it; anew when `isOver` says so of what it tells. Throws ConflictError when another process uses it, or when it is the
 * journal of something else.
 */
export async function openRowJournal(path: string, header: ImportHeader, isOver: (states: RowStates) => boolean): Promise<RowJournal> {
  const states = new RowStates(header.rows);
  let isHeader = true;
  const replay = (entry: Members): void => {
    if (isHeader) checkSame(path, entry, header);
    else states.apply(entry);
    isHeader = false;
  };
  const journal = await openJournal(path, { journal: 'import', version: 1, ...header }, replay, () => isOver(states));
  return rowJournalOn(journal, journal.isNew ? new RowStates(header.rows) : states);
}

/** The states of a run that sends nothing, and so writes no journal; they may go on from those of another. */
export function unwrittenJournal(rows: number, states = new RowStates(rows)): RowJournal {
  const own = new RowStates(rows);
  const note = (entry: RowEntry): void => {
    states.apply(entry);
    // Only what was created before has an id here.
    if (!('did' in entry && entry.did === 'created' && entry.id !== undefined)) own.apply(entry);
  };
  return {
    path: '',
    states,
    get tally() {
      return own.tally;
    },
    note,
    flush: async () => {},
    close: async () => {},
  };
}

/** The same for the journal of an import, which is left as it is. Throws ConflictError when it is that of something else. */
export async function unwrittenJournalAt(path: string, header: ImportHeader): Promise<RowJournal> {
  const before = await journalHeader(path);
  if (before !== undefined) checkSame(path, before, header);
  return unwrittenJournal(header.rows, await statesOf(path, header.rows));
}

/** What a journal tells, without opening it for writing. */
export async function statesOf(path: string, rows: number): Promise<RowStates> {
  const states = new RowStates(rows);
  for await (const entry of journalEntries(path)) states.apply(entry);
  return states;
}

function rowJournalOn(journal: Journal, states: RowStates): RowJournal {
  return {
    path: journal.path,
    states,
    ...(journal.lastWrite === undefined ? {} : { lastWrite: journal.lastWrite }),
    get tally() {
      return states.tally;
    },
    note: (entry) => {
      journal.append(entry);
      states.apply(entry);
    },
    flush: journal.flush,
    close: journal.close,
  };
}

function checkSame(path: string, entry: Members, header: ImportHeader): void {
  const differs = (name: keyof ImportIdentity): boolean => entry[name] !== header[name];
  if (entry.journal !== 'import' || entry.version !== 1) throw new ConflictError(`${path} is not the journal of an import.`);
  if (differs('service') || differs('profile') || differs('family') || differs('mode') || differs('settings')) {
    throw new ConflictError(`${path} is the journal of another import.`, {
      hint: `That one: ${[entry.family, entry.mode, `to ${entry.service}`, entry.profile && `profile ${entry.profile}`].filter(Boolean).join(', ')}.`,
    });
  }
  if (differs('content')) throw changedFile(path, header.file);
}

/** The error for a file that is no longer the one that a journal is about. */
export function changedFile(path: string, file: string): ConflictError {
  return new ConflictError(`${file} has changed since the import began: its rows can't be told from those that are done.`, {
    hint: putBack(path),
  });
}

/** What to do about a file that is no longer the one that the journal at `path` is about. */
export const putBack = (path: string): string =>
  `Its journal: ${path}. Put the file back as it was, and go on with --resume; or import what is left of it as a file of its own.`;

/** A row that failed, as its journal tells. */
export interface FailedRow {
  readonly status: string;
  readonly error: string;
}

/** Every failed row by number. */
export async function failedRows(path: string): Promise<Map<number, FailedRow>> {
  const rows = new Map<number, FailedRow>();
  for await (const { row, did, status, error } of journalEntries(path)) {
    if (did === 'failed') rows.set(Number(row), { status: status === null ? '' : String(status), error: String(error) });
  }
  return rows;
}
