// The README's picture: a real run in a few frames, drawn into docs/pictures/ in light and dark by `npm run pictures`. Days, names of runs
// and data stand still (terminal.ts), so that the same program draws the same files on any day.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { githubDark, githubLight } from './palettes.ts';
import type { Screen } from './screen.ts';
import { drawn, type Frame } from './svg.ts';
import { openTerminals, type Terminals } from './terminal.ts';

export interface Picture {
  readonly name: string;
  /** What it shows, for those who can't see it; the README says the same. */
  readonly alt: string;
  /** Each on the data that the one before left. */
  readonly frames: readonly (Omit<Frame, 'captured'> & { readonly screen: Omit<Screen, 'name'> })[];
}

const width = 76;
const folder = join(import.meta.dirname, '../../docs/pictures');
const themes = [
  ['light', githubLight],
  ['dark', githubDark],
] as const;

const yes = [{ at: /y\/N/, press: ['y', 'Enter'] }];

/** A colleague's settings, history and machine, at the same CRM. */
const elsewhere = 'export CRM_CONFIG_DIR=$HOME/priya CRM_DATA_DIR=$HOME/priya CRM_BASE_URL=sandbox:$HOME/data/sandbox.sqlite';

export const pictures: readonly Picture[] = [
  {
    name: 'undo',
    alt: 'Prices go up by 3%: a file of changes is made, read and applied. A colleague sets one price. crm undo puts the others back, and keeps hers.',
    frames: [
      {
        title: '1 of 5: plan. Nothing is sent.',
        seconds: 6,
        screen: { lines: ['crm items update --where category=Licences --rate +3% --plan prices.csv'] },
      },
      { title: '2 of 5: read the file, strike lines out.', seconds: 5, screen: { lines: ['cat prices.csv'] } },
      { title: '3 of 5: apply it.', seconds: 6, screen: { lines: ['crm apply prices.csv'], keys: yes } },
      {
        title: '4 of 5: meanwhile, Priya sets one price.',
        seconds: 4,
        screen: { lines: ['crm items update 23 --rate 325'], before: [elsewhere], prompt: 'priya $' },
      },
      {
        title: "5 of 5: undo. Priya's price stays.",
        seconds: 9,
        screen: { lines: ['crm undo', 'crm items list --category Licences --fields id,description,rate'], keys: yes },
      },
    ],
  },
];

/** The files of a picture by path, from a run made now: the frames, and the last one alone for readers who want no motion. */
export async function taken(
  { name, alt, frames }: Picture,
  terminals: Terminals,
): Promise<{ readonly path: string; readonly svg: string }[]> {
  const screens = frames.map(({ screen }, index) => ({ ...screen, name: `${name}-${index + 1}` }));
  const shots = await terminals.series(screens, width);
  const shown = frames.map(({ title, seconds }, index) => {
    const captured = (shots[index] ?? '').replace(/\n(\x1b\[[\d;]*m)*\[status \d+\]$/, '');
    return { title, seconds, captured };
  });
  return themes.flatMap(([theme, palette]) => [
    { path: join(folder, `${name}-${theme}.svg`), svg: drawn(shown, { alt, width }, palette) },
    { path: join(folder, `${name}-still-${theme}.svg`), svg: drawn(shown.slice(-1), { alt, width }, palette) },
  ]);
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
