// Finds a run by its name in the history, or the latest run of a seed's name.

import { serviceAddress } from '../../base/base-url.ts';
import { NotFoundError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import { crmWith } from '../../base/values/text/shell-word.ts';
import { Journal, journalFolder } from '../../runs/journal/journal.ts';
import type { Run } from '../../runs/journal/run.ts';
import type { Context } from '../../session/context.ts';
import { readProfiles } from '../../session/profiles/store.ts';

/** The run with this name. Throws NotFoundError; for a run of another service, the message names that service's profile. */
export async function runNamed(context: Context, journal: Journal | undefined, name: string): Promise<Run> {
  const run = journal?.named(name) ?? journal?.runs('seed', name)[0];
  if (run !== undefined) return run;
  const { baseUrl } = await context.settings();
  for (const other of Journal.all(journalFolder(await context.dataDir()))) {
    const found = other.named(name) ?? other.runs('seed', name)[0];
    if (found === undefined) continue;
    const { service } = other.file;
    const { profiles } = await readProfiles(await context.configDir());
    const [named] = [...profiles].find(([, own]) => serviceAddress(own.baseUrl) === service) ?? [];
    const profile = named ?? scalarText(found.details.profile);
    const hint = profile === '' ? {} : { hint: `Name its profile: -p ${profile}` };
    throw new NotFoundError(`Run ${name} belongs to ${service}, not to ${baseUrl}.`, hint);
  }
  throw new NotFoundError(`There is no run ${name} at ${baseUrl}.`, { hint: `See them all: ${crmWith(context.flags.profile)} history` });
}
