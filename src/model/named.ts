// The kinds of things that have names, and where their names are found. The vendor documents no list of lead statuses, units and tax rates:
// their names are only seen in records.

import type { Named } from '../base/values/value-type.ts';

/** A kind of thing that the user may give by id or by name. */
export interface NamedKind {
  /** The singular for messages. */
  readonly noun: string;
  readonly plural: string;
  /** The wider kind: every kind of category is a category. */
  readonly within?: Named;
  /** The list with the names. Absent: no document has such a list. */
  readonly list?: {
    readonly path: string;
    readonly query: readonly (readonly [name: string, value: string])[];
    /** The path of the name in a record of the list. */
    readonly name: string;
    /** The path of an email, which is a name, too, when exactly one record has the email. */
    readonly email?: string;
  };
  /** The families whose records show id and name, side by side in an object or in an array of objects. */
  readonly seenIn: readonly { readonly family: string; readonly path: string; readonly id: string; readonly name: string }[];
  /** The user may give one whole word of the name, when no other name has the word. */
  readonly byWord?: true;
}

const categoriesOf = (family: string, singular: string): NamedKind => ({
  noun: `${singular} category`,
  plural: `${singular} categories`,
  within: 'category',
  list: { path: '/api/categories', query: [['type', singular]], name: 'name' },
  seenIn: [{ family, path: `/api/${family}`, id: 'category.id', name: 'category.name' }],
});

export const namedKinds: Readonly<Record<Named, NamedKind>> = {
  client: {
    noun: 'client',
    plural: 'clients',
    list: { path: '/api/clients', query: [], name: 'company_name' },
    seenIn: [
      { family: 'contacts', path: '/api/contacts', id: 'client.id', name: 'client.company_name' },
      { family: 'proposals', path: '/api/proposals', id: 'client.id', name: 'client.name' },
    ],
    byWord: true,
  },
  team: {
    noun: 'team member',
    plural: 'team members',
    list: { path: '/api/team', query: [], name: 'name', email: 'email' },
    seenIn: [{ family: 'leads', path: '/api/leads', id: 'assigned.id', name: 'assigned.name' }],
    byWord: true,
  },
  category: {
    noun: 'category',
    plural: 'categories',
    list: { path: '/api/categories', query: [], name: 'name' },
    seenIn: [],
  },
  'client-category': {
    noun: 'client category',
    plural: 'client categories',
    within: 'category',
    list: { path: '/api/categories', query: [['type', 'client']], name: 'name' },
    seenIn: [],
  },
  'lead-category': categoriesOf('leads', 'lead'),
  'proposal-category': categoriesOf('proposals', 'proposal'),
  'item-category': categoriesOf('items', 'item'),
  'project-category': categoriesOf('projects', 'project'),
  'lead-status': {
    noun: 'lead status',
    plural: 'lead statuses',
    seenIn: [{ family: 'leads', path: '/api/leads', id: 'status.id', name: 'status.title' }],
  },
  unit: {
    noun: 'unit',
    plural: 'units',
    seenIn: [{ family: 'items', path: '/api/items', id: 'unit.id', name: 'unit.name' }],
  },
  'tax-rate': {
    noun: 'tax rate',
    plural: 'tax rates',
    seenIn: [{ family: 'items', path: '/api/items', id: 'default_tax.id', name: 'default_tax.name' }],
  },
  'item-field': {
    noun: 'custom field',
    plural: 'custom fields',
    seenIn: [{ family: 'items', path: '/api/items', id: 'custom_fields.id', name: 'custom_fields.name' }],
  },
};

/** The kinds without a list, by their names in `crm names`. */
export const unlisted = { statuses: 'lead-status', units: 'unit', taxes: 'tax-rate' } as const satisfies Readonly<Record<string, Named>>;

/** The types of a reference whose records have names (interface: Note). */
export const namedReferences: { readonly [type in string]?: Named } = { client: 'client', user: 'team' };

/** Kinds of words in records that have no ids. */
export type Word = 'sources' | 'tags';

/** The families and paths with such words: a text, or an array of texts. */
export const wordsSeenIn: Readonly<Record<Word, readonly { readonly family: string; readonly path: string; readonly word: string }[]>> = {
  sources: [{ family: 'leads', path: '/api/leads', word: 'source' }],
  tags: [
    { family: 'leads', path: '/api/leads', word: 'tags' },
    { family: 'proposals', path: '/api/proposals', word: 'tags' },
    { family: 'notes', path: '/api/notes', word: 'tags' },
  ],
};

/**
 * The titles of the families whose records have no names: a copy of each declaration's `title`, because loading the declarations takes
 * too long.
 */
export const titlesSeenIn: readonly { readonly family: string; readonly path: string; readonly title: string }[] = [
  { family: 'contacts', path: '/api/contacts', title: 'name' },
  { family: 'proposals', path: '/api/proposals', title: 'title' },
  { family: 'leads', path: '/api/leads', title: 'title' },
  { family: 'items', path: '/api/items', title: 'description' },
  { family: 'notes', path: '/api/notes', title: 'title' },
  { family: 'projects', path: '/api/projects', title: 'title' },
  { family: 'tasks', path: '/api/tasks', title: 'title' },
];
