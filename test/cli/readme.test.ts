// What README says of the whole program, by hand: its commands, topics and exit statuses are those of the program, and it stays short.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitStatuses } from '../../src/base/errors.ts';
import { type Heading, topics } from '../../src/cli/command.ts';
import { groups } from '../../src/commands/index.ts';
import { endpoints, referenceNames } from '../support/endpoints.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The cells of the table's rows below a heading, without those of its head. */
function rowsBelow(heading: string, table = 0): string[][] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const found = section.split('\n## ')[0]?.match(/(?:^\|.*\n?)+/gm)?.[table] ?? '';
  const rows = found.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

it('has at most 230 lines', () => expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(230));

it('has every command, by the themes of crm --help', () => {
  const themes = new Map<Heading, string[]>();
  for (const { name, heading } of groups) themes.set(heading, [...(themes.get(heading) ?? []), name]);
  const told = rowsBelow('Commands').map(([theme, names = '']) => [theme, [...names.matchAll(/\[`([a-z-]+)`\]/g)].map(([, name]) => name)]);
  expect(told).toEqual([...themes]);
});

it('has every topic of help, with its page', () => {
  const told = rowsBelow('Commands', 1).map(([cell = '']) => cell);
  expect(told).toEqual(Object.keys(topics).map((name) => `[\`crm help ${name}\`](docs/reference/topics/${name}.md)`));
  expect(told.join()).toContain('crm help privacy');
});

it('has every exit status with its meaning, in nine lines', () => {
  const rows = rowsBelow('Exit statuses');
  expect(rows).toHaveLength(8);
  const pairs = [...rows.map(([status, meaning]) => [status, meaning]), ...rows.map(([, , status, meaning]) => [status, meaning])];
  const told = pairs.filter(([status]) => status !== undefined && status !== '');
  expect(told).toEqual(Object.values(exitStatuses).map(({ status, meaning }) => [String(status), meaning]));
});

it('counts the endpoints of the interface, and names the families that can only be read', () => {
  const families = [...new Set(endpoints.map((one) => one.split('/')[2]))];
  const others = referenceNames.slice(0, -1).join(', ');
  expect(readme.replaceAll(/\s+/g, ' ')).toContain(`All ${endpoints.length} endpoints of contacts, proposals, leads, items and notes`);
  expect(families.sort()).toEqual(['contacts', 'items', 'leads', 'notes', 'proposals']);
  expect(readme.toLowerCase()).toContain(`${others} and ${referenceNames.at(-1)} can be read`);
});

it('and the package describe the program in the same words', () => {
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { description: string };
  expect(readme.split('\n')[2]?.toLowerCase()).toContain(description.split('.')[0]?.toLowerCase());
});
