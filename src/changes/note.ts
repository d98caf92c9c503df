// Notes a command's writes to a single record as a run of the history, so that the command can be undone.

import { serviceAddress } from '../base/base-url.ts';
import { CrmError } from '../base/errors.ts';
import { madeOf } from '../model/bodies/as-made.ts';
import { createdOf } from '../model/identity.ts';
import { familyNamed } from '../model/resources/index.ts';
import { type DoneWrite, Journal } from '../runs/journal/journal.ts';
import { journalFolder } from '../runs/journal/service-address.ts';
import { type Context, typedBy, type WriteToOne } from '../session/context.ts';

/** Notes the command's writes. `title`: the command's words. When the journal can't be written, the command goes on without a message. */
export async function noteWritten(context: Context, title: string): Promise<void> {
  const { clock, written } = context;
  try {
    const { baseUrl, profile = null } = await context.settings();
    const typed = typedBy(context);
    const header = { kind: 'single', title, command: typed, details: { profile, typed }, began: clock.now().toISOString() };
    const journal = Journal.open(journalFolder(await context.dataDir()), serviceAddress(baseUrl), clock, true);
    try {
      journal.noteDone(header, written.map(doneWrite));
      journal.forgetOld(clock.now());
    } finally {
      journal.close();
    }
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
  }
}

function doneWrite({ resource: { name, singular }, id, kind, did, before, body, after, record }: WriteToOne): DoneWrite {
  const key = `${singular} ${id}`;
  const created = createdOf(record);
  const sent = { kind, ...(body === undefined ? {} : { body }) };
  if (kind === 'create') {
    const family = familyNamed(name);
    const left = family === undefined || body === undefined ? undefined : madeOf(family, body, record);
    return { key, family: name, did, sent, after: left, made: { id, ...(created === undefined ? {} : { created }) } };
  }
  return { key, family: name, did, sent: { ...sent, target: id, before, created }, after };
}
