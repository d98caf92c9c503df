// The layout of a table that flags or a mapping give: its separator, and the line of its header.

import { invalidValue, UsageError } from '../../base/errors.ts';
import { parseCount } from '../../base/values/parse.ts';
import { howMany } from '../../base/values/text/wording.ts';
import type { ImportFlags } from '../../changes/flags.ts';
import { notice } from '../../output/streams/notice.ts';
import { progress } from '../../output/streams/progress.ts';
import type { Context } from '../../session/context.ts';
import type { Dialect } from './dialect.ts';
import { hasHeader, type ImportFormat, type Layout } from './raw-row.ts';
import { replaced, type Source } from './source.ts';

/** The separators that have names in flags and mappings. */
export const separatorNames = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/** The layout that flags or a mapping give; `lead` comes before their names in messages. Throws InvalidValues. */
export function layoutOf(
  { separator, 'header-line': line }: { readonly separator?: unknown; readonly 'header-line'?: unknown },
  lead = '--',
): Layout {
  return {
    ...(typeof separator === 'string' && separator !== '' ? { separator: separatorMeant(separator, `${lead}separator`) } : {}),
    ...(typeof line === 'string' && line !== '' ? { headerLine: parseCount(line, `${lead}header-line`) } : {}),
  };
}

function separatorMeant(word: string, where: string): string {
  const named = Object.entries(separatorNames).find(([name]) => name === word.toLowerCase())?.[1];
  if (named !== undefined || (word.length === 1 && !/["\r\n]/.test(word))) return named ?? word;
  throw invalidValue(where, `"${word}" is not comma, semicolon, tab, pipe or one character.`);
}

/**
 * The source; for a workbook, a source of the sheet's rows; for a table whose quotes are letters, the same table with quoting. `layout`: of flags and mapping. Throws UsageError, also for a flag of tables
 * beside a file that has no table: the values of a mapping may be for other files.
 */
export async function withRows(
  context: Context,
  source: Source,
  {
    format,
    layout,
    dialect,
    flags,
  }: {
    readonly format: ImportFormat;
    readonly layout: Layout;
    readonly dialect: Dialect;
    readonly flags: Pick<ImportFlags, 'sheet' | 'separator' | 'header-line'>;
  },
): Promise<Source> {
  const { name } = source;
  const { headerLine, separator } = layoutOf(flags);
  if (separator !== undefined && format !== 'csv') throw new UsageError(`--separator is for CSV, and ${name} is read as ${format}.`);
  if (headerLine !== undefined && !hasHeader(format))
    throw new UsageError(`--header-line is for CSV and .xlsx, and ${name} is read as ${format}.`);
  const { sheet } = flags;
  if (format === 'xlsx') {
    const { unpackedWorkbook } = await import('./xlsx/workbook.ts');
    const tellHidden = (rows: number): void =>
      void notice(
        context.io,
        context.flags,
        `${howMany(rows, 'row of the sheet is hidden or filtered, and is', 'rows of the sheet are hidden or filtered, and are')} read, too.`,
      );
    const unpacked = unpackedWorkbook(source, sheet, context.signal, { headerRow: layout.headerLine, tellHidden });
    return progress(context.io, context.flags).during(`Reading ${name}`, unpacked);
  }
  if (sheet !== undefined) throw new UsageError(`--sheet is for .xlsx files, and ${name} is read as ${format}.`);
  if (format !== 'csv' || dialect.separator !== '\t') return source;
  const texts = await (await import('./unquoted.ts')).quotedAnew(source, layout);
  if (texts === undefined) return source;
  await notice(context.io, context.flags, `The quotes in ${name} are read as letters: read as quoting, they would break its rows.`);
  return replaced(source, texts);
}
