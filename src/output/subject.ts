// The words for the record of a write: its name, its title, and the command that shows the record. Pure.

import type { Body } from '../base/values/body.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { capitalised } from '../base/values/text/wording.ts';
import type { Resource } from '../model/define.ts';
import { titleField } from '../model/identity.ts';
import { displayText, idText } from '../model/records/display.ts';
import type { Effect } from './result.ts';

/** `Lead 33`, or `Lead` without an id. */
export function subjectOf(singular: string, id?: Id | ''): string {
  const noun = capitalised(singular);
  return id === undefined || id === '' ? noun : `${noun} ${id}`;
}

/** The title of the first record that has one. */
export function titleIn({ title }: Pick<Resource, 'title'>, ...records: readonly unknown[]): { readonly title?: string } {
  if (title === undefined) return {};
  const found = records.map((record) => displayText(valueAt(record, title)).trim()).find((text) => text !== '');
  return found === undefined ? {} : { title: found };
}

/** The effect of a create: the new record's id and title, from the answer or the body. `like`: `a copy of lead 12`. */
export function effectOfCreate(resource: Resource, { data }: { readonly data: unknown }, body: Body, like?: string): Effect {
  const id = idText(data);
  const wire = titleField(resource)?.wire ?? '';
  const sent = displayText(valueText(body.get(wire) ?? '')).trim();
  const title = sent === '' ? {} : { title: sent };
  return {
    subject: subjectOf(resource.singular, id),
    done: like === undefined ? 'created' : `created, ${like}`,
    ...title,
    ...titleIn(resource, data),
    ...seeNext(resource, id),
  };
}

/** The command that shows the answered record. None if the id is not a number, because its text could be unsafe in a shell. */
export const seeNext = ({ name }: Pick<Resource, 'name'>, id: string): Pick<Effect, 'next'> =>
  /^\d+$/.test(id) ? { next: { what: 'see it', command: `${name} get ${id}` } } : {};
