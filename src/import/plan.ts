// What an import is asked to do, once its command line is understood.

import type { FileWords } from '../names/file-words.ts';
import type { Field, Resource } from '../resources/define.ts';
import type { ImportFormat } from './files/raw-row.ts';

export const importModes = ['create', 'update', 'upsert'] as const;
export type ImportMode = (typeof importModes)[number];

/** By what rows find their records: the id, or a field that reads back. */
export type MatchBy = { readonly kind: 'id' } | { readonly kind: 'field'; readonly field: Field; readonly read: string };

export interface ImportPlan {
  readonly resource: Resource;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  /** Absent in mode `create`. */
  readonly match?: MatchBy;
  /** Column name to what --map says that it is; empty: passed over. */
  readonly maps: ReadonlyMap<string, string>;
  /** Blank cells are sent empty, instead of being left out. */
  readonly clearBlanks: boolean;
  /** Cells are taken as they stand: no guard against formulas is taken off. */
  readonly csvRaw: boolean;
  /** Records that were changed since the file was written are overwritten all the same. */
  readonly overwritesNewer: boolean;
  /** Names in place of ids. */
  readonly words: FileWords;
}
