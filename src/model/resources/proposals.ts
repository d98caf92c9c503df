// Proposals: documents sent to a client or to a lead (interface: Proposal; Endpoints, Proposals).

import {
  type Action,
  choice,
  date,
  dayOrMoment,
  type Field,
  id,
  idType,
  longText,
  type OneOf,
  type Operation,
  resource,
  text,
} from '../define.ts';

/** The states of a proposal (interface: Proposal `status`). */
export const proposalStatuses = ['draft', 'new', 'accepted', 'declined', 'revised'];
export const proposalStatus = choice(...proposalStatuses);

const title: Field = { flag: 'title', wire: 'doc_title', read: 'title', type: text, required: true, help: 'Title' };
const client: Field = {
  flag: 'client',
  wire: 'doc_client_id',
  read: 'client.id',
  type: idType('client'),
  only: 'create',
  help: 'For this client',
};
const lead: Field = {
  flag: 'lead',
  wire: 'doc_lead_id',
  read: 'lead.id',
  type: id,
  listedBy: 'leads list',
  only: 'create',
  help: 'For this lead',
};
const category: Field = {
  flag: 'category',
  wire: 'doc_categoryid',
  read: 'category.id',
  type: idType('proposal-category'),
  required: true,
  help: 'Proposal category',
};
const start: Field = { flag: 'start', wire: 'doc_date_start', read: 'dates.start', type: date, required: true, help: 'Start date' };
const end: Field = {
  flag: 'end',
  wire: 'doc_date_end',
  read: 'dates.end',
  type: date,
  notBefore: 'start',
  help: 'End date, on or after the start',
};

/** The customer of a proposal: a client or a lead. */
const customer: OneOf = { wire: 'customer_type', flags: ['client', 'lead'] };

/** Makes a copy of a proposal (interface: Proposals, clone body). */
export const proposalClone: Operation = {
  verb: 'clone',
  path: 'clone',
  makes: 'a clone',
  fields: [title, client, lead, category, start, end],
  oneOf: customer,
};

/**
 * Sets the status (interface: Proposals, status body). A change clears a recorded signature for good, so the command reads the proposal
 * first.
 */
export const proposalStatusChange: Action = {
  verb: 'status',
  path: 'status',
  summary: "Set a proposal's status",
  many: true,
  value: { name: 'status', wire: 'status', type: proposalStatus, help: 'The new status' },
  // Interface: Proposals, status after a create.
  starts: 'draft',
};

export const proposals = resource({
  name: 'proposals',
  singular: 'proposal',
  path: '/api/proposals',
  summary: 'Documents sent to a client or a lead',
  title: 'title',
  tellApart: ['status', 'client.name', 'lead.name'],
  fields: [
    client,
    lead,
    title,
    start,
    category,
    end,
    { flag: 'body', wire: 'doc_body', read: 'body', type: longText, sentWhenGiven: true, help: 'Content, HTML' },
    {
      flag: 'template',
      wire: 'proposal_template',
      type: id,
      only: 'create',
      help: 'Template that seeds the body when no body is given',
    },
  ],
  oneOf: customer,
  record: [
    'id',
    'title',
    'status',
    'body',
    'client.id',
    'client.name',
    'lead.id',
    'lead.name',
    'category.id',
    'category.name',
    'project_id',
    'dates.start',
    'dates.end',
    'dates.created',
    'dates.published',
    'signed.date',
    'signed.first_name',
    'signed.last_name',
    'tags',
  ],
  types: { 'signed.date': dayOrMoment },
  // Values that a create may leave out read back as null (interface: Proposals, create body, `doc_date_end`).
  nullable: ['body', 'client', 'lead', 'project_id', 'dates.end', 'dates.published', 'signed'],
  answers: { create: ['id', 'title', 'status'] },
  columns: [
    { path: 'id', align: 'right' },
    { path: 'title' },
    { path: 'status' },
    { path: 'client.name', header: 'client', drawn: { header: 'for', orElse: 'lead.name' } },
    { path: 'lead.name', header: 'lead', terminal: false },
    { path: 'category.name', header: 'category', priority: 8 },
    { path: 'dates.start', header: 'start' },
    { path: 'dates.end', header: 'end', priority: 6 },
    { path: 'tags' },
  ],
  meanings: { status: { new: 'waiting', revised: 'waiting', accepted: 'good', declined: 'bad', draft: 'past' } },
  view: {
    facts: ['status', 'for client', 'for lead', 'category: category', '#tags'],
    groups: [
      ['Start', 'dates.start · until dates.end'],
      ['Signed', 'signed.date · by signed.first_name signed.last_name'],
      ['Published', 'dates.published'],
      ['Project', 'project_id'],
      ['Created', 'dates.created'],
      ['Body', 'body'],
    ],
    entry: ['title · status · dates.start'],
  },
  filters: [
    { flag: 'status', wire: 'status', type: proposalStatus, help: 'Status' },
    { flag: 'client', wire: 'client_id', type: idType('client'), help: 'For this client' },
    { flag: 'lead', wire: 'lead_id', type: id, listedBy: 'leads list', help: 'For this lead' },
    { flag: 'category', wire: 'category_id', type: idType('proposal-category'), help: 'Proposal category' },
    { flag: 'search', wire: 'search', type: text, help: 'Text in the title' },
  ],
  sort: { title: 'doc_title', status: 'doc_status', start: 'doc_date_start', created: 'doc_created' },
  defaultOrder: 'desc',
  guarded: [proposalStatusChange],
  operations: [proposalClone],
  sets: [
    { verb: 'tags', path: 'tags', wire: 'tags', read: 'tags', value: { name: 'tag', type: text }, summary: "Replace a proposal's tags" },
  ],
  examples: {
    list: ['crm proposals list --status accepted', 'crm proposals list --client 2 --sort start --order asc -o json'],
    create: [
      "crm proposals create --client 'Northgate Trading' --title 'Onboarding' --start 2027-01-04 --category Implementation",
      "crm proposals create --lead 3 --title 'Support plan' --start 2027-01-04 --end 2027-12-31 --category 5 --body '<p>Hello</p>'",
    ],
    ids: ['crm clients list', 'crm categories list --type proposal'],
    update: ['crm proposals update 5 --end 2027-12-31', "crm proposals update 5 --title 'Onboarding, revised'"],
    tags: ['crm proposals tags 5 renewal priority', 'crm proposals tags 5 --add q3 --remove priority'],
  },
});
