// Finds the records that have given emails already, in a family of which the service takes an email twice. So a person sees a double before
// it is made.

import { scalarText } from '../base/values/json.ts';
import { valueAt } from '../base/values/paths.ts';
import type { Api } from '../client/client.ts';
import { recordsOf } from '../client/envelope.ts';
import { largestPage, seeRecords } from '../client/paging.ts';
import type { Field, Resource } from '../model/define.ts';
import { fieldKey } from '../model/field-key.ts';
import { creationOrder } from '../model/identity.ts';
import { idText } from '../model/records/display.ts';

/** The field with an email that several records may share. Undefined for a family whose service refuses a double itself. */
export const sharedEmail = ({ fields }: Resource): (Field & { readonly read: string }) | undefined =>
  fields.find(
    (field): field is Field & { readonly read: string } => field.type.kind === 'email' && !field.unique && field.read !== undefined,
  );

/** For more emails than this, the list is read instead. */
const mostSearches = 20;

/**
 * The ids of the records with these emails, by `fieldKey`. Asks for each of a few emails, else reads the list. Undefined when the list has
 * more than 100 pages. Throws like Api.read.
 */
export async function recordsWithEmails(
  api: Api,
  resource: Resource,
  emails: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const field = sharedEmail(resource);
  const found = new Map<string, string[]>();
  if (field === undefined) return found;
  const wanted = new Map(emails.map((email) => [fieldKey(field, email), email]));
  const see = (record: unknown): void => {
    const key = fieldKey(field, scalarText(valueAt(record, field.read)));
    if (wanted.has(key)) found.set(key, [...new Set([...(found.get(key) ?? []), idText(record)])]);
  };
  if (wanted.size <= mostSearches) {
    const searched = async (email: string): Promise<void> => {
      const query: [string, string][] = [
        ['search', email],
        ['limit', String(largestPage)],
        ['page', '1'],
      ];
      const request = { method: 'GET' as const, path: resource.path, query };
      for (const record of recordsOf(await api.read(request), request)) see(record);
    };
    await Promise.all([...wanted.values()].map(searched));
    return found;
  }
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'asc') };
  return (await seeRecords(api, request, signal, see)) ? found : undefined;
}
