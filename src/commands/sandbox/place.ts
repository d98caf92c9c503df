// Finds the file and base URL of the embedded CRM of --profile, by default of `sandbox`.

import { join } from 'node:path';
import { isSandbox } from '../../base/base-url.ts';
import { ConflictError, UsageError } from '../../base/errors.ts';
import { pathIn } from '../../base/files/path-in.ts';
import type { Context } from '../../session/context.ts';
import { sandboxFile, sandboxPath } from '../../session/open-client.ts';
import { checkProfileName } from '../../session/profiles/profile.ts';

export const usualName = 'sandbox';

export interface SandboxAddress {
  /** The name of the profile. Undefined for a file of --db. */
  readonly name: string | undefined;
  readonly path: string;
  /** The base URL of the profile, which also identifies the journal of its runs. */
  readonly baseUrl: string;
}

/**
 * The embedded CRM of --profile, or of the file of --db. Throws UsageError for an invalid name, and for both flags; ConflictError for a
 * profile of another service.
 */
export async function sandboxPlace(context: Context, db?: string): Promise<SandboxAddress> {
  const { profile: typed } = context.flags;
  if (db !== undefined) {
    if (typed !== undefined) throw new UsageError('Give --db or --profile, not both.');
    const path = pathIn(context, db);
    const isUsual = path === (await sandboxPath(context).catch(() => undefined));
    return { name: undefined, path, baseUrl: isUsual ? 'sandbox:' : `sandbox:${path}` };
  }
  const usual = { name: usualName, path: await sandboxPath(context), baseUrl: 'sandbox:' };
  if (typed === undefined) return usual;
  const name = checkProfileName(typed);
  const { readProfiles, refuseTaken } = await import('../../session/profiles/store.ts');
  const { profiles } = await readProfiles(await context.configDir());
  refuseTaken(profiles.keys(), name, true);
  const there = profiles.get(name);
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

/** Makes the file of a place. In crm's own folder, a file that can't be made is an error of the settings: UnauthorizedError. */
export async function madeAt<T>({ name }: SandboxAddress, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (name === undefined) throw error;
    const { asSettingError } = await import('../../sandbox/store/store.ts');
    throw asSettingError(error);
  }
}
