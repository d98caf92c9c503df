// The rules of leads, their comments and checklists (interface: Endpoints, Leads; Lead `active_state`; Lead status; Lead comment).
// Conversion is in lead-conversion.ts.

import { type Members, valueAt } from '../../base/values/paths.ts';
import { text } from '../../model/define.ts';
import { leads as family, leadClone } from '../../model/resources/leads.ts';
import { actingUser, checklists, comments, leads, notes, proposals, team } from '../store/families.ts';
import { drop, recordJson, recordsWith, save, storedRecord, wholeRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { changeReply, existing, putValues, shownRecord, stamped } from './families.ts';
import { listReply } from './lists.ts';
import { created, deleted, found, ok, type Reply, type SandboxService } from './service.ts';
import { idsIn } from './sets.ts';
import { checkBody, checkExists, relation, thingWithId } from './things.ts';
import { type CheckedValues, checkRequired, FieldProblems, isUnfilled, type WireValues } from './values.ts';

export function createLead({ store, now }: SandboxService, body: WireValues): Reply {
  return store.transaction(() => {
    const record = stamped(wholeRecord(leads, {}), now());
    putValues(store, leads, family.fields, checkedLead(store, body, 'create'), record);
    const { id, title, status } = save(store, leads, record);
    return created(JSON.stringify({ id, title, status }), 'Lead created successfully.');
  });
}

/**
 * Replaces all editable values: a value that is not sent becomes null (interface: Leads, create body). The lead's proposals get the new
 * title, too.
 */
export const updateLead = (service: SandboxService, id: number, body: WireValues): Reply =>
  changeReply(service, leads, id, 'updated', (record) => {
    const { store } = service;
    const { title } = record;
    putValues(store, leads, family.fields, checkedLead(store, body, 'update'), record);
    if (record.title === title) return;
    for (const one of recordsWith(store, proposals, 'lead_id', id)) {
      save(store, proposals, { ...one, lead: relation(proposals.resource, 'lead', id, record) });
    }
  });

export function deleteLead({ store }: SandboxService, id: number): Reply {
  return store.transaction(() => {
    existing(store, leads, id);
    removeLead(store, id);
    return deleted(id, 'Lead deleted successfully.');
  });
}

export const setLeadStatus = (service: SandboxService, id: number, body: WireValues): Reply =>
  changeReply(service, leads, id, 'status updated', (record) => {
    const problems = new FieldProblems();
    const status = checkRequired('status', { kind: 'id' }, body, problems);
    checkExists(service.store, 'lead-status', status, 'status', problems);
    problems.throwIfAny();
    record.status = relation(family, 'status', status, thingWithId(service.store, 'lead-status', Number(status)));
  });

/** Replaces the assignees by the team members in `assigned` (interface: Leads, assigned body). */
export const setLeadAssigned = (service: SandboxService, id: number, body: WireValues): Reply =>
  changeReply(service, leads, id, 'assignees updated', (record) => {
    const teamMember = (userId: number): Members | undefined => thingWithId(service.store, 'team', userId);
    const ids = idsIn('assigned', body, (userId) => teamMember(userId) !== undefined);
    record.assigned = ids.map((userId) => ({ id: userId, name: teamMember(userId)?.name ?? null }));
  });

/** Sets `active_state`. The lead may already have the state (interface: Lead `active_state`). */
export const setLeadActiveState = (service: SandboxService, id: number, state: 'active' | 'archived'): Reply =>
  changeReply(service, leads, id, state === 'archived' ? 'archived' : 'activated', (record) => {
    record.active_state = state;
  });

const notCloned: readonly string[] = ['id', 'active_state', 'converted', 'assigned', 'dates'];

/**
 * Copies a lead with its tags. The values of the clone body replace the lead's. `copy_checklist=on` copies the checklist;
 * `copy_files` does nothing, because the embedded CRM has no files. Assignees, comments and a conversion are not copied.
 */
export function cloneLead({ store, now }: SandboxService, id: number, body: WireValues): Reply {
  return store.transaction(() => {
    const source = existing(store, leads, id);
    const problems = new FieldProblems();
    const checked = checkBody(store, leadClone.fields, body, 'create', problems);
    problems.throwIfAny();
    const time = now();
    const taken = Object.fromEntries(Object.entries(source).filter(([name]) => !notCloned.includes(name)));
    const record = stamped(wholeRecord(leads, taken), time);
    putValues(store, leads, family.fields, checked, record);
    const copy = save(store, leads, record).id;
    for (const item of checked.copy_checklist === 'on' ? recordsWith(store, checklists, 'resource_id', id) : []) {
      const dates = { created: time, updated: time };
      save(store, checklists, stamped({ ...item, id: null, resource: { type: 'lead', id: copy }, dates }, time));
    }
    return created(shownRecord(store, leads, copy), 'Lead cloned successfully.');
  });
}

/** A lead's checklist items by position. `resource_type` and `resource_id` must be given. */
export function listChecklist(service: SandboxService, query: WireValues): Reply {
  const problems = new FieldProblems();
  for (const name of ['resource_type', 'resource_id']) if (isUnfilled(query[name])) problems.addRequired(name);
  problems.throwIfAny();
  return listReply(service, checklists, { ...query, sort: 'position' });
}

/** Removes a lead with its comments, checklist, proposals and notes. */
export function removeLead(store: Store, id: number): void {
  const notesOfIt = recordsWith(store, notes, 'resource_id', id).filter((one) => valueAt(one, 'resource.type') === 'lead');
  for (const one of notesOfIt) drop(store, notes, Number(one.id));
  for (const [family, column] of [
    [comments, 'lead_id'],
    [checklists, 'resource_id'],
    [proposals, 'lead_id'],
  ] as const) {
    for (const one of recordsWith(store, family, column, id)) drop(store, family, Number(one.id));
  }
  drop(store, leads, id);
}

/**
 * The checked values of every field; null for a field that is not sent. Custom fields must be sent when required, and are not
 * stored: no answer shows them.
 */
function checkedLead(store: Store, body: WireValues, mode: 'create' | 'update'): CheckedValues {
  const problems = new FieldProblems();
  const checked = checkBody(store, family.fields, body, mode, problems);
  const required = store.all<{ name: string }>('SELECT name FROM lead_fields WHERE required <> 0 ORDER BY id');
  for (const { name } of required) if (isUnfilled(body[name])) problems.addRequired(name);
  problems.throwIfAny();
  return Object.fromEntries(family.fields.map(({ wire }) => [wire, checked[wire] ?? null]));
}

/** All comments of a lead, oldest first, on one page (interface: an array, plus `message`). */
export function listComments({ store }: SandboxService, leadId: number): Reply {
  existing(store, leads, leadId);
  const texts = recordsWith(store, comments, 'lead_id', leadId).map(({ lead_id: _, ...comment }) => JSON.stringify(comment));
  return ok(`[${texts.join(',')}]`, 'Lead comments retrieved successfully.');
}

export function addComment({ store }: SandboxService, leadId: number, body: WireValues): Reply {
  return store.transaction(() => {
    existing(store, leads, leadId);
    const problems = new FieldProblems();
    const comment = checkRequired('comment', text, body, problems);
    problems.throwIfAny();
    const creator = { id: actingUser, name: storedRecord(store, team, actingUser)?.name ?? 'Main Administrator' };
    const { id } = save(store, comments, { id: null, text: comment, creator, lead_id: leadId });
    return created(found(recordJson(store, comments, id), 'Lead comment'), 'Lead comment added successfully.');
  });
}

/** Removes a comment. 404 also for a comment of another lead. */
export function deleteComment({ store }: SandboxService, leadId: number, id: number): Reply {
  return store.transaction(() => {
    existing(store, leads, leadId);
    const comment = storedRecord(store, comments, id);
    found(Number(comment?.lead_id) === leadId ? comment : undefined, 'Lead comment');
    drop(store, comments, id);
    return deleted(id, 'Lead comment deleted successfully.');
  });
}
