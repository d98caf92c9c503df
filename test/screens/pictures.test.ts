// The README's pictures show what crm shows today (else: `npm run pictures`), and the README has them all.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/tools.ts';
import { pictures, taken } from './pictures.ts';
import { openTerminals, type Terminals } from './terminal.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/pictures');

describeWith(['tmux'], 'pictures', {}, () => {
  let terminals: Terminals;
  beforeAll(async () => {
    terminals = await openTerminals();
  });
  afterAll(() => terminals?.close());

  it.for(pictures)('$screen.name', async (picture) => {
    for (const { path, svg } of await taken(picture, terminals)) {
      const stored = readFileSync(path, 'utf8');
      expect(stored, basename(path)).toBe(svg);
    }
  });
});

it('are small, and all in the README with the same words for those who cannot see them', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const names = pictures.flatMap(({ screen }) => [`${screen.name}-dark.svg`, `${screen.name}-light.svg`]);
  expect(readdirSync(folder).sort()).toEqual(names.sort());
  for (const name of names) expect(statSync(join(folder, name)).size, name).toBeLessThan(40_000);
  for (const { screen, alt } of pictures) {
    const shown = `<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="docs/pictures/${screen.name}-dark.svg">\n`;
    expect(readme).toContain(`${shown}  <img src="docs/pictures/${screen.name}-light.svg" alt="${alt}">\n</picture>`);
  }
});
