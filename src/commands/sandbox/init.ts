// `crm sandbox init`: makes an embedded CRM in one file, and the profile for it, by default `sandbox`.

import { existsSync, rmSync } from 'node:fs';
import { shownBaseUrl } from '../../base/base-url.ts';
import { ConflictError, UsageError } from '../../base/errors.ts';
import { pathIn } from '../../base/files/path-in.ts';
import { crmWith, quoteWord } from '../../base/values/text/shell-word.ts';
import { capitalised, firstOf, howMany, listed } from '../../base/values/text/wording.ts';
import { command } from '../../cli/command.ts';
import { waitFlag, waitOf } from '../../cli/pace.ts';
import { refuseReadOnly } from '../../client/problem.ts';
import type { Resource } from '../../model/define.ts';
import { referenceFamilies, resources } from '../../model/resources/index.ts';
import { shapeless } from '../../output/result.ts';
import { confirmNamed } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { guardsOf, loadSettings, readOnlyBy } from '../../session/profiles/settings.ts';
import { madeAt, type SandboxAddress, sandboxPlace, usualName } from './place.ts';

const names = (families: readonly Resource[]): string[] => families.map(({ name }) => name);

/** The description of the embedded CRM in help. */
export const aboutSandbox =
  `The embedded CRM implements the whole documented interface. ${capitalised(listed(names(resources)))} can be written, with their ` +
  `rules; ${listed([...names(referenceFamilies), 'checklists of leads'])} can be read. It sends no emails, has no web application, ` +
  'keeps no files, and serves nothing that is not documented.';

export const sandboxInit = command({
  path: ['sandbox', 'init'],
  sends: [],
  does: 'writes',
  destroysWhen: 'with --force',
  prints: { json: 'object', members: { profile: 'text|null', file: 'text', data: 'text', current: 'boolean' } },
  summary: 'Make the embedded CRM, with demo data',
  description:
    `Also makes the profile "${usualName}": with it every command works, with no server and no key. ` +
    '--profile NAME makes another embedded CRM, with a file and a profile of its own; --db FILE makes the file alone. --from fills the file with the records of ' +
    'crm snapshot, under the same ids, to rehearse on; the profile does not become the current profile. --force replaces the records of ' +
    'an embedded CRM that exists; a running server goes on with the new records. ' +
    `${aboutSandbox} ` +
    'Its leads have no custom fields. To make a required custom field, add a row to the table lead_fields of the file: ' +
    "INSERT INTO lead_fields (name) VALUES ('region').",
  args: [],
  flags: [
    { name: 'empty', help: 'Reference data only: statuses, categories, units, tax rates, team, one client', group: 'Sandbox' },
    { name: 'from', value: 'folder', help: 'The records of a snapshot in place of demo data', group: 'Sandbox' },
    { name: 'db', value: 'file', help: 'The file of the embedded CRM; no profile is made', group: 'Sandbox' },
    { name: 'force', help: 'Replace an embedded CRM that is there already', group: 'Sandbox' },
    waitFlag('Sandbox'),
  ],
  examples: [
    'crm sandbox init --force --yes',
    'crm sandbox init --empty --force --yes',
    'crm sandbox init --profile rehearsal --from "$(crm snapshot "$(mktemp -d)/monday" --jq .folder)"',
  ],
  run: async (context, { flags }) => {
    const wait = waitOf(flags, context.env);
    const place = await sandboxPlace(context, flags.db);
    const { name, path, baseUrl } = place;
    const from = flags.from === undefined ? undefined : await snapshotFolder(context, flags.from);
    if (from !== undefined && flags.empty) throw new UsageError("--from can't be combined with --empty.");
    const exists = existsSync(path);
    if (exists && !flags.force) {
      throw new ConflictError(`There is an embedded CRM at ${path} already.`, {
        hint:
          name === undefined
            ? 'Replace it with --force, or name another file.'
            : `Replace it with --force, or reset it to its first state: ${crmWith(context.flags.profile)} sandbox reset`,
      });
    }
    if (exists && !context.flags.dryRun) refuseReadOnly(await readOnlyBy(context, { baseUrl, profile: name }));
    if (exists) await confirmNamed(context, await guardsOf(context, baseUrl), `Replace the embedded CRM at ${path} and everything in it?`);
    const demo = !flags.empty && from === undefined;
    const own = name === undefined ? undefined : await ownProfile(context, { name, baseUrl });
    if (context.flags.dryRun) return { kind: 'text', notice: `Would make an embedded CRM at ${path}.` };
    const { createSandbox } = await import('../../sandbox/create.ts');
    const lost: string[] = [];
    const records = { demo, ...(from === undefined ? {} : { from }) };
    const make = (force: boolean): void => void lost.push(...createSandbox(path, { ...records, force }));
    await madeAt(place, async () => {
      if (!exists) return make(false);
      const { forgettingRuns } = await import('./forget-runs.ts');
      await forgettingRuns(context, { baseUrl, wait }, () => make(true));
    });
    const current =
      name === undefined
        ? false
        : (own ?? (await addSandboxProfile(context, { name, path, baseUrl }, { makeCurrentIfFirst: from === undefined, isOld: exists })));
    if (name !== undefined) await gather(context, name);
    const data = { profile: name ?? null, file: path, data: from ?? (demo ? 'demo' : 'empty'), current };
    const use =
      name === undefined ? `CRM_BASE_URL=${quoteWord(baseUrl)} crm leads list` : `crm leads list${current ? '' : ` --profile ${name}`}`;
    const notice = `${from === undefined ? '' : `${leftOut} `}${lostText(lost)}The embedded CRM is ready. Try: ${use}`;
    return { kind: 'rows', data, shape: shapeless, notice };
  },
});

/** The absolute path of a snapshot's folder. Throws UsageError unless it holds a complete snapshot. */
export async function snapshotFolder(context: Context, typed: string): Promise<string> {
  const folder = pathIn(context, typed);
  (await import('../../base/files/snapshot.ts')).openSnapshot(folder, typed);
  return folder;
}

type NamedPlace = SandboxAddress & { readonly name: string };

const leftOut = 'A snapshot holds no files, no checklists, no images of signatures and no times of comments.';

/** A sentence on the records that the embedded CRM can't hold. Empty if there are no such records. */
export const lostText = (lost: readonly string[]): string =>
  lost.length === 0 ? '' : `${howMany(lost.length, 'record')} can't be kept: ${firstOf(lost, 3)}. `;

/** The first command can already use the names. */
async function gather(context: Context, name: string): Promise<void> {
  const { gatherNames } = await import('../../session/names/gather.ts');
  await gatherNames(context, await loadSettings(context, name));
}

/**
 * True if the place's profile is the current one, undefined without such a profile. Throws ConflictError if the profile belongs to another
 * service.
 */
async function ownProfile(context: Context, { name, baseUrl }: Omit<NamedPlace, 'path'>): Promise<boolean | undefined> {
  const { readProfiles } = await import('../../session/profiles/store.ts');
  const { profiles, current } = await readProfiles(await context.configDir());
  const there = profiles.get(name);
  if (there === undefined || there.baseUrl === baseUrl) return there && current === name;
  throw new ConflictError(`The profile "${name}" is another service's (${shownBaseUrl(there.baseUrl)}), so no embedded CRM is made.`, {
    hint: `Give another name: crm sandbox init --profile rehearsal, or remove that profile: crm profile remove ${name}`,
  });
}

/** Returns whether the profile is the current one. If the profile can't be saved, removes the embedded CRM unless `isOld`. */
async function addSandboxProfile(
  context: Context,
  place: NamedPlace,
  { makeCurrentIfFirst, isOld }: { readonly makeCurrentIfFirst: boolean; readonly isOld: boolean },
): Promise<boolean> {
  const { saveProfile, sayingUnlocked } = await import('../../session/profiles/store.ts');
  const unlocked = sayingUnlocked(context.io, context.flags);
  const profile = { baseUrl: place.baseUrl, encoding: 'form', insecureHttp: false, protected: false } as const;
  try {
    return (await saveProfile(await context.configDir(), place.name, profile, { makeCurrentIfFirst, unlocked })).current;
  } catch (error) {
    if (!isOld) rmSync(place.path, { force: true });
    throw error;
  }
}
