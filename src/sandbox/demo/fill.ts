// The demo data: a small vendor of scanners, tills and support, its clients and a year of leads. The tables in demo/
// hold what a person would type; this writes them as records. The same rows, ids and times come out every time.

import { searchText } from '../records/shared.ts';
import { insertContact } from '../service/contacts.ts';
import { insertItem } from '../service/items.ts';
import { assignLead, insertLead } from '../service/leads.ts';
import { insertNote } from '../service/notes.ts';
import { insertProposal } from '../service/proposals.ts';
import type { Store } from '../store/store.ts';
import { clients, projects, tasks } from './clients.ts';
import { contacts } from './contacts.ts';
import { type DemoItem, items } from './items.ts';
import type { DemoLead } from './lead.ts';
import { earlyLeads } from './leads-early.ts';
import { lateLeads } from './leads-late.ts';
import { notes } from './notes.ts';
import { proposals } from './proposals.ts';

const generalCategory = 9;

/** Writes the demo data into a store that has the reference data and nothing else. */
export function fillDemo(store: Store): void {
  store.transaction(() => {
    fillClients(store);
    fillContacts(store);
    fillWork(store);
    for (const lead of [...earlyLeads, ...lateLeads]) fillLead(store, lead);
    fillProposals(store);
    for (const item of items) fillItem(store, item);
    fillNotes(store);
  });
}

function fillClients(store: Store): void {
  for (const { name, description = null, status = 'active', address, ...client } of clients) {
    const [street, city, state, zip, country] = address;
    const created = at(client.created);
    store.insert('clients', {
      company_name: name,
      search: searchText(name),
      description,
      status,
      category_id: generalCategory,
      phone: client.phone ?? null,
      website: client.website ?? null,
      vat: client.vat ?? null,
      billing_street: street,
      billing_city: city,
      billing_state: state,
      billing_zip: zip,
      billing_country: country,
      invoice_due_days: client.dueDays ?? null,
      tags: JSON.stringify(client.tags ?? []),
      created,
      updated: created,
    });
  }
}

function fillContacts(store: Store): void {
  for (const { client, name, email, social = {}, ...contact } of contacts) {
    const [first_name, last_name] = name;
    const row = {
      first_name,
      last_name,
      email,
      client_id: client,
      phone: contact.phone ?? null,
      position: contact.position ?? null,
      account_owner: contact.owner ? 'yes' : 'no',
      status: contact.status ?? 'active',
      ...social,
    };
    insertContact(store, row, at(contact.created));
  }
}

function fillWork(store: Store): void {
  for (const { client, ...project } of projects) store.insert('projects', { ...project, client_id: client });
  for (const { project, ...task } of tasks) store.insert('tasks', { ...task, project_id: project });
}

function fillLead(store: Store, lead: DemoLead): void {
  const id = insertLead(store, { ...leadColumns(lead), ...leadContact(lead), ...leadAddress(lead) }, at(lead.created));
  assignLead(store, id, lead.assigned ?? []);
  if (lead.converted !== undefined) {
    const [client, time] = lead.converted;
    store.update('leads', id, { converted_client_id: client, converted: at(time), updated: at(time) });
  }
  if (lead.updated !== undefined) store.update('leads', id, { updated: at(lead.updated) });
  for (const [user, time, text] of lead.comments ?? []) {
    store.insert('lead_comments', { lead_id: id, creator_id: user, created: at(time), text });
  }
  (lead.checklist ?? []).forEach(([status, text], index) => {
    const time = at(lead.updated ?? lead.created);
    store.insert('checklist_items', { lead_id: id, position: index + 1, status, text, created: time, updated: time });
  });
}

function leadColumns(lead: DemoLead) {
  return {
    title: lead.title,
    status_id: lead.status,
    category_id: lead.category,
    active_state: lead.archived ? 'archived' : 'active',
    value: lead.value ?? null,
    source: lead.source ?? null,
    last_contacted: lead.contacted ?? null,
    description: lead.description ?? null,
    tags: JSON.stringify(lead.tags ?? []),
  };
}

function leadContact({ person, company, website }: DemoLead) {
  const [first_name = null, last_name = null, email = null, phone = null, job_position = null] = person ?? [];
  return { first_name, last_name, email, phone, job_position, company_name: company ?? null, website: website ?? null };
}

function leadAddress({ address }: DemoLead) {
  const [street = null, city = null, state = null, zip = null, country = null] = address ?? [];
  return { street, city, state, zip, country };
}

function fillProposals(store: Store): void {
  for (const { for: customer, published, signed, ...proposal } of proposals) {
    const [type, id] = customer;
    const row = {
      title: proposal.title,
      status: proposal.status,
      [`${type}_id`]: id,
      category_id: proposal.category,
      project_id: proposal.project ?? null,
      date_start: proposal.start,
      date_end: proposal.end ?? null,
      published: published === undefined ? null : at(published),
      signed_first_name: signed?.[0] ?? null,
      signed_last_name: signed?.[1] ?? null,
      signed_date: signed === undefined ? null : at(signed[2]),
      tags: JSON.stringify(proposal.tags ?? []),
      body: proposal.body ?? null,
    };
    insertProposal(store, row, at(proposal.created));
  }
}

function fillItem(store: Store, item: DemoItem): void {
  const row = {
    description: item.description,
    rate: item.rate,
    category_id: item.category,
    unit_id: item.unit,
    tax_rate_id: item.tax,
    notes: item.notes ?? null,
    estimation_notes: item.estimation ?? null,
    custom_fields: JSON.stringify(Object.fromEntries((item.fields ?? []).map((value, index) => [index + 1, value]))),
  };
  insertItem(store, row, at(item.created));
}

function fillNotes(store: Store): void {
  for (const { title, text, on, tags = [], ...note } of notes) {
    const [resource_type = null, resource_id = null] = on ?? [];
    const row = {
      title,
      description: text,
      visibility: note.private ? 'private' : 'public',
      resource_type,
      resource_id,
      sticky: note.sticky ? 1 : 0,
      tags: JSON.stringify(tags),
    };
    const id = insertNote(store, row, at(note.created));
    if (note.updated !== undefined) store.update('notes', id, { updated: at(note.updated) });
  }
}

/** `2026-01-05 09:30`, as the tables have it, in the interface's form. */
function at(time: string): string {
  return `${time.replace(' ', 'T')}:00.000000Z`;
}
