// The content of a record's page: heading, facts, labelled rows and sections of further records. The family's view declares the content;
// every other member with a value follows. Drawn by record-view.ts.

import { headOf, isMembers } from '../../base/values/paths.ts';
import { capitalised } from '../../base/values/text/wording.ts';
import { isLongText } from '../../model/members.ts';
import { allPaths, cellValue, isNamedValues, pathWords } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import type { Section, Shape } from '../result.ts';
import { type StyledText, type StyleOptions, styledMember, styledStanding, unstyled } from '../text/styled-text.ts';
import { isUnsaid, phraseOf, phrasePaths, shownWith } from './phrase.ts';

/** A label with lines beside it. The lines are not wrapped yet. */
export interface Labelled {
  readonly label: string;
  readonly lines: readonly StyledText[];
}

export interface RecordPage {
  readonly title: StyledText;
  /** Beside the title: `lead 33 · active`. */
  readonly corner: StyledText;
  readonly facts: readonly StyledText[];
  readonly rows: readonly Labelled[];
  readonly sections: readonly PageSection[];
}

export interface PageSection {
  readonly heading: StyledText;
  readonly entries: readonly { readonly id: StyledText; readonly lines: readonly StyledText[] }[];
  /** The line below an incomplete section. */
  readonly cut?: string;
}

/** `read` turns the HTML of a long text into lines. */
export interface PageOptions extends StyleOptions {
  readonly read: (text: string) => string;
}

/** The page of a record of a family. */
export function recordPage(record: unknown, options: PageOptions): RecordPage {
  const { shape, theme } = options;
  const { view, title } = shape;
  const titleText = title === undefined ? '' : heading(cellValue(record, title), isLongText(shape, title), options);
  return {
    title: titleText === '' ? [] : [{ text: titleText, paint: theme.title }],
    corner: cornerOf(record, options),
    facts: (view?.facts ?? []).map((phrase) => phraseOf(phrase, options)(record)).filter(isAnything),
    rows: labelledRows(record, options),
    sections: (shape.sections ?? [])
      .filter(({ name }) => isMembers(record) && Object.hasOwn(record, name))
      .map((one) => pageSectionOf(record, one, options)),
  };
}

/** The long texts of a record and of its sections, which may hold HTML. */
export function longTexts(record: unknown, shape: Shape): string[] {
  const own = shape.record.filter((path) => isLongText(shape, path)).map((path) => cellValue(record, path));
  const others = (shape.sections ?? []).flatMap((one) => recordsAt(record, one).flatMap((below) => longTexts(below, one.shape)));
  return [...own.filter((value) => typeof value === 'string'), ...others];
}

/** The lines of a member: a long text in its own lines, custom fields one a line, anything else on one line. */
export function styledMembers(path: string, record: unknown, options: PageOptions): StyledText[] {
  const value = cellValue(record, path);
  if (typeof value === 'string' && isLongText(options.shape, path)) return styledTexts(options.read(value));
  if (isNamedValues(value)) {
    return value
      .map(({ name, value: one }): StyledText => [{ text: `${safeLine(name)} `, paint: options.theme.aside }, { text: displayText(one) }])
      .filter(([, one]) => one?.text !== '');
  }
  return [styledMember(path, options)(record)];
}

const isAnything = (styled: StyledText): boolean => unstyled(styled).trim() !== '';

function heading(value: unknown, isLong: boolean, { read }: PageOptions): string {
  return displayText(isLong && typeof value === 'string' ? read(value).trim().replaceAll(/\s+/g, ' ') : value).trim();
}

/** `lead 33 · active` */
function cornerOf(record: unknown, options: PageOptions): StyledText {
  const { shape, theme, symbols } = options;
  const id = displayText(cellValue(record, 'id'));
  const state = shape.view?.state === undefined ? styledStanding(record, options) : styledMember(shape.view.state, options)(record);
  return [
    { text: shape.singular ?? 'record', paint: theme.aside },
    ...(id === '' ? [] : [{ text: ' ' }, { text: id, paint: theme.key }]),
    ...(isAnything(state) ? [{ text: ` ${symbols.between} `, paint: theme.aside }, ...state] : []),
  ];
}

function labelledRows(record: unknown, options: PageOptions): Labelled[] {
  const { shape } = options;
  const declared = (shape.view?.groups ?? []).map(([label, ...phrases]) => ({
    label,
    lines: phrases.flatMap((phrase) => styledPhrases(phrase, record, options)),
  }));
  const rows = new Map(declared.map(({ label, lines }) => [label, lines]));
  for (const { label, lines } of restOf(record, options)) rows.set(label, [...(rows.get(label) ?? []), ...lines]);
  return [...rows]
    .map(([label, lines]) => ({ label, lines: lines.filter((styled) => lines.length > 1 || isAnything(styled)) }))
    .filter(({ lines }) => lines.some(isAnything));
}

function styledPhrases(phrase: string, record: unknown, options: PageOptions): StyledText[] {
  const [only] = phrasePaths(phrase, options.shape);
  return (only === phrase ? styledMembers(only, record, options) : [phraseOf(phrase, options)(record)]).filter(
    (styled, _index, all) => all.length > 1 || isAnything(styled),
  );
}

function restOf(record: unknown, options: PageOptions): Labelled[] {
  const { shape } = options;
  const shown = shownPaths(shape);
  const paths = allPaths(shape.record, [record]).filter((path) => !shown.has(path) && !isUnsaid(record, path, shape));
  const rows: Labelled[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const head = headOf(path);
    const relation = shownWith(head, shape);
    if (relation.includes(path) && path !== head) {
      // The id and the name of a relation share a row.
      if (!seen.has(head)) rows.push({ label: labelOf(pathWords(head)), lines: [styledMember(head, options)(record)] });
      seen.add(head);
    } else rows.push(restRow(path, head, record, options));
  }
  return rows.filter(({ lines }) => lines.some(isAnything));
}

/** `Created  2026-09-02`, `Slug  6-web`; in a group `Social  linkedin kimpark`. */
function restRow(path: string, head: string, record: unknown, options: PageOptions): Labelled {
  const lines = styledMembers(path, record, options);
  if (path === head) return { label: labelOf(pathWords(path)), lines };
  const below = pathWords(path.slice(head.length + 1));
  if (head === 'dates') return { label: labelOf(below), lines };
  const named = lines
    .filter(isAnything)
    .map((styled): StyledText => [{ text: `${safeLine(below)} `, paint: options.theme.aside }, ...styled]);
  return { label: labelOf(pathWords(head)), lines: named };
}

const labelOf = (name: string): string => safeLine(capitalised(name));

function shownPaths(shape: Shape): Set<string> {
  const { view, title, sections = [], standing } = shape;
  const heading = standing === undefined ? [view?.state] : standing.words.map(({ path }) => path);
  const phrases = [...(view?.facts ?? []), ...(view?.groups ?? []).flatMap(([, ...lines]) => lines)];
  const named = ['id', title, ...heading].filter((path) => path !== undefined);
  const paths = [...named, ...phrases.flatMap((phrase) => phrasePaths(phrase, shape))].flatMap((path) => shownWith(path, shape));
  return new Set([...paths, ...sections.map(({ name }) => name)]);
}

function styledTexts(text: string): StyledText[] {
  return text
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => safeLine(line.trimEnd()))
    .filter((line, index, all) => line !== '' || all[index - 1] !== '')
    .map((line) => [{ text: line }]);
}

function recordsAt(record: unknown, { name }: Section): readonly unknown[] {
  const records = cellValue(record, name);
  return Array.isArray(records) ? records : [];
}

function pageSectionOf(record: unknown, section: Section, options: PageOptions): PageSection {
  const { theme } = options;
  const own = { ...options, shape: section.shape };
  const records = recordsAt(record, section);
  const cut = section.cut(cellValue(record, section.name));
  const phrases = section.shape.view?.entry ?? [section.shape.title ?? 'id'];
  return {
    heading: [
      { text: labelOf(section.name), paint: theme.title },
      { text: ` (${records.length === 0 ? 'none' : records.length})`, paint: theme.aside },
    ],
    entries: records.map((one) => ({
      id: styledMember('id', own)(one),
      lines: phrases.flatMap((phrase) => styledPhrases(phrase, one, own)),
    })),
    ...(cut === undefined ? {} : { cut: labelOf(cut) }),
  };
}
