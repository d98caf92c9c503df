// A client as it is stored and as it reads back from a conversion and from /api/clients (vendor facts: conversion).

import type { Store } from '../store.ts';
import { relation, storedArray } from './shared.ts';

interface ClientRow {
  readonly id: number;
  readonly company_name: string;
  readonly description: string | null;
  readonly status: string;
  readonly phone: string | null;
  readonly website: string | null;
  readonly vat: string | null;
  readonly category_id: number;
  readonly category_name: string;
  readonly owner_id: number | null;
  readonly owner_name: string | null;
  readonly billing_street: string | null;
  readonly billing_city: string | null;
  readonly billing_state: string | null;
  readonly billing_zip: string | null;
  readonly billing_country: string | null;
  readonly invoice_due_days: number | null;
  readonly shipping_street: string | null;
  readonly shipping_city: string | null;
  readonly shipping_state: string | null;
  readonly shipping_zip: string | null;
  readonly shipping_country: string | null;
  readonly tags: string;
  readonly created: string;
  readonly updated: string;
}

const select = `
SELECT c.*, g.name AS category_name, u.id AS owner_id, u.first_name || ' ' || u.last_name AS owner_name
FROM clients c JOIN categories g ON g.id = c.category_id
  LEFT JOIN users u ON u.client_id = c.id AND u.account_owner = 'yes' AND u.deleted = 0
WHERE c.id = ?`;

/** A client's record, or undefined. */
export function clientRecord(store: Store, id: number) {
  const row = store.get<ClientRow>(select, id);
  if (row === undefined) return undefined;
  return {
    id: row.id,
    company_name: row.company_name,
    description: row.description,
    status: row.status,
    phone: row.phone,
    website: row.website,
    vat: row.vat,
    category: relation(row.category_id, row.category_name),
    owner: relation(row.owner_id, row.owner_name),
    billing: {
      street: row.billing_street,
      city: row.billing_city,
      state: row.billing_state,
      zip: row.billing_zip,
      country: row.billing_country,
      invoice_due_days: row.invoice_due_days,
    },
    shipping: {
      street: row.shipping_street,
      city: row.shipping_city,
      state: row.shipping_state,
      zip: row.shipping_zip,
      country: row.shipping_country,
    },
    dates: { created: row.created, updated: row.updated },
    tags: storedArray<string>(row.tags),
  };
}
