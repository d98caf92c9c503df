// Rows written as CSV beside the file that they came from: cells that were read guarded are guarded again, and so is the rest.

import { guard, unguard } from '../../output/formats/formula-guard.ts';
import { scalarText } from '../../values/json.ts';
import { type Dialect, ownDialect } from './dialect.ts';
import { BadCell, type ImportFormat } from './raw-row.ts';

interface CsvLines {
  /** A cell as it stood in the file. */
  cell(text: string): string;
  /** A text of crm's own. */
  own(text: string): string;
  /** The line of some cells (RFC 4180). */
  line(cells: readonly string[]): string;
}

/** What csvLines needs to know. */
interface Written {
  /** Cells were read as they stand, and are written so. */
  readonly csvRaw: boolean;
  /** Cells of a workbook had no guard. */
  readonly format: ImportFormat;
  readonly dialect?: Dialect | undefined;
}

/** Lines of CSV, as text. */
export async function csvLines({ csvRaw: isRaw, format, dialect: { separator, lineBreak } = ownDialect }: Written): Promise<CsvLines> {
  const { stringify } = await import('csv-stringify/sync');
  return {
    cell: (text) => (isRaw ? text : guard(format === 'csv' ? unguard(text) : text)),
    own: (text) => (isRaw ? text : guard(text)),
    line: (cells) => stringify([[...cells]], { delimiter: separator, record_delimiter: lineBreak, quoted_match: /[\r\n]/ }),
  };
}

/** The text of what a cell holds. */
export const textIn = (value: unknown): string => (value instanceof BadCell ? value.text : scalarText(value));
