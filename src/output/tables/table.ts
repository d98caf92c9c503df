// Tables with one line a record. Chooses the columns, and writes tables off a terminal: tab-separated, uncut, with colour only if asked
// for (--color, FORCE_COLOR). terminal-table.ts draws tables on a terminal.

import { firstOf } from '../../base/values/text/wording.ts';
import { memberNamed } from '../../model/members.ts';
import { allPaths, cellValue, hasPath, leafPaths, pathWords } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { shownPath } from '../fields.ts';
import { columnWriter, type RecordWriter, type WriterOptions } from '../formats/writer.ts';
import type { Shape } from '../result.ts';
import { loadTheme } from '../streams/theme.ts';
import { type TableColumn, terminalTable } from './terminal-table.ts';

/** Writes a table. `sparse`: columns that are absent from all first records are left out. */
export function tableWriter(options: WriterOptions, sparse = false): RecordWriter {
  const columnsOf = (records: readonly unknown[]): TableColumn[] => tableColumns(options, records, sparse);
  return options.io.stdout.isTTY ? terminalTable(options, columnsOf) : tabSeparated(options, columnsOf);
}

/** The columns of a table. `sparse`: columns that are absent from all records are left out. */
export function tableColumns({ io, flags, shape: declared }: WriterOptions, records: readonly unknown[], sparse: boolean): TableColumn[] {
  const own = declared.columns.filter(({ terminal = io.stdout.isTTY }) => terminal === io.stdout.isTTY);
  const shape: Shape = { ...declared, columns: own };
  const words = (path: string): string => pathWords(io.stdout.isTTY ? shortName(path, shape) : path);
  if (flags.fields !== undefined) {
    return flags.fields.map((path, index) =>
      column({ path: shownPath(path, shape, records), words: words(path), priority: index }, shape, records),
    );
  }
  const importance = (path: string, index: number): number => {
    const at = own.findIndex((one) => one.path === path);
    return at < 0 ? own.length + index + 1 : (own[at]?.priority ?? at + 1);
  };
  const present = own.filter(({ path }) => !sparse || records.some((record) => hasPath(record, path)));
  const all = (): string[] => (flags.allFields ? allPaths(shape.record, records) : leafPaths(records));
  const paths = present.length > 0 && !flags.allFields ? present.map(({ path }) => path) : all();
  return paths.map((path, index) =>
    column({ path, words: words(path), priority: importance(path, index) }, shape, records, io.stdout.isTTY),
  );
}

/** The last word of a path if the word alone means the same member: `first_name` for `contact.first_name`, but no `id` for `client.id`. */
function shortName(path: string, shape: Shape): string {
  const last = path.slice(path.lastIndexOf('.') + 1);
  return memberNamed(shape, last)?.path === path ? last : path;
}

/**
 * The column for a path. `words`: its header, unless the family declares one. `drawn`: the column shows the standing or other content that
 * the family declares for a terminal.
 */
function column(
  { path, words, priority }: { readonly path: string; readonly words: string; readonly priority: number },
  shape: Shape,
  records: readonly unknown[],
  drawn = false,
): TableColumn {
  const found = shape.columns.find((one) => one.path === path);
  const isStanding = drawn && found?.standing === true && shape.standing !== undefined;
  const { drawn: own, once = false, whole = false } = drawn && found !== undefined ? found : {};
  const name = safeLine(isStanding ? (shape.standing?.name ?? path) : (own?.header ?? found?.header ?? words));
  const right = found === undefined ? isNumberColumn(path, shape) || isNumeric(path, records) : found.align === 'right';
  return {
    path,
    name,
    header: name.toUpperCase(),
    right,
    // Without a declared title: the first column that is not aligned right.
    isTitle: path === (shape.title ?? shape.columns.find(({ align }) => align !== 'right')?.path),
    isStanding,
    orElse: own?.orElse,
    once,
    isWhole: whole,
    priority,
  };
}

function isNumberColumn(path: string, shape: Shape): boolean {
  const member = memberNamed(shape, path);
  return member?.kind === 'value' && ['decimal', 'integer', 'id'].includes(member.type?.kind ?? '');
}

function isNumeric(path: string, records: readonly unknown[]): boolean {
  const values = records.map((record) => cellValue(record, path)).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number' || JSON.isRawJSON(value));
}

function tabSeparated({ io, flags, shape }: WriterOptions, columnsOf: (records: readonly unknown[]) => TableColumn[]): RecordWriter {
  return columnWriter({
    begin: async (records) => {
      const columns = columnsOf(records);
      const theme = await loadTheme(io.stdout.color);
      if (columns.length > 0) await io.out(`${columns.map(({ header }) => theme.header(header)).join('\t')}\n`);
      return columns.map(({ path }) => path);
    },
    page: async (records, paths) => {
      const theme = await loadTheme(io.stdout.color);
      const cell = (record: unknown, path: string): string => {
        const value = cellValue(record, path);
        const most = flags.fields === undefined ? shape.columns.find((one) => one.path === path)?.most : undefined;
        const text = Array.isArray(value) && most !== undefined ? firstOf(value.map(displayText), most) : displayText(value);
        return path === 'id' ? theme.key(text) : text;
      };
      await io.out(records.map((record) => `${paths.map((path) => cell(record, path)).join('\t')}\n`).join(''));
    },
  });
}
