// Draws one record. On a terminal: the record's page; with --fields, --all-fields or for data of no family, two columns with members and
// values. Values are wrapped, never cut. Off a terminal each member is one line.

import { isMembers } from '../../base/values/paths.ts';
import { allPaths, cellValue, hasPath, isBelowNull, isNamedValues } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { shownPath } from '../fields.ts';
import type { RecordWriter, WriterOptions } from '../formats/writer.ts';
import type { Shape } from '../result.ts';
import { loadTheme, type Theme } from '../streams/theme.ts';
import { textReader } from '../text/html-text.ts';
import { painted, type StyledText, sliceStyled, unstyled, wrapStyled } from '../text/styled-text.ts';
import { measureFor, type TextMeasure } from '../text/text-width.ts';
import { type Labelled, longTexts, type PageOptions, type PageSection, type RecordPage, recordPage, styledMembers } from './record-page.ts';

const gap = 2;
/** The blanks between two facts. */
const factGap = 3;
const narrowestValue = 20;
/**
 * A label stands above its value if it is longer than this and than a third of the columns. Such a label doesn't widen the column of
 * labels.
 */
const longLabel = 30;
/** The widest line, in columns: longer lines are hard to read on any terminal. */
const widestText = 100;
/** Matches the path of a file. Paths in crm's own data are not wrapped, so that they can be copied. */
const filePath = /^(\/|[A-Za-z]:\\)[^\n]+$/;

/** Writes one record: its documented members in order, then its other members; or the members of --fields. */
export async function printRecord(record: unknown, { io, flags, shape, now }: WriterOptions): Promise<void> {
  if (!io.stdout.isTTY) {
    const { aside } = await loadTheme(io.stdout.color);
    const lines = flags.fields?.flatMap((path) => linesAt(record, path, shape, 'name')) ?? recordLines(record, shape);
    return io.out(lines.map(({ member, value }) => `${aside(safeLine(member))}\t${displayText(value)}\n`).join(''));
  }
  const [theme, read] = await Promise.all([loadTheme(io.stdout.color, io.stdout.depth), textReader(longTexts(record, shape))]);
  const options: PageOptions = { shape, theme, symbols: io.symbols, now, read };
  const isPage = flags.fields === undefined && !flags.allFields && shape.singular !== undefined && hasPath(record, 'id');
  const page: RecordPage = isPage
    ? recordPage(record, options)
    : { ...noPage, rows: memberRows(record, flags.fields, flags.allFields, options) };
  const isOwn = shape.singular === undefined;
  await io.out(drawnPage(page, { columns: io.stdout.columns, measure: await measureFor(pageTexts(page)), theme, isOwn }));
}

/** Writes records below each other, each like a single record. */
export function recordsWriter(options: WriterOptions): RecordWriter {
  let isFirst = true;
  return {
    page: async (records) => {
      for (const record of records) {
        if (!isFirst) await options.io.out('\n');
        isFirst = false;
        await printRecord(record, options);
      }
    },
    end: async () => {},
  };
}

interface MemberLine {
  readonly member: string;
  readonly value: unknown;
}

/** `isAll`: also documented members that the record lacks. */
function recordLines(record: unknown, { record: documented, sections = [] }: Shape, isAll = false): MemberLine[] {
  const isSection = (path: string): boolean => sections.some(({ name }) => name === path);
  return allPaths(documented, [record])
    .filter((path) => isAll || hasPath(record, path) || isBelowNull(record, path))
    .flatMap((path) => {
      const value = cellValue(record, path);
      if (!isSection(path)) return memberLines(path, value);
      if (!Array.isArray(value) || value.length === 0) return [{ member: path, value: undefined }];
      // `notes.0.title`, counted from 0 as in jq.
      return value.flatMap((one, index) => memberLines(`${path}.${index}`, one));
    });
}

/** A relation is one member. */
function linesAt(record: unknown, path: string, shape: Shape, relations: 'name' | 'whole'): MemberLine[] {
  const shown = shownPath(path, shape, [record]);
  if (shown === path) return memberLines(path, cellValue(record, path));
  return [{ member: path, value: cellValue(record, relations === 'name' ? shown : path) }];
}

function memberLines(path: string, value: unknown): MemberLine[] {
  if (isNamedValues(value)) return value.map((element) => ({ member: `${path}.${element.name}`, value: element.value }));
  if (!isMembers(value)) return [{ member: path === '' ? 'value' : path, value }];
  const below = Object.entries(value);
  if (below.length === 0) return [{ member: path, value: undefined }];
  return below.flatMap(([name, member]) => memberLines(`${path}.${name}`, member));
}

function memberRows(record: unknown, fields: readonly string[] | undefined, isAll: boolean | undefined, options: PageOptions): Labelled[] {
  const { shape, theme } = options;
  const valueTexts = ({ member, value }: MemberLine): readonly StyledText[] => {
    const path = member === 'value' && !isMembers(record) ? '' : member;
    // A member whose own name has dots isn't found by path: its value is shown unstyled.
    const found = value === cellValue(record, path) ? styledMembers(path, record, options) : [[{ text: displayText(value).trim() }]];
    return found.some((styled) => unstyled(styled).trim() !== '') ? found : [[{ text: '-', paint: theme.aside }]];
  };
  const lines = fields?.flatMap((path) => linesAt(record, path, shape, 'whole')) ?? recordLines(record, shape, isAll);
  return lines.map((line) => ({ label: safeLine(line.member), lines: valueTexts(line) }));
}

const noPage: RecordPage = { title: [], corner: [], facts: [], rows: [], sections: [] };

/** For the measure. */
function pageTexts({ title, corner, facts, rows, sections }: RecordPage): string[] {
  const entries = sections.flatMap((one) => [one.heading, ...one.entries.flatMap(({ id, lines }) => [id, ...lines])]);
  const texts = [title, corner, ...facts, ...rows.flatMap(({ lines }) => lines), ...entries];
  return [...texts.map(unstyled), ...rows.map(({ label }) => label), ...sections.map(({ cut = '' }) => cut)];
}

interface PageStyle {
  readonly columns: number;
  readonly measure: TextMeasure;
  readonly theme: Theme;
  /** The data is crm's own, not the service's. */
  readonly isOwn: boolean;
}

function drawnPage(page: RecordPage, drawing: PageStyle): string {
  const { columns, measure, theme } = drawing;
  const width = Math.max(Math.min(columns, widestText), 1);
  const head = [...headingLines(page, width, measure), ...factLines(page.facts, width, measure)];
  const parts = [head, labelledLines(page.rows, drawing), ...page.sections.map((one) => styledSections(one, width, measure, theme))];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((styled) => `${painted(styled)}\n`).join(''))
    .join('\n');
}

const styledWidth = (styled: StyledText, measure: TextMeasure): number => measure.width(unstyled(styled));
const blanks = (count: number): StyledText => [{ text: ' '.repeat(Math.max(count, 0)) }];

function headingLines({ title, corner }: RecordPage, width: number, measure: TextMeasure): StyledText[] {
  if (corner.length === 0) return [];
  if (title.length === 0) return [corner];
  const room = width - styledWidth(title, measure) - styledWidth(corner, measure);
  return room < gap ? [...continued(title, width, measure), corner] : [[...title, ...blanks(room), ...corner]];
}

function factLines(facts: readonly StyledText[], width: number, measure: TextMeasure): StyledText[] {
  const lines: StyledText[] = [];
  for (const fact of facts) {
    const line = lines.at(-1);
    const fits = line !== undefined && styledWidth(line, measure) + factGap + styledWidth(fact, measure) <= width;
    if (fits) lines[lines.length - 1] = [...line, ...blanks(factGap), ...fact];
    else lines.push(...continued(fact, width, measure));
  }
  return lines;
}

/** Indented lines don't look like another part of the page. */
function continued(styled: StyledText, width: number, measure: TextMeasure): StyledText[] {
  const fits = styledWidth(styled, measure) <= width && !unstyled(styled).includes('↵');
  return fits ? [styled] : hung([], gap, wrapStyled(styled, width - gap, measure));
}

function labelledLines(rows: readonly Labelled[], { columns, measure, theme, isOwn }: PageStyle): StyledText[] {
  const most = Math.max(longLabel, Math.floor(columns / 3));
  const widths = rows.map(({ label }) => measure.width(label));
  const widest = widths.reduce((sum, width) => (width > most ? sum : Math.max(sum, width)), 0);
  const indent = Math.min(widest, Math.max(columns - gap - narrowestValue, 1)) + gap;
  const width = Math.min(Math.max(columns - indent, narrowestValue), widestText);
  return rows.flatMap(({ label, lines }, index) => {
    const name: StyledText = [{ text: label, paint: theme.aside }];
    const labelWidth = widths[index] ?? 0;
    const isPath = isOwn && lines.every((styled) => filePath.test(unstyled(styled)));
    const values = isPath ? lines : wrappedHtml(lines, width, measure);
    if (labelWidth > most) return [...wrapStyled(name, columns, measure), ...hung(blanks(indent), indent, values)];
    return hung([...name, ...blanks(Math.max(indent - labelWidth, gap))], indent, values);
  });
}

/** Lines with a lead in front of the first, and the others indented below it. */
function hung(lead: StyledText, indent: number, lines: readonly StyledText[]): StyledText[] {
  return lines.map((line, index) => (unstyled(line) === '' && index > 0 ? [] : [...(index === 0 ? lead : blanks(indent)), ...line]));
}

/** An element of a list continues below its text. */
function wrappedHtml(lines: readonly StyledText[], width: number, measure: TextMeasure): StyledText[] {
  return lines.flatMap((styled) => {
    const text = unstyled(styled);
    const [mark = ''] = /^ *(?:- |\d{1,4}\. )?/.exec(text) ?? [];
    if (mark.length > width / 2) return wrapStyled(styled, width, measure);
    return hung([{ text: mark }], mark.length, wrapStyled(sliceStyled(styled, mark.length), width - mark.length, measure));
  });
}

function styledSections({ heading, entries, cut }: PageSection, width: number, measure: TextMeasure, theme: Theme): StyledText[] {
  const ids = entries.map(({ id }) => styledWidth(id, measure));
  const indent = Math.max(0, ...ids) + 2 * gap;
  const lines = entries.flatMap(({ id, lines }, index) => {
    const lead: StyledText = [...blanks(indent - gap - (ids[index] ?? 0)), ...id, ...blanks(gap)];
    return hung(lead, indent, wrappedHtml(lines.length === 0 ? [[]] : lines, Math.max(width - indent, narrowestValue), measure));
  });
  const under = cut === undefined ? [] : wrapStyled([{ text: cut, paint: theme.aside }], Math.max(width - gap, narrowestValue), measure);
  return [heading, ...lines, ...under.map((line) => [...blanks(gap), ...line])];
}
