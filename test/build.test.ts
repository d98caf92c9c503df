// What is built is the same wherever it is built, and says what it is made of. `dist` has what `npm run build` and `npm run
// build:standalone` left.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

// Beside the build: packages are linked into it, which only works on the same disk.
const folder = mkdtempSync(join(root, 'dist', 'built-'));
const elsewhere = mkdtempSync(join(tmpdir(), 'crm-installed-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(elsewhere, { recursive: true });
});

const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const run = (script: string, cwd: string): string =>
  execFileSync(node, [join('build', `${script}.js`)], { cwd, encoding: 'utf8', stdio: 'pipe' });
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Builds the program and the executable in a folder of its own, with packages of its own. */
function build(copy: string): { readonly dist: string; readonly hasLeftExecutable: boolean } {
  mkdirSync(join(copy, 'node_modules'), { recursive: true });
  for (const part of ['src', 'docs', 'completions', 'examples', 'package.json', 'tsconfig.json', 'tsconfig.library.json', 'build']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  const packages = readdirSync(join(root, 'node_modules')).filter((one) => one !== '.cache');
  execFileSync('cp', ['-al', ...packages.map((one) => join(root, 'node_modules', one)), join(copy, 'node_modules')]);
  const executable = join(copy, 'dist', 'standalone', 'crm');
  mkdirSync(dirname(executable), { recursive: true });
  writeFileSync(executable, 'made before');
  run('build', copy);
  const hasLeftExecutable = existsSync(executable) && readFileSync(executable, 'utf8') === 'made before';
  run('standalone', copy);
  return { dist: join(copy, 'dist'), hasLeftExecutable };
}

const digests = (dist: string): Map<string, string> =>
  new Map(
    globSync('**', { cwd: dist, withFileTypes: true, exclude: ({ name }) => name.startsWith('built-') })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(dist.length), createHash('sha256').update(readFileSync(path)).digest('hex')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

describe('a build', { timeout: 300_000 }, () => {
  const { dist, hasLeftExecutable } = build(join(folder, 'elsewhere'));
  const there = digests(dist);

  it('is the same in another folder, the executable with it', () => {
    const here = digests(join(root, 'dist'));
    expect([...here.keys()]).toEqual(
      expect.arrayContaining(['/crm.js', '/process.js', '/lib/client.d.ts', '/prepared/notes.json', '/standalone/crm']),
    );
    expect(there).toEqual(here);
  });

  it('of the program leaves the executable that was made before', () => expect(hasLeftExecutable).toBe(true));

  it('holds no path of the machine that made it', () => {
    const holds = [...there.keys()].filter((path) => readFileSync(join(dist, path)).includes(root));
    expect(holds).toEqual([]);
  });

  it('has an executable that runs', () => {
    expect(
      execFileSync(join(dist, 'standalone', 'crm'), ['explain', 'contacts', 'list'], { encoding: 'utf8', env: { HOME: elsewhere } }),
    ).toContain('contacts list');
  });

  describe('bill of materials', () => {
    interface Component {
      readonly type: string;
      readonly 'bom-ref': string;
      readonly group?: string;
      readonly name: string;
      readonly version?: string;
      readonly purl?: string;
      readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
    }
    const text = readFileSync(join(dist, 'standalone', 'crm.cdx.json'), 'utf8');
    const bom = JSON.parse(text) as { components: readonly Component[]; [member: string]: unknown };
    const insideNode = ['openssl', 'v8', 'sqlite', 'icu'];
    const called = ({ group, name, version }: Component): string =>
      [group === undefined ? name : `${group}/${name}`, ...(version === undefined ? [] : [version])].join(' ');
    const licence = ({ licenses }: Component): string | undefined => licenses[0]?.license?.id ?? licenses[0]?.expression;

    it('is CycloneDX', () => {
      const { name, version, license } = json(join(root, 'package.json'));
      expect(bom).toMatchObject({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        version: 1,
        metadata: { component: { type: 'application', name, version, licenses: [{ license: { id: license } }] } },
        dependencies: [{ ref: 'crm-admin', dependsOn: bom.components.map((one) => one['bom-ref']) }],
      });
      const refs = bom.components.map((one) => one['bom-ref']);
      expect(new Set([...refs, 'crm-admin']).size).toBe(refs.length + 1);
      for (const one of bom.components) {
        expect(['library', 'platform']).toContain(one.type);
        expect(one.licenses).toHaveLength(1);
        expect(licence(one)).toMatch(/^[A-Za-z0-9][\w.-]+$|^\(?[\w.() -]+ (OR|AND) /);
      }
    });

    it('has every work that the licences are of', () => {
      const rule = '='.repeat(80);
      const licences = readFileSync(join(dist, 'standalone', 'THIRD_PARTY_LICENSES'), 'utf8');
      const headings = [...licences.matchAll(new RegExp(`^${rule}\\n(.+) \\((.+)\\)\\n${rule}$`, 'gm'))].map(([, what, by]) => [what, by]);
      const own = bom.components.filter(({ name }) => !insideNode.includes(name));
      // They lie inside a package: the licences know no version of them.
      const isInside = ({ name }: Component): boolean => ['jq', 'oniguruma', 'decnumber'].includes(name);
      expect(own.map((one) => [isInside(one) ? one.name : called(one), licence(one)])).toEqual(headings);
    });

    it('tells the versions of what is inside Node', () => {
      const version = (name: string): string | undefined => bom.components.find((one) => one.name === name)?.version;
      for (const name of insideNode) expect(version(name), name).toBe(process.versions[name]);
    });

    it('names packages as their manifests do, what is inside them, and the runtime', () => {
      const found = (name: string): Component | undefined => bom.components.find((one) => called(one).startsWith(`${name} `));
      for (const name of ['commander', 'undici', 'jq-wasm', 'zod']) {
        const { version, license } = json(join(root, 'node_modules', name, 'package.json'));
        expect(found(name)).toMatchObject({ type: 'library', version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` });
        expect(licence(found(name) as Component)).toBe(license);
      }
      const { node: runtime } = json(join(root, 'package.json')).devDependencies;
      expect(found('node')).toMatchObject({ type: 'platform', version: runtime, purl: `pkg:generic/node@${runtime}` });
      expect(bom.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['jq', 'llhttp']));
      expect(bom.components.map(({ name }) => name)).not.toContain('vitest');
    });

    it('names no place that packages come from', () => {
      expect(text).not.toMatch(/registry|"resolved"|\.tgz/);
    });
  });
});
