// What to tell a user whose environment has settings that win over a profile.

import type { Context } from '../../context.ts';

type Variable = 'CRM_PROFILE' | 'CRM_BASE_URL' | 'CRM_API_KEY';

/** `CRM_API_KEY in the environment wins over this profile.`; undefined when none of the variables is set. */
export function environmentWins(env: Context['env'], variables: readonly Variable[]): string | undefined {
  const set = variables.filter((variable) => env[variable]);
  if (set.length === 0) return undefined;
  return `${set.join(' and ')} in the environment ${set.length > 1 ? 'win' : 'wins'} over this profile.`;
}
