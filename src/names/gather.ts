// Reads records on purpose, for the names in them: what no list can be asked for is then known before it is typed.

import type { Api } from '../api/client.ts';
import { openClient } from '../open-client.ts';
import type { Settings } from '../profiles/settings.ts';
import { namedKinds } from '../resources/named.ts';
import { newestPages } from './pages.ts';
import { openNames } from './run-names.ts';

/** The lists whose records tell of the kinds that have no list of their own. */
function listsOfUnlisted(): { readonly family: string; readonly path: string }[] {
  const seen = Object.values(namedKinds).flatMap(({ list, seenIn }) => (list === undefined ? seenIn : []));
  return [...new Map(seen.map(({ family, path }) => [path, { family, path }])).values()];
}

/** Remembers the names of a profile's newest records, one page of each list. What can't be read now is looked for when it is typed. */
export async function gatherNames(surroundings: Parameters<typeof openClient>[0], settings: Settings): Promise<void> {
  const names = await openNames(surroundings, settings);
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
