// What the team member is called whose id a profile holds as `me`.

import type { Context } from '../../context.ts';
import type { NamedProfile } from '../../profiles/profile.ts';

/** `Priya Raman (3)`, by what is remembered of the profile's service; undefined where nothing is. */
export async function memberName(context: Context, { name, profile }: NamedProfile): Promise<string | undefined> {
  const { me, baseUrl } = profile;
  if (me === undefined) return undefined;
  const { knownPath, readNames } = await import('../../names/known.ts');
  const known = readNames(knownPath(await context.dataDir(), name), baseUrl, 'team').find(({ id }) => String(id) === me);
  return known === undefined ? undefined : `${known.name} (${me})`;
}
