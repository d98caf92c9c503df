// The house rules that a test can hold: who may import what, and that every endpoint of the interface has a command.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groups, loadGroups } from '../src/commands/index.ts';

const loaded = await loadGroups(groups);

const root = join(import.meta.dirname, '..');
const src = join(root, 'src');

const read = (folder: string, pattern: string | string[]) =>
  globSync(pattern, { cwd: folder }).map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

const files = read(src, '**/*.ts');
const scripts = read(root, ['*.{js,ts}', '{bin,src,test}/**/*.{js,mjs,ts}']);

/** The files that break a rule: those that hold the pattern outside the places where it belongs. */
function breaking(pattern: RegExp, allowed: RegExp): string[] {
  return files.filter(({ path, text }) => !allowed.test(path) && pattern.test(text)).map(({ path }) => path);
}

const imports = (name: string): RegExp => new RegExp(`(from|import\\() ?'${name}['/]`);

describe('the house', () => {
  it('only api/ knows undici', () => expect(breaking(imports('undici'), /^api\//)).toEqual([]));

  it('only output/ knows chalk, ora and cli-table3', () => {
    expect(breaking(imports('(chalk|ora|cli-table3)'), /^output\//)).toEqual([]);
  });

  it('resources import nothing but their own definitions', () => {
    const own = files.filter(({ path }) => path.startsWith('resources/'));
    const foreign = own.flatMap(({ path, text }) =>
      [...text.matchAll(/from '([^']+)'/g)].filter(([, id]) => !id?.startsWith('./')).map(() => path),
    );
    expect(foreign).toEqual([]);
  });

  it('verbs and output never name a family', () => {
    const family = /resources\/(contacts|proposals|leads|items|notes)\.ts|resource\.name ===/;
    expect(files.filter(({ path, text }) => /^(verbs|output|api)\//.test(path) && family.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('the process stays at the edge', () => {
    const edge =
      /^(process|cli|standalone|compile-cache|prepared|output\/(io|write-now)|profiles\/key-command|sandbox\/[a-z/]+|bulk\/lock)\.ts$/;
    expect(breaking(/(?<![\w.'`])process\.(argv|env|stdout|stderr|stdin|exit\b|exitCode|cwd|on\()/, edge)).toEqual([]);
  });

  it('works in a folder whose name a URL writes differently', () => {
    expect(scripts.filter(({ text }) => /import\.meta\.url\)\.pathname/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('nothing exits in the middle of writing', () => expect(breaking(/process\.exit\(/, /^$/)).toEqual([]));

  it('no type is waved through', () => expect(breaking(/\bas any\b|@ts-ignore|@ts-expect-error/, /^$/)).toEqual([]));

  it('a file owns one thing', () => {
    expect(files.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path)).toEqual([]);
  });

  it('a file says what it owns', () => {
    expect(files.filter(({ text }) => !/^(\/\/|\/\*)/.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

// Typed from the interface document's endpoint tables.
const endpoints = `
GET /api/contacts
GET /api/contacts/{id}
POST /api/contacts
PATCH /api/contacts/{id}
DELETE /api/contacts/{id}
PUT /api/contacts/{id}/account-owner
GET /api/proposals
GET /api/proposals/{id}
POST /api/proposals
PATCH /api/proposals/{id}
DELETE /api/proposals/{id}
PUT /api/proposals/{id}/status
PUT /api/proposals/{id}/tags
POST /api/proposals/{id}/clone
GET /api/leads
GET /api/leads/{id}
POST /api/leads
PATCH /api/leads/{id}
DELETE /api/leads/{id}
PUT /api/leads/{id}/status
PUT /api/leads/{id}/assigned
PUT /api/leads/{id}/tags
PUT /api/leads/{id}/archive
PUT /api/leads/{id}/activate
POST /api/leads/{id}/convert
POST /api/leads/{id}/clone
GET /api/leads/{id}/comments
POST /api/leads/{id}/comments
DELETE /api/leads/{id}/comments/{comment_id}
GET /api/items
GET /api/items/{id}
POST /api/items
PATCH /api/items/{id}
DELETE /api/items/{id}
GET /api/notes
GET /api/notes/{id}
POST /api/notes
PATCH /api/notes/{id}
DELETE /api/notes/{id}
PUT /api/notes/{id}/tags
`
  .trim()
  .split('\n');

describe('the interface', () => {
  const called = new Set(loaded.flatMap((group) => group.commands).flatMap((command) => command.endpoints));

  it('has 40 endpoints', () => expect(new Set(endpoints).size).toBe(40));

  it.each(endpoints)('%s has a command', (endpoint) => expect([...called]).toContain(endpoint));
});
