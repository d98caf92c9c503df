// YAML: numbers digit for digit, texts that YAML 1.1 readers would take for something else in quotes, and nothing in
// a text that a terminal would act upon: such texts stand in double quotes with escapes, on one line.

import type { ScalarTag, Tags } from 'yaml';
import { isDangerous, safeJson } from '../../records/safe-text.ts';
import { selected } from './json.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** A value as a YAML document without markers; undefined is `null`. */
export async function yamlDocument(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  const text = stringify(value ?? null, {
    customTags: (tags) => [rawNumber, ...tags.map(withoutDanger)],
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
    lineWidth: 0,
  });
  return safeJson(text);
}

/** One sequence of all records, page by page. */
export function yamlWriter({ io, flags }: WriterOptions): RecordWriter {
  let empty = true;
  return {
    page: async (records) => {
      if (records.length === 0) return;
      empty = false;
      await io.out(await yamlDocument(records.map((record) => selected(record, flags.fields))));
    },
    end: async () => {
      if (empty) await io.out('[]\n');
    },
  };
}

/** A number that was kept as its source text. */
const rawNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => JSON.isRawJSON(value),
  resolve: (text) => text,
  stringify: ({ value }) => (JSON.isRawJSON(value) ? value.rawJSON : String(value)),
};

function withoutDanger(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:str' || !('stringify' in tag)) return tag;
  const { stringify } = tag;
  if (stringify === undefined) return tag;
  const quoted: ScalarTag['stringify'] = (item, context, onComment, onChompKeep) => {
    if (typeof item.value === 'string' && isDangerous(item.value)) item.type = 'QUOTE_DOUBLE';
    return stringify(item, context, onComment, onChompKeep);
  };
  return { ...tag, stringify: quoted } as ScalarTag;
}
