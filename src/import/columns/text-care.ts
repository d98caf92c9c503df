// Undoes what spreadsheets do to texts: `="007"`, formula guards, blanks at the edges, characters that nobody sees. CSV and workbooks only.

import { NotationError } from '../../base/files/problems.ts';
import { howMany } from '../../base/values/text/wording.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import { trimmed } from '../../model/bodies/entries.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import { ShownNumber } from '../files/raw-row.ts';
import type { ImportJob } from '../job.ts';

/** The spellings of a value that its body entry doesn't have. */
export interface Spelling {
  /** The column's name. */
  readonly name: string;
  /** The value as version 0.2 read the cell, for the digests in journals of that version. */
  readonly was: string;
  /** The text of the cell as it stands in the file. A record with this text stays as it is. */
  readonly inFile?: string;
  /** The problem of a value that only a record may have already: control characters, another program's word for a blank cell. */
  readonly doubt?: NotationError;
}

/** Counts of changed texts. */
export interface TextCounts {
  trimmed: number;
  quoted: number;
  unguarded: number;
  shown: number;
  unseen: number;
  marked: number;
  floats: number;
}

/** The words with which databases, pandas, pivot tables and HubSpot write a blank cell. */
const blankWords = ['NULL', 'null', '(null)', '[NULL]', '<null>', '\\N', 'nan', 'NaN', 'NaT', '<NA>', '(blank)', '(No value)'];

/** True for another program's word for a blank cell. A person may be called Null or Nan, and is written so. */
export const isBlankWord = (value: unknown): boolean => typeof value === 'string' && blankWords.includes(value.trim());

/** The problem of such a word. */
export const blankWordProblem = (word: string): NotationError =>
  new NotationError('blank word', `"${word.trim()}" is how programs write a blank cell: clear the cell, or give the word '' in a mapping.`);

/** A postal code or phone that a program took for a number. */
const float = /^(\d{3,})\.0$/;

/** An apostrophe by which spreadsheets keep digits as a text. */
const marked = /^'(?=[^']*\d)([\d\s()+\-./]+)$/;
/** Digits between apostrophes at the beginning: `'+1' guest list`. */
const quotedDigits = /^'[\d\s()+\-./]+'/;

/** The text within `="007"`, which a spreadsheet takes for a text; undefined for any other cell. */
export const textInFormula = (text: string): string | undefined =>
  text.startsWith('="') ? /^="((?:[^"]|"")*)"$/.exec(text.trim())?.[1]?.replaceAll('""', '"') : undefined;

/**
 * The text that a cell means: `="007"` is 007, `'02035` is 02035, then the formula guard comes off. `isGuardTold`: guards are counted.
 */
export function meantText(text: string, counts: TextCounts, isGuardTold: boolean): string {
  const quoted = textInFormula(text);
  if (quoted !== undefined) counts.quoted += 1;
  const inner = quoted ?? text;
  const digits = inner.startsWith("'") ? marked.exec(inner)?.[1] : undefined;
  if (digits !== undefined) counts.marked += 1;
  if (digits !== undefined || quotedDigits.test(inner)) return digits ?? inner;
  const plain = unguard(inner);
  if (isGuardTold && plain !== inner) counts.unguarded += 1;
  return plain;
}

const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** The problem of a value with a control character that its record doesn't hold. */
function controlProblem(text: string): NotationError {
  const code = (controls.exec(text)?.[0] ?? '').charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return new NotationError('control', `it holds a control character (U+${code}), which nobody sees: take it out of the cell.`);
}

/**
 * The text of a cell as a body has it, without blanks at its edges. `raw`: the cell as the file has it. `spelt`:
 * called where the body gets another text than the file has. `isMeant`: a mapping has the word, or crm wrote the file. Throws NotationError for control
 * characters, and for another program's word for a blank cell, in a new record.
 */
export function caredText(
  { format, csvRaw, mode }: ImportJob,
  {
    name,
    type,
    counts,
    isMeant,
  }: { readonly name: string; readonly type: ValueType; readonly counts: TextCounts; readonly isMeant: boolean },
  text: string,
  raw: unknown,
  spelt: (spelling: Spelling) => void,
): string {
  const trim = trimmed(type, text).trim();
  if (type.kind === 'text' && text !== text.trim() && trim !== '') counts.trimmed += 1;
  const isOfDigits = type.kind === 'text' && (type.form === 'phone' || type.form === 'postal code');
  const digits = isOfDigits ? float.exec(trim)?.[1] : undefined;
  if (digits !== undefined) counts.floats += 1;
  const cared = digits ?? trim;
  const doubt =
    type.kind === 'text' && controls.test(cared)
      ? controlProblem(cared)
      : isBlankWord(cared) && !isMeant
        ? blankWordProblem(cared)
        : undefined;
  if (doubt !== undefined && mode === 'create') throw doubt;
  if (raw === cared && doubt === undefined) return cared;
  const inFile = raw instanceof ShownNumber ? raw.number : String(raw);
  const read = format === 'csv' && !csvRaw ? unguard(inFile) : inFile;
  const was = type.kind === 'text' ? read : read.trim();
  spelt({ name, was, ...(typeof raw === 'string' ? { inFile: raw } : {}), ...(doubt === undefined ? {} : { doubt }) });
  return cared;
}

/** One sentence for each kind of change, with its count. */
export function careSentences({ trimmed: cut, quoted, unguarded, shown, unseen, marked: apostrophes, floats }: TextCounts): string[] {
  return [
    ...(unseen > 0 ? [`${howMany(unseen, 'cell holds', 'cells hold')} characters that nobody sees, which are left out.`] : []),
    ...(cut > 0 ? [`${howMany(cut, 'text has', 'texts have')} blanks at the edges, which are left out.`] : []),
    ...(quoted > 0 ? [`${howMany(quoted, 'cell is', 'cells are')} written as ="…", which is read as the text within.`] : []),
    ...(apostrophes > 0
      ? [`${howMany(apostrophes, 'text begins', 'texts begin')} with an apostrophe by which spreadsheets mark texts. It is left out.`]
      : []),
    ...(unguarded > 0
      ? [`${howMany(unguarded, 'text begins', 'texts begin')} with an apostrophe that guards against formulas. It is left out.`]
      : []),
    ...(floats > 0
      ? [`${howMany(floats, 'number of digits ends', 'numbers of digits end')} in .0, which is left out. Zeros in front may be lost.`]
      : []),
    ...(shown > 0
      ? [
          `${howMany(shown, 'number is read as the workbook shows it', 'numbers are read as the workbook shows them')}, with its zeros and signs.`,
        ]
      : []),
  ];
}
