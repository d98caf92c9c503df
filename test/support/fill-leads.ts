// Many leads at once, for tests and measurements that need a large file. Values follow from the number alone.

import { insertLead } from '../../src/sandbox/service/leads.ts';
import type { Store } from '../../src/sandbox/store/store.ts';

const statuses = 6;
const categories = 3;
const sources = ['Website', 'Trade fair', 'Newsletter', 'Partner', 'Cold call', 'Webinar', 'Advert', 'Event'];
const start = Date.UTC(2020, 0, 1);
const minute = 60_000;
const day = 24 * 60 * minute;

/** Adds `count` leads to a store with reference data, in one transaction. */
export function fillLeads(store: Store, count: number): void {
  store.transaction(() => {
    for (let number = 1; number <= count; number += 1) insertLead(store, leadNumber(number), timeOf(number));
  });
}

/** The prime factors spread the values, so that no index is filled in its own order. */
function leadNumber(number: number) {
  const spread = (number * 7919) % 100_003;
  return {
    title: `Lead ${String(spread).padStart(6, '0')}`,
    status_id: 1 + (number % statuses),
    category_id: 1 + (number % categories),
    active_state: number % 20 === 0 ? 'archived' : 'active',
    source: sources[number % sources.length] ?? null,
    value: `${(number * 37) % 50_000}.${String(number % 100).padStart(2, '0')}`,
    last_contacted: number % 4 === 0 ? null : new Date(start + (spread % 2000) * day).toISOString().slice(0, 10),
    first_name: 'Sam',
    last_name: `Number ${number}`,
    email: `lead-${number}@bulk.example`,
    phone: `+1 555 ${String(number).padStart(7, '0')}`,
    company_name: `Company ${spread % 5000}`,
    city: 'Springfield',
    country: 'United States',
  };
}

function timeOf(number: number): string {
  return new Date(start + number * minute).toISOString().replace('Z', '000Z');
}
