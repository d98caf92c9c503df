// How a member of a record looks on a terminal: its text, and the colour that it means. Lists, records and reports go by it, so that a
// status or a date looks the same everywhere. Off a terminal nothing of this applies.

import { cellValue } from '../records/columns.ts';
import { displayText, terminalText } from '../records/display.ts';
import { standingOf } from '../records/standing.ts';
import { type Member, memberNamed } from '../resources/members.ts';
import { ageOf } from '../values/age.ts';
import { dayHeld } from '../values/days.ts';
import { scalarText } from '../values/json.ts';
import { isMembers } from '../values/paths.ts';
import type { Shape } from './result.ts';
import type { Symbols } from './streams/symbols.ts';
import type { Paint, Theme } from './streams/theme.ts';
import type { TextMeasure } from './text-width.ts';

/** A text as it is drawn: parts behind one another, each safe on one line, the uncoloured ones without a paint. */
export type Look = readonly LookPart[];
export interface LookPart {
  readonly text: string;
  readonly paint?: Paint;
}

/** What looks go by: `now` for ages, and what the terminal can show. */
export interface LookOptions {
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
export function lookOf(path: string, options: LookOptions): (record: unknown) => Look {
  const { shape, theme, now } = options;
  const member = memberNamed(shape, path);
  const meanings = shape.meanings?.[path];
  if (path === 'id') return (record) => [{ text: displayText(cellValue(record, path)), paint: theme.key }];
  if (isDate(member)) return (record) => dateLook(cellValue(record, path), now, options);
  if (meanings !== undefined) {
    return (record) => {
      const text = displayText(cellValue(record, path));
      const meaning = Object.hasOwn(meanings, text) ? meanings[text] : undefined;
      return [meaning === undefined ? { text } : { text, paint: theme.meaning[meaning] }];
    };
  }
  if (member?.kind === 'relation') return (record) => relationLook(cellValue(record, path), member.name.slice(path.length + 1), options);
  const color = swatchPath(path, shape);
  return (record) => {
    const text = terminalText(cellValue(record, path));
    const swatch = color === undefined || text === '' ? undefined : theme.swatch(scalarText(cellValue(record, color)));
    return swatch === undefined ? [{ text }] : [{ text: `${options.symbols.dot} `, paint: swatch }, { text }];
  };
}

/** What a record is for a reader: `converted`, `active`; nothing where the family has no standing, or the record doesn't tell. */
export function standingLook(record: unknown, { shape: { standing }, theme }: Pick<LookOptions, 'shape' | 'theme'>): Look {
  const found = standing === undefined ? undefined : standingOf(standing, record);
  if (found === undefined) return [];
  const { word, shown = word, meaning } = found;
  return [meaning === undefined ? { text: shown } : { text: shown, paint: theme.meaning[meaning] }];
}

/** `● Negotiation (5)`, `Tom Okafor (3), Priya Raman (4)`: one record or an array of them, with the member that holds their names. */
function relationLook(value: unknown, name: string, { theme, symbols }: LookOptions): Look {
  const looks = (Array.isArray(value) ? value : [value]).map((one): Look => {
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
  return looks.filter((look) => plainLook(look) !== '').flatMap((look, index) => (index === 0 ? look : [{ text: ', ' }, ...look]));
}

/** `2026-11-10, 11 days ago`; of a time stamp the day by this machine's calendar. What is no date stays as it is. */
function dateLook(value: unknown, now: Date, { theme, agesOnly }: LookOptions): Look {
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

/** A look that is at most `width` columns wide. */
export function cutLook(look: Look, width: number, { cut }: Pick<TextMeasure, 'cut'>): Look {
  const whole = plainLook(look);
  let rest = cut(whole, width);
  if (rest === whole) return look;
  return look.flatMap(({ text, ...part }, index) => {
    // The last part takes what stands for the missing end.
    const piece = index === look.length - 1 || !rest.startsWith(text) ? rest : text;
    rest = rest.slice(piece.length);
    return piece === '' ? [] : [{ ...part, text: piece }];
  });
}

/** A look as lines of at most `width` columns. */
export function wrappedLook(look: Look, width: number, measure: TextMeasure): Look[] {
  const text = plainLook(look);
  let from = 0;
  return measure.wrap(text, width).map((line) => {
    const start = Math.max(text.indexOf(line, from), from);
    from = start + line.length;
    return slicedLook(look, start, from);
  });
}

/** A part of a look, by the places in its text. */
export function slicedLook(look: Look, start: number, end = Number.POSITIVE_INFINITY): Look {
  const parts: LookPart[] = [];
  let at = 0;
  for (const part of look) {
    const text = part.text.slice(Math.max(0, start - at), Math.max(0, end - at));
    if (text !== '') parts.push({ ...part, text });
    at += part.text.length;
  }
  return parts;
}

/** A look as text without colour, as it is measured. */
export const plainLook = (look: Look): string => look.map(({ text }) => text).join('');

/** A look as it is written. */
export const paintedLook = (look: Look): string => look.map(({ text, paint }) => (paint === undefined ? text : paint(text))).join('');
