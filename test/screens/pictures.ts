// The README's picture: a real run, drawn into docs/pictures/ in light and dark by `npm run pictures`.

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
}

const width = 100;
const folder = join(import.meta.dirname, '../../docs/pictures');
const themes = [
  ['light', githubLight],
  ['dark', githubDark],
] as const;

export const pictures: readonly Picture[] = [
  {
    screen: { name: 'list', lines: ['crm leads list --status negotiation'] },
    alt: 'crm leads list: the leads in negotiation as a table, with their values and companies',
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
