// The rules of notes (interface: Endpoints, Notes). The embedded CRM has no sticky notes.

import type { Members } from '../../base/values/paths.ts';
import { notes as family, noteResources } from '../../model/resources/notes.ts';
import { notes } from '../store/families.ts';
import { save, wholeRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { changeReply, putValues, shownRecord, stamped } from './families.ts';
import { created, type Reply, type SandboxService } from './service.ts';
import { checkExists } from './things.ts';
import { checkedFields, checkRequired, FieldProblems, isUnfilled, type WireValues } from './values.ts';

/** Adds a note: public by default, attached to a record when a resource type is sent (interface: Notes, create body). */
export function createNote({ store, now }: SandboxService, body: WireValues): Reply {
  return store.transaction(() => {
    const problems = new FieldProblems();
    const { note_visibility = null, ...checked } = checkedFields(family.fields, body, 'create', problems);
    const resource = checkedResource(store, body, problems);
    problems.throwIfAny();
    const record = stamped(wholeRecord(notes, { resource }), now());
    putValues(store, notes, family.fields, { ...checked, note_visibility: note_visibility ?? 'public' }, record);
    const { id } = save(store, notes, record);
    return created(shownRecord(store, notes, id), 'Note created successfully.');
  });
}

/** Changes title and text, and the visibility when sent. The attachment stays (interface: Notes, update body). */
export const updateNote = (service: SandboxService, id: number, body: WireValues): Reply =>
  changeReply(service, notes, id, 'updated', (record) => {
    const problems = new FieldProblems();
    const checked = checkedFields(family.fields, body, 'update', problems);
    problems.throwIfAny();
    putValues(
      service.store,
      notes,
      family.fields,
      { ...checked, note_visibility: checked.note_visibility ?? String(record.visibility) },
      record,
    );
  });

/** The record that a note is attached to; `{}` when no type is sent. With a type, the id must belong to a record of the type. */
function checkedResource(store: Store, body: WireValues, problems: FieldProblems): Members {
  const type = body.noteresource_type;
  if (isUnfilled(type)) return {};
  if (typeof type !== 'string' || !noteResources.includes(type)) {
    problems.addInvalid('noteresource_type');
    return {};
  }
  if (isUnfilled(body.noteresource_id)) {
    problems.addRequired('noteresource_id', ' when noteresource type is present');
    return {};
  }
  const id = checkRequired('noteresource_id', { kind: 'id' }, body, problems);
  checkExists(store, type, id, 'noteresource_id', problems);
  return { type, id };
}
