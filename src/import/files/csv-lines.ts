// Rows written as CSV beside the file that they came from: cells that were read guarded are guarded again, and so is the rest.

import { guard, unguard } from '../../output/formats/formula-guard.ts';

export interface CsvLines {
  /** A cell as it stood in the file. */
  cell(text: string): string;
  /** A text of crm's own. */
  own(text: string): string;
  /** The line of some cells (RFC 4180). */
  line(cells: readonly string[]): string;
}

/** Lines of CSV; `isRaw`: cells were read as they stand, and are written so. */
export async function csvLines(isRaw: boolean): Promise<CsvLines> {
  const { stringify } = await import('csv-stringify/sync');
  return {
    cell: (text) => (isRaw ? text : guard(unguard(text))),
    own: (text) => (isRaw ? text : guard(text)),
    line: (cells) => stringify([[...cells]], { record_delimiter: 'windows', quoted_match: /[\r\n]/ }),
  };
}
