// One cell of a file as what a request holds of it.

import { fieldEntries } from '../../bodies/body.ts';
import { UsageError } from '../../errors.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import type { Field } from '../../resources/define.ts';
import { fieldKey } from '../../runs/field-key.ts';
import type { BodyValue } from '../../values/body.ts';
import { parseJson, scalarText } from '../../values/json.ts';
import { parseId, parseValue } from '../../values/parse.ts';
import { isMembers } from '../../values/paths.ts';
import type { ImportPlan } from '../plan.ts';
import { nameless } from './column-table.ts';
import type { Column } from './columns.ts';

type Entry = [wire: string, value: BodyValue];

/** What a cell holds: a text without its guard, or what JSON says. */
export function valueIn(plan: ImportPlan, value: unknown): unknown {
  if (typeof value !== 'string') return value ?? '';
  return plan.format !== 'csv' || plan.csvRaw ? value : unguard(value);
}

/** The body entries of one cell. Throws UsageError naming `where`. */
export function entriesOf(plan: ImportPlan, column: Column, value: unknown, where: string): Entry[] {
  if (column === nameless && value !== '') throw new UsageError(`${where}: there is a value under a header without a name.`);
  if (column === nameless || column.kind === 'id') return [];
  if (column.kind === 'wire') {
    const text = textIn(value, where);
    if (text === '') return plan.clearBlanks && column.field?.type.kind !== 'reference' ? [[column.wire, '']] : [];
    return [[column.wire, parseValue(column.type, column.type.kind === 'text' ? text : text.trim(), where)]];
  }
  return column.kind === 'field' ? fieldValue(plan, column.field, value, where) : [];
}

function fieldValue(plan: ImportPlan, field: Field, value: unknown, where: string): Entry[] {
  const { type } = field;
  if (type.kind === 'switch') return isOn(value, type.sends, where) ? [[field.wire, type.sends]] : [];
  if (type.kind === 'numbered') return numberedValues(plan, field, value, where);
  const text = textIn(value, where);
  const plain = type.kind === 'text' ? text : text.trim();
  if (plain !== '') return fieldEntries(field, plain, where);
  if (!plan.clearBlanks || type.kind === 'reference' || plan.resource.oneOf?.flags.includes(field.flag)) return [];
  if (field.required) throw new UsageError(`${where}: it is blank, and can't be cleared.`);
  return [[field.wire, '']];
}

/** The text of a cell or of a JSON scalar. */
function textIn(value: unknown, where: string): string {
  if (typeof value === 'string') return wholeText(value, where);
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))) {
    throw new UsageError(`${where}: give a text or a number.`);
  }
  return scalarText(value);
}

/** The text. Throws UsageError where half of a surrogate pair stands alone: UTF-8 has no bytes for it. */
function wholeText(text: string, where: string): string {
  if (text.isWellFormed()) return text;
  const [half = ''] = /\p{Surrogate}/u.exec(text) ?? [];
  throw new UsageError(`${where}: it holds half of a character (\\u${half.charCodeAt(0).toString(16)}), which can't be sent.`);
}

const onWords = new Set(['true', 'yes', '1', 'on']);
const offWords = new Set(['false', 'no', '0', 'off', '']);

function isOn(value: unknown, sends: string, where: string): boolean {
  const word = scalarText(value).trim().toLowerCase();
  if (word === sends || onWords.has(word)) return true;
  if (offWords.has(word)) return false;
  throw new UsageError(`${where}: "${word}" is not yes or no.`);
}

/** Custom fields: `N=VALUE`, or `[{ id, name, value }, …]` as they read back, in JSON or as its text. */
function numberedValues(plan: ImportPlan, field: Field, value: unknown, where: string): Entry[] {
  if (value === '') return [];
  const list = typeof value === 'string' && value.trimStart().startsWith('[') ? parsedList(value, where) : value;
  if (!Array.isArray(list)) return fieldEntries(field, textIn(list, where), where);
  return list.flatMap((element): Entry[] => {
    if (!isMembers(element)) throw new UsageError(`${where}: give [{"id": N, "value": …}, …].`);
    const text = wholeText(scalarText(element.value), where);
    if (text === '' && !plan.clearBlanks) return [];
    return fieldEntries(field, `${scalarText(element.id)}=${text}`, where);
  });
}

function parsedList(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(`${where}: it is not valid JSON.`);
  }
}

/** The value by which a row finds its record. */
export function keyIn(plan: ImportPlan, column: Column, value: unknown, where: string): string | undefined {
  const text = textIn(value, where);
  if (text.trim() !== '') return column.kind === 'id' ? String(parseId(text.trim(), where)) : matchKey(column, text);
  if (column.kind === 'id' && plan.mode === 'upsert') return undefined;
  throw new UsageError(`${where}: it is blank, and rows find their records by it.`);
}

function matchKey(column: Column, text: string): string | undefined {
  return column.kind === 'field' ? fieldKey(column.field, text) : undefined;
}
