// Every resource family, in the order in which help lists them. A new family is one file and one line here.

import { categories } from './categories.ts';
import { clients } from './clients.ts';
import { contacts } from './contacts.ts';
import type { Resource } from './define.ts';
import { items } from './items.ts';
import { leads } from './leads.ts';
import { notes } from './notes.ts';
import { projects } from './projects.ts';
import { proposals } from './proposals.ts';
import { tasks } from './tasks.ts';
import { team } from './team.ts';

/** The families that are created, changed and deleted: what imports and seeds write. */
export const resources: readonly Resource[] = [contacts, proposals, leads, items, notes];

/** The families that are only read. */
export const referenceFamilies: readonly Resource[] = [clients, team, categories, projects, tasks];

/** All of them, what others refer to first. */
export const allFamilies: readonly Resource[] = [...referenceFamilies, ...resources];

/** The written family of that name; undefined for what is none. */
export const familyNamed = (name: string): Resource | undefined => resources.find((one) => one.name === name);
