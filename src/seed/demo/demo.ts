// The seed file that `crm seed demo` applies: plausible records of every family, around ids that the service has.

import type { Tree } from '../language/file.ts';

/** How many records of each family. */
export interface DemoCounts {
  readonly leads: number;
  readonly contacts: number;
  readonly proposals: number;
  readonly items: number;
  readonly notes: number;
}

/** What is asked for when nothing is. */
export const usualCounts: DemoCounts = { leads: 20, contacts: 10, proposals: 8, items: 12, notes: 15 };

/** Ids in the service that the records refer to. */
export interface DemoIds {
  readonly clients: readonly string[];
  readonly leadStatuses: readonly string[];
  readonly leadCategories: readonly string[];
  readonly proposalCategories: readonly string[];
  readonly itemCategories: readonly string[];
  readonly taxRates: readonly string[];
  readonly units: readonly string[];
  /** May be empty: then nobody is assigned. */
  readonly team: readonly string[];
}

type DemoValues = { readonly [name: string]: Tree | number };

/** A seed file's document for some counts; families with none are left out. */
export function demoDocument(run: string, randomSeed: number, today: string, counts: DemoCounts, ids: DemoIds) {
  const records = [
    leadRecords(counts.leads, ids),
    contactRecords(counts.contacts, ids),
    proposalRecords(counts, ids),
    itemRecords(counts.items, ids),
    noteRecords(counts.notes, counts.leads),
  ].flat();
  return { version: 1, run, 'random-seed': randomSeed, today, records };
}

const oneOf = (values: readonly string[]): string => `\${fake.helpers.arrayElement(${JSON.stringify(values)})}`;

/** Ids stay numbers: `[1,2,3]`. */
const oneId = (ids: readonly string[]): string => (ids.length === 1 ? (ids[0] ?? '') : `\${fake.helpers.arrayElement([${ids.join(',')}])}`);

const first = '${fake.person.firstName}';
const last = '${fake.person.lastName}';
// Within one record the same expression is the same person; the number keeps addresses apart.
const email = `${first}.${last}+\${run}-`;

function counted(name: string, type: string, count: number, set: DemoValues, then: readonly Tree[] = []): DemoValues[] {
  return count === 0 ? [] : [{ name, type, count, set: set as Tree, ...(then.length === 0 ? {} : { then }) }];
}

const deals = [
  'barcode scanners',
  'warehouse software',
  'fleet tracking',
  'support contract',
  'label printers',
  'stocktaking',
  'returns desk',
];
const positions = ['Head of Purchasing', 'Operations Manager', 'Managing Director', 'IT Lead', 'Warehouse Manager', 'Office Manager'];
const sources = ['Website', 'Referral', 'Trade fair', 'Newsletter', 'Partner', 'Cold call'];

function leadRecords(count: number, ids: DemoIds): DemoValues[] {
  const set = {
    title: `\${fake.company.name}, ${oneOf(deals)}`,
    status: oneId(ids.leadStatuses),
    category: oneId(ids.leadCategories),
    'company-name': '${fake.company.name}',
    'first-name': first,
    'last-name': last,
    email: `${email}lead-\${number}@example.com`,
    phone: '${fake.phone.number({"style":"international"})}',
    'job-position': oneOf(positions),
    value: '${fake.number.int({"min":12,"max":480})}50.00',
    source: oneOf(sources),
    'last-contacted': '${fake.date.recent({"days":90})}',
    street: '${fake.location.streetAddress}',
    city: '${fake.location.city}',
    state: '${fake.location.state}',
    zip: '${fake.location.zipCode}',
    country: 'United States',
  };
  const assign = ids.team.length === 0 ? [] : [{ assign: oneId(ids.team) }];
  return counted('lead', 'lead', count, set, [{ tags: ['${run}'] }, ...assign]);
}

function contactRecords(count: number, ids: DemoIds): DemoValues[] {
  return counted('contact', 'contact', count, {
    'first-name': first,
    'last-name': last,
    email: `${email}contact-\${number}@example.com`,
    client: oneId(ids.clients),
    phone: '${fake.phone.number({"style":"international"})}',
    'job-position': oneOf(positions),
  });
}

/** Half of them for leads, the others for clients. */
function proposalRecords({ leads, proposals }: DemoCounts, ids: DemoIds): DemoValues[] {
  const forLeads = leads === 0 ? 0 : Math.ceil(proposals / 2);
  const set = {
    title: `Offer: ${oneOf(deals)}, phase \${fake.number.int({"min":1,"max":3})}`,
    category: oneId(ids.proposalCategories),
    start: '${fake.date.soon({"days":90})}',
    body: '<p>${fake.company.catchPhrase}: our offer, valid until the end of the year.</p>',
  };
  const then = [{ status: oneOf(['draft', 'new', 'accepted', 'declined', 'revised']) }];
  return [
    ...counted('lead-proposal', 'proposal', forLeads, { ...set, lead: '${lead[any].id}' }, then),
    ...counted('client-proposal', 'proposal', proposals - forLeads, { ...set, client: oneId(ids.clients) }, then),
  ];
}

const products = [
  'Barcode scanner',
  'Label printer',
  'Handheld terminal',
  'Installation',
  'Training day',
  'Support plan',
  'Licence',
  'Shelf display',
];
const editions = ['basic', 'standard', 'rugged', 'compact', 'annual'];

function itemRecords(count: number, ids: DemoIds): DemoValues[] {
  return counted('item', 'item', count, {
    description: `${oneOf(products)}, ${oneOf(editions)}`,
    rate: '${fake.commerce.price({"min":9,"max":900})}',
    category: oneId(ids.itemCategories),
    'default-tax': oneId(ids.taxRates),
    unit: oneId(ids.units),
    notes: oneOf(['Delivered within five days.', 'On request.', 'Minimum order of ten.', 'Includes travel.']),
    'custom-field': { 1: '${fake.string.alphanumeric({"length":6,"casing":"upper"})}' },
  });
}

const subjects = ['Call back', 'Meeting notes', 'Price question', 'Site visit', 'Contract details'];
const steps = ['Send the figures by Friday.', 'Waiting for their board.', 'Ask again next month.', 'Bring samples next time.'];

function noteRecords(count: number, leads: number): DemoValues[] {
  return counted('note', 'note', count, {
    title: `${oneOf(subjects)} \${number}`,
    description: `Spoke with \${fake.person.fullName}. ${oneOf(steps)}`,
    visibility: oneOf(['public', 'private']),
    ...(leads === 0 ? {} : { resource: 'lead:${lead[any].id}' }),
  });
}
