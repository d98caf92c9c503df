// Converts a lead into a client (interface: Lead conversion; Leads, convert body).

import { parseJson } from '../../base/values/json.ts';
import { isMembers, type Members, valueAt } from '../../base/values/paths.ts';
import { leadConversion } from '../../model/resources/leads.ts';
import { clients, contacts, leads, proposals } from '../store/families.ts';
import { recordsWith, save, wholeRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { checkEmailFree, withFullName, writeOwner } from './contacts.ts';
import { existing, shownRecord, stamped, touched } from './families.ts';
import { removeLead } from './leads.ts';
import { created, Refusal, type Reply, type SandboxService } from './service.ts';
import { relation } from './things.ts';
import { type CheckedValues, checkedFields, FieldProblems, type WireValues } from './values.ts';

/**
 * Makes a client and its account owner, and moves the lead's proposals to the client, all or nothing. `delete_lead=yes` removes
 * the lead afterwards; `send_welcome_email` is accepted, and sends nothing. 409 for a lead that is converted, before the body is
 * checked.
 */
export function convertLead(service: SandboxService, id: number, body: WireValues): Reply {
  const { store, now } = service;
  return store.transaction(() => {
    const lead = existing(store, leads, id);
    if (valueAt(lead, 'converted.is_converted') === true) throw new Refusal(409, 'The lead has already been converted to a client.');
    const checked = checkedConversion(store, body);
    const time = now();
    const client = save(store, clients, newClient(store, lead, checked, time));
    writeOwner(store, save(store, contacts, newOwner(client, lead, checked, time)));
    const lost = relation(proposals.resource, 'lead', undefined, undefined);
    for (const proposal of recordsWith(store, proposals, 'lead_id', id)) {
      save(store, proposals, { ...proposal, client: relation(proposals.resource, 'client', client.id, client), lead: lost });
    }
    if (checked.delete_lead === 'yes') removeLead(store, id);
    else save(store, leads, { ...touched(service, lead), converted: { is_converted: true, client_id: client.id, date: time } });
    return created(shownRecord(store, clients, client.id), 'Lead converted to client successfully.');
  });
}

function checkedConversion(store: Store, body: WireValues): CheckedValues {
  const problems = new FieldProblems();
  const checked = checkedFields(leadConversion.fields, body, 'create', problems);
  checkEmailFree(store, checked.email, null, problems);
  const dueDays = checked.client_billing_invoice_due_days;
  if (typeof dueDays === 'number' && dueDays < 0) {
    problems.add('client_billing_invoice_due_days', 'The client billing invoice due days must be at least 0.');
  }
  problems.throwIfAny();
  return checked;
}

/** The new client, in the first category of clients. The client is called by the sent name, else by the lead's company, else by the person's name. */
function newClient(store: Store, lead: Members, checked: CheckedValues, time: string): Members {
  // Records from a snapshot may have no category of clients.
  const row = store.get<{ doc: string }>("SELECT doc FROM categories WHERE type = 'client' ORDER BY id LIMIT 1");
  const category = row && (parseJson(row.doc) as Members);
  const contact = isMembers(lead.contact) ? lead.contact : {};
  const given = {
    company_name: checked.client_company_name ?? contact.company_name ?? `${checked.first_name} ${checked.last_name}`,
    phone: contact.phone ?? null,
    website: contact.website ?? null,
    category: relation(clients.resource, 'category', category?.id, category),
    billing: { ...(isMembers(lead.address) ? lead.address : {}), invoice_due_days: checked.client_billing_invoice_due_days ?? null },
  };
  return stamped(wholeRecord(clients, given), time);
}

function newOwner(client: Members, lead: Members, checked: CheckedValues, time: string): Members {
  const { first_name, last_name, email } = checked;
  const held = { phone: valueAt(lead, 'contact.phone') ?? null, job_position: valueAt(lead, 'contact.job_position') ?? null };
  const of = relation(contacts.resource, 'client', client.id, client);
  return stamped(withFullName(wholeRecord(contacts, { first_name, last_name, email, ...held, account_owner: 'yes', client: of })), time);
}
