// The house rules that a test can hold: who may import what, and what a file may hold.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

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

  it('bodies are made of declarations, values and errors alone', () => {
    const foreign = files
      .filter(({ path }) => path.startsWith('bodies/'))
      .flatMap(({ path, text }) => [...text.matchAll(/from '([^']+)'/g)].map(([, id = '']) => `${path}: ${id}`))
      .filter((one) => !/: (\.\/|\.\.\/(values|resources)\/|\.\.\/errors\.ts)/.test(one));
    expect(foreign).toEqual([]);
  });

  it('verbs and output never name a family', () => {
    const family = /resources\/(contacts|proposals|leads|items|notes)\.ts|resource\.name ===/;
    expect(files.filter(({ path, text }) => /^(verbs|output|api)\//.test(path) && family.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('the process stays at the edge', () => {
    const edge = /^(entry\/[a-z-]+|output\/(io|write-now)|profiles\/key-command|sandbox\/[a-z/]+|runs\/lock|files\/sqlite)\.ts$/;
    expect(breaking(/(?<![\w.'`])process\.(argv|env|stdout|stderr|stdin|exit\b|exitCode|cwd|on\()/, edge)).toEqual([]);
  });

  it('works in a folder whose name a URL writes differently', () => {
    expect(scripts.filter(({ text }) => /import\.meta\.url\)\.pathname/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('nothing exits in the middle of writing', () => expect(breaking(/process\.exit\(/, /^$/)).toEqual([]));

  it('no type is waved through', () => {
    expect(breaking(/\bas any\b|@ts-ignore|@ts-expect-error/, /^$/)).toEqual([]);
    // One function there stands in for Request and Response, which take Node longer than all the rest.
    expect(breaking(/\bas unknown as\b/, /^sandbox\/handler\.ts$/)).toEqual([]);
    expect(breaking(/\bas unknown as\b.*\bas unknown as\b/s, /^$/)).toEqual([]);
  });

  it('a file owns one thing', () => {
    expect(files.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path)).toEqual([]);
  });

  it('a file says what it owns', () => {
    expect(files.filter(({ text }) => !/^(\/\/|\/\*)/.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
