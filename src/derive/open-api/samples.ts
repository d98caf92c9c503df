// A request for each operation that works with the demo data: the examples of the OpenAPI document, which a test sends.

/** The ids in the path, and the body in JSON; by operationId. */
export interface Sample {
  readonly id?: number;
  readonly childId?: number;
  readonly body?: Readonly<Record<string, unknown>>;
}

const proposal = { doc_title: 'Onboarding', doc_date_start: '2027-01-04', doc_categoryid: 4, doc_date_end: '2027-12-31' };
const lead = { lead_title: 'Website relaunch', lead_status: 1, lead_categoryid: 1, lead_value: '12500.00' };
const item = { item_description: 'Site survey', item_rate: '450.00', item_categoryid: 6, item_default_tax: 2, item_unit: 3 };
const note = { note_title: 'Call back', note_description: 'After the board meeting', note_visibility: 'private' };

export const samples: Readonly<Record<string, Sample>> = {
  createContact: { body: { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com', clientid: 2, position: 'Head of IT' } },
  getContact: { id: 5 },
  updateContact: { id: 5, body: { first_name: 'Ada', last_name: 'King', email: 'king@example.com', phone: '+44 20 7946 0000' } },
  deleteContact: { id: 5 },
  accountOwnerContact: { id: 6 },
  createProposal: { body: { customer_type: 'client', doc_client_id: 2, ...proposal } },
  getProposal: { id: 5 },
  updateProposal: { id: 5, body: proposal },
  deleteProposal: { id: 5 },
  statusProposal: { id: 5, body: { status: 'accepted' } },
  tagsProposal: { id: 5, body: { tags: ['renewal', 'priority'] } },
  cloneProposal: { id: 5, body: { customer_type: 'lead', doc_lead_id: 3, ...proposal } },
  createLead: { body: lead },
  getLead: { id: 12 },
  updateLead: { id: 12, body: { ...lead, lead_source: 'Referral', lead_last_contacted: '2026-11-02' } },
  deleteLead: { id: 12 },
  statusLead: { id: 12, body: { status: 3 } },
  archiveLead: { id: 12 },
  activateLead: { id: 12 },
  assignLead: { id: 12, body: { assigned: [2, 3] } },
  tagsLead: { id: 12, body: { tags: ['hot', 'renewal'] } },
  convertLead: {
    id: 12,
    body: { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com', client_company_name: 'Byron Ltd', send_welcome_email: 'no' },
  },
  cloneLead: { id: 12, body: { lead_title: 'Website relaunch, phase 2', lead_status: 1, copy_checklist: 'on' } },
  commentLead: { id: 12, body: { comment: 'Called, they want an offer by Friday' } },
  createItem: { body: { ...item, item_custom_field_1: 'SS-1' } },
  getItem: { id: 5 },
  updateItem: { id: 5, body: { ...item, item_unit: 'metre' } },
  deleteItem: { id: 5 },
  createNote: { body: { ...note, noteresource_type: 'lead', noteresource_id: 3 } },
  getNote: { id: 5 },
  updateNote: { id: 5, body: note },
  deleteNote: { id: 5 },
  tagsNote: { id: 5, body: { tags: ['urgent'] } },
  getClient: { id: 2 },
};
