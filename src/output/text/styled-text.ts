// Draws a member of a record on a terminal: its text and colours. Lists, records and reports all use these functions, so that a status or
// a date looks the same everywhere.

import { scalarText } from '../../base/values/json.ts';
import { isMembers } from '../../base/values/paths.ts';
import { ageOf } from '../../base/values/time/age.ts';
import { dayHeld } from '../../base/values/time/days.ts';
import { type Member, memberNamed } from '../../model/members.ts';
import { cellValue } from '../../model/records/columns.ts';
import { displayText, terminalText } from '../../model/records/display.ts';
import { standingWord } from '../../model/records/standing.ts';
import type { Shape } from '../result.ts';
import type { Symbols } from '../streams/symbols.ts';
import type { Paint, Theme } from '../streams/theme.ts';
import type { TextMeasure } from './text-width.ts';

/** A text in parts. Each part is safe on one line; a part without colour has no paint. */
export type StyledText = readonly StyledPart[];
export interface StyledPart {
  readonly text: string;
  readonly paint?: Paint;
}

/** `now`: the time that ages are counted from. */
export interface StyleOptions {
  readonly shape: Shape;
  readonly theme: Theme;
  readonly symbols: Symbols;
  readonly now: Date;
  /** Dates show only their age: `11 days ago`. */
  readonly agesOnly?: boolean;
}

/** True if a path is declared as a day or a time stamp. */
export const isDated = (path: string, shape: Shape): boolean => isDate(memberNamed(shape, path));

const isDate = (member: Member | undefined): boolean => member?.kind === 'value' && member.type?.kind === 'date';

/** Returns the function that draws the member at a path: `2026-11-10, 11 days ago`, `● Negotiation`, `Maya Lindqvist (2)`. */
export function styledMember(path: string, options: StyleOptions): (record: unknown) => StyledText {
  const { shape, theme, now } = options;
  const member = memberNamed(shape, path);
  const meanings = shape.meanings?.[path];
  if (path === 'id') return (record) => [{ text: displayText(cellValue(record, path)), paint: theme.key }];
  if (isDate(member)) return (record) => styledDate(cellValue(record, path), now, options);
  if (meanings !== undefined) {
    return (record) => {
      const text = displayText(cellValue(record, path));
      const meaning = Object.hasOwn(meanings, text) ? meanings[text] : undefined;
      return [meaning === undefined ? { text } : { text, paint: theme.meaning[meaning] }];
    };
  }
  if (member?.kind === 'relation') return (record) => styledRelation(cellValue(record, path), member.name.slice(path.length + 1), options);
  // The colour beside a title (interface: Lead, status).
  const color = path.replace(/\.title$/, '.color');
  const isColored = color !== path && shape.record.includes(color);
  return (record) => {
    const text = terminalText(cellValue(record, path));
    const swatch = !isColored || text === '' ? undefined : theme.swatch(scalarText(cellValue(record, color)));
    return swatch === undefined ? [{ text }] : [{ text: `${options.symbols.dot} `, paint: swatch }, { text }];
  };
}

/**
 * The standing of a record: `converted`, `active`. Empty if the family declares no standing, or if the record matches none of its
 * conditions.
 */
export function styledStanding(record: unknown, { shape: { standing }, theme }: Pick<StyleOptions, 'shape' | 'theme'>): StyledText {
  const found = standing === undefined ? undefined : standingWord(standing, record);
  if (found === undefined) return [];
  const { word, shown = word, meaning } = found;
  return [meaning === undefined ? { text: shown } : { text: shown, paint: theme.meaning[meaning] }];
}

/** A relation to one or several records: `● Negotiation (5)`, `Tom Okafor (3), Priya Raman (4)`. `name`: the member with the name. */
function styledRelation(value: unknown, name: string, { theme, symbols }: StyleOptions): StyledText {
  const texts = (Array.isArray(value) ? value : [value]).map((one): StyledText => {
    if (!isMembers(one)) return [{ text: displayText(one) }];
    const [text, id] = [displayText(one[name]), displayText(one.id)];
    if (text === '' || id === '') return [{ text: text || id }];
    const swatch = theme.swatch(scalarText(one.color));
    return [
      ...(swatch === undefined ? [] : [{ text: `${symbols.dot} `, paint: swatch }]),
      { text },
      { text: ` (${id})`, paint: theme.aside },
    ];
  });
  return texts.filter((styled) => unstyled(styled) !== '').flatMap((styled, index) => (index === 0 ? styled : [{ text: ', ' }, ...styled]));
}

/** A time stamp shows the day in this machine's time zone. */
function styledDate(value: unknown, now: Date, { theme, agesOnly }: StyleOptions): StyledText {
  const text = displayText(value);
  const age = ageOf(text, now);
  if (age === undefined) return [{ text }];
  if (agesOnly) return [{ text: age }];
  return [{ text: dayHeld(text) ?? text }, { text: `, ${age}`, paint: theme.aside }];
}

/** A styled text cut to `width` columns. */
export function cutStyled(styled: StyledText, width: number, { cut }: Pick<TextMeasure, 'cut'>): StyledText {
  const whole = unstyled(styled);
  let rest = cut(whole, width);
  if (rest === whole) return styled;
  return styled.flatMap(({ text, ...part }, index) => {
    // The last part takes the ellipsis.
    const piece = index === styled.length - 1 || !rest.startsWith(text) ? rest : text;
    rest = rest.slice(piece.length);
    return piece === '' ? [] : [{ ...part, text: piece }];
  });
}

/** A styled text wrapped to lines of at most `width` columns. */
export function wrapStyled(styled: StyledText, width: number, measure: TextMeasure): StyledText[] {
  const text = unstyled(styled);
  let from = 0;
  return measure.wrap(text, width).map((line) => {
    const start = Math.max(text.indexOf(line, from), from);
    from = start + line.length;
    return sliceStyled(styled, start, from);
  });
}

/** A slice of a styled text, by indexes into its plain text. */
export function sliceStyled(styled: StyledText, start: number, end = Number.POSITIVE_INFINITY): StyledText {
  const parts: StyledPart[] = [];
  let at = 0;
  for (const part of styled) {
    const text = part.text.slice(Math.max(0, start - at), Math.max(0, end - at));
    if (text !== '') parts.push({ ...part, text });
    at += part.text.length;
  }
  return parts;
}

/** The plain text of a styled text. */
export const unstyled = (styled: StyledText): string => styled.map(({ text }) => text).join('');

/** The text with its colours. */
export const painted = (styled: StyledText): string => styled.map(({ text, paint }) => (paint === undefined ? text : paint(text))).join('');
