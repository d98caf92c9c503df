// `crm profile add`: checks the name and the URL, tries the key with one request, and saves. On a terminal asks for missing values.

import { CrmError, UsageError } from '../../base/errors.ts';
import { command } from '../../cli/command.ts';
import type { Result } from '../../output/result.ts';
import { askLine, canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { checkProfileName } from '../../session/profiles/profile.ts';
import { readProfiles, refuseTaken, saveProfile, sayingUnlocked } from '../../session/profiles/store.ts';
import type { VerifyKey } from '../../session/profiles/verify.ts';
import { verifyAndGather } from '../../session/profiles/verify.ts';
import { profileMembers, profileRecord, profileShape } from './record.ts';
import {
  checkedAddress,
  checkedDetails,
  type Keyless,
  readOnlyOf,
  type ServiceInput,
  serviceFlags,
  withMember,
  withNewKey,
} from './service.ts';

export const profileAdd = command({
  path: ['profile', 'add'],
  sends: [{ method: 'GET', path: '/api/contacts' }],
  does: 'writes',
  fails: ['name_taken'],
  prints: { json: 'object', members: profileMembers },
  summary: 'Add a profile: a service and the key to it',
  description:
    'On a terminal crm asks for missing values, and hides the key. The key is checked with one request, and saved in a file that only you ' +
    'can read (not checked on Windows). The first profile becomes the current one.',
  args: [{ name: 'name', help: 'The name of the profile: letters, digits, dots, hyphens, underscores', optional: true }],
  flags: serviceFlags,
  needs: [
    { count: 'exactly one', of: ['name'] },
    { count: 'exactly one', of: ['base-url'] },
    { count: 'exactly one', of: ['key-stdin', 'key-command'], unless: 'with --base-url sandbox:' },
  ],
  topics: ['settings'],
  examples: [
    'crm profile add demo --base-url sandbox:',
    'crm profile add acme --base-url https://crm.example.com --key-command "pass show crm"',
    'crm profile add acme --base-url https://crm.example.com --key-stdin < key.txt',
  ],
  run: (context, input) => addProfile(context, input, verifyAndGather),
});

/** Runs `profile add`. `verify` checks the key; tests replace it. */
export async function addProfile(context: Context, input: ServiceInput, verify: VerifyKey): Promise<Result> {
  const configDir = await context.configDir();
  const { name, current: before } = await readName(context, input.args[0], configDir);
  const keyed = await withNewKey(context, input, { name, profile: await keylessProfile(context, input.flags) }, verify);
  const profile = await withMember(context, { name, profile: keyed });
  if (context.flags.dryRun) return { kind: 'text', notice: `Would save profile "${name}".` };

  const { current } = await saveProfile(configDir, name, profile, {
    makeCurrentIfFirst: true,
    unlocked: sayingUnlocked(context.io, context.flags),
  });
  return {
    kind: 'rows',
    data: profileRecord({ name, profile }, current ? name : before),
    shape: profileShape,
    notice: current ? `Saved profile "${name}". It is the current one.` : `Saved profile "${name}". Switch to it: crm profile use ${name}`,
  };
}

async function readName(context: Context, typed: string | undefined, configDir: string): Promise<{ name: string; current?: string }> {
  if (typed !== undefined) checkProfileName(typed);
  else if (!canAsk(context))
    throw new UsageError('<name> is missing: say what to call the profile.', {
      code: 'missing_value',
      hint: 'Such as: crm profile add acme --base-url URL',
    });
  const { profiles, ...rest } = await readProfiles(configDir);
  const check = (name: string): void => {
    checkProfileName(name);
    refuseTaken(profiles.keys(), name);
  };
  const name = typed ?? (await askChecked(context, 'Name of the profile', check));
  check(name);
  return { name, ...rest };
}

async function keylessProfile(context: Context, flags: ServiceInput['flags']): Promise<Keyless> {
  const { 'insecure-http': insecureHttp = false } = flags;
  const details = checkedDetails(flags);
  const address = flags['base-url'] ?? (await askAddress(context, insecureHttp));
  const baseUrl = checkedAddress(address, insecureHttp);
  return { baseUrl, encoding: 'form', insecureHttp, protected: flags.protected ?? false, ...readOnlyOf(flags), ...details };
}

function askAddress(context: Context, insecureHttp: boolean): Promise<string> {
  if (!canAsk(context)) throw new UsageError('--base-url is missing: say where the service is.', { code: 'missing_value' });
  return askChecked(context, 'Base URL of the service', (typed) => checkedAddress(typed, insecureHttp, 'That'));
}

function askChecked(context: Context, message: string, check: (typed: string) => unknown): Promise<string> {
  const problem = (typed: string): string | undefined => {
    try {
      check(typed);
      return undefined;
    } catch (error) {
      if (error instanceof CrmError) return error.message;
      throw error;
    }
  };
  return askLine(context, { message, problem });
}
