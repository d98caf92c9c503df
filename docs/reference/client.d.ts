// The client of each family, made from its declaration.

import type { Answered, CallOptions, ClientOptions, CommonOptions, Comments, CreateOptions, Exchange, Id, List, ListOptions, Page, RateLimit, Reads, RequestOptions, SandboxServiceOptions, SendRequest, ServiceAnswer, ServiceOptions, SetChange, SignatureOptions, Sorting, UpdateOptions, WireFields, Writes } from './types/calls.js';
export type { Answered, CallOptions, ClientOptions, CommonOptions, Comments, CreateOptions, Exchange, Id, List, ListOptions, Page, RateLimit, Reads, RequestOptions, SandboxServiceOptions, SendRequest, ServiceAnswer, ServiceOptions, SetChange, SignatureOptions, Sorting, UpdateOptions, WireFields, Writes } from './types/calls.js';
export * from './types/errors.js';

/** The service, family by family. */
export interface CrmClient {
  /** People at client accounts */
  readonly contacts: ContactCalls;
  /** Documents sent to a client or a lead */
  readonly proposals: ProposalCalls;
  /** Prospective customers, convertible to clients */
  readonly leads: LeadCalls;
  /** Catalog products and services */
  readonly items: ItemCalls;
  /** Titled notes, alone or on another record */
  readonly notes: NoteCalls;
  /** Client accounts */
  readonly clients: ClientCalls;
  /** Team members */
  readonly team: TeamMemberCalls;
  /** Categories of leads, proposals, items and other records */
  readonly categories: CategoryCalls;
  /** Projects under way for clients */
  readonly projects: ProjectCalls;
  /** Tasks of projects */
  readonly tasks: TaskCalls;
  /** Any endpoint of the service: `client.request('GET', '/api/tickets', { query: { status: 'open' } })`. */
  readonly request: SendRequest;
  /** Ends the requests under way and closes the connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a client, and sends nothing yet. Throws TypeError for an option of a wrong type, UsageError for an unusable value. */
export declare function openClient(options: ClientOptions): Promise<CrmClient>;

/** A contact, as the service answers it. */
export interface Contact {
  id: number;
  /** First name */
  first_name: string;
  /** Last name */
  last_name: string;
  /** First and last name combined */
  name: string;
  /** Unique across all users */
  email: string;
  /** Phone */
  phone: string | null;
  /** Job position */
  job_position: string | null;
  /** Whether it is the owner of its client: changed by the account-owner action alone */
  account_owner: 'yes' | 'no';
  /** Such as active */
  status: string;
  /** The owning client; members null for a contact that has no client account */
  client: {
    id: number | null;
    company_name: string | null;
  };
  role: {
    id: number;
    name: string;
  };
  /** Handles. */
  social: {
    facebook: string | null;
    twitter: string | null;
    linkedin: string | null;
    github: string | null;
    dribbble: string | null;
  };
  /** When it was made, and when it was changed. */
  dates: {
    created: string;
    updated: string;
  };
}

/** The filters of a list of contacts. All given filters must hold. */
export interface ContactFilters extends Sorting<'first_name' | 'last_name' | 'email' | 'created' | 'updated'> {
  /** Status, such as active */
  status?: string | undefined;
  /** Owning client: its id */
  client?: Id | undefined;
  /** Account owners, or everyone else */
  account_owner?: 'yes' | 'no' | undefined;
  /** Text in first name, last name, email or phone */
  search?: string | undefined;
}

/** The values of a new contact. */
export interface ContactValues extends WireFields {
  /** First name */
  first_name: string;
  /** Last name */
  last_name: string;
  /** Email, unique across all users */
  email: string;
  /** Owning client: its id */
  client: Id;
  /** Phone */
  phone?: string | undefined;
  /** Job position */
  job_position?: string | undefined;
  /** Send a welcome email */
  send_email?: boolean | undefined;
}

/** The values that an update of a contact sets; null clears. */
export interface ContactChanges extends WireFields {
  /** First name */
  first_name?: string | undefined;
  /** Last name */
  last_name?: string | undefined;
  /** Email, unique across all users */
  email?: string | undefined;
  /** Phone */
  phone?: string | null | undefined;
  /** Job position */
  job_position?: string | null | undefined;
}

/** The calls for contacts. */
export interface ContactCalls extends Writes<Contact, ContactFilters, ContactValues, ContactChanges> {
  /** Make a contact its client's account owner */
  accountOwner(id: Id, options?: CallOptions): Promise<Answered<Contact>>;
}

/** A proposal, as the service answers it. */
export interface Proposal {
  id: number;
  /** Title */
  title: string;
  /** Changed by the status action alone, which clears the signature */
  status: 'draft' | 'new' | 'accepted' | 'declined' | 'revised';
  /** Content, HTML */
  body: string | null;
  /** The client that it is for; members null for a proposal to a lead */
  client: {
    id: number | null;
    name: string | null;
  };
  /** The lead that it is for; members null for a proposal to a client */
  lead: {
    id: number | null;
    name: string | null;
  };
  category: {
    id: number;
    name: string;
  };
  /** The attached project; managed outside this interface */
  project_id: number | null;
  dates: {
    /** Start date */
    start: string;
    /** End date, on or after the start */
    end: string | null;
    created: string;
    published: string | null;
  };
  /** The acceptance of the client, read-only: members null when unsigned. A change of the status clears it */
  signed: {
    date: string | null;
    first_name: string | null;
    last_name: string | null;
  };
  tags: Array<string>;
}

/** The filters of a list of proposals. All given filters must hold. */
export interface ProposalFilters extends Sorting<'title' | 'status' | 'start' | 'created'> {
  /** Status */
  status?: 'draft' | 'new' | 'accepted' | 'declined' | 'revised' | undefined;
  /** For this client: its id */
  client?: Id | undefined;
  /** For this lead: its id */
  lead?: Id | undefined;
  /** Proposal category: its id */
  category?: Id | undefined;
  /** Text in the title */
  search?: string | undefined;
}

/** The values of a new proposal. */
export type ProposalValues = WireFields & {
  /** Title */
  title: string;
  /** Start date: YYYY-MM-DD */
  start: string;
  /** Proposal category: its id */
  category: Id;
  /** End date, on or after the start: YYYY-MM-DD */
  end?: string | undefined;
  /** Content, HTML */
  body?: string | undefined;
  /** Template that seeds the body when no body is given: its id */
  template?: Id | undefined;
} & ({ client: Id; lead?: undefined } | { lead: Id; client?: undefined });

/** The values that an update of a proposal sets; null clears. */
export interface ProposalChanges extends WireFields {
  /** Title */
  title?: string | undefined;
  /** Start date: YYYY-MM-DD */
  start?: string | undefined;
  /** Proposal category: its id */
  category?: Id | undefined;
  /** End date, on or after the start: YYYY-MM-DD */
  end?: string | null | undefined;
  /** Content, HTML */
  body?: string | null | undefined;
}

/** The calls for proposals. */
export interface ProposalCalls extends Writes<Proposal, ProposalFilters, ProposalValues, ProposalChanges> {
  /** Set a proposal's status */
  status(id: Id, status: 'draft' | 'new' | 'accepted' | 'declined' | 'revised', options?: SignatureOptions): Promise<Answered<Proposal>>;
  /** Replace a proposal's tags */
  tags(id: Id, tags: SetChange<string>, options?: CallOptions): Promise<Answered<Proposal>>;
  clone(id: Id, values?: ProposalClone, options?: CallOptions): Promise<Answered<Proposal>>;
}

/** The values for a clone; other values come from the record. */
export interface ProposalClone extends WireFields {
  /** Title */
  title?: string | undefined;
  /** For this client: its id */
  client?: Id | undefined;
  /** For this lead: its id */
  lead?: Id | undefined;
  /** Proposal category: its id */
  category?: Id | undefined;
  /** Start date: YYYY-MM-DD */
  start?: string | undefined;
  /** End date, on or after the start: YYYY-MM-DD */
  end?: string | undefined;
}

/** A lead, as the service answers it. */
export interface Lead {
  id: number;
  /** What the deal is about */
  title: string;
  /** The estimated value, a decimal number as text */
  value: string | null;
  /** One of the statuses that are configured in the system */
  status: {
    id: number;
    title: string;
    color: string;
  };
  /** Changed by the archive and activate actions alone */
  active_state: 'active' | 'archived';
  category: {
    id: number;
    name: string;
  };
  /** Where the lead came from */
  source: string | null;
  /** Date of the last contact */
  last_contacted: string | null;
  /** Description */
  description: string | null;
  contact: {
    /** The contact's first name */
    first_name: string | null;
    /** The contact's last name */
    last_name: string | null;
    /** The contact's email */
    email: string | null;
    /** The contact's phone */
    phone: string | null;
    /** The contact's job position */
    job_position: string | null;
    /** Company */
    company_name: string | null;
    /** Website */
    website: string | null;
  };
  address: {
    /** Street */
    street: string | null;
    /** City */
    city: string | null;
    /** State */
    state: string | null;
    /** Postal code */
    zip: string | null;
    /** Country */
    country: string | null;
  };
  /** What became of it, read-only: the client, once it is converted */
  converted: {
    is_converted: boolean;
    client_id: number | null;
    date: string | null;
  };
  /** The team members that it is assigned to: set by the assigned action alone */
  assigned: Array<{
    id: number;
    name: string;
  }>;
  /** Set by the tags action alone */
  tags: Array<string>;
  /** When it was made, and when it was changed. */
  dates: {
    created: string;
    updated: string;
  };
}

/** The filters of a list of leads. All given filters must hold. */
export interface LeadFilters extends Sorting<'title' | 'value' | 'created' | 'last_contacted'> {
  /** Lead status: its id */
  status?: Id | undefined;
  /** Lead category: its id */
  category?: Id | undefined;
  /** Source */
  source?: string | undefined;
  /** Active or archived leads */
  active_state?: 'active' | 'archived' | undefined;
  /** Assigned team member: its id */
  assigned?: Id | undefined;
  /** Text in title, company or email */
  search?: string | undefined;
}

/** The values of a new lead. */
export interface LeadValues extends WireFields {
  /** What the deal is about */
  title: string;
  /** Lead status: its id */
  status: Id;
  /** Lead category: its id */
  category: Id;
  /** The contact's first name */
  first_name?: string | undefined;
  /** The contact's last name */
  last_name?: string | undefined;
  /** The contact's email */
  email?: string | undefined;
  /** The contact's phone */
  phone?: string | undefined;
  /** The contact's job position */
  job_position?: string | undefined;
  /** Company */
  company_name?: string | undefined;
  /** Website */
  website?: string | undefined;
  /** Estimated value: a decimal number as text, such as 1250.00 */
  value?: string | undefined;
  /** Where the lead came from */
  source?: string | undefined;
  /** Date of the last contact: YYYY-MM-DD */
  last_contacted?: string | undefined;
  /** Description */
  description?: string | undefined;
  /** Street */
  street?: string | undefined;
  /** City */
  city?: string | undefined;
  /** State */
  state?: string | undefined;
  /** Postal code */
  zip?: string | undefined;
  /** Country */
  country?: string | undefined;
}

/** The values that an update of a lead sets; null clears. */
export interface LeadChanges extends WireFields {
  /** What the deal is about */
  title?: string | undefined;
  /** Lead status: its id */
  status?: Id | undefined;
  /** Lead category: its id */
  category?: Id | undefined;
  /** The contact's first name */
  first_name?: string | null | undefined;
  /** The contact's last name */
  last_name?: string | null | undefined;
  /** The contact's email */
  email?: string | null | undefined;
  /** The contact's phone */
  phone?: string | null | undefined;
  /** The contact's job position */
  job_position?: string | null | undefined;
  /** Company */
  company_name?: string | null | undefined;
  /** Website */
  website?: string | null | undefined;
  /** Estimated value: a decimal number as text, such as 1250.00 */
  value?: string | null | undefined;
  /** Where the lead came from */
  source?: string | null | undefined;
  /** Date of the last contact: YYYY-MM-DD */
  last_contacted?: string | null | undefined;
  /** Description */
  description?: string | null | undefined;
  /** Street */
  street?: string | null | undefined;
  /** City */
  city?: string | null | undefined;
  /** State */
  state?: string | null | undefined;
  /** Postal code */
  zip?: string | null | undefined;
  /** Country */
  country?: string | null | undefined;
}

/** The calls for leads. */
export interface LeadCalls extends Writes<Lead, LeadFilters, LeadValues, LeadChanges> {
  /** Archive leads */
  archive(id: Id, options?: CallOptions): Promise<Answered<Lead>>;
  /** Make archived leads active again */
  activate(id: Id, options?: CallOptions): Promise<Answered<Lead>>;
  /** Set a lead's status */
  status(id: Id, status: Id, options?: CallOptions): Promise<Answered<Lead>>;
  /** Replace a lead's assignees */
  assign(id: Id, assigned: SetChange<Id>, options?: CallOptions): Promise<Answered<Lead>>;
  /** Replace a lead's tags */
  tags(id: Id, tags: SetChange<string>, options?: CallOptions): Promise<Answered<Lead>>;
  clone(id: Id, values?: LeadClone, options?: CallOptions): Promise<Answered<Lead>>;
  convert(id: Id, values?: LeadConvert, options?: CallOptions): Promise<Answered<Client>>;
  readonly comments: Comments<LeadComment>;
}

/** The values for a clone; other values come from the record. */
export interface LeadClone extends WireFields {
  /** What the deal is about */
  title?: string | undefined;
  /** Lead status: its id */
  status?: Id | undefined;
  /** The contact's first name */
  first_name?: string | undefined;
  /** The contact's last name */
  last_name?: string | undefined;
  /** The contact's email */
  email?: string | undefined;
  /** The contact's phone */
  phone?: string | undefined;
  /** Company */
  company_name?: string | undefined;
  /** Website */
  website?: string | undefined;
  /** Estimated value: a decimal number as text, such as 1250.00 */
  value?: string | undefined;
  /** Copy the checklist items */
  copy_checklist?: boolean | undefined;
  /** Copy the files */
  copy_files?: boolean | undefined;
}

/** The values for a conversion; other values come from the record. */
export interface LeadConvert extends WireFields {
  /** The primary user's first name */
  first_name?: string | undefined;
  /** The primary user's last name */
  last_name?: string | undefined;
  /** The primary user's email, unique */
  email?: string | undefined;
  /** The client's company name */
  company_name?: string | undefined;
  /** Days until an invoice is due */
  invoice_due_days?: number | undefined;
  /** Send a welcome email */
  send_welcome_email?: boolean | undefined;
  /** Delete the lead afterwards */
  delete_lead?: boolean | undefined;
}

/** A comment of a lead. */
export interface LeadComment {
  id: number;
  text: string;
  creator: {
    id: number;
    name: string;
  };
}

/** An item, as the service answers it. */
export interface Item {
  id: number;
  type: string;
  /** Description */
  description: string;
  /** Notes */
  notes: string | null;
  /** Unit rate */
  rate: string;
  tax_status: string;
  default_tax: {
    id: number;
    name: string;
  };
  unit: {
    id: number;
    name: string;
  };
  category: {
    id: number;
    name: string;
  };
  creator_id: number;
  /** Notes for estimates */
  estimation_notes: string | null;
  /** The enabled item custom fields */
  custom_fields: Array<{
    id: number;
    name: string;
    value: unknown;
  }>;
  /** When it was made, and when it was changed. */
  dates: {
    created: string;
    updated: string;
  };
}

/** The filters of a list of items. All given filters must hold. */
export interface ItemFilters extends Sorting<'description' | 'rate' | 'created'> {
  /** Item category: its id */
  category?: Id | undefined;
  /** Unit of measure: its id */
  unit?: Id | undefined;
  /** Default tax rate: its id */
  tax_rate?: Id | undefined;
  /** Lowest rate: a decimal number as text, such as 1250.00 */
  rate_min?: string | undefined;
  /** Highest rate: a decimal number as text, such as 1250.00 */
  rate_max?: string | undefined;
  /** Text to look for */
  search?: string | undefined;
}

/** The values of a new item. */
export interface ItemValues extends WireFields {
  /** Description */
  description: string;
  /** Unit rate: a decimal number as text, such as 1250.00 */
  rate: string;
  /** Category of type item: its id */
  category: Id;
  /** Default tax rate; the "no tax" rate for tax-free items: its id */
  default_tax: Id;
  /** Unit of measure: an existing unit, or the name of a new one */
  unit: Id;
  /** Notes */
  notes?: string | undefined;
  /** Notes for estimates */
  estimation_notes?: string | undefined;
  /** Value of a custom field, by its number from 1 to 10 or its name */
  custom_field?: Readonly<Record<number, string>> | ReadonlyArray<{ id: number; value: string }> | undefined;
}

/** The values that an update of an item sets; null clears. */
export interface ItemChanges extends WireFields {
  /** Description */
  description?: string | undefined;
  /** Unit rate: a decimal number as text, such as 1250.00 */
  rate?: string | undefined;
  /** Category of type item: its id */
  category?: Id | undefined;
  /** Default tax rate; the "no tax" rate for tax-free items: its id */
  default_tax?: Id | undefined;
  /** Unit of measure: an existing unit, or the name of a new one */
  unit?: Id | undefined;
  /** Notes */
  notes?: string | null | undefined;
  /** Notes for estimates */
  estimation_notes?: string | null | undefined;
  /** Value of a custom field, by its number from 1 to 10 or its name */
  custom_field?: Readonly<Record<number, string>> | ReadonlyArray<{ id: number; value: string }> | null | undefined;
}

/** The calls for items. */
export interface ItemCalls extends Writes<Item, ItemFilters, ItemValues, ItemChanges> {
}

/** A note, as the service answers it. */
export interface Note {
  id: number;
  /** Title */
  title: string;
  /** Text */
  description: string;
  /** Who sees it; the service makes it public when not given */
  visibility: 'public' | 'private';
  /** What it is attached to, set on creation alone: both members null for a standalone note */
  resource: {
    type: 'client' | 'lead' | 'project' | 'task' | 'user' | null;
    id: number | null;
  };
  /** The interface's own acting user */
  creator_id: number;
  tags: Array<string>;
  /** When it was made, and when it was changed. */
  dates: {
    created: string;
    updated: string;
  };
}

/** The filters of a list of notes. All given filters must hold. */
export interface NoteFilters extends Sorting<'title' | 'created' | 'updated'> {
  /** What the notes are attached to: lead, or lead:12 */
  resource?: 'client' | 'lead' | 'project' | 'task' | 'user' | { type: 'client' | 'lead' | 'project' | 'task' | 'user'; id: Id } | `client:${number}` | `lead:${number}` | `project:${number}` | `task:${number}` | `user:${number}` | undefined;
  /** Public or private notes */
  visibility?: 'public' | 'private' | undefined;
  /** Text to look for */
  search?: string | undefined;
}

/** The values of a new note. */
export interface NoteValues extends WireFields {
  /** Title */
  title: string;
  /** Text */
  description: string;
  /** Who sees the note; the service makes it public by default */
  visibility?: 'public' | 'private' | undefined;
  /** The record that the note is attached to, such as lead:12 */
  resource?: { type: 'client' | 'lead' | 'project' | 'task' | 'user'; id: Id } | `client:${number}` | `lead:${number}` | `project:${number}` | `task:${number}` | `user:${number}` | undefined;
}

/** The values that an update of a note sets; null clears. */
export interface NoteChanges extends WireFields {
  /** Title */
  title?: string | undefined;
  /** Text */
  description?: string | undefined;
  /** Who sees the note; the service makes it public by default */
  visibility?: 'public' | 'private' | null | undefined;
}

/** The calls for notes. */
export interface NoteCalls extends Writes<Note, NoteFilters, NoteValues, NoteChanges> {
  /** Replace a note's tags */
  tags(id: Id, tags: SetChange<string>, options?: CallOptions): Promise<Answered<Note>>;
}

/** A client, as the service answers it. */
export interface Client {
  id: number;
  company_name: string;
  description: string | null;
  status: 'active' | 'suspended';
  phone: string | null;
  website: string | null;
  vat: string | null;
  category: {
    id: number;
    name: string;
  };
  /** Another record, or null in both members. */
  owner: {
    id: number | null;
    name: string | null;
  };
  billing: {
    street: string | null;
    city: string | null;
    state: string | null;
    zip: string | null;
    country: string | null;
    invoice_due_days: number | string | null;
  };
  shipping: {
    street: string | null;
    city: string | null;
    state: string | null;
    zip: string | null;
    country: string | null;
  };
  /** When it was made, and when it was changed. */
  dates: {
    created: string;
    updated: string;
  };
  tags: Array<string>;
}

/** The filters of a list of clients. All given filters must hold. */
export interface ClientFilters extends Sorting<'company_name' | 'status' | 'created' | 'updated'> {
  /** Status */
  status?: 'active' | 'suspended' | undefined;
  /** Client category: its id */
  category?: Id | undefined;
  /** Text in the company name */
  search?: string | undefined;
}

/** The calls for clients. */
export interface ClientCalls extends Reads<Client, ClientFilters> {
}

/** A team member, as the service answers it. */
export interface TeamMember {
  id: number;
  first_name: string;
  last_name: string;
  name: string;
  email: string;
  phone: string | null;
  job_position: string | null;
  role: {
    id: number;
    name: string;
  };
  status: 'active' | 'suspended' | 'deleted';
  dashboard_access: string;
  /** Handles. */
  social: {
    facebook: string | null;
    twitter: string | null;
    linkedin: string | null;
    github: string | null;
    dribbble: string | null;
  };
  /** When it was made, and when it was changed. */
  dates: {
    created: string;
    updated: string;
  };
}

/** The filters of a list of team members. All given filters must hold. */
export interface TeamMemberFilters extends Sorting<'first_name' | 'last_name' | 'email' | 'created'> {
  /** Status */
  status?: 'active' | 'suspended' | 'deleted' | undefined;
  /** Role: 1 is Administrator, 3 is Staff: its id */
  role?: Id | undefined;
  /** Text to look for */
  search?: string | undefined;
}

/** The calls for team members. */
export interface TeamMemberCalls extends Reads<TeamMember, TeamMemberFilters> {
}

/** A category, as the service answers it. */
export interface Category {
  id: number;
  name: string;
  description: string | null;
  type: string;
  visibility: string;
  icon: string | null;
  system_default: string;
  slug: string;
  count: number | string;
  users_count: number | string;
  /** When it was made, and when it was changed. */
  dates: {
    created: string;
    updated: string;
  };
}

/** The filters of a list of categories. All given filters must hold. */
export interface CategoryFilters extends Sorting<'name' | 'type' | 'created'> {
  /** Type, such as lead, proposal, item or client */
  type?: string | undefined;
  /** Visibility, such as everyone */
  visibility?: string | undefined;
  /** Text in the name */
  search?: string | undefined;
}

/** The calls for categories. */
export interface CategoryCalls extends Reads<Category, CategoryFilters> {
}

/** A project, as the service answers it. */
export interface Project {
  id: number;
  title: string;
  description: string | null;
  reference: string | null;
  status: string;
  active_state: string;
  progress: number | string;
  /** Another record, or null in both members. */
  client: {
    id: number | null;
    name: string | null;
  };
  /** Another record, or null in both members. */
  category: {
    id: number | null;
    name: string | null;
  };
  dates: {
    start: string | null;
    due: string | null;
    created: string;
    updated: string;
  };
  assigned: Array<{
    id: number;
    name: string;
  }>;
  managers: Array<{
    id: number;
    name: string;
  }>;
  tags: Array<string>;
}

/** The filters of a list of projects. All given filters must hold. */
export interface ProjectFilters extends Sorting<'title' | 'status' | 'start' | 'due' | 'created' | 'progress'> {
  /** Status, such as in_progress */
  status?: string | undefined;
  /** Client: its id */
  client?: Id | undefined;
  /** Project category: its id */
  category?: Id | undefined;
  /** Text to look for */
  search?: string | undefined;
}

/** The calls for projects. */
export interface ProjectCalls extends Reads<Project, ProjectFilters> {
}

/** A task, as the service answers it. */
export interface Task {
  id: number;
  title: string;
  description: string | null;
  status: {
    id: number;
    title: string;
    color: string;
  };
  priority: {
    id: number;
    title: string;
    color: string;
  };
  active_state: 'active' | 'archived';
  project: {
    id: number;
    title: string;
  };
  /** Another record, or null in both members. */
  client: {
    id: number | null;
    name: string | null;
  };
  dates: {
    start: string | null;
    due: string | null;
    created: string;
    updated: string;
  };
  assigned: Array<{
    id: number;
    name: string;
  }>;
  tags: Array<string>;
}

/** The filters of a list of tasks. All given filters must hold. */
export interface TaskFilters extends Sorting<'title' | 'due' | 'created' | 'position'> {
  /** Project: its id */
  project?: Id | undefined;
  /** Client: its id */
  client?: Id | undefined;
  /** Task status: its id */
  status?: Id | undefined;
  /** Priority: its id */
  priority?: Id | undefined;
  /** Milestone: its id */
  milestone?: Id | undefined;
  /** Active or archived tasks */
  active_state?: 'active' | 'archived' | undefined;
  /** Assigned team member: its id */
  assigned?: Id | undefined;
  /** Text to look for */
  search?: string | undefined;
}

/** The calls for tasks. */
export interface TaskCalls extends Reads<Task, TaskFilters> {
}
