// What a member of a record is in a cell of a spreadsheet, where somebody filters and sorts by it. Pure.

import { type Documented, memberNamed } from '../resources/members.ts';
import { scalarText } from '../values/json.ts';
import { cellValue } from './columns.ts';

/** A column of a spreadsheet: what stands above it, and where records hold what stands in it. */
export interface CellColumn {
  readonly header: string;
  readonly path: string;
}

/** The columns for paths; a member that holds several other records is two: their names, and beside them their ids. */
export function cellColumns(paths: readonly string[], shape: Documented): CellColumn[] {
  return paths.flatMap((path) => {
    const member = memberNamed(shape, path);
    if (member?.kind !== 'relation' || member.path !== path || !shape.record.includes(path)) return [{ header: path, path }];
    return [{ header: path, path: member.name }, ...(paths.includes(member.id) ? [] : [{ header: member.id, path: member.id }])];
  });
}

/** The text of a cell: `Priya Raman; Tom Okafor`. */
export function cellText(record: unknown, path: string): string {
  const value = cellValue(record, path);
  if (!Array.isArray(value)) return scalarText(value);
  const isPlain = value.every((one) => (typeof one !== 'object' || JSON.isRawJSON(one)) && isOneElement(scalarText(one)));
  return isPlain ? value.map(scalarText).join('; ') : JSON.stringify(value);
}

/** Whether a text can't be taken for several, for none, or for JSON. */
const isOneElement = (text: string): boolean => text !== '' && !/[;,]/.test(text) && !text.startsWith('[') && text.trim() === text;
