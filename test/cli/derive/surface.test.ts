// The committed surface: docs/surface.txt is what the declarations say, and nothing disappears from it without a word.
// `npm run generate` writes it again, unless a line would be dropped that docs/surface-removed.txt doesn't acknowledge.

import { appendFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadGroups } from '../../../src/cli/command.ts';
import { topicPage } from '../../../src/cli/topics.ts';
import { groups as declared } from '../../../src/commands/index.ts';
import { referenceFamilies, resources } from '../../../src/model/resources/index.ts';
import { type SurfaceProblem, surface, surfaceProblems, variables } from '../../support/surface.ts';

const root = join(import.meta.dirname, '../../..');
const docs = join(root, 'docs');
const now = surface(await loadGroups(declared), [...resources, ...referenceFamilies]);

/** What keeps the surface from taking the place of the one in a folder. */
function problemsIn(folder: string): SurfaceProblem[] {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return surfaceProblems({ before: read('surface.txt'), now, removed: read('surface-removed.txt') });
}

it('the surface, written by generate, loses nothing unacknowledged and is what the declarations say', async () => {
  expect(problemsIn(docs), 'lines that disappear: docs/surface-removed.txt wants a reason for each').toEqual([]);
  await expect(now).toMatchFileSnapshot(join(docs, 'surface.txt'));
});

it('each fact stands there once', () => {
  const lines = now.trimEnd().split('\n');
  expect(
    lines.filter((line, at) => lines.indexOf(line) !== at),
    'lines that stand in the surface twice',
  ).toEqual([]);
});

describe('a line that disappears', () => {
  const line = 'flag leads list --colour text';
  const copy = (): string => {
    const folder = join(mkdtempSync(join(tmpdir(), 'crm-surface-')), 'docs');
    onTestFinished(() => rmSync(join(folder, '..'), { recursive: true }));
    mkdirSync(folder);
    for (const name of ['surface.txt', 'surface-removed.txt']) cpSync(join(docs, name), join(folder, name));
    appendFileSync(join(folder, 'surface.txt'), `${line}\n`);
    return folder;
  };

  it('is refused', () => expect(problemsIn(copy())).toEqual([{ line, problem: 'gone and not acknowledged' }]));

  it('goes once it is acknowledged with a reason', () => {
    const folder = copy();
    appendFileSync(join(folder, 'surface-removed.txt'), `${line}\n`);
    expect(problemsIn(folder)).toEqual([{ line, problem: 'acknowledged without a reason' }]);
    appendFileSync(join(folder, 'surface-removed.txt'), '  Nobody paints lists: --color is what was meant.\n');
    expect(problemsIn(folder)).toEqual([]);
  });

  it('is acknowledged only while it is gone', () => {
    const folder = copy();
    appendFileSync(join(folder, 'surface-removed.txt'), `${line}\n  Not needed.\ncommand leads list\n  Nor this.\n`);
    expect(problemsIn(folder)).toEqual([{ line: 'command leads list', problem: 'acknowledged, and there again' }]);
  });
});

it('a choice that is added is no removal, one that is taken away is', () => {
  const problems = (before: string, after: string) => surfaceProblems({ before, now: after, removed: '' }).map(({ line }) => line);
  expect(problems('flag report leads --by status|age', 'flag report leads --by status|month|age')).toEqual([]);
  expect(problems('argument api <method> GET|PUT', 'argument api <method> GET|PUT|PATCH')).toEqual([]);
  const narrower = 'flag report leads --by status|age required';
  expect(problems(narrower, 'flag report leads --by status|month required')).toEqual([narrower]);
  const printed = 'prints history list state done|undone';
  expect(problems(printed, 'prints history list state done|undone|unfinished')).toEqual([printed]);
});

describe('variables', () => {
  const ofTheSystem =
    /^(HOME|PATH|TMPDIR|TERM|COLORTERM|SHELL|COLUMNS|LINES|LOCALAPPDATA|LANG|LESS|LC_\w+|FORCE_COLOR|ComSpec|XDG_\w+|WT_SESSION|CI|PATHEXT|CLICOLOR_FORCE|NODE_(DISABLE_)?COMPILE_CACHE)$/;
  const sources = globSync('src/**/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));

  it('all that the code reads are in the surface', () => {
    const read = sources.flatMap((text) => [
      ...text.matchAll(/\benv(?:\.|\[')([A-Z][A-Za-z_]+)\b/g),
      ...text.matchAll(/\bset\('([A-Z_]+)'\)/g),
    ]);
    const names = new Set(read.map(([, name = '']) => name).filter((name) => !ofTheSystem.test(name)));
    expect(
      [...names].filter((name) => !variables.some((one) => one === name)),
      'variables that the code reads and test/support/surface.ts lacks',
    ).toEqual([]);
  });
});

it('the settings topic names the variables', () => {
  const told = JSON.stringify(topicPage('settings'));
  expect(
    variables.filter((name) => !told.includes(name) && name !== 'VISUAL' && name !== 'EDITOR'),
    'variables that no topic of help names',
  ).toEqual([]);
});
