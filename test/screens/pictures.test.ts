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

  it.for(pictures)('$name', async (picture) => {
    for (const { path, svg } of await taken(picture, terminals)) {
      const stored = readFileSync(path, 'utf8');
      expect(stored, basename(path)).toBe(svg);
    }
  });
});

it('are small, without a script, and all in the README with the same words for those who cannot see them', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const names = pictures.flatMap(({ name }) => ['dark', 'light', 'still-dark', 'still-light'].map((which) => `${name}-${which}.svg`));
  expect(readdirSync(folder).sort()).toEqual(names.sort());
  for (const name of names) {
    expect(statSync(join(folder, name)).size, name).toBeLessThan(150_000);
    expect(readFileSync(join(folder, name), 'utf8'), name).not.toMatch(/<script|\bon\w+=|href=/);
  }
  for (const { name, alt, frames } of pictures) {
    expect(frames.length).toBeLessThanOrEqual(6);
    expect(readme).toContain(`<picture>
  <source media="(prefers-reduced-motion: reduce) and (prefers-color-scheme: dark)" srcset="docs/pictures/${name}-still-dark.svg">
  <source media="(prefers-reduced-motion: reduce)" srcset="docs/pictures/${name}-still-light.svg">
  <source media="(prefers-color-scheme: dark)" srcset="docs/pictures/${name}-dark.svg">
  <img src="docs/pictures/${name}-light.svg" alt="${alt}">
</picture>`);
  }
});
