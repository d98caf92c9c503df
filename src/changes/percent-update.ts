// An update that raises or lowers decimals by percents. The new number is computed once, from the first read of the record: a repeated
// attempt must not raise the value again.

import { invalidValue } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { valueText } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { isPercent, raised } from '../base/values/percent.ts';
import type { Field } from '../model/define.ts';
import type { RecordChange } from './record-change.ts';

/** The decimal fields whose given value is a percent. */
export const percentFields = (fields: readonly Field[], given: Body): Field[] =>
  fields.filter(({ type, wire }) => type.kind === 'decimal' && isPercent(valueText(given.get(wire) ?? '')));

/** The change of one record. `changeOf`: makes a change from a body with numbers in place of percents. */
export function percentChange(fields: readonly Field[], given: Body, changeOf: (given: Body) => RecordChange): RecordChange {
  const asTyped = changeOf(given);
  let change: RecordChange | undefined;
  const changeFrom = (record: unknown): RecordChange => {
    change ??= changeOf(withNumbers(fields, given, record));
    return change;
  };
  return {
    ...asTyped,
    holds: (record) => changeFrom(record).holds(record),
    write: (record, one) => changeFrom(record).write(record, one),
    shows: (record, sent) => changeFrom(record).shows(record, sent),
    effect: (one, before, after, sent) => (change ?? asTyped).effect(one, before, after, sent),
    plans: (record, nameOf) => (record === undefined ? asTyped : changeFrom(record)).plans?.(record, nameOf) ?? [],
  };
}

/** The body with each percent replaced by the number computed from the record. Throws InvalidValues where the record has no number. */
function withNumbers(fields: readonly Field[], given: Body, record: unknown): Body {
  const numbers = percentFields(fields, given).map(({ flag, wire, read = '' }): [string, string] => {
    const percent = valueText(given.get(wire) ?? '');
    const number = raised(scalarText(valueAt(record, read)), percent);
    if (number === undefined) throw invalidValue(`--${flag}`, `the record has no ${flag} to take ${percent} of.`);
    return [wire, number];
  });
  return new Map([...given, ...numbers]);
}
