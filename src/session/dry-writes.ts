// The writes of a dry run: shown or counted, and never sent. Each write is answered with a stand-in, an id in place of the new record's id.

import type { BodyValue } from '../base/values/body.ts';
import type { Id } from '../base/values/parse.ts';
import type { Api } from '../client/client.ts';
import type { ServiceTurn } from '../runs/service.ts';

/** Ids above this number are stand-ins. */
const firstStandIn = 9_000_000_000_000_000;

/** True for a stand-in: the id of a record that a dry run would make. */
export const isStandIn = (id: Id | undefined): boolean => Number(id) > firstStandIn;

/** Answers each write with a stand-in, without keeping the write. */
export function standIns(): ServiceTurn['send'] {
  let last = firstStandIn;
  return async () => {
    last += 1;
    return { status: 201, data: { id: last }, envelope: undefined };
  };
}

/**
 * Keeps the writes for the list of --dry-run, and answers each write with a stand-in. The list shows a stand-in as a reference to its step:
 * `${lead[3].id}`.
 */
export function keptBack(api: Api): ServiceTurn['send'] {
  const texts: string[] = [];
  const shown = (text: string): string => text.replaceAll(/9\d{15}/g, (digits) => texts[Number(digits) - firstStandIn - 1] ?? digits);
  return async (key, request) => {
    const number = texts.push(`\${${key}.id}`);
    const body =
      request.body === undefined ? undefined : new Map([...request.body].map(([wire, value]) => [wire, shownValue(value, shown)]));
    await api.write({ ...request, path: shown(request.path), ...(body === undefined ? {} : { body }) });
    return { status: 201, data: { id: firstStandIn + number }, envelope: undefined };
  };
}

function shownValue(value: BodyValue, shown: (text: string) => string): BodyValue {
  if (typeof value === 'string') return shown(value);
  if (typeof value === 'number') return isStandIn(value) ? shown(String(value)) : value;
  return value.map((one: string | number) => (typeof one === 'string' || isStandIn(one) ? shown(String(one)) : one)) as BodyValue;
}
