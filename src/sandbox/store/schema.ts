// The tables of the embedded CRM. Ids are AUTOINCREMENT, so none is ever used twice. Every index serves a filter, a sort (SQLite
// appends the id to each, which breaks ties in the sort's own direction) or a foreign key. Those of leads and notes also hold the
// active state or the visibility, a filter that nearly every row passes: without it a late page would look up every row before it.

/** Marks a SQLite file as a sandbox ("crmS"). */
export const applicationId = 0x63726d53;

/** Raised whenever the tables change. A file of another version is refused, and made anew by its user: it holds no customer's data. */
export const schemaVersion = 3;

const reference = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE lead_statuses (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, color TEXT NOT NULL) STRICT;
CREATE TABLE categories (id INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE units (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE tax_rates (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, rate TEXT NOT NULL) STRICT;
CREATE TABLE lead_fields (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, required INTEGER NOT NULL DEFAULT 1) STRICT;
CREATE TABLE item_fields (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, enabled INTEGER NOT NULL) STRICT;
CREATE TABLE proposal_templates (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, body TEXT NOT NULL) STRICT;
`;

const accounts = `
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
`;

const leads = `
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
  custom_fields TEXT NOT NULL DEFAULT '{}',
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

CREATE TABLE checklist_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lead_id INTEGER NOT NULL REFERENCES leads ON DELETE CASCADE,
  position INTEGER NOT NULL,
  status TEXT NOT NULL,
  created TEXT NOT NULL, updated TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX checklist_items_lead ON checklist_items (lead_id, position);
`;

const documents = `
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
`;

/** What makes every table and index. */
export const schema = [reference, accounts, leads, documents].join('');
