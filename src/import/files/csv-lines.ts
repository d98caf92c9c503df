// Writes rows as CSV in the dialect of their file. Cells get the formula guard that reading took off.

import { guard, unguard } from '../../output/formats/formula-guard.ts';
import type { ImportPlan } from '../plan.ts';
import { ownDialect } from './dialect.ts';

/** The functions that make cells and lines. */
export async function csvLines({ csvRaw, format, dialect: { separator } = ownDialect }: Pick<ImportPlan, 'csvRaw' | 'format' | 'dialect'>) {
  const { stringify } = await import('csv-stringify/sync');
  return {
    /** A cell from the file. Cells of a workbook have no guard to take off first. */
    cell: (text: string): string => (csvRaw ? text : guard(format === 'csv' ? unguard(text) : text)),
    /** A text of crm's own. */
    own: (text: string): string => (csvRaw ? text : guard(text)),
    /** A line of cells (RFC 4180). */
    line: (cells: readonly string[]): string =>
      stringify([[...cells]], { delimiter: separator, record_delimiter: '\r\n', quoted_match: /[\r\n]/ }),
  };
}
