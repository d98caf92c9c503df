// Members of records as cells of a spreadsheet, for filtering and sorting there. Pure.

import { scalarText } from '../../base/values/json.ts';
import { type Documented, memberNamed } from '../members.ts';
import { cellValue } from './columns.ts';

/** A column of a spreadsheet: its header, and the path of its values in records. */
export interface CellColumn {
  readonly header: string;
  readonly path: string;
}

/** The columns for paths. A member with other records becomes two columns: their names, then their ids. */
export function cellColumns(paths: readonly string[], shape: Documented): CellColumn[] {
  return paths.flatMap((path) => {
    const member = memberNamed(shape, path);
    if (member?.kind !== 'relation' || member.path !== path || !shape.record.includes(path)) return [{ header: path, path }];
    return [{ header: path, path: member.name }, ...(paths.includes(member.id) ? [] : [{ header: member.id, path: member.id }])];
  });
}

/** The text of the cell of a record. */
export const cellText = (record: unknown, path: string): string => textOfCell(cellValue(record, path));

/** The text of a cell with a value: `Priya Raman; Tom Okafor`. */
export function textOfCell(value: unknown): string {
  if (!Array.isArray(value)) return scalarText(value);
  const isPlain = value.every((one) => (typeof one !== 'object' || JSON.isRawJSON(one)) && isOneElement(scalarText(one)));
  return isPlain ? value.map(scalarText).join('; ') : JSON.stringify(value);
}

/** Other cells are read back as several elements, as none, or as JSON. */
const isOneElement = (text: string): boolean =>
  text !== '' && !/[;,|\r\n]| ::: /.test(text) && !/^[[{"]/.test(text) && text.trim() === text;
