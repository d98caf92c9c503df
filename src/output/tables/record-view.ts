// One record as two columns, member and value. Nothing is cut: on a terminal long values continue on the next
// line, elsewhere each member is one line.

import { isMembers } from '../../values/paths.ts';
import { allPaths, cellValue, hasPath, isBelowNull, isNamedValues } from '../columns.ts';
import { displayText } from '../display.ts';
import { shownPath } from '../fields.ts';
import type { WriterOptions } from '../formats/writer.ts';
import type { Shape } from '../result.ts';
import { safeLine } from '../streams/safe-text.ts';
import { loadTheme, pipedTheme, type Theme } from '../streams/theme.ts';
import { measureFor, type TextMeasure } from './text-width.ts';

interface Line {
  readonly member: string;
  readonly value: string;
}

const gap = 2;
const narrowestValue = 20;
/** Longer lines are hard to read, however wide the terminal is. */
const widestValue = 100;
/** The path of a file must stay copyable: only the terminal itself may break it. */
const filePath = /^(\/|[A-Za-z]:\\)[^\n]+$/;

/** Writes one record: the documented members that it has in their order, then the others; or the ones of --fields. */
export async function writeRecord(record: unknown, { io, flags, shape }: WriterOptions): Promise<void> {
  const lines = flags.fields === undefined ? recordLines(record, shape.record) : fieldLines(record, flags.fields, shape);
  if (lines.length === 0) return;
  if (!io.stdout.isTTY) {
    const { aside } = await pipedTheme(flags);
    return io.out(lines.map(({ member, value }) => `${aside(member)}\t${value}\n`).join(''));
  }
  const measure = await measureFor(lines.flatMap(({ member, value }) => [member, value]));
  await io.out(twoColumns(lines, io.stdout.columns, measure, await loadTheme(io.stdout.color)));
}

function recordLines(record: unknown, documented: readonly string[]): Line[] {
  return allPaths(documented, [record])
    .filter((path) => hasPath(record, path) || isBelowNull(record, path))
    .flatMap((path) => memberLines(path, cellValue(record, path)));
}

function fieldLines(record: unknown, fields: readonly string[], shape: Shape): Line[] {
  return fields.flatMap((path) => {
    const shown = shownPath(path, shape, [record]);
    return shown === path ? memberLines(path, cellValue(record, path)) : [line(path, cellValue(record, shown))];
  });
}

function memberLines(path: string, value: unknown): Line[] {
  if (isNamedValues(value)) return value.map((element) => line(`${path}.${element.name}`, element.value));
  if (!isMembers(value)) return [line(path, value)];
  const below = Object.entries(value);
  return below.length === 0 ? [line(path, undefined)] : below.flatMap(([name, member]) => memberLines(`${path}.${name}`, member));
}

function line(path: string, value: unknown): Line {
  return { member: safeLine(path === '' ? 'value' : path), value: displayText(value) };
}

function twoColumns(lines: readonly Line[], columns: number, measure: TextMeasure, theme: Theme): string {
  const widest = Math.max(...lines.map(({ member }) => measure.width(member)));
  const indent = Math.min(widest, Math.max(columns - gap - narrowestValue, 1)) + gap;
  const width = Math.min(Math.max(columns - indent, narrowestValue), widestValue);
  return lines
    .map(({ member, value }) => {
      const lead = theme.aside(member) + ' '.repeat(Math.max(indent - measure.width(member), gap));
      if (value.trim() === '') return `${lead}${theme.aside('-')}\n`;
      if (filePath.test(value)) return `${lead}${value}\n`;
      return `${lead}${measure.wrap(value.trim(), width).join(`\n${' '.repeat(indent)}`)}\n`;
    })
    .join('');
}
