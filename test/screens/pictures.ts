// The README's pictures: real runs, drawn into docs/pictures/ in light and dark by `npm run pictures`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { githubDark, githubLight } from './palettes.ts';
import type { Screen } from './screen.ts';
import { drawn } from './svg.ts';
import { openTerminals, type Terminals } from './terminal.ts';

export interface Picture {
  readonly screen: Screen;
  /** What it shows, for those who can't see it; the README says the same. */
  readonly alt: string;
  /** No two runs are at the same point: digits and the length of a bar differ. */
  readonly isMoving?: true;
}

const width = 100;
const folder = join(import.meta.dirname, '../../docs/pictures');
const themes = [
  ['light', githubLight],
  ['dark', githubDark],
] as const;

const fair = Array.from({ length: 300 }, (_, index) => `Trade fair, stand ${index + 1}`);

export const pictures: readonly Picture[] = [
  {
    screen: { name: 'list', lines: ['crm leads list --status negotiation'] },
    alt: 'crm leads list: the leads in negotiation as a table, with their values and companies',
  },
  {
    screen: { name: 'record', lines: ['crm leads get 33'] },
    alt: 'crm leads get 33: a lead with its contact, address, description and dates',
  },
  {
    screen: { name: 'change', lines: ["crm leads update 33 --value 61000 --status 'Proposal Sent'"] },
    alt: 'crm leads update 33: what the change made different, the old values and the new ones',
  },
  {
    screen: { name: 'report', lines: ['crm report leads'] },
    alt: 'crm report leads: how many leads there are in each status, as bars, and the sums of their values',
  },
  {
    screen: {
      name: 'import',
      lines: ['crm leads import fair.csv --rate 40'],
      files: { 'fair.csv': `${['title,status,category', ...fair.map((title) => `"${title}",New,Inbound`)].join('\n')}\n` },
      until: /\b(1\d\d|2[0-4]\d) of 300/,
    },
    alt: 'crm leads import: a progress bar, with how many rows are done, how fast, and how much time is left',
    isMoving: true,
  },
];

/** The files of a picture by path, from a run made now. */
export async function taken({ screen, alt }: Picture, terminals: Terminals): Promise<{ readonly path: string; readonly svg: string }[]> {
  const captured = (await terminals.shot(screen, width)).replace(/\n(\x1b\[[\d;]*m)*\[status \d+\]$/, '');
  const title = screen.lines[0]?.split(' ').slice(0, 3).join(' ') ?? '';
  return themes.map(([name, palette]) => ({
    path: join(folder, `${screen.name}-${name}.svg`),
    svg: drawn(captured, { title, alt, width }, palette),
  }));
}

async function takeAll(): Promise<void> {
  const terminals = await openTerminals();
  try {
    for (const picture of pictures) for (const { path, svg } of await taken(picture, terminals)) writeFileSync(path, svg);
  } finally {
    await terminals.close();
  }
}

if (import.meta.main) await takeAll();
