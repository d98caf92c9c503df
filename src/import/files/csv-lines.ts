// Rows written as CSV beside the file that they came from: cells that were read guarded are guarded again, and so is the rest.

import { guard, unguard } from '../../output/formats/formula-guard.ts';
import { scalarText } from '../../values/json.ts';
import { BadCell, type ImportFormat } from './raw-row.ts';

interface CsvLines {
  /** A cell as it stood in the file. */
  cell(text: string): string;
  /** A text of crm's own. */
  own(text: string): string;
  /** The line of some cells (RFC 4180). */
  line(cells: readonly string[]): string;
}

/** Lines of CSV. `csvRaw`: cells were read as they stand, and are written so; those of a workbook had no guard. */
export async function csvLines({ csvRaw: isRaw, format }: { readonly csvRaw: boolean; readonly format: ImportFormat }): Promise<CsvLines> {
  const { stringify } = await import('csv-stringify/sync');
  return {
    cell: (text) => (isRaw ? text : guard(format === 'csv' ? unguard(text) : text)),
    own: (text) => (isRaw ? text : guard(text)),
    line: (cells) => stringify([[...cells]], { record_delimiter: 'windows', quoted_match: /[\r\n]/ }),
  };
}

/** The text of what a cell holds. */
export const textIn = (value: unknown): string => (value instanceof BadCell ? value.text : scalarText(value));
