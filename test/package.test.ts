// What is handed out: the package's files, and the licences of the works of others in them.

import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { raw, version as versionOfJq } from 'jq-wasm';
import { afterAll, describe, expect, it } from 'vitest';

interface Part {
  readonly name: string;
  readonly version?: string;
  readonly licence: string;
  readonly text: string;
}

interface Licences {
  thirdParties(moduleIds: readonly string[]): readonly Part[];
  nodeLicence(): Part;
}

const root = join(import.meta.dirname, '..');
const { thirdParties, nodeLicence } = (await import(new URL('../build/licences.js', import.meta.url).href)) as Licences;
const { sbomText } = (await import(new URL('../build/sbom.js', import.meta.url).href)) as { sbomText(parts: readonly Part[]): string };

const folder = mkdtempSync(join(tmpdir(), 'crm-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('THIRD_PARTY_LICENSES', () => {
  const written = readFileSync(join(root, 'dist', 'THIRD_PARTY_LICENSES'), 'utf8');
  const rule = '='.repeat(80);

  /** What stands below a part's heading: its name, perhaps its version, and its licence. */
  function below(name: string, licence: string): string {
    const heading = new RegExp(`^${rule}\\n${name}( \\S+)? \\(${licence}\\)\\n${rule}\\n\\n`, 'm');
    return written.split(heading)[2]?.split(`\n${rule}`)[0] ?? '';
  }

  it('holds the texts of what is in the bundle', () => {
    expect(below('commander', 'MIT')).toContain('Copyright (c) 2011 TJ Holowaychuk');
    expect(below('undici', 'MIT')).toContain('Copyright (c) Matteo Collina and Undici contributors');
    expect(below('yaml', 'ISC')).toContain('Copyright Eemeli Aro');
    expect(below('fast-uri', 'BSD-3-Clause')).toContain('The names of any contributors may not be used');
  });

  it('holds those of code that a package or the bundler carries in', () => {
    expect(below('llhttp', 'MIT')).toMatch(/Copyright Fedor Indutny.*DEALINGS IN THE\s+SOFTWARE\.\n$/s);
    expect(below('jq', 'MIT')).toContain('jq is copyright (C) 2012 Stephen Dolan');
    expect(below('oniguruma', 'BSD-2-Clause')).toContain('K.Kosako');
    expect(below('jq-wasm', 'MIT')).toContain('Owen Ou');
    expect(written).toMatch(/^rolldown \S+ \(MIT\)$/m);
  });

  it('holds nothing that only builds or tests', () => {
    expect(written).not.toMatch(/^(vitest|typescript|nock|fast-check|@biomejs\/biome) /m);
  });

  it('is of packages of any depth and scope', () => {
    const ids = [
      addPackage('plain', { version: '1.0.0', license: 'MIT' }, { 'licence.txt': 'plain text', NOTICE: 'a notice' }),
      addPackage(
        'plain/node_modules/@scope/deep',
        { name: '@scope/deep', version: '2.0.0', license: 'ISC' },
        { 'COPYING.md': 'deep text' },
      ),
      join(root, 'src', 'entry', 'main.ts'),
      '\0imported:fs',
    ];
    expect(thirdParties(ids)).toEqual([
      { name: '@scope/deep', version: '2.0.0', licence: 'ISC', text: 'deep text' },
      { name: 'plain', version: '1.0.0', licence: 'MIT', text: 'a notice\n\nplain text' },
    ]);
  });

  it('is not written for a package without a licence', () => {
    const noText = addPackage('no-text', { version: '1.0.0', license: 'MIT' }, { 'README.md': 'MIT' });
    expect(() => thirdParties([noText])).toThrow('no-text 1.0.0 (MIT) is in the bundle without a licence text');
    const empty = addPackage('empty-text', { version: '1.0.0', license: 'MIT' }, { LICENSE: '\n' });
    expect(() => thirdParties([empty])).toThrow('empty-text 1.0.0 (MIT) is in the bundle without a licence text');
    const noName = addPackage('no-licence', { version: '1.0.0' }, { LICENSE: 'a text' });
    expect(() => thirdParties([noName])).toThrow('no-licence is in the bundle, but its package.json has no license');
    expect(() => thirdParties(['/elsewhere/code.js'])).toThrow('/elsewhere/code.js is in the bundle, and of no package');
  });

  it('has the text for Node, which the executable holds', () => {
    const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node;
    // Another Node than the project's isn't built into an executable.
    if (process.versions.node !== pinned) expect(nodeLicence).toThrow(`the licence is that of ${pinned}`);
    else expect(nodeLicence()).toMatchObject({ name: 'node', version: pinned, text: expect.stringContaining('libuv, located at deps/uv') });
  });

  /** Puts a package into node_modules; gives the path of its module. */
  function addPackage(path: string, described: object, files: Record<string, string>): string {
    const place = join(folder, 'node_modules', path);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: path, ...described }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
    return join(place, 'index.js');
  }
});

describe('the bill of materials', () => {
  const parts = JSON.parse(sbomText(thirdParties([join(root, 'node_modules/jq-wasm/dist/index.mjs')]))) as {
    readonly components: readonly {
      readonly name: string;
      readonly version?: string;
      readonly purl?: string;
      readonly licenses: unknown;
    }[];
  };
  const part = (name: string) => parts.components.find((one) => one.name === name);
  const jq = async (text: string, filter: string, flags: string[] = []): Promise<string> => (await raw(text, filter, flags)).stdout;

  it('names what jq-wasm carries, with versions and licences', async () => {
    const version = /\d.*/.exec(await versionOfJq())?.[0];
    expect(part('jq')).toMatchObject({ version, purl: `pkg:generic/jq@${version}`, licenses: [{ license: { id: 'MIT' } }] });
    expect(part('oniguruma')).toMatchObject({
      version: '6.9.10',
      purl: 'pkg:generic/oniguruma@6.9.10',
      licenses: [{ license: { id: 'BSD-2-Clause' } }],
    });
    expect(part('decnumber')).toMatchObject({ version: '3.68', licenses: [{ license: { id: 'ICU' } }] });
  });

  it('names the oniguruma that really is inside: the one of the release of jq, which knows Unicode 16 and not 17', async () => {
    expect(await jq('null', '.', ['--build-configuration'])).toContain('--with-oniguruma=builtin');
    // U+1C89 is a letter since Unicode 16 (oniguruma 6.9.10), U+A7CE since 17; 6.9.9 knows 15.1.
    expect(await jq('"\u1c89"', 'test("\\\\p{Lu}")')).toBe('true');
    expect(await jq('"\ua7ce"', 'test("\\\\p{Lu}")')).toBe('false');
  });
});

describe('the package', () => {
  it('has nothing that runs where it is installed: npm warns of it', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    expect(['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts)).toEqual([]);
  });

  it('holds the program, its licences and all that the reference names, and no executable', () => {
    const copy = join(folder, 'copy');
    for (const part of ['package.json', 'README.md', 'LICENSE', 'bin', 'completions', 'docs', 'examples', 'skills', 'src', 'build']) {
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    // Beside it may stand the executable, and what test/build.test.ts builds now.
    const built = readdirSync(join(root, 'dist')).filter((name) => name !== 'standalone' && !name.startsWith('built-'));
    for (const part of built) cpSync(join(root, 'dist', part), join(copy, 'dist', part), { recursive: true });
    mkdirSync(join(copy, 'dist', 'standalone'));
    writeFileSync(join(copy, 'dist', 'standalone', 'crm'), 'an executable');
    writeFileSync(join(copy, 'dist', 'standalone', 'THIRD_PARTY_LICENSES'), 'its licences');

    const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: copy, encoding: 'utf8' });
    const [{ files }] = JSON.parse(listed) as [{ files: readonly { path: string }[] }];
    const held = new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)]));
    const pages = globSync('docs/reference/**/*.md', { cwd: root });
    const named = pages.flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8');
      const links = [...text.matchAll(/\]\(([^)\s#:]+)[^):]*\)/g)].map(([, to = '']) => join(dirname(page), to).replace(/\/$/, ''));
      return [...links, ...[...text.matchAll(/\b(?:examples|completions|skills|docs|bin)\/[\w./-]*\w/g)].map(([path]) => path)];
    });
    expect(named.length).toBeGreaterThan(300);
    expect([...new Set(named)].filter((path) => !held.has(path))).toEqual([]);
    const tops = files.map(({ path }) =>
      path.replace(/^(completions|docs\/reference|examples|dist\/chunks|dist\/lib|dist\/prepared)\/.*/, '$1'),
    );
    expect([...new Set(tops)].sort()).toEqual([
      'LICENSE',
      'README.md',
      'bin/crm.js',
      'completions',
      'dist/THIRD_PARTY_LICENSES',
      'dist/chunks',
      'dist/complete.js',
      'dist/crm.js',
      'dist/lib',
      'dist/prepared',
      'dist/process.js',
      'docs/openapi.json',
      'docs/reference',
      'examples',
      'package.json',
      'skills/crm/SKILL.md',
    ]);
  });
});

/** The folders that a path lies in: `a/b` and `a` of `a/b/c`. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
