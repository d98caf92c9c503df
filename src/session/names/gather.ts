// Reads a few records and remembers the names in them, and the names that an embedded CRM tells. The service has no list of some names (lead statuses, units): they stand only in
// records.

import type { Api } from '../../client/client.ts';
import { namedKinds } from '../../model/named.ts';
import { openClient } from '../open-client.ts';
import type { Settings } from '../profiles/settings.ts';
import { newestPages } from './pages.ts';
import { openNames } from './run-names.ts';

function listsOfUnlisted(): { readonly family: string; readonly path: string }[] {
  const seen = Object.values(namedKinds).flatMap(({ list, seenIn }) => (list === undefined ? seenIn : []));
  return [...new Map(seen.map(({ family, path }) => [path, { family, path }])).values()];
}

/**
 * Remembers the names in a profile's newest records, a page of each list. An error only ends the reading: missing names are looked up
 * when typed.
 */
export async function gatherNames(
  surroundings: Parameters<typeof openClient>[0] & Parameters<typeof openNames>[0],
  settings: Settings,
): Promise<void> {
  const names = await openNames(surroundings, settings);
  // An embedded CRM tells its own names: they are saved, too.
  names.known();
  let api: Api | undefined;
  try {
    api = await openClient(surroundings, settings);
    for (const { family, path } of listsOfUnlisted()) {
      const { value } = await newestPages(api, family, path).next();
      if (value !== undefined) names.see({ method: 'GET', path }, { data: value.records });
    }
  } catch (error) {
    if (surroundings.signal.aborted) throw error;
  } finally {
    await api?.close();
  }
  await names.save();
}
