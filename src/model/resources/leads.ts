// Leads: prospective customers, convertible to clients (interface: Lead; Endpoints, Leads).

import {
  type Action,
  type Attached,
  choice,
  date,
  dayOrMoment,
  decimal,
  email,
  type Field,
  idType,
  integer,
  longText,
  type Operation,
  phone,
  postalCode,
  type ReplacedSet,
  resource,
  text,
  toggle,
  truth,
  webAddress,
} from '../define.ts';

const title: Field = { flag: 'title', wire: 'lead_title', read: 'title', type: text, required: true, help: 'What the deal is about' };
const status: Field = {
  flag: 'status',
  wire: 'lead_status',
  read: 'status.id',
  type: idType('lead-status'),
  required: true,
  help: 'Lead status',
};
const person: readonly Field[] = [
  { flag: 'first-name', wire: 'lead_firstname', read: 'contact.first_name', type: text, help: "The contact's first name" },
  { flag: 'last-name', wire: 'lead_lastname', read: 'contact.last_name', type: text, help: "The contact's last name" },
  { flag: 'email', wire: 'lead_email', read: 'contact.email', type: email, help: "The contact's email" },
  { flag: 'phone', wire: 'lead_phone', read: 'contact.phone', type: phone, help: "The contact's phone" },
];
const companyName: Field = { flag: 'company-name', wire: 'lead_company_name', read: 'contact.company_name', type: text, help: 'Company' };
const website: Field = { flag: 'website', wire: 'lead_website', read: 'contact.website', type: webAddress, help: 'Website' };
const value: Field = { flag: 'value', wire: 'lead_value', read: 'value', type: decimal, help: 'Estimated value' };

/** The fields of a clone. Title and status default to the lead's; the service copies the other values. */
const cloneFields: readonly Field[] = [
  title,
  status,
  ...[...person, companyName, website, value].map(({ read: _, ...field }): Field => field),
  { flag: 'copy-checklist', wire: 'copy_checklist', type: toggle('on'), help: 'Copy the checklist items' },
  { flag: 'copy-files', wire: 'copy_files', type: toggle('on'), help: 'Copy the files' },
];

/** Makes a copy of a lead (interface: Leads, clone body). */
export const leadClone: Operation = { verb: 'clone', path: 'clone', makes: 'a clone', fields: cloneFields };

const conversionFields: readonly Field[] = [
  { flag: 'first-name', wire: 'first_name', read: 'contact.first_name', type: text, required: true, help: "The primary user's first name" },
  { flag: 'last-name', wire: 'last_name', read: 'contact.last_name', type: text, required: true, help: "The primary user's last name" },
  { flag: 'email', wire: 'email', read: 'contact.email', type: email, required: true, help: "The primary user's email, unique" },
  { flag: 'company-name', wire: 'client_company_name', read: 'contact.company_name', type: text, help: "The client's company name" },
  {
    flag: 'invoice-due-days',
    wire: 'client_billing_invoice_due_days',
    type: integer,
    help: 'Days until an invoice is due',
  },
  { flag: 'send-welcome-email', wire: 'send_welcome_email', type: toggle('yes', 'no'), help: 'Send a welcome email' },
  { flag: 'delete-lead', wire: 'delete_lead', type: toggle('yes', 'no'), help: 'Delete the lead afterwards' },
];

/** Makes a client of a lead (interface: Leads, convert body). */
export const leadConversion = {
  verb: 'convert',
  path: 'convert',
  makes: 'a conversion',
  fields: conversionFields,
  answers: 'client',
  conflict: { code: 'already_converted', when: 'The lead is converted already.' },
} as const satisfies Operation;

/** A comment on a lead (interface: Lead comment). */
export const leadComment: Operation = {
  verb: 'comment',
  path: 'comments',
  makes: 'a comment',
  answers: 'comment',
  fields: [
    { flag: 'text', wire: 'comment', read: 'text', type: longText, required: true, help: 'The comment; or @file, or - for standard input' },
  ],
};

/** The comments of a lead: members `id`, `text` and `creator` (interface: Lead comment). */
export const leadComments = {
  name: 'comments',
  path: leadComment.path,
  records: {
    singular: 'comment',
    title: 'text',
    columns: [{ path: 'id', align: 'right' }, { path: 'creator.name', header: 'by' }, { path: 'text' }],
    record: ['id', 'text', 'creator.id', 'creator.name'],
    types: { text: longText },
    view: { facts: [], groups: [['Text', 'text']], entry: ['creator', 'text'] },
  },
} as const satisfies Attached;

/** The status of a lead as an action (interface: Leads, status body). */
export const leadStatus: Action = {
  verb: 'status',
  path: 'status',
  summary: "Set a lead's status",
  many: true,
  repeatable: true,
  value: { name: 'status', wire: 'status', type: idType('lead-status'), help: 'Lead status' },
};

/** The tags of a lead as a replaced set (interface: Leads). */
export const leadTags: ReplacedSet = {
  verb: 'tags',
  path: 'tags',
  wire: 'tags',
  read: 'tags',
  value: { name: 'tag', type: text },
  summary: "Replace a lead's tags",
};

export const leads = resource({
  name: 'leads',
  singular: 'lead',
  path: '/api/leads',
  summary: 'Prospective customers, convertible to clients',
  title: 'title',
  tellApart: ['status.title', 'value'],
  fields: [
    title,
    status,
    {
      flag: 'category',
      wire: 'lead_categoryid',
      read: 'category.id',
      type: idType('lead-category'),
      required: true,
      help: 'Lead category',
    },
    ...person,
    { flag: 'job-position', wire: 'lead_job_position', read: 'contact.job_position', type: text, help: "The contact's job position" },
    companyName,
    website,
    value,
    { flag: 'source', wire: 'lead_source', read: 'source', type: text, help: 'Where the lead came from' },
    { flag: 'last-contacted', wire: 'lead_last_contacted', read: 'last_contacted', type: date, help: 'Date of the last contact' },
    { flag: 'description', wire: 'lead_description', read: 'description', type: longText, help: 'Description' },
    { flag: 'street', wire: 'lead_street', read: 'address.street', type: text, help: 'Street' },
    { flag: 'city', wire: 'lead_city', read: 'address.city', type: text, help: 'City' },
    { flag: 'state', wire: 'lead_state', read: 'address.state', type: text, help: 'State' },
    { flag: 'zip', wire: 'lead_zip', read: 'address.zip', type: postalCode, help: 'Postal code' },
    { flag: 'country', wire: 'lead_country', read: 'address.country', type: text, help: 'Country' },
  ],
  record: [
    'id',
    'title',
    'value',
    'status.id',
    'status.title',
    'status.color',
    'active_state',
    'category.id',
    'category.name',
    'source',
    'last_contacted',
    'description',
    'contact.first_name',
    'contact.last_name',
    'contact.email',
    'contact.phone',
    'contact.job_position',
    'contact.company_name',
    'contact.website',
    'address.street',
    'address.city',
    'address.state',
    'address.zip',
    'address.country',
    'converted.is_converted',
    'converted.client_id',
    'converted.date',
    'assigned',
    'tags',
    'dates.created',
    'dates.updated',
  ],
  types: { 'converted.is_converted': truth, 'converted.date': dayOrMoment },
  nullable: ['value', 'source', 'last_contacted', 'description', 'contact', 'address', 'converted.client_id', 'converted.date'],
  joined: { name: ['contact.first_name', 'contact.last_name'] },
  customNames: true,
  answers: { create: ['id', 'title', 'status'] },
  notShown: ['archive', 'activate'],
  columns: [
    { path: 'id', align: 'right' },
    { path: 'title' },
    { path: 'status.title', header: 'status', priority: 4 },
    { path: 'value', align: 'right', priority: 3 },
    { path: 'contact.company_name', header: 'company', priority: 6 },
    { path: 'last_contacted', header: 'last contact', terminal: true, priority: 7 },
    { path: 'contact.email', header: 'email', priority: 8 },
    { path: 'source', priority: 9 },
    { path: 'assigned.name', header: 'assigned', priority: 5 },
    { path: 'tags' },
    { path: 'active_state', standing: true },
  ],
  meanings: { active_state: { archived: 'past' }, 'converted.is_converted': { true: 'good' } },
  standing: {
    name: 'state',
    help: 'Open leads (active and not converted), converted or archived ones',
    words: [
      { word: 'converted', path: 'converted.is_converted', is: 'true', meaning: 'good', isCustomer: true },
      { word: 'archived', path: 'active_state', is: 'archived', narrows: ['active-state', 'archived'], meaning: 'past' },
      { word: 'open', shown: 'active', narrows: ['active-state', 'active'] },
    ],
  },
  view: {
    facts: ['status', 'value', 'category: category', 'source: source', 'assigned', '#tags'],
    groups: [
      ['Contact', 'contact.first_name contact.last_name, contact.job_position', 'contact.email · contact.phone'],
      ['Company', 'contact.company_name · contact.website'],
      ['Address', 'address.street, address.zip address.city, address.state, address.country'],
      ['Contacted', 'last_contacted'],
      ['Converted', 'converted.date · to client converted.client_id'],
      ['Description', 'description'],
      ['Created', 'dates.created · changed dates.updated'],
    ],
    unsaid: ['dates.updated=dates.created'],
  },
  attached: [
    { ...leadComments, takenAlong: true },
    { name: 'proposals', filter: 'lead', takenAlong: true },
    { name: 'notes', filter: 'resource', type: 'lead', takenAlong: true },
  ],
  filters: [
    { flag: 'status', wire: 'status', type: idType('lead-status'), help: 'Lead status' },
    { flag: 'category', wire: 'category_id', type: idType('lead-category'), help: 'Lead category' },
    { flag: 'source', wire: 'source', type: text, help: 'Source' },
    { flag: 'active-state', wire: 'active_state', type: choice('active', 'archived'), help: 'Active or archived leads' },
    {
      flag: 'assigned',
      wire: 'assigned_user_id',
      type: idType('team'),
      takesNone: true,
      help: 'Assigned team member',
    },
    {
      flag: 'search',
      wire: 'search',
      type: text,
      help: 'Text in title, company or email',
      searches: { only: 'title, company or email', not: 'name' },
    },
  ],
  sort: { title: 'lead_title', value: 'lead_value', created: 'lead_created', last_contacted: 'lead_last_contacted' },
  defaultOrder: 'desc',
  actions: [
    {
      verb: 'archive',
      path: 'archive',
      summary: 'Archive leads',
      done: 'archived',
      reads: { path: 'active_state', value: 'archived' },
      archives: true,
      undo: { verb: 'activate', leaves: 'active again' },
      many: true,
      repeatable: true,
    },
    {
      verb: 'activate',
      aliases: ['unarchive'],
      path: 'activate',
      summary: 'Make archived leads active again',
      done: 'activated',
      reads: { path: 'active_state', value: 'active' },
      initial: true,
      undo: { verb: 'archive', leaves: 'archived again' },
      many: true,
      repeatable: true,
    },
    leadStatus,
  ],
  operations: [leadClone, leadConversion, leadComment],
  sets: [
    {
      verb: 'assign',
      aliases: ['assigned'],
      path: 'assigned',
      wire: 'assigned',
      read: 'assigned',
      element: 'id',
      value: { name: 'person', type: idType('team') },
      summary: "Replace a lead's assignees",
      atCreation: 'assigned',
    },
    leadTags,
  ],
  offers: ['first-name', 'last-name', 'email', 'phone', 'company-name', 'value', 'assigned'],
  examples: {
    list: [
      'crm leads list --status Negotiation --sort value',
      'crm leads list --search harbour --json',
      'crm leads list --where value=50000.. --where last_contacted=..-30d',
    ],
    create: [
      "crm leads create --title 'Website relaunch' --status New --category Inbound --value 12500.00",
      "crm leads create --title 'Fleet tracking' --status Contacted --category Referral --company-name 'Harbour Freight' --email ops@harbour.example",
    ],
    ids: ['crm leads list --fields status.id,status.title | sort -u', 'crm categories list --type lead'],
    get: ['crm leads get 12 --with comments,notes', 'crm leads get 12,13 --json'],
    update: ['crm leads update 12 --value 18000.50', 'crm leads update 12 --source Referral --last-contacted 2026-11-02'],
    import: ["printf 'title,status,category\\nTill,New,Inbound\\n' > new.csv && crm leads import new.csv --rejects rejects.csv"],
    archive: ['crm leads archive 12', 'crm leads list --search harbour -o ids | crm leads archive - --yes'],
    activate: ['crm leads activate 12', 'crm leads activate 13 14'],
    status: ['crm leads status 12 Qualified', 'crm leads status 13,14 --to Negotiation --json'],
    assign: ["crm leads assign 12 Priya 'Tom Okafor'", 'crm leads assign 12 --add Jonas --remove Priya'],
    tags: ['crm leads tags 12 hot renewal', 'crm leads tags 13,14 --add hot --remove cold'],
  },
});
