// The one question before something that can't be undone, and the name that a protected profile wants to hear first.

import type { Context } from '../context.ts';
import { UnconfirmedError } from '../errors.ts';
import type { Settings } from '../profiles/settings.ts';
import { askLine, canAsk } from './prompt.ts';

/**
 * Asks on a terminal and returns when the user agrees; --yes agrees beforehand, and --dry-run needs no agreement. `inFull` says the
 * question with what has to be looked up for it; it is called only where somebody reads it. Throws UnconfirmedError when the
 * answer is no, or when nobody can give one. Call it before anything is sent.
 */
export async function confirm(context: Context, question: string, inFull?: () => Promise<string>): Promise<void> {
  const { flags } = context;
  if (flags.yes || flags.dryRun) return;
  if (!canAsk(context)) {
    throw new UnconfirmedError(`${question} Nobody can be asked here, so nothing was done.`, { hint: 'Confirm with --yes.' });
  }
  const asked = inFull === undefined ? question : await inFull();
  if (!(await ask(context, asked))) throw new UnconfirmedError('Not confirmed: nothing was done.');
}

/** `confirm` for what changes the service: a protected profile has to be named, too. */
export async function confirmWrite(context: Context, question: string, inFull?: () => Promise<string>): Promise<void> {
  await requireNamed(context);
  await confirm(context, question, inFull);
}

const isYes = (typed: string): boolean => /^y(es)?$/i.test(typed);

async function ask(context: Context, message: string): Promise<boolean> {
  const problem = (typed: string): string | undefined => (isYes(typed) || /^(no?)?$/i.test(typed) ? undefined : 'Answer y or n.');
  return isYes(await askLine(context, { message, hint: 'y/N', problem, shown: (typed) => (isYes(typed) ? 'Yes' : 'No') }));
}

/**
 * Lets a protected profile's service be written to only when --confirm names the profile: also where CRM_BASE_URL leads
 * there and the profile itself is not in force. Throws UnconfirmedError otherwise; nothing is sent.
 */
export async function requireNamed(context: Context): Promise<void> {
  const { confirm: typed, dryRun } = context.flags;
  if (typed === undefined && dryRun) return;
  const settings = await context.settings();
  const guards = await protectedProfiles(context, settings);
  if (typed !== undefined) return checkTyped(typed, settings, guards);
  const [guard] = guards;
  if (guard === undefined) return;
  const what =
    guard === settings.profile ? `Profile "${guard}" is protected` : `${settings.baseUrl} belongs to the protected profile "${guard}"`;
  throw new UnconfirmedError(`${what}: nothing was sent.`, { hint: `If it is really meant, add --confirm ${guard}` });
}

function checkTyped(typed: string, { profile }: Settings, guards: readonly string[]): void {
  const wanted = guards.length > 0 || profile === undefined ? guards : [profile];
  if (wanted.includes(typed)) return;
  const names = wanted.map((name) => `"${name}"`).join(' or ');
  throw new UnconfirmedError(`--confirm: the profile in force is ${names || 'none'}, not "${typed}".`);
}

/** The profile in force if it is protected, else every protected one of the same base URL. */
async function protectedProfiles(context: Context, { profile, protected: isProtected, baseUrl }: Settings): Promise<string[]> {
  if (isProtected && profile !== undefined) return [profile];
  const [{ readProfiles }, { profileBaseUrl }] = await Promise.all([import('../profiles/store.ts'), import('../profiles/settings.ts')]);
  const { profiles } = await readProfiles(await context.configDir());
  const guards = [...profiles].filter(([name, one]) => one.protected && profileBaseUrl({ name, profile: one }) === baseUrl);
  return guards.map(([name]) => name);
}
