// YAML: one line a value; numbers keep their digits. A text other than plain words stands in double quotes on one line. Readers of YAML 1.1
// then take it for a text, and control characters are escaped.

import { isMembers } from '../../base/values/paths.ts';
import { isDangerous, safeJson } from '../../model/records/safe-text.ts';
import { selected } from './json.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** A value as a YAML document without markers; undefined is `null`. */
export const yamlDocument = (value: unknown): string => safeJson(`${yamlLines(value).join('\n')}\n`);

/** Writes one sequence of all records. */
export function yamlWriter({ io, flags }: WriterOptions): RecordWriter {
  let empty = true;
  return {
    page: async (records) => {
      if (records.length === 0) return;
      empty = false;
      await io.out(records.map((record) => yamlDocument([selected(record, flags.fields)])).join(''));
    },
    end: async () => {
      if (empty) await io.out('[]\n');
    },
  };
}

function yamlLines(value: unknown): string[] {
  if (!isBlock(value)) return [typeof value === 'string' ? yamlText(value) : JSON.stringify(value ?? null)];
  if (Array.isArray(value)) {
    return value.flatMap((element) => {
      const [first, ...others] = yamlLines(element);
      return [`- ${first}`, ...others.map(indented)];
    });
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.flatMap(([name, member]) => {
    const lines = yamlLines(member);
    return isBlock(member) ? [`${yamlText(name)}:`, ...lines.map(indented)] : [`${yamlText(name)}: ${lines[0]}`];
  });
}

const indented = (line: string): string => `  ${line}`;

/** True if a value takes lines of its own: an array or object that is not empty. */
const isBlock = (value: unknown): value is object =>
  Array.isArray(value) ? value.length > 0 : isMembers(value) && Object.values(value).some((member) => member !== undefined);

/** Texts that need no quotes: letters and digits, and between them blanks and signs without a meaning in YAML. */
const plainWords = /^\p{L}(?:[\p{L}\p{M}\p{N}_ ,.&@/()'+%-]*[\p{L}\p{M}\p{N}_.)%])?$/u;
/** Words that a reader of YAML 1.1 takes for a boolean, null or a float. */
const taken = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?[\d_]+)$/i;

const yamlText = (text: string): string => (plainWords.test(text) && !taken.test(text) && !isDangerous(text) ? text : JSON.stringify(text));
