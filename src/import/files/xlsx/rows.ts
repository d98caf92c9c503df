// Reads the rows of a sheet from the lines that `workbook.ts` wrote.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isMembers } from '../../../base/values/paths.ts';
import { columnLetters } from '../../../base/values/text/spreadsheet.ts';
import { textLines } from '../json-reader.ts';
import { BadCell, type BadRow, type Header, headerNames, type RawRow, ShownNumber, textIn } from '../raw-row.ts';

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
