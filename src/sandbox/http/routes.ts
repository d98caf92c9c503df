// Every endpoint of the embedded CRM, each on a line: method, path, rule (interface: Endpoints; vendor facts: reference records).

import { createContact, deleteContact, setAccountOwner, updateContact } from '../service/contacts.ts';
import { deleteRecord, getRecord, setTags } from '../service/families.ts';
import { createItem, updateItem } from '../service/items.ts';
import { convertLead } from '../service/lead-conversion.ts';
import * as leads from '../service/leads.ts';
import { listReply } from '../service/lists.ts';
import { createNote, updateNote } from '../service/notes.ts';
import * as proposals from '../service/proposals.ts';
import type { Reply, SandboxService } from '../service/service.ts';
import type { WireValues } from '../service/values.ts';
import {
  checklists,
  comments,
  familyTables,
  items as itemTable,
  leads as leadTable,
  notes as noteTable,
  proposals as proposalTable,
} from '../store/families.ts';

/** The parts of a request that a rule reads. */
interface Call {
  /** The number in the path, or 0. */
  readonly id: number;
  readonly childId: number;
  readonly query: WireValues;
  readonly body: WireValues;
}

export type RouteMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Rule = (service: SandboxService, call: Call) => Reply;
/** The path has `:id` for each number. */
type Route = readonly [method: RouteMethod, path: string, rule: Rule];

/** The families with a list endpoint of the common shape. */
const listedFamilies = familyTables.filter((one) => one !== comments && one !== checklists);

export const routes: readonly Route[] = [
  ...listedFamilies.flatMap((family): Route[] => [
    ['GET', `/api/${family.table}`, (crm, { query }) => listReply(crm, family, query)],
    ['GET', `/api/${family.table}/:id`, (crm, { id }) => getRecord(crm, family, id)],
  ]),

  ['POST', '/api/contacts', (crm, { body }) => createContact(crm, body)],
  ['PATCH', '/api/contacts/:id', (crm, { id, body }) => updateContact(crm, id, body)],
  ['DELETE', '/api/contacts/:id', (crm, { id }) => deleteContact(crm, id)],
  ['PUT', '/api/contacts/:id/account-owner', (crm, { id }) => setAccountOwner(crm, id)],

  ['POST', '/api/proposals', (crm, { body }) => proposals.createProposal(crm, body)],
  ['PATCH', '/api/proposals/:id', (crm, { id, body }) => proposals.updateProposal(crm, id, body)],
  ['DELETE', '/api/proposals/:id', (crm, { id }) => deleteRecord(crm, proposalTable, id)],
  ['PUT', '/api/proposals/:id/status', (crm, { id, body }) => proposals.setProposalStatus(crm, id, body)],
  ['PUT', '/api/proposals/:id/tags', (crm, { id, body }) => setTags(crm, proposalTable, id, body)],
  ['POST', '/api/proposals/:id/clone', (crm, { id, body }) => proposals.cloneProposal(crm, id, body)],

  ['POST', '/api/leads', (crm, { body }) => leads.createLead(crm, body)],
  ['PATCH', '/api/leads/:id', (crm, { id, body }) => leads.updateLead(crm, id, body)],
  ['DELETE', '/api/leads/:id', (crm, { id }) => leads.deleteLead(crm, id)],
  ['PUT', '/api/leads/:id/status', (crm, { id, body }) => leads.setLeadStatus(crm, id, body)],
  ['PUT', '/api/leads/:id/assigned', (crm, { id, body }) => leads.setLeadAssigned(crm, id, body)],
  ['PUT', '/api/leads/:id/tags', (crm, { id, body }) => setTags(crm, leadTable, id, body)],
  ['PUT', '/api/leads/:id/archive', (crm, { id }) => leads.setLeadActiveState(crm, id, 'archived')],
  ['PUT', '/api/leads/:id/activate', (crm, { id }) => leads.setLeadActiveState(crm, id, 'active')],
  ['POST', '/api/leads/:id/convert', (crm, { id, body }) => convertLead(crm, id, body)],
  ['POST', '/api/leads/:id/clone', (crm, { id, body }) => leads.cloneLead(crm, id, body)],
  ['GET', '/api/leads/:id/comments', (crm, { id }) => leads.listComments(crm, id)],
  ['POST', '/api/leads/:id/comments', (crm, { id, body }) => leads.addComment(crm, id, body)],
  ['DELETE', '/api/leads/:id/comments/:id', (crm, { id, childId }) => leads.deleteComment(crm, id, childId)],

  ['POST', '/api/items', (crm, { body }) => createItem(crm, body)],
  ['PATCH', '/api/items/:id', (crm, { id, body }) => updateItem(crm, id, body)],
  ['DELETE', '/api/items/:id', (crm, { id }) => deleteRecord(crm, itemTable, id)],

  ['POST', '/api/notes', (crm, { body }) => createNote(crm, body)],
  ['PATCH', '/api/notes/:id', (crm, { id, body }) => updateNote(crm, id, body)],
  ['DELETE', '/api/notes/:id', (crm, { id }) => deleteRecord(crm, noteTable, id)],
  ['PUT', '/api/notes/:id/tags', (crm, { id, body }) => setTags(crm, noteTable, id, body)],

  ['GET', '/api/checklists', (crm, { query }) => leads.listChecklist(crm, query)],
];
