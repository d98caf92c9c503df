// The rows of a sheet out of the lines that `workbook.ts` made of it.

import { isMembers } from '../../../values/paths.ts';
import { columnLetters } from '../../../values/spreadsheet.ts';
import { textIn } from '../csv-lines.ts';
import { linesOf } from '../json-reader.ts';
import { BadCell, type BadRow, checkHeader, type Header, type RawRow } from '../raw-row.ts';

/** The header and the rows under it, some at a time; a row's line is its number in the sheet. Throws UsageError for a bad header. */
export async function* workbookRows(texts: AsyncIterable<string>): AsyncGenerator<(Header | RawRow | BadRow)[]> {
  let names: readonly string[] | undefined;
  for await (const lines of linesOf(texts)) {
    const rows: (Header | RawRow | BadRow)[] = [];
    for (const text of lines) {
      if (text === '') continue;
      const [line, cells] = JSON.parse(text) as [number, unknown[]];
      if (names !== undefined) rows.push(rowOf(line, names, cells));
      else {
        const asWritten = cells.map(String);
        names = asWritten.map((name) => name.trim());
        checkHeader(names, line);
        rows.push({ line, header: names, asWritten });
      }
    }
    yield rows;
  }
}

function rowOf(line: number, names: readonly string[], cells: readonly unknown[]): RawRow | BadRow {
  const beside = cells.findIndex((cell, index) => index >= names.length && cell !== null);
  const values = cells.map((cell) => (isMembers(cell) ? new BadCell(String(cell.text), String(cell.problem)) : cell));
  if (beside < 0) return { line, names, values };
  const problem = `something stands in ${columnLetters(beside + 1)}${line}, and the header ends before it.`;
  return { line, problem, cells: values.map(textIn) };
}
