// Finds the file and base URL of the embedded CRM of --profile, by default of `sandbox`.

import { join } from 'node:path';
import { isSandbox } from '../../base/base-url.ts';
import { ConflictError } from '../../base/errors.ts';
import type { Context } from '../../session/context.ts';
import { sandboxFile, sandboxPath } from '../../session/open-client.ts';
import { checkProfileName } from '../../session/profiles/profile.ts';

export const usualName = 'sandbox';

export interface SandboxPlace {
  /** The name of the profile. */
  readonly name: string;
  readonly path: string;
  /** The base URL of the profile, which also identifies the journal of its runs. */
  readonly baseUrl: string;
}

/** The embedded CRM of --profile. Throws UsageError for an invalid name, ConflictError for a profile of another service. */
export async function sandboxPlace(context: Context): Promise<SandboxPlace> {
  const { profile: typed } = context.flags;
  const usual = { name: usualName, path: await sandboxPath(context), baseUrl: 'sandbox:' };
  if (typed === undefined) return usual;
  const name = checkProfileName(typed);
  const { readProfiles } = await import('../../session/profiles/store.ts');
  const there = (await readProfiles(await context.configDir())).profiles.get(name);
  if (there !== undefined && !isSandbox(there.baseUrl)) {
    throw new ConflictError(`The profile "${name}" belongs to a service (${there.baseUrl}) and has no embedded CRM.`, {
      hint: 'Give another name: crm sandbox init --profile rehearsal',
    });
  }
  if (there !== undefined) return { name, path: await sandboxFile(context, there.baseUrl), baseUrl: there.baseUrl };
  if (name === usualName) return usual;
  const path = join(await context.dataDir(), `sandbox-${name}.sqlite`);
  return { name, path, baseUrl: `sandbox:${path}` };
}
