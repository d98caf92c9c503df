// The shape of a duplicate: the keys that records of a family share, and the members that tell the records apart. Pure and light, because
// the help loads this file.

import { type KeyName, keyNameOf, keyNames } from '../base/values/text/duplicate-key.ts';
import { type Column, id, integer, type Resource } from '../model/define.ts';
import type { Shape } from '../output/result.ts';

/** The keys by which a family's records can be compared. */
export const duplicateKeys = ({ fields }: Pick<Resource, 'fields'>): KeyName[] => {
  const own = fields.map(keyNameOf);
  return keyNames.filter((name) => own.includes(name));
};

/** The shape of a record in a group: the group's number, the shared keys, the record to keep, and the members that tell records apart. */
export function duplicateShape(resource: Resource): Shape {
  const { title, columns, fields, singular } = resource;
  const distinctive = [title, ...columns.flatMap(({ path, standing }) => (standing ? [] : path))];
  const person = fields.filter(({ flag }) => ['first-name', 'last-name', 'email', 'phone', 'company-name'].includes(flag));
  const paths = new Set(['id', ...distinctive, ...person.map(({ read }) => read), 'dates.created'].filter((path) => path !== undefined));
  const own: readonly Column[] = [
    { path: 'group', header: '#', align: 'right', priority: 1 },
    { path: 'key', once: true, priority: 3 },
    { path: 'keep', align: 'right', priority: 6 },
  ];
  // These columns stay longest on a narrow terminal, because they tell records apart.
  const first = ['id', '', title ?? '', fields.find(({ flag }) => flag === 'company-name')?.read ?? 'client.company_name'];
  const ofRecord = [...paths].map((path, index): Column => {
    const column = columns.find((one) => one.path === path) ?? { path };
    const rank = first.indexOf(path);
    return { ...column, priority: rank < 0 ? first.length + index + 3 : rank + 2 };
  });
  // A column may show a part of a member: the names of assignees.
  const members = [...paths].map((path) => (resource.record.includes(path) ? path : path.slice(0, path.lastIndexOf('.'))));
  const { types = {}, nullable = [], arrays = [], sets = [], filters } = resource;
  return {
    ...{ singular, fields, sets, filters, arrays },
    columns: [...own, ...ofRecord],
    // A program gets every member: whoever decides what to keep compares all values.
    record: [...new Set(['group', 'key', 'keep', ...members, ...resource.record])],
    types: { ...types, group: integer, keep: id },
    nullable: [...nullable, 'keep'],
  };
}
