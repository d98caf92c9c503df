// The demo's clients and the work under way for them. Clients are in the order of their ids from 2, for client 1 is
// part of the reference data; projects and tasks from 1.

interface DemoClient {
  readonly name: string;
  readonly description?: string;
  readonly status?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly vat?: string;
  readonly address: readonly [street: string, city: string, state: string | null, zip: string | null, country: string];
  readonly dueDays?: number;
  readonly tags?: readonly string[];
  readonly created: string;
}

export const clients: readonly DemoClient[] = [
  {
    name: "O'Brien & Daughters Ltd",
    description: 'Family-run bakery chain with eleven shops. Buys through Aoife, pays through Niall.',
    phone: '+353 1 555 0142',
    website: 'https://obrien-daughters.example',
    vat: 'IE 6388047V',
    address: ['27 Capel Street', 'Dublin', null, 'D01 A2T6', 'Ireland'],
    dueDays: 30,
    tags: ['retail', 'multi-site'],
    created: '2025-02-11 10:20',
  },
  {
    name: 'Müller, Schmidt & Co. "Feinkost" GmbH',
    description: 'Delicatessen wholesaler. Wants every document in German and in English.',
    phone: '+49 221 555 0187',
    website: 'https://mueller-schmidt.example',
    vat: 'DE 129 273 398',
    address: ['Hohe Straße 88', 'Köln', 'Nordrhein-Westfalen', '50667', 'Germany'],
    dueDays: 14,
    tags: ['wholesale'],
    created: '2025-03-04 08:45',
  },
  {
    name: '株式会社さくら電機',
    description: 'Sakura Denki, maker of industrial sensors. Meetings before 10:00 London time.',
    phone: '+81 3 5550 0119',
    website: 'https://sakura-denki.example',
    address: ['丸の内1-9-2', '千代田区', '東京都', '100-0005', 'Japan'],
    dueDays: 45,
    tags: ['manufacturing', 'enterprise'],
    created: '2025-04-15 06:30',
  },
  {
    name: 'Fjordline Logistics AS',
    phone: '+47 55 55 01 63',
    website: 'https://fjordline-logistics.example',
    vat: 'NO 974 760 673 MVA',
    address: ['Strandgaten 18', 'Bergen', null, '5013', 'Norway'],
    dueDays: 30,
    tags: ['logistics'],
    created: '2025-05-06 12:10',
  },
  {
    name: 'Café Zoë',
    description: 'Three cafés on the canals, one roastery. Small orders, very loyal.',
    phone: '+31 20 555 0171',
    address: ['Prinsengracht 412', 'Amsterdam', 'Noord-Holland', '1016 JC', 'Netherlands'],
    dueDays: 14,
    tags: ['retail'],
    created: '2025-05-20 09:05',
  },
  {
    name: 'Harbour Dental Group',
    phone: '+1 617 555 0125',
    website: 'https://harbourdental.example',
    address: ['88 Broad Street', 'Boston', 'MA', '02110', 'United States'],
    dueDays: 30,
    tags: ['health', 'multi-site'],
    created: '2025-06-17 15:40',
  },
  {
    name: 'Lumen Arquitetos',
    phone: '+351 21 555 0138',
    website: 'https://lumen-arq.example',
    vat: 'PT 509 442 013',
    address: ['Rua da Prata 52', 'Lisboa', null, '1100-420', 'Portugal'],
    dueDays: 30,
    created: '2025-08-19 11:25',
  },
  {
    name: 'Redwood Outdoor Co.',
    description: 'Outfitter with a strong web shop. Season decides everything: nothing gets signed in July.',
    phone: '+1 503 555 0194',
    website: 'https://redwood-outdoor.example',
    address: ['1420 NW Lovejoy Street', 'Portland', 'OR', '97209', 'United States'],
    dueDays: 30,
    tags: ['retail', 'seasonal'],
    created: '2025-09-09 17:15',
  },
  {
    name: 'Atlas Precision Tools s.r.o.',
    phone: '+420 541 555 012',
    website: 'https://atlas-tools.example',
    vat: 'CZ 26168685',
    address: ['Křenová 71', 'Brno', null, '602 00', 'Czechia'],
    dueDays: 21,
    tags: ['manufacturing'],
    created: '2025-10-14 07:50',
  },
  {
    name: 'Baltic Print House',
    phone: '+371 6755 0156',
    address: ['Brīvības iela 33', 'Rīga', null, 'LV-1010', 'Latvia'],
    dueDays: 14,
    created: '2025-11-25 10:00',
  },
  {
    name: 'Verano Hotels',
    description: 'Two seaside hotels. Account on hold since the change of ownership.',
    status: 'suspended',
    phone: '+34 971 555 077',
    website: 'https://verano-hotels.example',
    vat: 'ES B57 001 223',
    address: ['Passeig Mallorca 9', 'Palma', 'Illes Balears', '07011', 'Spain'],
    dueDays: 60,
    tags: ['hospitality'],
    created: '2026-01-13 13:30',
  },
  {
    name: 'Meridian Clinics',
    phone: '+44 161 496 0177',
    website: 'https://meridian-clinics.example',
    address: ['5 Deansgate', 'Manchester', 'Greater Manchester', 'M3 1AZ', 'United Kingdom'],
    dueDays: 30,
    tags: ['health', 'multi-site'],
    created: '2026-03-12 14:05',
  },
  {
    name: 'Sunfield Organic Farm',
    phone: '+44 1872 55 0160',
    address: ['Tregony Lane', 'Truro', 'Cornwall', 'TR2 5RN', 'United Kingdom'],
    dueDays: 14,
    created: '2026-06-23 09:40',
  },
  {
    name: 'Kestrel Aviation Services',
    phone: '+1 316 555 0108',
    website: 'https://kestrel-aviation.example',
    address: ['2100 Airport Road', 'Wichita', 'KS', '67209', 'United States'],
    dueDays: 45,
    tags: ['enterprise'],
    created: '2026-09-17 16:20',
  },
];

interface DemoProject {
  readonly title: string;
  readonly client: number;
  readonly status: string;
  readonly start: string;
  readonly due: string | null;
}

export const projects: readonly DemoProject[] = [
  { title: 'Warehouse handhelds, second site', client: 1, status: 'in_progress', start: '2026-08-03', due: '2026-12-18' },
  { title: 'Shop roll-out, wave two', client: 2, status: 'in_progress', start: '2026-05-11', due: '2027-01-29' },
  { title: 'Sensor line monitoring', client: 4, status: 'completed', start: '2025-09-01', due: '2026-03-31' },
  { title: 'Clinic onboarding', client: 13, status: 'on_hold', start: '2026-04-07', due: null },
];

interface DemoTask {
  readonly title: string;
  readonly project: number;
  readonly status: string;
}

export const tasks: readonly DemoTask[] = [
  { title: 'Order the charging cradles', project: 1, status: 'completed' },
  { title: 'Survey the wireless coverage in hall B', project: 1, status: 'in_progress' },
  { title: 'Train the night shift', project: 1, status: 'new' },
  { title: 'Install tills in Rathmines', project: 2, status: 'completed' },
  { title: 'Install tills in Drumcondra', project: 2, status: 'in_progress' },
  { title: 'Hand over the documentation', project: 3, status: 'completed' },
  { title: 'Collect the staff lists of all clinics', project: 4, status: 'awaiting_feedback' },
  { title: 'Agree on a data protection annex', project: 4, status: 'in_progress' },
];
