// Streams the rows of a sheet: the value of each cell, or the reason why a value can't be trusted.

import { limits, sizeText } from '../../../base/limits.ts';
import {
  columnLetters,
  columnNumber,
  dateOf,
  mostColumns,
  mostRows,
  spreadsheetDigits,
  unescapedCell,
} from '../../../base/values/text/spreadsheet.ts';
import type { NumberLook } from './number-format.ts';
import { type Attributes, Damaged, joinedText, readXml } from './xml.ts';

/** The parts of a workbook that its sheets share. */
export interface Shared {
  readonly texts: readonly string[];
  /** The way in which a style shows numbers. */
  readonly lookOf: (style: string | undefined) => NumberLook;
  /** The number of days to add to the serial numbers of the workbook. */
  readonly daysBefore: number;
}

/**
 * The value of a cell: a text, a truth value, or a number, with the texts of its format (`NumberFormat`) where these aren't the number.
 * `problem` says why a value can't be trusted, beside the cell's text. Undefined for an empty cell.
 */
export type SheetCell =
  | string
  | boolean
  | { readonly number: string; readonly shown?: string; readonly amount?: string }
  | { readonly text: string; readonly problem: string };

export interface SheetRow {
  /** The row's number, from 1. */
  readonly row: number;
  /** True for a row that is hidden, by hand or by a filter. */
  readonly isHidden: boolean;
  /** The cells with a value, by column from 0; at least one. */
  readonly cells: readonly { readonly column: number; readonly cell: SheetCell }[];
}

/** The rows with values, in chunks. Throws Damaged. */
export async function* sheetRows(bytes: AsyncIterable<Uint8Array>, shared: Shared): AsyncGenerator<SheetRow[]> {
  let rows: SheetRow[] = [];
  let row = 0;
  let column = 0;
  let isHidden = false;
  let cells: { column: number; cell: SheetCell }[] = [];
  let cell: Cell | undefined;
  /** Characters in the cells of the row. */
  let length = 0;
  let isData = false;
  /** True within phonetic readings (`rPh`), which are no part of the text. */
  let isReading = false;
  const parsed = readXml(bytes, {
    open: (name, attributes) => {
      if (name === 'sheetData') isData = true;
      else if (!isData) return;
      else if (name === 'row') {
        const next = attributes.r === undefined ? row + 1 : Number(attributes.r);
        if (!Number.isInteger(next) || next <= row || next > mostRows) throw new Damaged(`there is a row ${attributes.r} after row ${row}`);
        row = next;
        isHidden = attributes.hidden === '1' || attributes.hidden === 'true';
        column = 0;
        cells = [];
        length = 0;
      } else if (name === 'c') {
        column = columnOfCell(attributes.r, row, column);
        cell = { name: `${columnLetters(column)}${row}`, attributes, value: undefined, texts: undefined, isFormula: false };
      } else if (cell !== undefined) {
        if (name === 'is') cell.texts = '';
        else if (name === 'f') cell.isFormula = true;
        else if (name === 'rPh') isReading = true;
      }
    },
    close: (name, text) => {
      if (name === 'sheetData') isData = false;
      else if (!isData) return;
      else if (name === 'row') {
        if (cells.length > 0) rows.push({ row, isHidden, cells });
      } else if (name === 'rPh') isReading = false;
      else if (cell === undefined) return;
      else if (name === 'v') cell.value = text;
      else if (name === 't' && !isReading) cell.texts = joinedText(cell.texts ?? '', text);
      else if (name === 'c') {
        const said = saidIn(cell, shared);
        cell = undefined;
        if (said === undefined) return;
        cells.push({ column: column - 1, cell: said });
        if (typeof said === 'string') length += said.length;
        if (length > limits.row) throw new Damaged(`row ${row} is longer than ${sizeText(limits.row)}`);
      }
    },
  });
  for await (const _ of parsed) {
    yield rows;
    rows = [];
  }
}

interface Cell {
  /** `B7`. */
  readonly name: string;
  readonly attributes: Attributes;
  value: string | undefined;
  /** The inline text. */
  texts: string | undefined;
  isFormula: boolean;
}

/** The column of a cell, from 1: by its name, or after the cell before. Throws Damaged. */
function columnOfCell(reference: string | undefined, row: number, before: number): number {
  const [, letters, digits] = reference === undefined ? [] : (/^([A-Z]{1,3})(\d+)$/.exec(reference) ?? []);
  if (reference !== undefined && (letters === undefined || Number(digits) !== row)) {
    throw new Damaged(`there is a cell ${reference} in row ${row}`);
  }
  const column = letters === undefined ? before + 1 : columnNumber(letters);
  if (column <= before || column > mostColumns) throw new Damaged(`cells of row ${row} are not in order`);
  return column;
}

function saidIn({ name, attributes, value: given, texts, isFormula }: Cell, shared: Shared): SheetCell | undefined {
  const { t: type = 'n', s: style } = attributes;
  if (type === 'inlineStr') return unescapedCell(texts ?? '') || undefined;
  const value = type === 'str' ? given : given?.trim() || undefined;
  // A formula whose result is an empty text has the type `str` and a value without letters.
  if (value === undefined)
    return isFormula ? untrustedCell('', `${name} is a formula without its result; open the file and save it again`) : undefined;
  switch (type) {
    case 's': {
      const text = /^\d+$/.test(value) ? shared.texts[Number(value)] : undefined;
      if (text === undefined) throw new Damaged(`${name} refers to a text that the file doesn't have`);
      return text || undefined;
    }
    case 'str':
      return unescapedCell(value) || undefined;
    case 'b':
      if (!/^([01]|true|false)$/i.test(value)) throw new Damaged(`${name} holds ${value}, which is neither true nor false`);
      return value === '1' || value.toLowerCase() === 'true';
    case 'e':
      return untrustedCell(value, `${name} holds the error ${value}`);
    case 'd':
      return value.replace(/T00:00(:00(\.0+)?)?Z?$/, '').replace('T', ' ');
    case 'n':
      return numberIn(name, value, shared.lookOf(style), shared.daysBefore);
    default:
      throw new Damaged(`${name} is of the type ${type}`);
  }
}

function numberIn(name: string, value: string, look: NumberLook, daysBefore: number): SheetCell {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new Damaged(`${name} holds ${value}, which is no number`);
  if (look === 'duration') return untrustedCell(value, `${name} is a duration; write it as text, or as a number`);
  if (look === 'date') {
    // A number below 1 is a time of day.
    const date = dateOf(number < 1 ? number : number + daysBefore);
    return date ?? untrustedCell(value, `${name} is a date that can't be read, the number ${value}; write the date as text`);
  }
  const plain = plainDigits(number);
  if (Math.abs(number) >= 10 ** spreadsheetDigits)
    return untrustedCell(
      plain,
      `${name} is a number of more than ${spreadsheetDigits} digits, and spreadsheets lose the others; write it as text`,
    );
  if (look === 'plain') return { number: plain };
  const [shown, amount] = [look.shown(plain), look.amount(plain)];
  return { number: plain, ...(shown === undefined || shown === plain ? {} : { shown }), ...(amount === undefined ? {} : { amount }) };
}

/** A number as spreadsheets show numbers: with the digits that spreadsheets keep, and without an exponent. */
function plainDigits(number: number): string {
  const [, sign = '', digits = '', exponent = '0'] = /^(-?)(.*)e(.*)$/.exec(number.toExponential(spreadsheetDigits - 1)) ?? [];
  const all = digits.replace('.', '').replace(/0+$/, '');
  const point = Number(exponent) + 1;
  if (all === '') return '0';
  const whole = point <= 0 ? '0' : all.slice(0, point).padEnd(point, '0');
  const fraction = point <= 0 ? '0'.repeat(-point) + all : all.slice(point);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const untrustedCell = (text: string, problem: string): SheetCell => ({ text, problem: `${problem}.` });
