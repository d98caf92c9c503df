// A name in place of an id: what was typed is compared with the names that are known or that the service lists.

import type { Api } from '../api/client.ts';
import { invalidValue } from '../errors.ts';
import { namedKinds } from '../resources/named.ts';
import { type Id, parseId } from '../values/parse.ts';
import type { Named } from '../values/value-type.ts';

/** What looking for a name needs of a run. */
export interface NameSources {
  api(): Promise<Api>;
}

/** `part`: the beginning of a name or of one of its words will do, for what is only read. `whole`: for what is written. */
export type NameMatch = 'part' | 'whole';

/** The id that was typed, or that of the one thing with that name. Throws InvalidValues naming `where`, with the candidates. */
export async function idNamed(_sources: NameSources, of: Named, text: string, where: string, _match: NameMatch): Promise<Id> {
  if (/^\d+$/.test(text)) return parseId(text, where);
  throw invalidValue(where, `"${text}" is not the id of a ${namedKinds[of].noun}, a whole number above 0.`);
}
