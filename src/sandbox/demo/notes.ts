// The demo's notes, alone and on clients, leads, projects, tasks and users. One is a sticky note, which the interface
// never shows (interface: Note).

interface DemoNote {
  readonly title: string;
  readonly text: string;
  readonly on?: readonly [type: 'client' | 'lead' | 'project' | 'task' | 'user', id: number];
  readonly private?: true;
  readonly sticky?: true;
  readonly tags?: readonly string[];
  readonly created: string;
  readonly updated?: string;
}

export const notes: readonly DemoNote[] = [
  {
    title: 'How we number proposals',
    text: 'Year, client, running number. Clones get a new number.',
    tags: ['internal'],
    created: '2025-01-10 09:00',
    updated: '2025-09-01 08:00',
  },
  {
    title: 'Delivery gate',
    text: 'Deliveries at the rear gate, before 11:00. Ask for Ravi.',
    on: ['client', 1],
    tags: ['logistics'],
    created: '2025-01-21 10:30',
  },
  {
    title: 'Invoices',
    text: 'Niall wants one invoice per shop, with the shop number in the first line.',
    on: ['client', 2],
    tags: ['billing'],
    created: '2025-02-25 11:45',
  },
  {
    title: 'Zweisprachig',
    text: 'Alle Unterlagen auf Deutsch und Englisch – auch die AGB.',
    on: ['client', 3],
    created: '2025-03-11 07:40',
  },
  {
    title: 'Time difference',
    text: 'Call between 07:00 and 09:30 our time. 佐藤さん prefers mail first.',
    on: ['client', 4],
    created: '2025-04-22 06:50',
  },
  {
    title: 'Discount ceiling',
    text: '12% on hardware, 5% on services. Above that Maya decides.',
    private: true,
    tags: ['internal', 'pricing'],
    created: '2025-06-02 16:00',
    updated: '2026-02-02 09:10',
  },
  {
    title: 'Ferry timetable',
    text: 'Nobody is reachable on Thursdays between 10:00 and 14:00: everyone is on the boat.',
    on: ['client', 5],
    created: '2025-06-12 13:25',
  },
  {
    title: 'Second practice',
    text: 'They open in Quincy next spring and will need the same set-up again.',
    on: ['client', 7],
    tags: ['upsell'],
    created: '2025-10-07 18:00',
  },
  { title: 'Call Ilze', text: 'About the handbook print run.', sticky: true, created: '2025-12-01 08:05' },
  {
    title: 'Year-end stock take',
    text: 'Closed to visitors from 28 December to 4 January.',
    on: ['client', 10],
    created: '2025-12-08 09:55',
  },
  {
    title: 'Sensor drift',
    text: 'Two of 140 sensors drifted after the firmware update. Replaced free of charge.',
    on: ['project', 3],
    tags: ['support'],
    created: '2026-02-17 07:20',
  },
  {
    title: 'Change of ownership',
    text: 'New owner reviews every contract. No new offers until they call us.',
    on: ['client', 12],
    private: true,
    created: '2026-03-02 12:00',
  },
  {
    title: 'Ask for the staff lists',
    text: 'George has sent three of seven.',
    on: ['task', 7],
    created: '2026-05-05 08:15',
    updated: '2026-06-09 08:20',
  },
  { title: 'Clinic rhythm', text: 'Mondays are hopeless. Tuesdays after 16:00 work.', on: ['project', 4], created: '2026-05-12 16:30' },
  {
    title: 'Prefers the phone',
    text: 'Answers within minutes by phone and within weeks by mail.',
    on: ['user', 8],
    created: '2026-05-19 10:10',
  },
  {
    title: 'Drumcondra: door width',
    text: 'Only 78 cm. The till has to come in parts.',
    on: ['task', 5],
    tags: ['logistics'],
    created: '2026-07-07 14:45',
  },
  {
    title: 'Competitor in the room',
    text: 'They also talk to Polaris. Price matters less to them than the delivery date.',
    on: ['lead', 24],
    private: true,
    tags: ['competition'],
    created: '2026-07-22 15:35',
  },
  {
    title: 'Budget year',
    text: 'Their budget year starts in October. Nothing before that.',
    on: ['lead', 31],
    created: '2026-08-27 09:00',
  },
  {
    title: 'Hall B',
    text: 'The metal shelving swallows the signal. Plan two more access points.',
    on: ['project', 1],
    created: '2026-09-03 11:50',
  },
  {
    title: 'Site visit',
    text: 'Safety shoes and a passport. No photographs near the hangar.',
    on: ['lead', 37],
    tags: ['visit'],
    created: '2026-09-29 17:05',
  },
  {
    title: 'On leave',
    text: 'Tom is away from 21 December to 8 January; Priya takes over his leads.',
    on: ['user', 2],
    tags: ['internal'],
    created: '2026-10-20 08:00',
  },
  {
    title: 'Price list 2027',
    text: '<ul><li>Services +3%</li><li>Hardware unchanged</li><li>Licences +2%</li></ul>',
    tags: ['pricing'],
    created: '2026-11-02 10:00',
  },
  {
    title: 'Night shift training',
    text: 'They start at 22:00, and the trainer wants coffee ☕ and a room with a door.',
    on: ['task', 3],
    created: '2026-11-09 13:15',
  },
  {
    title: 'Decision maker',
    text: 'Not the one who writes to us: ask for Mrs Haddad.',
    on: ['lead', 42],
    tags: ['hot'],
    created: '2026-11-17 09:25',
  },
];
