// The JSON Schemas of what a command sends and prints, as docs/openapi.json has them. Loaded for `crm explain COMMAND --json` alone.

import type { Command } from '../command.ts';
import type { Shape } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { bodyOf, recordIn, type Schema } from './interface.ts';

interface CommandSchemas {
  /** The body of its one write. */
  readonly body: Schema | null;
  /** A record that it prints; null where it prints none. */
  readonly record: Schema | null;
  /** The record that it prints with the flag for all of it; null where there is no such flag. */
  readonly whole_record: Schema | null;
}

/** The schemas of a command. `families`: all declarations. */
export function schemasOf(command: Command, families: readonly Resource[]): CommandSchemas {
  const { path, sends, shows, prints } = command;
  const [first, ...others] = sends.filter(({ method }) => method !== 'GET');
  // A create may be followed by an action; of other commands with several writes none is the body that flags fill.
  const isOne = first !== undefined && (others.length === 0 || path.at(-1) === 'create');
  const only = prints !== undefined && 'of' in prints ? prints.only : undefined;
  const isRecord = shows !== undefined && (prints === undefined || 'of' in prints);
  const record = isRecord ? recordOf(shows, only ?? shows.record, sends, families) : null;
  return {
    body: isOne ? (bodyOf(first.method, first.path) ?? null) : null,
    record: record !== null && only !== undefined ? part(record, only) : record,
    whole_record: only !== undefined && prints !== undefined && 'wholeWith' in prints ? record : null,
  };
}

/** The record that a command shows: that of a family, or what it asks for. Null where crm puts it together from several answers. */
function recordOf(shows: Shape, printed: readonly string[], sends: Command['sends'], families: readonly Resource[]): Schema | null {
  const family = families.find(({ record }) => record === shows.record);
  const asked = family === undefined ? sends.at(-1) : { method: 'GET', path: `${family.path}/{id}` };
  const found = asked && recordIn(asked.method, asked.path);
  const known = Object.keys(found?.properties ?? {});
  return found !== undefined && printed.every((path) => known.includes(headOf(path))) ? found : null;
}

/** As much of a record as the members at these paths are. */
function part(record: Schema, paths: readonly string[]): Schema {
  const names = paths.map(headOf);
  const properties = Object.entries(record.properties as Schema).filter(([name]) => names.includes(name));
  return { ...record, properties: Object.fromEntries(properties), required: properties.map(([name]) => name) };
}

const headOf = (path: string): string => path.split('.')[0] ?? path;
