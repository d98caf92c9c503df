// The JSON Schemas of a command's body and output, from docs/openapi.json. Loaded only for `crm explain COMMAND --json`.

import type { Resource } from '../../model/define.ts';
import type { Shape } from '../../output/result.ts';
import type { Command } from '../command.ts';
import { recordSchema, requestSchema, type Schema } from './interface.ts';

interface CommandSchemas {
  /** The schema of the body of the only write. */
  readonly body: Schema | null;
  /** The schema of a printed record; null when no record is printed. */
  readonly record: Schema | null;
  /** The schema of a record with the flag for all members; null without such a flag. */
  readonly whole_record: Schema | null;
}

/** The schemas of a command. `families` are all declarations. */
export function schemasOf(command: Command, families: readonly Resource[]): CommandSchemas {
  const { path, sends, shows, prints } = command;
  const [first, ...others] = sends.filter(({ method }) => method !== 'GET');
  // A create may send a set afterwards. Other commands with several writes spread their flags over several bodies.
  const isOne = first !== undefined && (others.length === 0 || path.at(-1) === 'create');
  const only = prints !== undefined && 'of' in prints ? prints.only : undefined;
  const isRecord = shows !== undefined && (prints === undefined || 'of' in prints);
  const record = isRecord ? schemaOfRecord(shows, only ?? shows.record, sends, families) : null;
  return {
    body: isOne ? (requestSchema(first.method, first.path) ?? null) : null,
    record: record !== null && only !== undefined ? part(record, only) : record,
    whole_record: only !== undefined && prints !== undefined && 'wholeWith' in prints ? record : null,
  };
}

/** The schema of a shown record, by family or by the answered request. Null if crm builds the record from several answers. */
function schemaOfRecord(shows: Shape, printed: readonly string[], sends: Command['sends'], families: readonly Resource[]): Schema | null {
  const family = families.find(({ record }) => record === shows.record);
  const asked = family === undefined ? sends.at(-1) : { method: 'GET', path: `${family.path}/{id}` };
  const found = asked && recordSchema(asked.method, asked.path);
  const known = Object.keys(found?.properties ?? {});
  return found !== undefined && printed.every((path) => known.includes(headOf(path))) ? found : null;
}

/** A record's schema with only the members at these paths. */
function part(record: Schema, paths: readonly string[]): Schema {
  const names = paths.map(headOf);
  const properties = Object.entries(record.properties as Schema).filter(([name]) => names.includes(name));
  return { ...record, properties: Object.fromEntries(properties), required: properties.map(([name]) => name) };
}

const headOf = (path: string): string => path.split('.')[0] ?? path;
