// Many leads at once, for tests and measurements that need a large file. A lead's values depend only on its number.

import { leads } from '../../src/sandbox/store/families.ts';
import { save, wholeRecord } from '../../src/sandbox/store/records.ts';
import type { Store } from '../../src/sandbox/store/store.ts';

const statuses = [
  { title: 'New', color: '#94a3b8' },
  { title: 'Contacted', color: '#38bdf8' },
  { title: 'Qualified', color: '#6366f1' },
  { title: 'Proposal Sent', color: '#f59e0b' },
  { title: 'Negotiation', color: '#f97316' },
  { title: 'Lost', color: '#ef4444' },
];
const categories = ['Inbound', 'Outbound', 'Referral'];
const sources = ['Website', 'Trade fair', 'Newsletter', 'Partner', 'Cold call', 'Webinar', 'Advert', 'Event'];
const start = Date.UTC(2020, 0, 1);
const minute = 60_000;
const day = 24 * 60 * minute;

/** Adds `count` leads to a store with reference data, in one transaction. Indexes that are made afterwards take less time. */
export function fillLeads(store: Store, count: number): void {
  store.transaction(() => {
    const indexes = store.all<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name GLOB 'leads*' AND sql IS NOT NULL",
    );
    for (const { name } of indexes) store.execute(`DROP INDEX ${name}`);
    for (let number = 1; number <= count; number += 1) save(store, leads, leadNumber(number));
    for (const { sql } of indexes) store.execute(sql);
  });
}

/** The values of a lead. Multiplication by a prime shuffles the values, so that no index is filled in ascending order. */
function leadNumber(number: number) {
  const spread = (number * 7919) % 100_003;
  const [status, category] = [1 + (number % statuses.length), 1 + (number % categories.length)];
  const time = new Date(start + number * minute).toISOString().replace('Z', '000Z');
  return wholeRecord(leads, {
    title: `Lead ${String(spread).padStart(6, '0')}`,
    value: `${(number * 37) % 50_000}.${String(number % 100).padStart(2, '0')}`,
    status: { id: status, ...statuses[status - 1] },
    active_state: number % 20 === 0 ? 'archived' : 'active',
    category: { id: category, name: categories[category - 1] },
    source: sources[number % sources.length] ?? null,
    last_contacted: number % 4 === 0 ? null : new Date(start + (spread % 2000) * day).toISOString().slice(0, 10),
    contact: {
      first_name: 'Sam',
      last_name: `Number ${number}`,
      email: `lead-${number}@bulk.example`,
      phone: `+1 555 ${String(number).padStart(7, '0')}`,
      company_name: `Company ${spread % 5000}`,
    },
    address: { city: 'Springfield', country: 'United States' },
    dates: { created: time, updated: time },
  });
}
