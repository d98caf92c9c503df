// `crm sandbox init`: makes a whole CRM in one file, and the profile `sandbox` that stands for it.

import { existsSync } from 'node:fs';
import { confirmNamed, guardsOf } from '../../ask/confirm.ts';
import type { Command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ConflictError } from '../../errors.ts';

const profileName = 'sandbox';

/** What help says of the embedded CRM: what it is, and what it isn't. */
export const whatItIs =
  'The embedded CRM implements the whole documented interface: contacts, proposals, leads, items and notes with their rules, and to read ' +
  'only, clients, team, categories, projects, tasks and the checklists of leads. It sends no emails, has no web application, keeps no ' +
  'files, and serves nothing that is not documented.';

export const sandboxInit: Command = {
  path: ['sandbox', 'init'],
  sends: [],
  does: 'writes',
  destroysWhen: 'with --force',
  prints: { json: 'object', members: { profile: 'text', file: 'text', data: 'text', current: 'boolean' } },
  summary: 'Make the embedded CRM, with demo data',
  description:
    `Also makes the profile "${profileName}", so that every command works against it with no server and no key. ` +
    'With --force on an embedded CRM that is there, its records are replaced; a running server goes on with the new ones. ' +
    `${whatItIs} ` +
    'It has no custom fields of leads. A row in the table lead_fields of the file makes one that must be sent: ' +
    "INSERT INTO lead_fields (name) VALUES ('region').",
  args: [],
  flags: [
    { name: 'empty', help: 'Reference data only: statuses, categories, units, tax rates, team, one client', group: 'Sandbox' },
    { name: 'force', help: 'Replace an embedded CRM that is there already', group: 'Sandbox' },
  ],
  examples: ['crm sandbox init --force --yes', 'crm sandbox init --empty --force --yes'],
  run: async (context, { flags }) => {
    const { sandboxPath } = await import('../../open-client.ts');
    const path = await sandboxPath(context);
    const exists = existsSync(path);
    if (exists && flags.force !== true) {
      throw new ConflictError(`There is an embedded CRM at ${path} already.`, {
        hint: 'Replace it with --force, or put the demo data back with crm sandbox reset.',
      });
    }
    if (exists)
      await confirmNamed(context, await guardsOf(context, 'sandbox:'), `Replace the embedded CRM at ${path} and everything in it?`);
    const demo = flags.empty !== true;
    if (context.flags.dryRun) return { kind: 'nothing', notice: `Would make an embedded CRM at ${path}.` };
    const { createSandbox } = await import('../../sandbox/create.ts');
    if (exists) {
      const { forgettingRuns } = await import('./forget-runs.ts');
      await forgettingRuns(context, () => createSandbox(path, { demo, force: true }));
    } else createSandbox(path, { demo });
    const current = await addProfile(context);
    if (demo) await gather(context);
    const data = { profile: profileName, file: path, data: demo ? 'demo' : 'empty', current };
    return { kind: 'local', data, shape: { columns: [], record: [] }, notice: noticeOf(current) };
  },
};

/** The names of the demo data can be typed from the first command on. */
async function gather(context: Context): Promise<void> {
  const [{ loadSettings }, { gatherNames }] = await Promise.all([import('../../profiles/settings.ts'), import('../../names/gather.ts')]);
  await gatherNames(context, await loadSettings(context, profileName));
}

/** Adds the profile, unless there is one. Says whether it is the current one. */
async function addProfile(context: Context): Promise<boolean> {
  const { readProfiles, saveProfile } = await import('../../profiles/store.ts');
  const configDir = await context.configDir();
  const store = await readProfiles(configDir);
  const there = store.profiles.get(profileName);
  if (there?.baseUrl === 'sandbox:') return store.current === profileName;
  if (there !== undefined) {
    throw new ConflictError(`The embedded CRM is made, but the profile "${profileName}" is another service's (${there.baseUrl}).`, {
      hint: `Reach it with CRM_BASE_URL=sandbox:, or remove that profile: crm profile remove ${profileName}`,
    });
  }
  const saved = await saveProfile(
    configDir,
    profileName,
    { baseUrl: 'sandbox:', encoding: 'form', insecureHttp: false, protected: false },
    { makeCurrentIfFirst: true },
  );
  return saved.current;
}

function noticeOf(current: boolean): string {
  return current
    ? 'The embedded CRM is ready. Try: crm leads list'
    : `The embedded CRM is ready. Try: crm leads list --profile ${profileName}`;
}
