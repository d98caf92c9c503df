// What every sandbox starts with, demo or not: statuses, categories, units, tax rates, the team, one client, one
// proposal template, and the custom fields of items.

import { userKeys } from './records/contacts.ts';
import { searchText } from './records/shared.ts';
import type { Columns, Store } from './store/store.ts';

/** When the account was opened. */
const opened = '2025-01-06T09:00:00.000000Z';

const leadStatuses = [
  { title: 'New', color: '#94a3b8' },
  { title: 'Contacted', color: '#38bdf8' },
  { title: 'Qualified', color: '#6366f1' },
  { title: 'Proposal Sent', color: '#f59e0b' },
  { title: 'Negotiation', color: '#f97316' },
  { title: 'Lost', color: '#ef4444' },
];

const categories = [
  { type: 'lead', name: 'Inbound' },
  { type: 'lead', name: 'Outbound' },
  { type: 'lead', name: 'Referral' },
  { type: 'proposal', name: 'Implementation' },
  { type: 'proposal', name: 'Support Plan' },
  { type: 'item', name: 'Services' },
  { type: 'item', name: 'Hardware' },
  { type: 'item', name: 'Licences' },
  { type: 'client', name: 'General' },
];

const units = ['each', 'hour', 'day', 'month'];

const taxRates = [
  { name: 'No Tax', rate: '0.00' },
  { name: 'Standard', rate: '20.00' },
  { name: 'Reduced', rate: '5.00' },
];

/** Fields 1 to 3 are enabled; 4 to 10 exist and wait (interface: Limits, `item_custom_field_N`). */
const itemFields = ['SKU', 'Supplier', 'Warranty', 'Field 4', 'Field 5', 'Field 6', 'Field 7', 'Field 8', 'Field 9', 'Field 10'];
const enabledItemFields = 3;

const team = [
  { first_name: 'Maya', last_name: 'Lindqvist', email: 'maya@crm.example', phone: '+44 20 7946 0101', position: 'Head of Sales' },
  { first_name: 'Tom', last_name: 'Okafor', email: 'tom@crm.example', phone: '+44 20 7946 0102', position: 'Account Executive' },
  { first_name: 'Priya', last_name: 'Raman', email: 'priya@crm.example', phone: '+44 20 7946 0103', position: 'Account Executive' },
  { first_name: 'Jonas', last_name: 'Weber', email: 'jonas@crm.example', phone: '+44 20 7946 0104', position: 'Solutions Engineer' },
];

const template = {
  title: 'Standard proposal',
  body: '<h1>Proposal</h1><p>Thank you for the conversation.</p><h2>Scope</h2><p>…</p><h2>Timeline</h2><p>…</p><h2>Price</h2><p>…</p>',
};

/** Writes the reference data into a store without records. */
export function fillReference(store: Store): void {
  store.transaction(() => {
    insertAll(store, 'lead_statuses', leadStatuses);
    insertAll(store, 'categories', categories);
    insertAll(
      store,
      'units',
      units.map((name) => ({ name, name_key: name.toLowerCase() })),
    );
    insertAll(store, 'tax_rates', taxRates);
    insertAll(
      store,
      'item_fields',
      itemFields.map((name, index) => ({ name, enabled: index < enabledItemFields ? 1 : 0 })),
    );
    insertAll(
      store,
      'users',
      team.map((user) => ({ ...user, ...userKeys(user), type: 'team', created: opened, updated: opened })),
    );
    insertAll(store, 'clients', [northgate]);
    insertAll(store, 'proposal_templates', [template]);
  });
}

const northgate = {
  company_name: 'Northgate Trading',
  search: searchText('Northgate Trading'),
  description: 'Wholesale of office and warehouse equipment. Our first customer.',
  category_id: 9,
  phone: '+44 113 496 0500',
  website: 'https://northgate-trading.example',
  vat: 'GB 123 4567 89',
  billing_street: '14 Canal Wharf',
  billing_city: 'Leeds',
  billing_state: 'West Yorkshire',
  billing_zip: 'LS11 5PS',
  billing_country: 'United Kingdom',
  invoice_due_days: 30,
  created: opened,
  updated: opened,
};

function insertAll(store: Store, table: string, rows: readonly Columns[]): void {
  for (const row of rows) store.insert(table, row);
}
