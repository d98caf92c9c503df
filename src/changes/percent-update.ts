// An update that raises or lowers decimals by percents. What it writes to a record is worked out once, from the first read, so that no
// later attempt raises a value again.

import { invalidValue } from '../errors.ts';
import type { Field } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import { valueText } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { isPercent, raised } from '../values/percent.ts';
import type { RecordChange } from './record-change.ts';

/** The decimal fields of which a percent is given. */
export const percentFields = (fields: readonly Field[], given: Body): Field[] =>
  fields.filter(({ type, wire }) => type.kind === 'decimal' && isPercent(valueText(given.get(wire) ?? '')));

/** The change of one record. `changeOf`: the change of what is given with numbers in place of percents. */
export function percentChange(fields: readonly Field[], given: Body, changeOf: (given: Body) => RecordChange): RecordChange {
  let change = changeOf(given);
  let isSettled = false;
  return {
    ...change,
    settle: (record, earlier) => {
      if (!isSettled) change = changeOf(earlier ?? withNumbers(fields, given, record));
      isSettled = true;
    },
    holds: (record) => change.holds(record),
    write: (record, one) => change.write(record, one),
    shows: (record, sent) => change.shows(record, sent),
    effect: (one, before, after, sent) => change.effect(one, before, after, sent),
    plans: (record, nameOf) => change.plans?.(record, nameOf) ?? [],
  };
}

/** What is given, each percent as the number that it makes of the record's. Throws InvalidValues where the record has none. */
function withNumbers(fields: readonly Field[], given: Body, record: unknown): Body {
  const numbers = percentFields(fields, given).map(({ flag, wire, read = '' }): [string, string] => {
    const percent = valueText(given.get(wire) ?? '');
    const number = raised(scalarText(valueAt(record, read)), percent);
    if (number === undefined) throw invalidValue(`--${flag}`, `the record has no ${flag} of which ${percent} could be taken.`);
    return [wire, number];
  });
  return new Map([...given, ...numbers]);
}
