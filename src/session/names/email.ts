// Finds the record that an email names, in a family whose records have unique emails. Emails are not remembered.

import { invalidValue } from '../../base/errors.ts';
import type { Id } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { caseless } from '../../base/values/text/caseless.ts';
import type { Resource } from '../../model/define.ts';
import { displayText } from '../../model/records/display.ts';
import { firstPages } from './pages.ts';
import type { NameSources } from './resolve.ts';
import { idIn } from './seen.ts';

/** The most records in a message. */
const mostTold = 5;

/**
 * The id of the only record with an email, whatever its case: one search by the service, compared exactly. Throws InvalidValues naming
 * `where`, with the records that the search found.
 */
export async function idOfEmail(sources: Pick<NameSources, 'api'>, resource: Resource, email: string, where: string): Promise<Id> {
  const { path, singular, name, emailIn = '' } = resource;
  const found: unknown[] = [];
  for await (const { records } of firstPages(await sources.api(), { method: 'GET', path, query: [['search', email]] }))
    found.push(...records);
  const same = found.filter((one) => caseless(displayText(valueAt(one, emailIn))) === caseless(email));
  const [first, second] = same.map((one) => (isMembers(one) ? idIn(one.id) : undefined)).filter((id) => id !== undefined);
  if (first !== undefined && second === undefined) return first;
  const told = (second === undefined ? found : same).slice(0, mostTold);
  const names = told.map((one) => `${displayText(valueAt(one, 'id'))} ${displayText(valueAt(one, emailIn))}`.trim()).join(', ');
  if (second !== undefined)
    throw invalidValue(where, `several ${name} have the email "${email}": ${names}. Give the id.`, 'name_ambiguous');
  const others = names === '' ? '' : ` The search found: ${names}.`;
  throw invalidValue(where, `no ${singular} has the email "${email}".${others}`, 'name_unknown');
}
