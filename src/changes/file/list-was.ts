// `list --was`: an export as a change file with equal old and new values. `crm apply` carries out the changes made in the file.

import { invalidValue, UsageError } from '../../base/errors.ts';
import { listed } from '../../base/values/text/wording.ts';
import type { Answer } from '../../client/types.ts';
import { extrasOf } from '../../model/bodies/extras.ts';
import type { Resource } from '../../model/define.ts';
import { idOf } from '../../model/identity.ts';
import { underscored } from '../../model/members.ts';
import type { Difference } from '../../model/records/difference.ts';
import { updateShape } from '../../model/shape.ts';
import { numberedField, numbersIn, titleName, valueNamed } from '../../model/values.ts';
import type { Result } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import { cellDifference } from './change-cells.ts';
import { changeHeader, changeRecord, changeShape } from './change-file.ts';

type Records = Extract<Result, { kind: 'records' }>;

/** The list's records as rows of a change file. Throws UsageError for another format, and for --fields that can't be changed. */
export function asChangeFile(resource: Resource, { flags }: Context, list: Records): Records {
  if (flags.output !== 'csv' && flags.output !== 'xlsx')
    throw new UsageError('--was writes a change file: give -o csv or -o xlsx with it.');
  const all = changeable(resource);
  const asked = flags.fields
    ?.filter((name) => name !== 'id')
    .map((name) => all.find((one) => underscored(one) === underscored(name)) ?? name);
  const unknown = asked?.filter((name) => !all.includes(name) && numberedField(resource, name) === undefined) ?? [];
  if (unknown.length > 0) throw invalidValue('--fields', `a change file has no ${listed(unknown)}. It has ${listed(['id', ...all])}.`);
  const names = asked ?? all;
  // The title is a condition: the same id may be another record at another service.
  const called = titleName(resource);
  const isTitled = called === undefined || (resource.titleFlags ?? [called]).every((name) => names.includes(name));
  const guarding = isTitled ? [] : [called];
  const guardsOf = (record: unknown): Map<string, string> =>
    new Map(guarding.map((name) => [name, valueNamed(resource, name).shownOf(record)]));
  const alike = (record: unknown): Difference[] => {
    const custom = flags.fields === undefined ? customNames(resource, record) : [];
    return [...names, ...custom].map((field) => cellDifference(resource, field, record));
  };
  const pages = async function* (): AsyncGenerator<Answer> {
    for await (const answer of list.pages) {
      const records = answer.data as readonly unknown[];
      yield {
        ...answer,
        data: records.map((record) =>
          changeRecord(resource.name, { id: idOf(record) ?? 0, changes: alike(record), guards: guardsOf(record) }),
        ),
      };
    }
  };
  const header = changeHeader([{ changes: alike(undefined), guards: guardsOf(undefined) }]);
  const shape = changeShape(resource.name, header);
  return { kind: 'records', pages: pages(), shape, empty: list.empty, isWhole: true };
}

/** The fields of a family that a change file may change, without custom fields. */
function changeable(resource: Resource): string[] {
  const fields = updateShape(resource).fields.filter(
    ({ read, type }) => read !== undefined && type.kind !== 'numbered' && type.kind !== 'reference',
  );
  const extras = extrasOf(resource);
  const inOrder = [...extras.filter((one) => !('set' in one)), ...extras.filter((one) => 'set' in one)];
  return [...fields.map(({ flag }) => flag), ...inOrder.map(({ name }) => name)];
}

const customNames = ({ fields }: Resource, record: unknown): string[] =>
  fields.flatMap((field) => (field.type.kind === 'numbered' ? numbersIn(field, record).map((number) => `${field.flag}-${number}`) : []));
