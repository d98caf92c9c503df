-- A file that the first version of the embedded CRM made: reference data, and a lead with a tag and a comment.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE lead_statuses (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, color TEXT NOT NULL) STRICT;
CREATE TABLE categories (id INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE units (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE tax_rates (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, rate TEXT NOT NULL) STRICT;
CREATE TABLE item_fields (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, enabled INTEGER NOT NULL) STRICT;
CREATE TABLE proposal_templates (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE clients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  company_name TEXT NOT NULL COLLATE NOCASE,
  search TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active',
  category_id INTEGER NOT NULL REFERENCES categories,
  phone TEXT, website TEXT, vat TEXT,
  billing_street TEXT, billing_city TEXT, billing_state TEXT, billing_zip TEXT, billing_country TEXT,
  invoice_due_days INTEGER,
  shipping_street TEXT, shipping_city TEXT, shipping_state TEXT, shipping_zip TEXT, shipping_country TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  created TEXT NOT NULL, updated TEXT NOT NULL,
  description TEXT
) STRICT;
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  first_name TEXT NOT NULL COLLATE NOCASE,
  last_name TEXT NOT NULL COLLATE NOCASE,
  email TEXT COLLATE NOCASE,
  email_key TEXT UNIQUE,
  password TEXT,
  phone TEXT, position TEXT,
  account_owner TEXT NOT NULL DEFAULT 'no',
  status TEXT NOT NULL DEFAULT 'active',
  client_id INTEGER REFERENCES clients,
  facebook TEXT, twitter TEXT, linkedin TEXT, github TEXT, dribbble TEXT,
  created TEXT NOT NULL, updated TEXT NOT NULL,
  search TEXT NOT NULL
) STRICT;
CREATE INDEX contacts_id ON users (id) WHERE type = 'client' AND deleted = 0;
CREATE INDEX contacts_first_name ON users (first_name) WHERE type = 'client' AND deleted = 0;
CREATE INDEX contacts_last_name ON users (last_name) WHERE type = 'client' AND deleted = 0;
CREATE INDEX contacts_email ON users (email) WHERE type = 'client' AND deleted = 0;
CREATE INDEX contacts_created ON users (created) WHERE type = 'client' AND deleted = 0;
CREATE INDEX contacts_updated ON users (updated) WHERE type = 'client' AND deleted = 0;
CREATE INDEX users_client ON users (client_id);
CREATE UNIQUE INDEX users_owner ON users (client_id) WHERE account_owner = 'yes' AND deleted = 0;
CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  client_id INTEGER REFERENCES clients,
  status TEXT NOT NULL, start TEXT, due TEXT
) STRICT;
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  status TEXT NOT NULL
) STRICT;
CREATE INDEX tasks_project ON tasks (project_id);
CREATE TABLE leads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL COLLATE NOCASE,
  search TEXT NOT NULL,
  status_id INTEGER NOT NULL REFERENCES lead_statuses,
  category_id INTEGER NOT NULL REFERENCES categories,
  active_state TEXT NOT NULL DEFAULT 'active',
  source TEXT COLLATE NOCASE,
  value TEXT, value_key TEXT,
  last_contacted TEXT,
  first_name TEXT, last_name TEXT, email TEXT, phone TEXT, job_position TEXT, company_name TEXT, website TEXT,
  street TEXT, city TEXT, state TEXT, zip TEXT, country TEXT,
  converted_client_id INTEGER REFERENCES clients,
  converted TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  created TEXT NOT NULL, updated TEXT NOT NULL,
  description TEXT
) STRICT;
CREATE INDEX leads_id ON leads (id);
CREATE INDEX leads_title ON leads (title, id, active_state);
CREATE INDEX leads_value ON leads (value_key, id, active_state);
CREATE INDEX leads_created ON leads (created, id, active_state);
CREATE INDEX leads_last_contacted ON leads (last_contacted, id, active_state);
CREATE INDEX leads_status ON leads (status_id);
CREATE INDEX leads_category ON leads (category_id);
CREATE INDEX leads_source ON leads (source) WHERE source IS NOT NULL;
CREATE INDEX leads_active_state ON leads (active_state);
CREATE TABLE lead_assigned (
  lead_id INTEGER NOT NULL REFERENCES leads ON DELETE CASCADE,
  position INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users,
  PRIMARY KEY (lead_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_assigned_user ON lead_assigned (user_id, lead_id);
CREATE TABLE lead_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lead_id INTEGER NOT NULL REFERENCES leads ON DELETE CASCADE,
  creator_id INTEGER NOT NULL REFERENCES users,
  created TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX lead_comments_lead ON lead_comments (lead_id);
CREATE TABLE proposals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL COLLATE NOCASE,
  search TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'draft',
  client_id INTEGER REFERENCES clients,
  lead_id INTEGER REFERENCES leads ON DELETE CASCADE,
  category_id INTEGER NOT NULL REFERENCES categories,
  project_id INTEGER REFERENCES projects,
  date_start TEXT NOT NULL, date_end TEXT,
  published TEXT,
  signed_date TEXT, signed_first_name TEXT, signed_last_name TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  created TEXT NOT NULL,
  body TEXT,
  CHECK ((client_id IS NULL) <> (lead_id IS NULL))
) STRICT;
CREATE INDEX proposals_id ON proposals (id);
CREATE INDEX proposals_title ON proposals (title);
CREATE INDEX proposals_status ON proposals (status);
CREATE INDEX proposals_date_start ON proposals (date_start);
CREATE INDEX proposals_created ON proposals (created);
CREATE INDEX proposals_client ON proposals (client_id);
CREATE INDEX proposals_lead ON proposals (lead_id);
CREATE INDEX proposals_category ON proposals (category_id);
CREATE TABLE estimates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  proposal_id INTEGER NOT NULL UNIQUE REFERENCES proposals ON DELETE CASCADE,
  created TEXT NOT NULL
) STRICT;
CREATE TABLE items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  description TEXT NOT NULL COLLATE NOCASE,
  search TEXT NOT NULL,
  type TEXT NOT NULL DEFAULT 'standard',
  tax_status TEXT NOT NULL DEFAULT 'taxable',
  rate TEXT NOT NULL, rate_key TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES categories,
  unit_id INTEGER NOT NULL REFERENCES units,
  tax_rate_id INTEGER NOT NULL REFERENCES tax_rates,
  creator_id INTEGER NOT NULL REFERENCES users,
  custom_fields TEXT NOT NULL DEFAULT '{}',
  created TEXT NOT NULL, updated TEXT NOT NULL,
  notes TEXT, estimation_notes TEXT
) STRICT;
CREATE INDEX items_id ON items (id);
CREATE INDEX items_description ON items (description);
CREATE INDEX items_rate ON items (rate_key);
CREATE INDEX items_created ON items (created);
CREATE INDEX items_category ON items (category_id);
CREATE INDEX items_unit ON items (unit_id);
CREATE INDEX items_tax_rate ON items (tax_rate_id);
CREATE TABLE notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sticky INTEGER NOT NULL DEFAULT 0,
  title TEXT NOT NULL COLLATE NOCASE,
  search TEXT NOT NULL,
  visibility TEXT NOT NULL DEFAULT 'public',
  resource_type TEXT, resource_id INTEGER,
  creator_id INTEGER NOT NULL REFERENCES users,
  tags TEXT NOT NULL DEFAULT '[]',
  created TEXT NOT NULL, updated TEXT NOT NULL,
  description TEXT NOT NULL
) STRICT;
CREATE INDEX notes_id ON notes (id) WHERE sticky = 0;
CREATE INDEX notes_title ON notes (title, id, visibility) WHERE sticky = 0;
CREATE INDEX notes_created ON notes (created, id, visibility) WHERE sticky = 0;
CREATE INDEX notes_updated ON notes (updated, id, visibility) WHERE sticky = 0;
CREATE INDEX notes_visibility ON notes (visibility) WHERE sticky = 0;
CREATE INDEX notes_resource_type ON notes (resource_type, id, visibility) WHERE sticky = 0;
CREATE INDEX notes_resource ON notes (resource_type, resource_id);
INSERT INTO meta (name, value) VALUES ('records', 'empty');
INSERT INTO lead_statuses (id, title, color) VALUES (1, 'New', '#94a3b8');
INSERT INTO lead_statuses (id, title, color) VALUES (2, 'Contacted', '#38bdf8');
INSERT INTO lead_statuses (id, title, color) VALUES (3, 'Qualified', '#6366f1');
INSERT INTO lead_statuses (id, title, color) VALUES (4, 'Proposal Sent', '#f59e0b');
INSERT INTO lead_statuses (id, title, color) VALUES (5, 'Negotiation', '#f97316');
INSERT INTO lead_statuses (id, title, color) VALUES (6, 'Lost', '#ef4444');
INSERT INTO categories (id, type, name) VALUES (1, 'lead', 'Inbound');
INSERT INTO categories (id, type, name) VALUES (2, 'lead', 'Outbound');
INSERT INTO categories (id, type, name) VALUES (3, 'lead', 'Referral');
INSERT INTO categories (id, type, name) VALUES (4, 'proposal', 'Implementation');
INSERT INTO categories (id, type, name) VALUES (5, 'proposal', 'Support Plan');
INSERT INTO categories (id, type, name) VALUES (6, 'item', 'Services');
INSERT INTO categories (id, type, name) VALUES (7, 'item', 'Hardware');
INSERT INTO categories (id, type, name) VALUES (8, 'item', 'Licences');
INSERT INTO categories (id, type, name) VALUES (9, 'client', 'General');
INSERT INTO units (id, name, name_key) VALUES (1, 'each', 'each');
INSERT INTO units (id, name, name_key) VALUES (2, 'hour', 'hour');
INSERT INTO units (id, name, name_key) VALUES (3, 'day', 'day');
INSERT INTO units (id, name, name_key) VALUES (4, 'month', 'month');
INSERT INTO tax_rates (id, name, rate) VALUES (1, 'No Tax', '0.00');
INSERT INTO tax_rates (id, name, rate) VALUES (2, 'Standard', '20.00');
INSERT INTO tax_rates (id, name, rate) VALUES (3, 'Reduced', '5.00');
INSERT INTO item_fields (id, name, enabled) VALUES (1, 'SKU', 1);
INSERT INTO item_fields (id, name, enabled) VALUES (2, 'Supplier', 1);
INSERT INTO item_fields (id, name, enabled) VALUES (3, 'Warranty', 1);
INSERT INTO item_fields (id, name, enabled) VALUES (4, 'Field 4', 0);
INSERT INTO item_fields (id, name, enabled) VALUES (5, 'Field 5', 0);
INSERT INTO item_fields (id, name, enabled) VALUES (6, 'Field 6', 0);
INSERT INTO item_fields (id, name, enabled) VALUES (7, 'Field 7', 0);
INSERT INTO item_fields (id, name, enabled) VALUES (8, 'Field 8', 0);
INSERT INTO item_fields (id, name, enabled) VALUES (9, 'Field 9', 0);
INSERT INTO item_fields (id, name, enabled) VALUES (10, 'Field 10', 0);
INSERT INTO proposal_templates (id, title, body) VALUES (1, 'Standard proposal', '<h1>Proposal</h1><p>Thank you for the conversation.</p><h2>Scope</h2><p>…</p><h2>Timeline</h2><p>…</p><h2>Price</h2><p>…</p>');
INSERT INTO clients (id, company_name, search, status, category_id, phone, website, vat, billing_street, billing_city, billing_state, billing_zip, billing_country, invoice_due_days, shipping_street, shipping_city, shipping_state, shipping_zip, shipping_country, tags, created, updated, description) VALUES (1, 'Northgate Trading', 'northgate trading', 'active', 9, '+44 113 496 0500', 'https://northgate-trading.example', 'GB 123 4567 89', '14 Canal Wharf', 'Leeds', 'West Yorkshire', 'LS11 5PS', 'United Kingdom', 30, NULL, NULL, NULL, NULL, NULL, '[]', '2025-01-06T09:00:00.000000Z', '2025-01-06T09:00:00.000000Z', 'Wholesale of office and warehouse equipment. Our first customer.');
INSERT INTO users (id, type, deleted, first_name, last_name, email, email_key, password, phone, position, account_owner, status, client_id, facebook, twitter, linkedin, github, dribbble, created, updated, search) VALUES (1, 'team', 0, 'Maya', 'Lindqvist', 'maya@crm.example', 'maya@crm.example', NULL, '+44 20 7946 0101', 'Head of Sales', 'no', 'active', NULL, NULL, NULL, NULL, NULL, NULL, '2025-01-06T09:00:00.000000Z', '2025-01-06T09:00:00.000000Z', 'mayalindqvistmaya@crm.example+44 20 7946 0101');
INSERT INTO users (id, type, deleted, first_name, last_name, email, email_key, password, phone, position, account_owner, status, client_id, facebook, twitter, linkedin, github, dribbble, created, updated, search) VALUES (2, 'team', 0, 'Tom', 'Okafor', 'tom@crm.example', 'tom@crm.example', NULL, '+44 20 7946 0102', 'Account Executive', 'no', 'active', NULL, NULL, NULL, NULL, NULL, NULL, '2025-01-06T09:00:00.000000Z', '2025-01-06T09:00:00.000000Z', 'tomokafortom@crm.example+44 20 7946 0102');
INSERT INTO users (id, type, deleted, first_name, last_name, email, email_key, password, phone, position, account_owner, status, client_id, facebook, twitter, linkedin, github, dribbble, created, updated, search) VALUES (3, 'team', 0, 'Priya', 'Raman', 'priya@crm.example', 'priya@crm.example', NULL, '+44 20 7946 0103', 'Account Executive', 'no', 'active', NULL, NULL, NULL, NULL, NULL, NULL, '2025-01-06T09:00:00.000000Z', '2025-01-06T09:00:00.000000Z', 'priyaramanpriya@crm.example+44 20 7946 0103');
INSERT INTO users (id, type, deleted, first_name, last_name, email, email_key, password, phone, position, account_owner, status, client_id, facebook, twitter, linkedin, github, dribbble, created, updated, search) VALUES (4, 'team', 0, 'Jonas', 'Weber', 'jonas@crm.example', 'jonas@crm.example', NULL, '+44 20 7946 0104', 'Solutions Engineer', 'no', 'active', NULL, NULL, NULL, NULL, NULL, NULL, '2025-01-06T09:00:00.000000Z', '2025-01-06T09:00:00.000000Z', 'jonasweberjonas@crm.example+44 20 7946 0104');
INSERT INTO leads (id, title, search, status_id, category_id, active_state, source, value, value_key, last_contacted, first_name, last_name, email, phone, job_position, company_name, website, street, city, state, zip, country, converted_client_id, converted, tags, created, updated, description) VALUES (1, 'Kept', 'kept', 2, 3, 'active', NULL, '1250.5', 'p000412505', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '["old"]', '2026-11-21T17:19:15.655000Z', '2026-11-21T17:19:15.671000Z', NULL);
INSERT INTO lead_comments (id, lead_id, creator_id, created, text) VALUES (1, 1, 1, '2026-11-21T17:19:15.674000Z', 'From version 1');
PRAGMA application_id = 1668443475;
PRAGMA user_version = 1;
