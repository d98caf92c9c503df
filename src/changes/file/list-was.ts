// `list --was`: an export as a change file with equal old and new values. `crm apply` carries out the changes made in the file.

import { invalidValue, UsageError } from '../../base/errors.ts';
import { listed } from '../../base/values/text/wording.ts';
import type { Answer } from '../../client/types.ts';
import { extrasOf } from '../../model/bodies/extras.ts';
import type { Resource } from '../../model/define.ts';
import { idOf } from '../../model/identity.ts';
import { memberNamed, underscored } from '../../model/members.ts';
import type { Difference } from '../../model/records/difference.ts';
import { updateShape } from '../../model/shape.ts';
import { numberedField, numbersIn, valueNamed } from '../../model/values.ts';
import type { Result } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import { cellDifference, titleGuard } from './change-cells.ts';
import { applyCommand, changeFileFormats, changeHeader, changeRecord, changeShape } from './change-file.ts';

type Records = Extract<Result, { kind: 'records' }>;

/** The list's records as rows of a change file. Throws UsageError for another format, and for --fields that can't be changed. */
export function asChangeFile(resource: Resource, context: Context, list: Records): Records {
  const { flags, afterwards } = context;
  if (!changeFileFormats.includes(flags.output)) throw new UsageError('--was writes a change file: give -o csv or -o xlsx with it.');
  const all = changeable(resource);
  const typed = flags.fields?.filter((name) => name !== 'id');
  const asked = typed?.flatMap((name) => namesInFile(resource, all, name));
  const names = asked?.filter((name) => isChangeable(resource, all, name)) ?? all;
  const onlyRead = asked?.filter((name) => !isChangeable(resource, all, name)) ?? [];
  const unknown = onlyRead.filter((name) => (memberNamed(resource, name)?.kind ?? 'named') === 'named');
  if (unknown.length > 0) throw invalidValue('--fields', `a change file has no ${listed(unknown)}. It has ${listed(['id', ...all])}.`);
  const readGuards = (record: unknown): [string, string][] => onlyRead.map((name) => [name, valueNamed(resource, name).shownOf(record)]);
  const guardsOf = (record: unknown): Map<string, string> => new Map([...titleGuard(resource, names, record), ...readGuards(record)]);
  const alike = (record: unknown): Difference[] => {
    const numbered = flags.fields === undefined ? resource.fields.filter(({ type }) => type.kind === 'numbered') : [];
    const custom = numbered.flatMap((field) => numbersIn(field, record).map((number) => `${field.flag}-${number}`));
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
  if (flags.out !== undefined) afterwards.push(`When the values are edited: ${applyCommand(context, flags.out)}`);
  return { kind: 'records', pages: pages(), shape, empty: list.empty, isWhole: true };
}

const isChangeable = (resource: Resource, all: readonly string[], name: string): boolean =>
  all.includes(name) || numberedField(resource, name) !== undefined;

/**
 * The columns for a name in --fields: the flag of a field, of the relation that a path is in, or of each field in an object. A member that
 * is only read stays as it is.
 */
function namesInFile(resource: Resource, all: readonly string[], name: string): string[] {
  const own = all.find((one) => underscored(one) === underscored(name));
  if (own !== undefined) return [own];
  const member = memberNamed(resource, name);
  if (member?.kind === 'group') return [...new Set(member.members.flatMap((one) => namesInFile(resource, all, one)))];
  if (member === undefined || member.kind === 'named') return [name];
  const [head = ''] = member.path.split('.');
  const flagAt = (path: string): string | undefined => resource.fields.find(({ read }) => read === path)?.flag;
  const flag = flagAt(member.path) ?? flagAt(`${member.path}.id`) ?? flagAt(`${head}.id`) ?? head;
  return [all.includes(flag) ? flag : member.path];
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
