// Rows written as CSV beside the file that they came from: cells that were read guarded are guarded again, and so is the rest.

import { guard, unguard } from '../../output/formats/formula-guard.ts';
import type { ImportPlan } from '../plan.ts';
import { ownDialect } from './dialect.ts';

/** Lines of CSV, as text. */
export async function csvLines({ csvRaw, format, dialect: { separator } = ownDialect }: Pick<ImportPlan, 'csvRaw' | 'format' | 'dialect'>) {
  const { stringify } = await import('csv-stringify/sync');
  return {
    /** A cell as it stood in the file: those of a workbook had no guard. */
    cell: (text: string): string => (csvRaw ? text : guard(format === 'csv' ? unguard(text) : text)),
    /** A text of crm's own. */
    own: (text: string): string => (csvRaw ? text : guard(text)),
    /** The line of some cells (RFC 4180). */
    line: (cells: readonly string[]): string =>
      stringify([[...cells]], { delimiter: separator, record_delimiter: '\r\n', quoted_match: /[\r\n]/ }),
  };
}
