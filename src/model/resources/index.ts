// Every resource family, in the order in which help lists them. A new family is one file and one line here.

import type { Resource } from '../define.ts';
import { categories } from './categories.ts';
import { clients } from './clients.ts';
import { contacts } from './contacts.ts';
import { items } from './items.ts';
import { leads } from './leads.ts';
import { notes } from './notes.ts';
import { projects } from './projects.ts';
import { proposals } from './proposals.ts';
import { tasks } from './tasks.ts';
import { team } from './team.ts';

/** The families that can be created, changed and deleted. Imports and seeds write records of these families. */
export const resources: readonly Resource[] = [contacts, proposals, leads, items, notes];

/** The families that are only read. */
export const referenceFamilies: readonly Resource[] = [clients, team, categories, projects, tasks];

/** All families, referred-to families first. */
export const allFamilies: readonly Resource[] = [...referenceFamilies, ...resources];

/** The families that `crm search` looks in. */
export const searchedFamilies: readonly Resource[] = [...resources, clients];

/** The family with a name, if its records can be created, changed and deleted. Undefined for other names. */
export const familyNamed = (name: string): Resource | undefined => resources.find((one) => one.name === name);

/** The word for one record of a family: `lead`. The name itself for anything else, such as `client`. */
export const singularOf = (family: string): string => familyNamed(family)?.singular ?? family;
