// How a member of a record looks on a terminal: its text, and the colour that it means. Lists, records and reports go by it, so that a
// status or a date looks the same everywhere. Off a terminal nothing of this applies.

import { cellValue } from '../../records/columns.ts';
import { displayText, terminalText } from '../../records/display.ts';
import { standingOf } from '../../records/standing.ts';
import { type Member, memberNamed } from '../../resources/members.ts';
import { scalarText } from '../../values/json.ts';
import { isMembers } from '../../values/paths.ts';
import { ageOf } from '../../values/time/age.ts';
import { dayHeld } from '../../values/time/days.ts';
import type { Shape } from '../result.ts';
import type { Symbols } from '../streams/symbols.ts';
import type { Paint, Theme } from '../streams/theme.ts';
import type { TextMeasure } from './text-width.ts';

/** A text as it is drawn: parts behind one another, each safe on one line, the uncoloured ones without a paint. */
export type StyledText = readonly StyledPart[];
export interface StyledPart {
  readonly text: string;
  readonly paint?: Paint;
}

/** What styled texts go by: `now` for ages, and what the terminal can show. */
export interface StyleOptions {
  readonly shape: Shape;
  readonly theme: Theme;
  readonly symbols: Symbols;
  readonly now: Date;
  /** Of dates the age alone: `11 days ago`. */
  readonly agesOnly?: boolean;
}

/** Whether the members at a path are days or time stamps. */
export const isDated = (path: string, shape: Shape): boolean => isDate(memberNamed(shape, path));

const isDate = (member: Member | undefined): boolean => member?.kind === 'value' && member.type?.kind === 'date';

/**
 * How the members at a path look: `2026-11-10, 11 days ago`, `● Negotiation`, of a relation the name and the id, `Maya Lindqvist (2)`. Made
 * once for a path, called for each record.
 */
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
  const color = swatchPath(path, shape);
  return (record) => {
    const text = terminalText(cellValue(record, path));
    const swatch = color === undefined || text === '' ? undefined : theme.swatch(scalarText(cellValue(record, color)));
    return swatch === undefined ? [{ text }] : [{ text: `${options.symbols.dot} `, paint: swatch }, { text }];
  };
}

/** What a record is for a reader: `converted`, `active`; nothing where the family has no standing, or the record doesn't tell. */
export function styledStanding(record: unknown, { shape: { standing }, theme }: Pick<StyleOptions, 'shape' | 'theme'>): StyledText {
  const found = standing === undefined ? undefined : standingOf(standing, record);
  if (found === undefined) return [];
  const { word, shown = word, meaning } = found;
  return [meaning === undefined ? { text: shown } : { text: shown, paint: theme.meaning[meaning] }];
}

/** `● Negotiation (5)`, `Tom Okafor (3), Priya Raman (4)`: one record or an array of them, with the member that holds their names. */
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

/** `2026-11-10, 11 days ago`; of a time stamp the day by this machine's calendar. What is no date stays as it is. */
function styledDate(value: unknown, now: Date, { theme, agesOnly }: StyleOptions): StyledText {
  const text = displayText(value);
  const age = ageOf(text, now);
  if (age === undefined) return [{ text }];
  if (agesOnly) return [{ text: age }];
  return [{ text: dayHeld(text) ?? text }, { text: `, ${age}`, paint: theme.aside }];
}

/** Where the colour of a title stands: beside it (interface: Lead, status). */
function swatchPath(path: string, { record }: Shape): string | undefined {
  const color = path.replace(/\.title$/, '.color');
  return color !== path && record.includes(color) ? color : undefined;
}

/** A styled text that is at most `width` columns wide. */
export function cutStyled(styled: StyledText, width: number, { cut }: Pick<TextMeasure, 'cut'>): StyledText {
  const whole = unstyled(styled);
  let rest = cut(whole, width);
  if (rest === whole) return styled;
  return styled.flatMap(({ text, ...part }, index) => {
    // The last part takes what stands for the missing end.
    const piece = index === styled.length - 1 || !rest.startsWith(text) ? rest : text;
    rest = rest.slice(piece.length);
    return piece === '' ? [] : [{ ...part, text: piece }];
  });
}

/** A styled text as lines of at most `width` columns. */
export function wrapStyled(styled: StyledText, width: number, measure: TextMeasure): StyledText[] {
  const text = unstyled(styled);
  let from = 0;
  return measure.wrap(text, width).map((line) => {
    const start = Math.max(text.indexOf(line, from), from);
    from = start + line.length;
    return sliceStyled(styled, start, from);
  });
}

/** A part of a styled text, by the places in its text. */
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

/** A styled text as text without colour, as it is measured. */
export const unstyled = (styled: StyledText): string => styled.map(({ text }) => text).join('');

/** A styled text as it is written. */
export const painted = (styled: StyledText): string => styled.map(({ text, paint }) => (paint === undefined ? text : paint(text))).join('');
