// Asks for agreement before a write or a removal. For a protected profile the user must also type its name (--confirm).

import { UnconfirmedError } from '../../base/errors.ts';
import type { Context } from '../context.ts';
import { guardsOf, type Settings } from '../profiles/settings.ts';
import { askLine, canAsk } from './prompt.ts';

interface ConfirmOptions {
  /** Reads facts and puts them into the question. Called only when a person is asked. */
  readonly inFull?: () => Promise<string>;
  /** A number that the user must type instead of y. */
  readonly number?: number | undefined;
  /** The step concerns this machine, not the profile's service. */
  readonly isLocal?: boolean;
}

/**
 * Asks on a terminal, and returns when the user agrees. --yes agrees beforehand; --dry-run needs no agreement. Throws UnconfirmedError
 * when the answer is no, and when there is no terminal. Call it before anything is sent.
 */
export async function confirm(context: Context, question: string, { inFull, number, isLocal }: ConfirmOptions = {}): Promise<void> {
  const { flags } = context;
  if (flags.yes || flags.dryRun) return;
  if (!canAsk(context)) {
    throw new UnconfirmedError(`${question} Nobody can be asked here, so nothing was done.`, { hint: 'Confirm with --yes.' });
  }
  const asked = `${inFull === undefined ? question : await inFull()}${isLocal ? '' : await profileNote(context)}`;
  if (!(await (number === undefined ? ask(context, asked) : askNumber(context, asked, number))))
    throw new UnconfirmedError('Not confirmed: nothing was done.', { isAsked: true });
}

/** `confirm` for a write to the service. A protected profile must be named first. */
export async function confirmWrite(context: Context, question: string, inFull?: () => Promise<string>): Promise<void> {
  await requireNamed(context, { asks: true });
  await confirm(context, question, inFull === undefined ? {} : { inFull });
}

/**
 * `confirm` for removing something local. `guards`: the protected profiles that use the removed thing. With guards, --confirm must name one
 * of them.
 */
export async function confirmNamed(context: Context, guards: readonly string[], question: string): Promise<void> {
  const { confirm: typed, dryRun } = context.flags;
  const [guard] = guards;
  if (guard !== undefined && typed === undefined && !dryRun) {
    throw new UnconfirmedError(`Profile "${guard}" is protected: nothing was done.`, {
      code: 'profile_protected',
      hint: namingHint(context, guard, true),
    });
  }
  if (guard !== undefined && typed !== undefined && !guards.includes(typed)) {
    throw new UnconfirmedError(`--confirm names "${typed}", but the protected profile is ${quotedNames(guards)}.`, {
      code: 'profile_protected',
    });
  }
  await confirm(context, question, { isLocal: true });
}

/** ` Profile: work.` when there are several profiles. When the environment names the service: ` Service: URL.` */
export async function profileNote(context: Context): Promise<string> {
  const place = await profileOrService(context);
  return place === undefined ? '' : ` ${place.noun}: ${place.name}.`;
}

/** ` (profile work)` in the sentence of a write, when there are several profiles. Empty where the profiles can't be read. */
export async function placeInSentence(context: Context): Promise<string> {
  const place = await profileOrService(context).catch(() => undefined);
  return place === undefined ? '' : ` (${place.noun.toLowerCase()} ${place.name})`;
}

async function profileOrService(context: Context): Promise<{ readonly noun: string; readonly name: string } | undefined> {
  const { readProfiles } = await import('../profiles/store.ts');
  const { profiles } = await readProfiles(await context.configDir());
  if (profiles.size < 2) return undefined;
  const { profile, baseUrl } = await context.settings();
  return profile === undefined ? { noun: 'Service', name: baseUrl } : { noun: 'Profile', name: profile };
}

const isYes = (typed: string): boolean => /^y(es)?$/i.test(typed);

async function ask(context: Context, message: string): Promise<boolean> {
  const problem = (typed: string): string | undefined => (isYes(typed) || isNo(typed) ? undefined : 'Answer y or n.');
  return isYes(await askLine(context, { message, hint: 'y/N', problem, shown: (typed) => (isYes(typed) ? 'Yes' : 'No') }));
}

const isNo = (typed: string): boolean => /^(no?)?$/i.test(typed);

async function askNumber(context: Context, message: string, number: number): Promise<boolean> {
  const problem = (typed: string): string | undefined =>
    typed === String(number) || isNo(typed) ? undefined : `Type ${number} to agree, or n.`;
  const shown = (typed: string): string => (isNo(typed) ? 'No' : typed);
  return !isNo(await askLine(context, { message, hint: `type ${number}`, problem, shown }));
}

/**
 * Refuses a write to a protected profile's service unless --confirm names the profile. This also covers a service that only
 * CRM_BASE_URL names. Throws UnconfirmedError before anything is sent. `asks`: a question follows.
 */
export async function requireNamed(context: Context, { asks = false }: { readonly asks?: boolean } = {}): Promise<void> {
  const { confirm: typed, dryRun } = context.flags;
  if (typed === undefined && dryRun) return;
  const settings = await context.settings();
  const { profile, baseUrl } = settings;
  const guards = settings.protected && profile !== undefined ? [profile] : await guardsOf(context, baseUrl);
  if (typed !== undefined) return checkTyped(typed, settings, guards);
  const [guard] = guards;
  if (guard === undefined) return;
  const what = guard === profile ? `Profile "${guard}" is protected` : `${baseUrl} belongs to the protected profile "${guard}"`;
  throw new UnconfirmedError(`${what}: nothing was sent.`, { code: 'profile_protected', hint: namingHint(context, guard, asks) });
}

/** Off a terminal, a question also needs --yes: the hint names both flags. */
const namingHint = (context: Context, guard: string, asks: boolean): string =>
  `To do this anyway, ${asks && !canAsk(context) ? 'give both --yes and' : 'add'} --confirm ${guard}`;

const quotedNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(' or ');

function checkTyped(typed: string, { profile }: Settings, guards: readonly string[]): void {
  const wanted = guards.length > 0 || profile === undefined ? guards : [profile];
  if (wanted.includes(typed)) return;
  const wantedText = wanted.length === 0 ? 'no profile is in force' : `the profile to confirm is ${quotedNames(wanted)}`;
  throw new UnconfirmedError(`--confirm names "${typed}", but ${wantedText}.`, { code: 'profile_protected' });
}
