// Runs every example that help shows, each on a fresh embedded CRM with demo data: they must work as they stand. An example that is
// one command runs in this process, which is ten times as quick; a shell runs those that need one, with CRM_SLOW=1. With CRM_BIN a shell
// runs the first one of each command that no script has. Those of topics are for topics.sh.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadGroups } from '../../src/cli/command.ts';
import { groups } from '../../src/commands/index.ts';
import { runCrm } from '../support/crm.ts';
import { builtOnPath, hereOnPath, type OnPath } from '../support/crm-on-path.ts';
import { cleanEnv } from '../support/environment.ts';
import { runHere } from '../support/run-here.ts';

/** Examples that name a service elsewhere, or that serve until they are stopped. */
const elsewhere = /^crm (profile add|sandbox serve)/;

/** Examples that open an editor: off a terminal they are refused. */
const needsTerminal = /^crm \w+ edit /;

/** Examples that start programs, or look for crm where programs are. */
const startsPrograms = /^crm (doctor|sandbox exec)/;

/** Without the file that its output goes to. */
const plain = (line: string): string => line.replace(/ > \S+$/, '');

const root = join(import.meta.dirname, '../..');
const { CRM_BIN: bin, CRM_SLOW } = process.env;
const slow = CRM_SLOW === '1';

const commands = (await loadGroups(groups)).flatMap((group) => group.commands);

const examples = commands.flatMap(({ path, examples: lines }) => lines.map((line) => ({ path: path.join(' '), line })));

let folder: string;
let here: OnPath;
let built: OnPath;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-examples-'));
  for (const name of ['here', 'built']) mkdirSync(join(folder, name));
  here = await hereOnPath(join(folder, 'here'));
  built = builtOnPath(join(folder, 'built'));
  const run = bin === undefined ? runHere : runCrm;
  const made = await run(['sandbox', 'init', '-q'], { env: { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: folder } });
  expect(made.status, made.stderr).toBe(0);
  const added = await run(['profile', 'add', 'acme', '--base-url', 'https://crm.acme.example', '--key-stdin', '--no-verify'], {
    env: { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: folder },
    stdin: 'acme-key',
  });
  expect(added.status, added.stderr).toBe(0);
});

afterAll(() => {
  here.stop();
  rmSync(folder, { recursive: true });
});

describe('examples', () => {
  it('every command has two', () => {
    const few = commands.filter((command) => command.examples.length < 2);
    expect(few.map(({ path }) => path.join(' '))).toEqual([]);
  });

  it('the reference has no others', () => {
    const reference = join(root, 'docs/reference');
    const shown = globSync('**/*.md', { cwd: reference, exclude: ['topics'] }).flatMap((page) => {
      return [...readFileSync(join(reference, page), 'utf8').matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line);
    });
    // Here it would find a CRM; topics.sh runs it.
    expect(new Set(shown)).toEqual(
      new Set(['crm sandbox init && crm leads list --status Negotiation --sort value', ...examples.map(({ line }) => line)]),
    );
  });

  const local = examples.filter(({ line }) => !elsewhere.test(line));
  const scripts = ['test/acceptance/*.sh', 'docs/reference/topics/*.md'].flatMap((paths) => globSync(paths, { cwd: root }));
  const scripted = scripts.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const isFirst = (path: string, line: string): boolean =>
    local.find((one) => one.path === path)?.line === line && !scripted.includes(`crm ${path}`);
  const run = local.filter(({ path, line }) => (bin === undefined ? slow || wordsOf(plain(line)) !== undefined : isFirst(path, line)));

  it.concurrent.each(run.map(({ line }) => line))('%s', async (line) => {
    const data = mkdtempSync(join(folder, 'run-'));
    mkdirSync(join(data, 'home'));
    copyFileSync(join(folder, 'sandbox.sqlite'), join(data, 'sandbox.sqlite'));
    copyFileSync(join(root, 'package.json'), join(data, 'README.md'));
    cpSync(join(root, 'examples'), join(data, 'examples'), { recursive: true });
    const env = cleanEnv({
      PATH: `${(bin === undefined && !startsPrograms.test(line) ? here : built).folder}:${process.env.PATH}`,
      SHELL: '/bin/bash',
      HOME: join(data, 'home'),
      CRM_DATA_DIR: data,
      CRM_CONFIG_DIR: join(data, 'config'),
    });
    copyConfig(data);
    const shown = plain(line);
    const words = bin === undefined ? wordsOf(shown) : undefined;
    const { status, stderr } = words === undefined ? await inShell(shown, data, env) : await runHere(words, { cwd: data, env });
    expect(status, stderr).toBe(needsTerminal.test(line) ? 9 : 0);
  });
});

/** What follows `crm`, as a shell would hand it over; undefined for a line that is more than one command and plain or 'quoted' words. */
function wordsOf(line: string): string[] | undefined {
  const words = /^crm((?: (?:[\w.,:/@=+-]|'[^']*')+)+)$/.exec(line)?.[1];
  return words?.match(/(?:[^ ']|'[^']*')+/g)?.map((word) => word.replaceAll("'", ''));
}

function copyConfig(data: string): void {
  mkdirSync(join(data, 'config'));
  copyFileSync(join(folder, 'config', 'config.json'), join(data, 'config', 'config.json'));
}

/** Runs a line in a shell. All streams are pipes: nothing depends on /dev/null, which every process of the machine shares. */
async function inShell(line: string, cwd: string, env: Record<string, string>): Promise<{ status: number; stderr: string }> {
  const child = spawn('sh', ['-c', line], { cwd, env });
  child.stdin.on('error', () => undefined).end();
  child.stdout.resume();
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { status, stderr };
}
