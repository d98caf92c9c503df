// What the OpenAPI document says of operations and of members with a rule, in the words of the interface document. Data.

const notSaid = 'What becomes of a value that is left out, the interface does not say: send it, to be sure to keep it.';
const idAndName = 'The service answers `id` and `name` alone.';
const fullSet = 'The array is the complete new set: what it lacks is removed, and an empty array removes all of it.';

/** By operationId. */
export const operationWords: Readonly<Record<string, string>> = {
  listContacts: 'A page of contacts. Soft-deleted contacts are excluded by default.',
  getContact: 'One contact. A deleted contact is treated as nonexistent.',
  createContact: `Creates a contact of an existing client, with an automatically generated password. ${idAndName}`,
  updateContact: `Replaces the values of a contact. First name, last name and email are required each time. ${notSaid} The client and the account owner cannot be changed here. ${idAndName}`,
  deleteContact:
    'Marks the account deleted and clears its email and password. The contact leaves the lists, and nothing of it can be read any more. It cannot be undone.',
  accountOwnerContact: "Makes the contact the owner of its client's account, in place of the previous one. It takes no body.",

  listProposals: 'A page of proposals, those of clients and those of leads.',
  getProposal: 'One proposal.',
  createProposal:
    'Creates a proposal for a client or for a lead, as a draft, with a backing estimate record. The service answers `id`, `title` and `status` alone.',
  updateProposal: `Replaces the values of a proposal. Title, start date and category are required each time. ${notSaid} A body replaces the content. The customer, the status and the tags cannot be changed here.`,
  deleteProposal: 'Deletes a proposal. It cannot be undone.',
  statusProposal:
    'Sets the status, from any of the five to any of them. Any recorded client acceptance signature is cleared, and cannot be brought back.',
  tagsProposal: `Replaces the tags of a proposal. ${fullSet}`,
  cloneProposal: 'Makes a new proposal like this one. Title, customer, category and start date are those of the body.',

  listLeads: 'A page of leads.',
  getLead: 'One lead.',
  createLead:
    'Creates a lead. Required custom fields of the lead kind must also be sent, by their names. Assignees are never set here. The service answers `id`, `title` and `status` alone.',
  updateLead:
    'Replaces all editable values of a lead: every value that is left out is cleared, so read the lead first and send every field to keep. Assignees, tags and the active state are never set here.',
  deleteLead: 'Deletes a lead. Its related records are deleted too: comments, proposals, notes. It cannot be undone.',
  archiveLead: 'Makes the active state `archived`, whatever it was. It takes no body.',
  activateLead: 'Makes the active state `active`, whatever it was. It takes no body.',
  statusLead: 'Sets the status to one of those that are configured in the system.',
  assignLead: `Replaces the assigned team members of a lead. ${fullSet}`,
  tagsLead: `Replaces the tags of a lead. ${fullSet}`,
  cloneLead: 'Makes a new lead like this one, with the values of the body in place of its own.',
  convertLead:
    'Creates a client and its primary user of a lead, once: a lead that is converted already is refused. The proposals of the lead move to the new client. It cannot be undone. The service answers the client.',
  listLeadComments: 'All comments of a lead; there are no pages.',
  commentLead: 'Adds a comment to a lead. Sent twice, it stands there twice.',
  deleteLeadComment: 'Deletes a comment. It cannot be undone.',

  listItems: 'A page of catalog items.',
  getItem: 'One item.',
  createItem: 'Creates an item. A unit that is given by a new name is created along with it.',
  updateItem: `Replaces the values of an item. Description, rate, category, default tax and unit are required each time. ${notSaid}`,
  deleteItem: 'Deletes an item. It cannot be undone.',

  listNotes: 'A page of notes. Sticky-notes are always excluded.',
  getNote: 'One note. A sticky-note is treated as nonexistent.',
  createNote: "Creates a note, alone or attached to another resource. It does not trigger the web application's own events.",
  updateNote: `Replaces the values of a note. Title and description are required each time. ${notSaid} The resource that it is attached to cannot be changed.`,
  deleteNote: 'Deletes a note. It cannot be undone.',
  tagsNote: `Replaces the tags of a note. ${fullSet}`,

  listClients: 'A page of clients.',
  getClient: 'One client.',
  listTeam: 'A page of team members; deleted ones are left out.',
  getTeamMember: 'One team member.',
  listCategories: 'A page of categories, of one type or of all.',
  getCategory: 'One category.',
  listProjects: 'A page of projects.',
  getProject: 'One project.',
  listTasks: 'A page of tasks.',
  getTask: 'One task.',
};

const customer = {
  customer_type: 'Whom the proposal is for, a client or a lead: the id of that one is sent as well',
  doc_client_id: 'An existing client; required for `customer_type` client',
  doc_lead_id: 'An existing lead; required for `customer_type` lead',
};
const proposal = {
  doc_title: 'The title',
  doc_date_start: 'The start date',
  doc_date_end: 'The end date, on or after the start date',
  doc_categoryid: 'An existing proposal category',
};
const lead = {
  lead_status: 'One of the configured lead statuses',
  lead_categoryid: 'An existing lead category',
};
const item = {
  item_categoryid: 'A category of type item',
  item_default_tax: 'A tax rate; the "no tax" rate for tax-free items',
  item_unit: 'An existing unit by its id, or the name of a new unit, which is created automatically',
  item_notes_estimatation: 'Notes for estimates; the parameter is spelled so',
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `item_custom_field_${index + 1}`,
      `The value of item custom field ${index + 1}, where it is enabled`,
    ]),
  ),
};

/** By the name of a schema, or by operationId of query parameters, and by the name of the member. */
export const memberWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Contact: {
    name: 'First and last name combined',
    email: 'Unique across all users',
    account_owner: 'Whether it is the owner of its client: changed by the account-owner action alone',
    status: 'Such as active',
  },
  ContactCreate: {
    email: 'Unique across all users, whatever its case: a duplicate is refused',
    clientid: 'An existing client',
    position: 'Stored as the job position',
    send_email: '`yes` sends a welcome email; no by default',
  },
  ContactUpdate: { email: 'Unique across all users, whatever its case; the own one stays allowed', position: 'Stored as the job position' },
  Proposal: {
    status: 'Changed by the status action alone, which clears the signature',
    client: 'The client that it is for; members null for a proposal to a lead',
    lead: 'The lead that it is for; members null for a proposal to a client',
    project_id: 'The attached project; managed outside this interface',
    signed: 'The acceptance of the client, read-only: members null when unsigned. A change of the status clears it',
  },
  ProposalCreate: {
    ...customer,
    ...proposal,
    doc_body: 'The content, HTML; it takes precedence over the template',
    proposal_template: 'The template that seeds the content when no body is sent',
  },
  ProposalUpdate: { ...proposal, doc_body: 'The content, HTML: it replaces what is there' },
  ProposalStatus: { status: 'Any of the five; a recorded signature is cleared' },
  ProposalClone: { ...customer, ...proposal },
  Lead: {
    value: 'The estimated value, a decimal number as text',
    status: 'One of the statuses that are configured in the system',
    active_state: 'Changed by the archive and activate actions alone',
    converted: 'What became of it, read-only: the client, once it is converted',
    assigned: 'The team members that it is assigned to: set by the assigned action alone',
    tags: 'Set by the tags action alone',
  },
  LeadCreate: lead,
  LeadUpdate: lead,
  LeadClone: { copy_checklist: '`on` copies the checklist items', copy_files: '`on` copies the files', lead_status: lead.lead_status },
  LeadConvert: {
    email: 'The email of the primary user, unique among client and team users: one that is taken is refused',
    send_welcome_email: '`yes` sends a welcome email; no by default',
    delete_lead: '`yes` deletes the lead afterwards, with its related records; no by default',
  },
  LeadComment: { comment: 'The text' },
  LeadAssign: { assigned: `The ids of team members. ${fullSet}` },
  LeadTags: { tags: fullSet },
  ProposalTags: { tags: fullSet },
  NoteTags: { tags: fullSet },
  Item: { custom_fields: 'The enabled item custom fields' },
  ItemCreate: item,
  ItemUpdate: item,
  Note: {
    resource: 'What it is attached to, set on creation alone: both members null for a standalone note',
    creator_id: "The interface's own acting user",
  },
  NoteCreate: {
    note_description: 'The text',
    note_visibility: 'Who sees it; public by default',
    noteresource_type: 'The kind of resource that it is attached to; the id is then required',
    noteresource_id: 'An existing resource of that kind',
  },
  NoteUpdate: { note_description: 'The text', note_visibility: 'Who sees it' },
  listNotes: { resource_type: 'Attached to a resource of this kind', resource_id: 'Attached to the resource with this id' },
};
