// What ids point at that have names, and where those names are found. What the vendor documents no list for (lead statuses,
// units, tax rates) is only seen in records that refer to it.

import type { Named } from '../values/value-type.ts';

/** A kind of things that are meant by id or by name. */
export interface NamedKind {
  /** What one is called in messages. */
  readonly noun: string;
  readonly plural: string;
  /** The list that is searched; absent: no document has one. */
  readonly list?: {
    readonly path: string;
    readonly query: readonly (readonly [name: string, value: string])[];
    /** Where a record of it holds its name. */
    readonly name: string;
  };
  /** Where records of families tell of it: the members `id` and `name` stand side by side, in an object or in an array of them. */
  readonly seenIn: readonly { readonly family: string; readonly path: string; readonly id: string; readonly name: string }[];
  /** A whole word of a name is enough where no other has it. */
  readonly byWord?: true;
}

const categoriesOf = (family: string, singular: string): NamedKind => ({
  noun: `${singular} category`,
  plural: `${singular} categories`,
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
    list: { path: '/api/team', query: [], name: 'name' },
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
};

/** What `crm names` calls those of which no document has a list. */
export const unlisted = { statuses: 'lead-status', units: 'unit', taxes: 'tax-rate' } as const satisfies Readonly<Record<string, Named>>;

/** What a reference may point at by name: the types of notes (interface: Note). */
export const namedReferences: { readonly [type in string]?: Named } = { client: 'client', user: 'team' };

/** Words that records hold and that have no id. */
export type Word = 'sources' | 'tags';

/** Where records hold such words: one text, or an array of them. */
export const wordsSeenIn: Readonly<Record<Word, readonly { readonly family: string; readonly path: string; readonly word: string }[]>> = {
  sources: [{ family: 'leads', path: '/api/leads', word: 'source' }],
  tags: [
    { family: 'leads', path: '/api/leads', word: 'tags' },
    { family: 'proposals', path: '/api/proposals', word: 'tags' },
    { family: 'notes', path: '/api/notes', word: 'tags' },
  ],
};

/**
 * What records of families are called: the `title` of each family whose records have no names (`namedAs`). The declarations themselves
 * would be much to load for it.
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
