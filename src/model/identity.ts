// Tells records apart: their ids, and the service's times of their creation and last change. Pure.

import { scalarText } from '../base/values/json.ts';
import type { Id } from '../base/values/parse.ts';
import { isMembers, valueAt } from '../base/values/paths.ts';
import type { Field, Resource } from './define.ts';

/** A record's id: a number when safe, else its digits. Undefined without an id. */
export function idOf(record: unknown): Id | undefined {
  const id = isMembers(record) ? record.id : undefined;
  if (typeof id === 'number') return id;
  const text = scalarText(id);
  return text === '' ? undefined : text;
}

/** The field with the title of a family's records. Undefined where no field can be sent for it. */
export const titleField = ({ title, fields }: Resource): Field | undefined =>
  title === undefined ? undefined : fields.find(({ read }) => read === title);

/** The service's time of a record's creation; undefined when missing. */
export const createdOf = (record: unknown): string | undefined => scalarText(valueAt(record, 'dates.created')) || undefined;

/** The service's time of a record's last change; undefined when missing. */
export const updatedOf = (record: unknown): string | undefined => scalarText(valueAt(record, 'dates.updated')) || undefined;

/** A time of the service in milliseconds; undefined for another text. */
export function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** True when two times of creation belong to different records. False when a time is missing. */
export function isAnother(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [timeOf(one), timeOf(other)];
  return first !== undefined && second !== undefined && Math.floor(first / 1000) !== Math.floor(second / 1000);
}

/** The query for a family's oldest or newest records first; empty when the service can't sort the family by creation. */
export function creationOrder({ sort }: Resource, order: 'asc' | 'desc'): [string, string][] {
  if (sort.created === undefined) return [];
  return [
    ['sort', sort.created],
    ['order', order],
  ];
}

/** The outcomes of a delete, and of a conversion, which may delete its lead. */
export const deleted = 'deleted';
export const converted = 'converted';
