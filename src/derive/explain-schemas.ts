// The JSON Schemas of what a command sends and prints, from the declarations. Loaded for `crm explain COMMAND --json` alone: zod comes with it.

import type { Command } from '../command.ts';
import type { Resource } from '../resources/define.ts';
import { familySchemas } from '../schemas/family.ts';
import { type JsonSchema, jsonSchema } from '../schemas/json-schema.ts';
import { recordSchema } from '../schemas/record.ts';

interface CommandSchemas {
  /** The body of the request, where the declarations say all of it. */
  readonly body: JsonSchema | null;
  /** A record that it prints; null where it prints none. */
  readonly record: JsonSchema | null;
  /** The record that it prints with the flag for all of it; null where there is no such flag. */
  readonly whole_record: JsonSchema | null;
}

/** The schemas of a command. `families`: the declarations, among them that of the command's family. */
export function schemasOf(command: Command, families: readonly Resource[]): CommandSchemas {
  const family = families.find(({ name }) => name === command.path[0]);
  const { prints } = command;
  const isPart = prints !== undefined && 'of' in prints && prints.only !== undefined && prints.wholeWith !== undefined;
  return {
    body: family === undefined ? null : bodyOf(command, family),
    record: recordOf(command, families),
    whole_record: isPart ? recordOf({ shows: prints.of }, families) : null,
  };
}

function bodyOf({ path, levelAliases = [], takesIds, does }: Command, family: Resource): JsonSchema | null {
  if (does !== 'writes') return null;
  const { create, update, actions, sets, operations } = familySchemas(family);
  // `leads comments add` is what `leads comment 12` means, and so the operation of that name.
  const verb = takesIds ? (levelAliases[0] ?? '') : path.length === 2 ? (path[1] ?? '') : '';
  const named: Readonly<Record<string, typeof create>> = { create, update, edit: update, ...actions, ...sets, ...operations };
  const schema = Object.hasOwn(named, verb) ? named[verb] : undefined;
  return schema === undefined ? null : jsonSchema(schema);
}

function recordOf({ shows, prints }: Pick<Command, 'shows' | 'prints'>, families: readonly Resource[]): JsonSchema | null {
  if (shows === undefined || (prints !== undefined && !('of' in prints))) return null;
  const { fields: _flags, ...shape } = shows;
  const whole = families.find(({ record }) => record === shows.record) ?? shape;
  return jsonSchema(recordSchema({ ...whole, record: prints?.only ?? whole.record }));
}
