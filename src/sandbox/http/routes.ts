// Every endpoint of the embedded CRM, one a line: method, path, rule (interface: Endpoints; vendor facts: reference records).

import { listChecklist } from '../service/checklists.ts';
import { createContact, deleteContact, getContact, listContacts, setAccountOwner, updateContact } from '../service/contacts.ts';
import { createItem, deleteItem, getItem, listItems, updateItem } from '../service/items.ts';
import { addComment, deleteComment, listComments } from '../service/lead-comments.ts';
import { convertLead } from '../service/lead-conversion.ts';
import * as leads from '../service/leads.ts';
import { getLookup, listLookup, lookups } from '../service/lookups.ts';
import { createNote, deleteNote, getNote, listNotes, setNoteTags, updateNote } from '../service/notes.ts';
import * as proposals from '../service/proposals.ts';
import type { Reply, SandboxService } from '../service/service.ts';
import type { Values } from '../service/values.ts';

/** What a rule gets to see of a request. */
export interface Call {
  /** The number in the path, or 0. */
  readonly id: number;
  /** The second number in the path, or 0. */
  readonly childId: number;
  readonly query: Values;
  readonly body: Values;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Rule = (service: SandboxService, call: Call) => Reply;
/** `:id` stands for a number. */
type Route = readonly [method: Method, path: string, rule: Rule];

export const routes: readonly Route[] = [
  ['GET', '/api/contacts', (crm, { query }) => listContacts(crm, query)],
  ['POST', '/api/contacts', (crm, { body }) => createContact(crm, body)],
  ['GET', '/api/contacts/:id', (crm, { id }) => getContact(crm, id)],
  ['PATCH', '/api/contacts/:id', (crm, { id, body }) => updateContact(crm, id, body)],
  ['DELETE', '/api/contacts/:id', (crm, { id }) => deleteContact(crm, id)],
  ['PUT', '/api/contacts/:id/account-owner', (crm, { id }) => setAccountOwner(crm, id)],

  ['GET', '/api/proposals', (crm, { query }) => proposals.listProposals(crm, query)],
  ['POST', '/api/proposals', (crm, { body }) => proposals.createProposal(crm, body)],
  ['GET', '/api/proposals/:id', (crm, { id }) => proposals.getProposal(crm, id)],
  ['PATCH', '/api/proposals/:id', (crm, { id, body }) => proposals.updateProposal(crm, id, body)],
  ['DELETE', '/api/proposals/:id', (crm, { id }) => proposals.deleteProposal(crm, id)],
  ['PUT', '/api/proposals/:id/status', (crm, { id, body }) => proposals.setProposalStatus(crm, id, body)],
  ['PUT', '/api/proposals/:id/tags', (crm, { id, body }) => proposals.setProposalTags(crm, id, body)],
  ['POST', '/api/proposals/:id/clone', (crm, { id, body }) => proposals.cloneProposal(crm, id, body)],

  ['GET', '/api/leads', (crm, { query }) => leads.listLeads(crm, query)],
  ['POST', '/api/leads', (crm, { body }) => leads.createLead(crm, body)],
  ['GET', '/api/leads/:id', (crm, { id }) => leads.getLead(crm, id)],
  ['PATCH', '/api/leads/:id', (crm, { id, body }) => leads.updateLead(crm, id, body)],
  ['DELETE', '/api/leads/:id', (crm, { id }) => leads.deleteLead(crm, id)],
  ['PUT', '/api/leads/:id/status', (crm, { id, body }) => leads.setLeadStatus(crm, id, body)],
  ['PUT', '/api/leads/:id/assigned', (crm, { id, body }) => leads.setLeadAssigned(crm, id, body)],
  ['PUT', '/api/leads/:id/tags', (crm, { id, body }) => leads.setLeadTags(crm, id, body)],
  ['PUT', '/api/leads/:id/archive', (crm, { id }) => leads.setLeadActiveState(crm, id, 'archived')],
  ['PUT', '/api/leads/:id/activate', (crm, { id }) => leads.setLeadActiveState(crm, id, 'active')],
  ['POST', '/api/leads/:id/convert', (crm, { id, body }) => convertLead(crm, id, body)],
  ['POST', '/api/leads/:id/clone', (crm, { id, body }) => leads.cloneLead(crm, id, body)],
  ['GET', '/api/leads/:id/comments', (crm, { id }) => listComments(crm, id)],
  ['POST', '/api/leads/:id/comments', (crm, { id, body }) => addComment(crm, id, body)],
  ['DELETE', '/api/leads/:id/comments/:id', (crm, { id, childId }) => deleteComment(crm, id, childId)],

  ['GET', '/api/items', (crm, { query }) => listItems(crm, query)],
  ['POST', '/api/items', (crm, { body }) => createItem(crm, body)],
  ['GET', '/api/items/:id', (crm, { id }) => getItem(crm, id)],
  ['PATCH', '/api/items/:id', (crm, { id, body }) => updateItem(crm, id, body)],
  ['DELETE', '/api/items/:id', (crm, { id }) => deleteItem(crm, id)],

  ['GET', '/api/notes', (crm, { query }) => listNotes(crm, query)],
  ['POST', '/api/notes', (crm, { body }) => createNote(crm, body)],
  ['GET', '/api/notes/:id', (crm, { id }) => getNote(crm, id)],
  ['PATCH', '/api/notes/:id', (crm, { id, body }) => updateNote(crm, id, body)],
  ['DELETE', '/api/notes/:id', (crm, { id }) => deleteNote(crm, id)],
  ['PUT', '/api/notes/:id/tags', (crm, { id, body }) => setNoteTags(crm, id, body)],

  ['GET', '/api/checklists', (crm, { query }) => listChecklist(crm, query)],

  ...(Object.keys(lookups) as (keyof typeof lookups)[]).flatMap((name): Route[] => [
    ['GET', `/api/${name}`, (crm, { query }) => listLookup(crm, name, query)],
    ['GET', `/api/${name}/:id`, (crm, { id }) => getLookup(crm, name, id)],
  ]),
];
