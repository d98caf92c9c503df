// Every link of the README, of the pages beside it and of docs/ to a file of the repository: the file is there, and so is the heading.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: root })];
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8').replace(/^```.*?^```$/gms, '');

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('each file and folder that CONTRIBUTING names is there', () => {
  const named = [...textOf('CONTRIBUTING.md').matchAll(/`((?:[a-z-]+\/)+[a-z-]*(?:\.[a-z.]+)?)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(40);
  // The build makes dist/.
  const missing = named.filter((path) => !path.startsWith('dist/') && !['', 'src'].some((folder) => existsSync(join(root, folder, path))));
  expect(missing, 'files and folders that CONTRIBUTING names and nobody finds').toEqual([]);
});

test('lead somewhere', () => {
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, inText, inTag]) => ({
      page,
      to: inText ?? inTag ?? '',
    })),
  );
  const own = links.filter(({ to }) => !/^[a-z]+:/.test(to));
  expect(own.length).toBeGreaterThan(500);
  const broken = own.filter(({ page, to }) => {
    const [path = '', anchor] = to.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken, 'links that lead nowhere').toEqual([]);
});
