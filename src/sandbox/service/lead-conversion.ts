// Converting a lead into a client (interface: Lead conversion; Leads, convert body).

import { leadConversion } from '../../resources/leads.ts';
import { selectClient } from '../records/clients.ts';
import type { LeadRow } from '../records/leads.ts';
import { searchText } from '../records/shared.ts';
import type { Store } from '../store/store.ts';
import { insertContact } from './contacts.ts';
import { checkEmailFree } from './existing.ts';
import { existingLead, removeLead } from './leads.ts';
import { created, found, Refusal, type Reply, type SandboxService } from './service.ts';
import { type CheckedValues, checkFields, Problems, type Values } from './values.ts';

/**
 * Makes a client and its account owner, and moves the lead's proposals to it, all or nothing. `delete_lead=yes` removes the
 * lead afterwards; `send_welcome_email` is accepted and sends nothing. 409 when converted already, whatever the body.
 */
export function convertLead({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    const lead = existingLead(store, id);
    if (lead.converted !== null) throw new Refusal(409, 'The lead has already been converted to a client.');
    const checked = checkedConversion(store, body);
    const time = now();
    const clientId = insertClient(store, lead, checked, time);
    insertOwner(store, clientId, lead, checked, time);
    store.run('UPDATE proposals SET client_id = ?, lead_id = NULL WHERE lead_id = ?', clientId, id);
    if (checked.delete_lead === 'yes') removeLead(store, id);
    else store.update('leads', id, { converted: time, converted_client_id: clientId, updated: time });
    return created(found(store.json(selectClient, clientId), 'Client'), 'Lead converted to client successfully.');
  });
}

function checkedConversion(store: Store, body: Values): CheckedValues {
  const problems = new Problems();
  const checked = checkFields(leadConversion.fields, body, 'create', problems);
  checkEmailFree(store, checked.email, 'email', null, problems);
  const dueDays = checked.client_billing_invoice_due_days;
  if (typeof dueDays === 'number' && dueDays < 0) {
    problems.add('client_billing_invoice_due_days', 'The client billing invoice due days must be at least 0.');
  }
  problems.throwIfAny();
  return checked;
}

/** The client category of converted leads: the first one. */
const generalCategory = (store: Store): number | null =>
  store.get<{ id: number | null }>("SELECT min(id) AS id FROM categories WHERE type = 'client'")?.id ?? null;

/** A company without a name of its own is called after the lead's, then after the person. */
function insertClient(store: Store, lead: LeadRow, checked: CheckedValues, time: string): number {
  const person = `${checked.first_name} ${checked.last_name}`;
  const companyName = String(checked.client_company_name ?? lead.company_name ?? person);
  return store.insert('clients', {
    company_name: companyName,
    search: searchText(companyName),
    category_id: generalCategory(store),
    phone: lead.phone,
    website: lead.website,
    billing_street: lead.street,
    billing_city: lead.city,
    billing_state: lead.state,
    billing_zip: lead.zip,
    billing_country: lead.country,
    invoice_due_days: checked.client_billing_invoice_due_days ?? null,
    created: time,
    updated: time,
  });
}

function insertOwner(store: Store, clientId: number, lead: LeadRow, checked: CheckedValues, time: string): void {
  const { first_name = null, last_name = null, email = null } = checked;
  const owner = { first_name, last_name, email, phone: lead.phone, position: lead.job_position };
  insertContact(store, { ...owner, client_id: clientId, account_owner: 'yes' }, time);
}
