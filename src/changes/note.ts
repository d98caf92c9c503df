// Notes a command's writes to a single record as a run of the history, so that the command can be undone.

import { CrmError } from '../base/errors.ts';
import { madeOf } from '../model/bodies/as-made.ts';
import { createdOf } from '../model/identity.ts';
import { familyNamed } from '../model/resources/index.ts';
import { Journal, journalFolder } from '../runs/journal/journal.ts';
import type { Run } from '../runs/journal/run.ts';
import { recordKey, type WriteAt } from '../runs/step.ts';
import { type Context, typedBy, type WriteToOne } from '../session/context.ts';
import { serviceOf } from '../session/served.ts';

/** Notes the command's writes. `title`: the command's words. When the journal can't be written, the command goes on without a message. */
export async function noteWrites(context: Context, title: string): Promise<void> {
  const { clock, written } = context;
  try {
    const { baseUrl, profile = null } = await context.settings();
    const typed = typedBy(context);
    const header = { kind: 'single', title, command: typed, details: { profile, typed }, began: clock.now().toISOString() };
    const folder = await context.ownDataDir();
    if (folder === undefined) return;
    const journal = Journal.open(journalFolder(folder), await serviceOf(context, baseUrl), clock, true);
    try {
      journal.noteDone(header, (run) => {
        for (const [part, one] of written.entries()) noteWrite(run, { n: 1, part }, one);
      });
      journal.forgetOld(clock.now());
    } finally {
      journal.close();
    }
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
  }
}

function noteWrite(run: Run, write: WriteAt, { resource, id, kind, did, before, body, after, record }: WriteToOne): void {
  const { name: family, singular } = resource;
  const created = createdOf(record);
  const sent = { kind, ...(body === undefined ? {} : { body }) };
  run.intend([{ ...write, key: recordKey(singular, id), family }]);
  if (kind === 'create') {
    const declared = familyNamed(family);
    const left = declared === undefined || body === undefined ? undefined : madeOf(declared, body, record);
    run.sent(write, sent);
    run.done(write, did, [{ family, id, own: true, created }], { after: left });
  } else {
    run.sent(write, { ...sent, target: id, before, created });
    run.done(write, did, [], { after });
  }
}
