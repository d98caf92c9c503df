// Every resource family, in the order in which help lists them. A new family is one file and one line here.

import { contacts } from './contacts.ts';
import type { Resource } from './define.ts';
import { items } from './items.ts';
import { leads } from './leads.ts';
import { notes } from './notes.ts';
import { proposals } from './proposals.ts';

export const resources: readonly Resource[] = [contacts, proposals, leads, items, notes];

/** The family of that name; undefined for what is none. */
export const familyNamed = (name: string): Resource | undefined => resources.find((one) => one.name === name);
