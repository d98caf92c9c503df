// Whether a run that is called like a file is that file's: two files may have the same name in different folders.

import { existsSync } from 'node:fs';
import type { Context } from '../context.ts';
import { ConflictError } from '../errors.ts';
import { notice } from '../output/streams/notice.ts';
import type { LedgerState } from './ledger.ts';

/** The seed file on the disk. */
export interface Source {
  /** Absolute. */
  readonly path: string;
  /** The run is called like the file, and not by --run or by what the file says. */
  readonly isName: boolean;
}

/** Refuses a live run that another file began. Throws ConflictError; a file that was moved is only told. */
export async function refuseOtherFile(context: Context, run: string, source: Source | undefined, state: LedgerState): Promise<void> {
  const { path } = state;
  if (!state.isLive || source?.isName !== true || path === undefined || path === source.path) return;
  if (!existsSync(path)) {
    const text = `Run "${run}" was begun from ${path}, which is no longer there: it goes on with ${source.path}.`;
    return notice(context.io, context.flags, text, 'warning');
  }
  throw new ConflictError(`Run "${run}" is that of ${path}, not of ${source.path}.`, {
    hint: 'Say which run is meant: --run NAME. Another name is a run of its own.',
  });
}
