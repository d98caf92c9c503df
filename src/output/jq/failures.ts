// Turns the error output of jq into InvalidValues for --jq: jq's own prefixes removed, the place in the expression shown.

import { InvalidValues, withHints } from '../../base/errors.ts';
import { limits, sizeText } from '../../base/limits.ts';
import { asSentence } from '../../base/values/text/wording.ts';

const invalid = (problem: string): InvalidValues => new InvalidValues([{ where: '--jq', problem }]);

/** How many characters of the expression are shown on each side of the error. */
const around = 50;

/** The error for an expression that doesn't compile: the problem, its place, and the line with a caret below. */
export function syntaxError(errors: string, expression: string): unknown {
  const [, said = '', number = '1', byte = '1'] = /^jq: error: (.*?) at <top-level>, line (\d+), column (\d+):\n/s.exec(errors) ?? [];
  if (said === '') return invalid(asProblem(errors.split('\n')[0] ?? ''));
  const lines = expression.split('\n');
  const line = lines[Number(number) - 1] ?? '';
  // jq counts bytes, from 1.
  const column = Buffer.from(line)
    .subarray(0, Number(byte) - 1)
    .toString().length;
  const from = Math.max(0, column - around);
  const shown = `column ${[...line.slice(0, column)].length + 1}`;
  const where = lines.length > 1 ? `line ${number}, ${shown}` : shown;
  return withHints(invalid(`${said}, at ${where}.`), [
    `  ${line.slice(from, column + around)}`,
    `  ${' '.repeat([...line.slice(from, column)].length)}^`,
  ]);
}

/** True if jq's standard error reports that the expression failed on an input. */
export const hasFailed = (errors: string): boolean => /^jq: error \(at /m.test(errors);

/** The error that ended an expression, and the lines that jq's `debug` wrote before the error. */
export function runTimeError(errors: string): { readonly error: InvalidValues; readonly said: readonly string[] } {
  const lines = errors.trimEnd().split('\n');
  const first = lines.findIndex((line) => !isDebug(line));
  // With -o ndjson each record may fail: the first error is reported.
  const text = first < 0 ? '' : (lines.slice(first).join('\n').split('\njq: error')[0] ?? '');
  return {
    error: invalid(asProblem(text === '' ? 'the expression ended with an error.' : text)),
    said: lines.slice(0, Math.max(0, first)),
  };
}

const isDebug = (line: string): boolean => line.startsWith('["DEBUG:",');

/** The user never saw the input that jq names. */
function asProblem(message: string): string {
  if (message.startsWith('jq: error: cannot allocate memory'))
    return `the expression takes more memory than jq has here (${sizeText(limits.jqMemory)}). Ask for less with --fields, or for one record at a time with -o ndjson.`;
  // The module's stack overflows in several ways, each with an error of its own.
  if (/^RangeError: Maximum call stack|^RuntimeError: (?!Aborted)/.test(message))
    return 'the expression makes values that are nested too deeply for jq.';
  const [, stopped] = /^(?:RuntimeError: Aborted\(|\w+Error: )(.*?)(?:\)\. Build with .*)?$/s.exec(message) ?? [];
  if (stopped !== undefined)
    return `jq itself stopped at this expression${stopped === '' ? '' : ` (${stopped})`}. Write the expression another way.`;
  if (message.startsWith('jq: parse error: '))
    return `jq can't read the JSON of this command: ${message.slice('jq: parse error: '.length)}.`;
  if (/^jq: error(?: \(at [^)]*\))?: break$/.test(message.trim()))
    return 'input finds no further value: jq gets one document, or a record at a time.';
  const said = message.replace(/^jq: (?:parse )?error(?: \(at [^)]*\))?(?: \(not a string\))?:? /, '');
  return asSentence(said);
}
