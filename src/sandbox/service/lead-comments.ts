// Comments on leads (interface: Lead comment; Endpoints, Leads).

import { text } from '../../resources/define.ts';
import { commentRecord, commentRecords } from '../records/leads.ts';
import { existingLead } from './leads.ts';
import { jsonArray } from './lists.ts';
import { actingUser, created, deleted, found, ok, type Reply, type SandboxService } from './service.ts';
import { checkRequired, Problems, type Values } from './values.ts';

/** All of a lead's comments, oldest first; not paged (interface: an array, plus `message`). */
export function listComments({ store }: SandboxService, leadId: number): Reply {
  existingLead(store, leadId);
  return ok(jsonArray(commentRecords(store, leadId)), 'Lead comments retrieved successfully.');
}

export function addComment({ store, now }: SandboxService, leadId: number, body: Values): Reply {
  return store.transaction(() => {
    existingLead(store, leadId);
    const problems = new Problems();
    const comment = checkRequired('comment', text, body, problems);
    problems.throwIfAny();
    const row = { lead_id: leadId, creator_id: actingUser, text: String(comment), created: now() };
    const id = store.insert('lead_comments', row);
    return created(found(commentRecord(store, leadId, id), 'Lead comment'), 'Lead comment added successfully.');
  });
}

/** 404 also for a comment of another lead. */
export function deleteComment({ store }: SandboxService, leadId: number, id: number): Reply {
  return store.transaction(() => {
    existingLead(store, leadId);
    found(commentRecord(store, leadId, id), 'Lead comment');
    store.remove('lead_comments', id);
    return deleted(id, 'Lead comment deleted successfully.');
  });
}
