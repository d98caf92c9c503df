// The package as somebody gets it: packed, installed into an empty folder, and judged by the programs of others.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnv } from '../support/environment.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'crm-packed-'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
/** A folder of somebody else's, with the package in it. */
const place = join(folder, 'stranger');
let tarball: string;

/** npm without the registry: the package needs no other one. */
const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--no-update-notifier'], { cwd, env: cleanEnv() });

beforeAll(async () => {
  const { stdout } = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  tarball = join(folder, filename);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('judged by others, it has no fault', () => {
  const judge = (name: string, args: readonly string[]) =>
    run(process.execPath, [join(import.meta.dirname, 'node_modules/.bin', name), ...args], { env: cleanEnv() });

  it('publint', async () => expect((await judge('publint', ['run', tarball, '--strict'])).stdout).toContain('All good!'));

  it('arethetypeswrong', async () => {
    const { stdout } = await judge('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii']);
    expect([...stdout.matchAll(/^"(crm-admin\/[^"]+)"$/gm)].map(([, name]) => name)).toEqual([
      'crm-admin/sandbox',
      'crm-admin/client',
      'crm-admin/package.json',
    ]);
  });
});

describe('installed into an empty folder', () => {
  it('with npm, no script of it runs, it brings no other package, and the command and the library run', async () => {
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{ "private": true, "type": "module" }');
    // Every script would be run by a shell of ours: the one of the package beside it is.
    const [shell, ran, scripted] = ['shell', 'ran', 'scripted'].map((name) => join(folder, name)) as [string, string, string];
    writeFileSync(shell, `#!/bin/sh\necho "$@" >> '${ran}'\n`, { mode: 0o755 });
    mkdirSync(scripted);
    writeFileSync(join(scripted, 'package.json'), '{ "name": "scripted", "version": "1.0.0", "scripts": { "postinstall": "something" } }');
    await npm(['install', `--script-shell=${shell}`, '--ignore-scripts=false', '--install-links', tarball, scripted], place);
    expect(readFileSync(ran, 'utf8')).toMatch(/^\S+ something\n$/);
    const { packages } = JSON.parse(readFileSync(join(place, 'node_modules/.package-lock.json'), 'utf8'));
    expect(Object.keys(packages)).toEqual(['node_modules/crm-admin', 'node_modules/scripted']);
    expect(packages['node_modules/crm-admin']).not.toHaveProperty('hasInstallScript');
    const env = cleanEnv({ CRM_CONFIG_DIR: join(place, 'config'), CRM_DATA_DIR: join(place, 'data') });
    expect((await run('npx', ['--offline', 'crm', '--version'], { cwd: place, env })).stdout).toContain(version);
    const crm = async (...args: string[]) => (await run(join(place, 'node_modules/.bin/crm'), args, { cwd: place, env })).stdout;
    await crm('sandbox', 'init');
    expect(JSON.parse(await crm('leads', 'get', '12', '--json', '--fields', 'id'))).toEqual({ id: 12 });
    cpSync(join(root, 'examples/client.ts'), join(place, 'client.ts'));
    const { stdout } = await run(process.execPath, ['--no-warnings', 'client.ts'], { cwd: place, env });
    expect(stdout).toMatch(/^17 Both hangars, parts inventory 73900\.00\n[\s\S]*\nFleet tracking Harbour Freight \[ 'hot' \]\n$/);
  });

  it('for everybody on the machine, the command runs', async () => {
    const prefix = join(folder, 'prefix');
    await npm(['install', '--global', '--prefix', prefix, tarball], folder);
    expect((await run(join(prefix, 'bin/crm'), ['--version'], { env: cleanEnv() })).stdout).toContain(version);
  });
});

describe("a stranger's compiler", () => {
  beforeAll(() => {
    cpSync(join(root, 'test/referees/stranger/uses.ts'), join(place, 'uses.ts'));
    mkdirSync(join(place, 'node_modules/@types'));
    for (const name of ['@types/node', 'undici-types']) symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
  });

  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--target', 'es2022'];
  it.each([
    ['TypeScript 5.9', 'test/referees/node_modules/typescript', ['--module', 'nodenext', '--types', 'node', 'uses.ts', 'client.ts']],
    ['TypeScript 7', 'node_modules/typescript', ['--module', 'nodenext', '--types', 'node', 'uses.ts', 'client.ts']],
    [
      'a bundler, for a browser',
      'node_modules/typescript',
      ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', '', 'uses.ts'],
    ],
  ])('%s understands it, and refuses what is wrong', async (_name, compiler, options) => {
    const compiled = run(process.execPath, [join(root, compiler, 'bin/tsc'), ...strict, ...options], { cwd: place, env: cleanEnv() });
    const { stdout } = await compiled.catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });
});
