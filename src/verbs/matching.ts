// The records of a family for which conditions hold, as far as a first version goes: `path=text` and `path~text`.

import { allRecords } from '../api/paging.ts';
import type { ApiRequest } from '../api/types.ts';
import type { Context } from '../context.ts';
import { invalidValue } from '../errors.ts';
import type { NameMatch } from '../names/resolve.ts';
import type { Resource } from '../resources/define.ts';
import { scalarText } from '../values/json.ts';
import { valueAt } from '../values/paths.ts';

/** The records of a list that match all conditions. `whole`: they are written, so the list must be complete. Throws InvalidValues. */
export async function* matchingRecords(
  _resource: Resource,
  context: Context,
  request: ApiRequest,
  conditions: readonly string[],
  match: NameMatch,
): AsyncGenerator<unknown> {
  const tests = conditions.map(testOf);
  const api = await context.api();
  for await (const record of allRecords(api, request, context.signal, { complete: match === 'whole' })) {
    if (tests.every((holds) => holds(record))) yield record;
  }
}

function testOf(condition: string): (record: unknown) => boolean {
  const [, path = '', operator = '', wanted = ''] = /^([\w.-]+)([=~])(.+)$/.exec(condition) ?? [];
  if (path === '') throw invalidValue('--where', `"${condition}" is not FIELD=VALUE or FIELD~TEXT.`);
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap(texts) : [scalarText(value).toLowerCase()]);
  const text = wanted.toLowerCase();
  return (record) => texts(valueAt(record, path)).some((one) => (operator === '=' ? one === text : one.includes(text)));
}
