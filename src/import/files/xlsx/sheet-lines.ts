// The lines between a sheet and its rows, one row a line: `workbook.ts` writes them to a file, and each pass of an import reads them.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { UsageError } from '../../../base/errors.ts';
import { isMembers } from '../../../base/values/paths.ts';
import { columnLetters } from '../../../base/values/text/spreadsheet.ts';
import { textLines } from '../json-reader.ts';
import { BadCell, type BadRow, type Header, headerNames, type RawRow, ShownNumber, textIn } from '../raw-row.ts';
import type { SheetCell, SheetRow } from './sheet.ts';

/** The row of the names as a line: `[row, names]`. Throws UsageError for a cell that can't be read. */
export function headerLine({ row, cells }: SheetRow): string {
  const names = new Array<string>(rowWidth(cells)).fill('');
  for (const { column, cell } of cells) names[column] = headerName(cell);
  return JSON.stringify([row, names]);
}

/** The number of a row's columns, up to its last cell. */
export const rowWidth = (cells: SheetRow['cells']): number => (cells.at(-1)?.column ?? -1) + 1;

/** A row as a line: `[row, cells]`, with `[n]` for n empty cells. */
export function lineOf({ row, cells }: SheetRow, width: number): string {
  const line: unknown[] = [];
  let next = 0;
  for (const { column, cell } of cells) {
    if (column > next) line.push([column - next]);
    if (isNumberCell(cell) && cell.shown === undefined && cell.amount === undefined) {
      const { number } = cell;
      // A number that would lose digits stays a text.
      line.push(String(Number(number)) === number ? Number(number) : number);
    } else line.push(cell);
    next = column + 1;
  }
  // Cells beside the header are kept, for `workbookRows` to report.
  if (next < width) line.push([width - next]);
  return JSON.stringify([row, line]);
}

const isNumberCell = (cell: SheetCell): cell is Extract<SheetCell, { readonly number: string }> =>
  typeof cell === 'object' && 'number' in cell;

function headerName(cell: SheetCell): string {
  if (typeof cell !== 'object') return String(cell);
  if ('number' in cell) return cell.shown ?? cell.number;
  throw new UsageError(`The names of the columns can't be read: ${cell.problem}`);
}

/** Cells in one chunk: a short line may be a row of many empty cells. */
const mostCellsAtOnce = 200_000;

/** The header and the rows, in chunks. The line of a row is its number in the sheet. Throws UsageError for a bad header. */
export async function* workbookRows(texts: AsyncIterable<string>): AsyncGenerator<(Header | RawRow | BadRow)[]> {
  let names: readonly string[] | undefined;
  for await (const lines of textLines(texts)) {
    let rows: (Header | RawRow | BadRow)[] = [];
    for (const text of lines) {
      if (text === '') continue;
      const [line, cells] = JSON.parse(text) as [number, unknown[]];
      if (names !== undefined) {
        // `[n]` stands for n empty cells.
        const expanded = cells.flatMap((cell) => (Array.isArray(cell) ? new Array(Number(cell[0])).fill(null) : [cell]));
        rows.push(rowFromCells(line, names, expanded));
        if (rows.length * names.length < mostCellsAtOnce) continue;
        yield rows;
        rows = [];
        // Signals arrive only between turns of the event loop.
        await nextTurn();
      } else {
        const asInFile = cells.map(String);
        names = headerNames(asInFile, line);
        rows.push({ line, header: names, asInFile });
      }
    }
    yield rows;
  }
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function rowFromCells(line: number, names: readonly string[], cells: readonly unknown[]): RawRow | BadRow {
  const beside = cells.findIndex((cell, index) => index >= names.length && cell !== null);
  const values = cells.map((cell) => {
    if (!isMembers(cell)) return cell;
    return 'number' in cell
      ? new ShownNumber(String(cell.number), textOr(cell.shown), textOr(cell.amount))
      : new BadCell(String(cell.text), String(cell.problem));
  });
  if (beside < 0) return { line, names, values };
  const problem = `something stands in ${columnLetters(beside + 1)}${line}, and the header ends before it.`;
  return { line, problem, cells: values.map(textIn) };
}
