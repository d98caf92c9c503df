// A client as it reads back from a conversion and from /api/clients (vendor facts: conversion).

import { jsonObject, userName } from './shared.ts';

const record = jsonObject({
  id: 'c.id',
  company_name: 'c.company_name',
  description: 'c.description',
  status: 'c.status',
  phone: 'c.phone',
  website: 'c.website',
  vat: 'c.vat',
  category: { id: 'g.id', name: 'g.name' },
  owner: { id: 'u.id', name: userName('u') },
  billing: {
    street: 'c.billing_street',
    city: 'c.billing_city',
    state: 'c.billing_state',
    zip: 'c.billing_zip',
    country: 'c.billing_country',
    invoice_due_days: 'c.invoice_due_days',
  },
  shipping: {
    street: 'c.shipping_street',
    city: 'c.shipping_city',
    state: 'c.shipping_state',
    zip: 'c.shipping_zip',
    country: 'c.shipping_country',
  },
  dates: { created: 'c.created', updated: 'c.updated' },
  tags: 'json(c.tags)',
});

/** A client's record as JSON, by its id. Its owner's members are null when the account has none. */
export const selectClient = `SELECT ${record} AS json
FROM clients c JOIN categories g ON g.id = c.category_id
  LEFT JOIN users u ON u.client_id = c.id AND u.account_owner = 'yes' AND u.deleted = 0
WHERE c.id = ?`;
