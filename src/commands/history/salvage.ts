// `crm history salvage`: what can still be read of a damaged journal, in a file beside it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { Result } from '../../output/result.ts';
import { Journal } from '../../runs/journal/journal.ts';
import { DamagedJournal } from '../../runs/journal/journal-file.ts';
import { type Salvaged, salvage } from '../../runs/journal/salvage.ts';
import { journalFolder, serviceFile } from '../../runs/journal/service-address.ts';
import { serviceAddress } from '../../values/base-url.ts';
import { quotePosix } from '../../values/text/shell-word.ts';
import { howMany, listed } from '../../values/text/wording.ts';

/** Throws ConflictError where nothing can be read any more, UsageError where the new file is there already. */
export async function salvageJournal(context: Context): Promise<Result> {
  const folder = journalFolder(await context.dataDir());
  const service = serviceAddress((await context.settings()).baseUrl);
  const path = join(folder, serviceFile(service, 'sqlite'));
  // Another ending: it is no journal before it takes the other one's place.
  const file = join(folder, serviceFile(service, 'salvaged'));
  if (!isDamaged(folder, service, context))
    return resultOf(null, none, `There is nothing to salvage: the journal of this service is sound.`);
  if (existsSync(file)) throw new UsageError(`${file} is there already, and is not overwritten: move it away first.`);
  if (context.flags.dryRun) return { kind: 'text', notice: `Would write what can still be read to ${file}` };
  const salvaged = salvage(path, file, service);
  const { runs, steps, made, missing } = salvaged;
  const lost = missing.length === 0 ? '' : ` Not all could be read: ${listed(missing)}.`;
  const [damaged, own] = [quotePosix(path), quotePosix(file)];
  const place = `mv ${damaged} ${quotePosix(`${path}.damaged`)} && rm -f ${quotePosix(`${path}-wal`)} ${quotePosix(`${path}-shm`)} && mv ${own} ${damaged}`;
  return resultOf(
    file,
    salvaged,
    `Written to ${file}: ${howMany(runs, 'run')}, ${howMany(steps, 'step')}, ${howMany(made, 'record')} made.${lost} ` +
      `What could not be read counts as not done there, so look at the service first. Then it takes the place of the damaged one: ${place}`,
  );
}

const none: Salvaged = { runs: 0, steps: 0, made: 0, missing: [] };

const resultOf = (file: string | null, { runs, steps, made, missing }: Salvaged, sentence: string): Result => ({
  kind: 'rows',
  data: { file, runs, steps, made, missing },
  shape: { columns: [], record: [] },
  drawn: { sentence },
  notice: sentence,
});

/** Whether the journal of a service is damaged; one that isn't there is not. Throws ConflictError for one of another version. */
function isDamaged(folder: string, service: string, { clock }: Context): boolean {
  try {
    Journal.find(folder, service, clock)?.close();
    return false;
  } catch (error) {
    if (error instanceof DamagedJournal) return true;
    throw error;
  }
}
