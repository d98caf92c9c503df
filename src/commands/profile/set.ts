// `crm profile set`: changes settings of a profile. A key belongs to the origin that it was saved with, so another origin needs a new
// key.

import { isDeepStrictEqual } from 'node:util';
import { isSandbox, originOf } from '../../base/base-url.ts';
import { invalidValue, UnconfirmedError, UsageError } from '../../base/errors.ts';
import type { Flag, FlagValues, Input } from '../../base/flag.ts';
import { checkChoice, togetherEach } from '../../base/values/parse.ts';
import { unknownField } from '../../base/values/text/suggest.ts';
import { command } from '../../cli/command.ts';
import { memberNamed, namesForSuggestions } from '../../model/members.ts';
import { allFamilies } from '../../model/resources/index.ts';
import type { Result } from '../../output/result.ts';
import { confirm } from '../../session/ask/confirm.ts';
import { canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { type NamedProfile, type Profile, requireProfile } from '../../session/profiles/profile.ts';
import { isReadOnlyByVariable } from '../../session/profiles/settings.ts';
import { changeProfile, readProfiles, sayingUnlocked } from '../../session/profiles/store.ts';
import type { VerifyKey } from '../../session/profiles/verify.ts';
import { verifyByRequest } from '../../session/profiles/verify.ts';
import { memberName, profileMembers, profileRecord, profileShape } from './record.ts';
import {
  checkedAddress,
  checkedDetails,
  type Keyless,
  namesKey,
  readOnlyOf,
  serviceFlags,
  tryUnsaved,
  withMember,
  withNewKey,
} from './service.ts';

const settingsFlags = [
  ...serviceFlags,
  { name: 'no-protected', help: 'Remove the protection' },
  { name: 'no-read-only', help: 'Let commands write again. Asks; off a terminal it needs --confirm NAME' },
  {
    name: 'columns',
    value: 'family=fields',
    help: "The columns of that family's table on a terminal, as in leads=id,title,value; repeatable. Nothing behind = removes them",
    repeatable: true,
  },
] as const satisfies readonly Flag[];

type SettingsInput = Input<FlagValues<typeof settingsFlags>>;

export const profileSet = command({
  path: ['profile', 'set'],
  sends: [{ method: 'GET', path: '/api/contacts' }],
  does: 'writes',
  prints: { json: 'object', members: profileMembers },
  summary: 'Change settings of a profile',
  description:
    'Settings that are not given stay. A new address or key is checked with one request before it is saved. A key belongs to the ' +
    'origin that it was saved with. Another scheme, host or port needs another key, which is asked for on a terminal.',
  args: [{ name: 'name', help: 'The profile', listedBy: 'profile list', listedMember: 'name' }],
  flags: settingsFlags,
  needs: [{ count: 'at least one', of: [...serviceFlags.map(({ name }) => name), 'no-protected', 'no-read-only', 'columns'] }],
  topics: ['settings'],
  examples: [
    'crm profile set acme --me 3 --protected',
    'crm profile set acme --key-command "pass show crm" --no-verify',
    'crm profile set acme --columns leads=id,title,value',
  ],
  run: (context, input) => changeSettings(context, input, verifyByRequest),
});

/** Runs `profile set`. `verify` checks the key; tests replace it. */
export async function changeSettings(context: Context, input: SettingsInput, verify: VerifyKey): Promise<Result> {
  const configDir = await context.configDir();
  const store = await readProfiles(configDir);
  const before = requireProfile(store, input.args[0] ?? '');
  const { name } = before;
  if (input.flags['no-read-only']) await agreeToWrites(context, before);
  const profile = await withMember(context, { name, profile: await changed(context, input, before, verify) });
  if (context.flags.dryRun) return { kind: 'text', notice: `Would change profile "${name}".` };
  await changeProfile(configDir, before, profile, sayingUnlocked(context.io, context.flags));
  // The remembered names and titles come from the old service.
  const folder = profile.baseUrl === before.profile.baseUrl ? undefined : await context.ownDataDir();
  if (folder !== undefined) (await import('../../session/names/known.ts')).forgetKnown(folder, name);
  const who = profile.me === undefined || profile.me === before.profile.me ? undefined : await memberName(context, { name, profile });
  const lostMe = before.profile.me !== undefined && profile.me === undefined;
  const isSame = isDeepStrictEqual(withoutUndefined(profile), withoutUndefined(before.profile));
  const said = `${isSame ? `Profile "${name}" is as it was.` : `Changed profile "${name}".`}${who === undefined ? '' : ` You are ${who} there.`}`;
  const isStill =
    input.flags['no-read-only'] && isReadOnlyByVariable(context.env) ? ' CRM_READ_ONLY in the environment goes on refusing writes.' : '';
  const sentence = `${said}${isStill}${lostMe ? ' Its --me belonged to the other service: set it again.' : ''}`;
  return {
    kind: 'rows',
    data: profileRecord({ name, profile }, store.current),
    shape: profileShape,
    notice: sentence,
    drawn: { sentence },
  };
}

const withoutUndefined = (profile: Profile): unknown => JSON.parse(JSON.stringify(profile));

/** Tries the key if the key or the address is new. */
async function changed(
  context: Context,
  input: SettingsInput,
  { name, profile: before }: NamedProfile,
  verify: VerifyKey,
): Promise<Profile> {
  const { flags } = input;
  const { key, keyCommand, ...rest } = before;
  const { readOnly, ...others } = addressed(flags, rest);
  const isReadOnly = flags['no-read-only'] ? {} : readOnlyOf({ 'read-only': flags['read-only'] ?? readOnly });
  const wanted = withTypedColumns({ ...others, ...isReadOnly, ...checkedDetails(flags), ...protection(flags) }, flags.columns);
  const isMoved = isElsewhere(wanted.baseUrl, before.baseUrl);
  if (isMoved && !namesKey(input) && !isSandbox(wanted.baseUrl) && !canAsk(context)) {
    throw new UsageError(`--base-url has another origin than profile "${name}", so it needs another key.`, {
      hint: 'Give it with --key-stdin or --key-command.',
    });
  }
  if (isMoved || namesKey(input)) return withNewKey(context, input, { name, profile: wanted }, verify);
  if (!settings.some((flag) => flags[flag] !== undefined)) {
    throw new UsageError('Nothing to change: give at least one flag.', { code: 'missing_value', hint: 'See: crm profile set --help' });
  }
  const profile = { ...wanted, ...(key === undefined ? {} : { key }), ...(keyCommand === undefined ? {} : { keyCommand }) };
  if (flags['base-url'] !== undefined && !flags['no-verify']) await tryUnsaved(context, { name, profile }, `profile "${name}"`, verify);
  return profile;
}

/** The flags that change a profile. --no-verify alone changes nothing. */
const settings = [
  'base-url',
  'encoding',
  'me',
  'protected',
  'no-protected',
  'read-only',
  'no-read-only',
  'insecure-http',
  'columns',
] as const;

function withTypedColumns({ columns, ...wanted }: Keyless, typed: readonly string[] = []): Keyless {
  const given = togetherEach(typed, (text: string) => {
    const [, family = '', names] = /^([^=]+)=(.*)$/s.exec(text.trim()) ?? [];
    if (names === undefined) throw invalidValue('--columns', `"${text}" is not FAMILY=FIELDS, as in leads=id,title,value.`);
    const resource = allFamilies.find((one) => one.name === family || one.singular === family);
    const name =
      resource?.name ??
      checkChoice(
        family,
        allFamilies.map((one) => one.name),
        '--columns',
      );
    const fields = names
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    if (resource !== undefined)
      for (const one of fields)
        if (memberNamed(resource, one) === undefined) throw invalidValue('--columns', unknownField(one, namesForSuggestions(resource)));
    return [name, fields] as const;
  });
  const all = Object.entries({ ...columns, ...Object.fromEntries(given) }).filter(([, fields]) => fields.length > 0);
  return { ...wanted, ...(all.length === 0 ? {} : { columns: Object.fromEntries(all) }) };
}

/** Another origin drops `me` and the permission for plain http: both were given for the old origin. */
function addressed(flags: SettingsInput['flags'], wanted: Keyless): Keyless {
  const { 'insecure-http': isAllowed = false } = flags;
  if (flags['base-url'] === undefined) return { ...wanted, insecureHttp: wanted.insecureHttp || isAllowed };
  const stays = !isElsewhere(flags['base-url'].trim(), wanted.baseUrl);
  const insecureHttp = isAllowed || (stays && wanted.insecureHttp);
  const { me, ...rest } = wanted;
  const baseUrl = checkedAddress(flags['base-url'], insecureHttp);
  return { ...rest, ...(stays && me !== undefined ? { me } : {}), baseUrl, insecureHttp };
}

/** An invalid URL (from a file edited by hand) differs from every URL. */
function isElsewhere(one: string, other: string): boolean {
  const [from, to] = [one, other].map((url) => (isSandbox(url) || URL.canParse(url) ? originOf(url) : undefined));
  return one !== other && (from === undefined || from !== to);
}

/** Asks before a read-only profile may write; off a terminal --confirm has to name the profile. Throws UnconfirmedError. */
async function agreeToWrites(context: Context, { name, profile }: NamedProfile): Promise<void> {
  const { confirm: typed, dryRun } = context.flags;
  if (!profile.readOnly || dryRun || typed === name) return;
  if (typed !== undefined || !canAsk(context)) {
    throw new UnconfirmedError(`Profile "${name}" is read only: nothing was changed.`, {
      code: 'read_only',
      hint: `To let commands write to its service, add --confirm ${name}`,
    });
  }
  await confirm(context, `Let commands write with profile "${name}" again?`, { isLocal: true });
}

function protection(flags: SettingsInput['flags']): Partial<Keyless> {
  if (flags['no-protected']) return { protected: false };
  return flags.protected ? { protected: true } : {};
}
