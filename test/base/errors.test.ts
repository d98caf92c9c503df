// Every error code, provoked through the command: which command line, against which service, ends with which code and status. Typed by
// hand, for scripts rely on it. The table that explain prints has each, too.

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorCodes, RefusedError, UsageError } from '../../src/base/errors.ts';
import { key, settings } from '../client/support.ts';
import { type Crm, crmCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { type HostileServer, hostileServer, html, json, silence } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';
import { startCrm } from '../support/start-crm.ts';

/** The settings that a row is run with; the embedded CRM's own profile unless it says otherwise. */
type Where =
  | 'sandbox'
  | 'nothing'
  | 'no key'
  | 'plain http'
  | 'wrong key'
  | 'protected'
  | 'read only'
  | '429'
  | '502'
  | 'closed port'
  | 'silence';

/** [the command, the rest of its command line, code, status, settings]. */
const rows: readonly (readonly [command: string, args: string, code: string, status: number, where?: Where])[] = [
  ['leads list', '--all --page 2', 'usage', 2],
  ['leads', 'lst', 'unknown_command', 2],
  ['explain', 'leads.lst', 'unknown_command', 2],
  ['leads list', '--bogus', 'unknown_flag', 2],
  ['leads update', '12 --bogus x', 'unknown_flag', 2],
  ['leads create', '--title Till', 'missing_value', 2],
  ['leads list', '--status', 'missing_value', 2],
  ['leads comments add', '12', 'missing_value', 2],
  ['leads status', '12', 'missing_value', 2],
  ['proposals create', '--title Till --start 2026-11-01 --category 1', 'missing_value', 2],
  ['leads get', 'abc', 'invalid_value', 2],
  ['leads list', '--where value', 'invalid_value', 2],
  ['leads list', '--fields bogus', 'invalid_value', 2],
  ['proposals status', '5 done', 'invalid_value', 2],
  ['leads list', '--status Nope', 'name_unknown', 2],
  ['leads status', '12 N', 'name_unknown', 2],
  ['leads list', '--status n', 'name_ambiguous', 2],
  ['leads get', '999999', 'not_found', 3],
  ['profile show', 'nobody', 'not_found', 3],
  ['doctor', '', 'found', 11, '502'],
  ['leads list', '', 'no_profile', 4, 'nothing'],
  ['leads list', '--profile nobody', 'no_profile', 4],
  ['leads list', '', 'no_key', 4, 'no key'],
  ['leads list', '', 'unauthorized', 4, 'plain http'],
  ['leads list', '', 'key_refused', 4, 'wrong key'],
  ['leads create', '--title Till --status 999 --category 1', 'refused', 5],
  ['contacts create', '--first-name A --last-name B --client 1 --email HELEN.Ashworth@northgate-trading.example', 'email_taken', 5],
  ['contacts update', '6 --email helen.ashworth@northgate-trading.example', 'email_taken', 5],
  ['leads convert', '12 --first-name A --last-name B --email helen.ashworth@northgate-trading.example', 'email_taken', 5],
  ['leads list', '--retries 0', 'rate_limited', 6, '429'],
  ['leads list', '--retries 0', 'unavailable', 7, '502'],
  ['leads create', '--title Till --status 1 --category 1', 'outcome_unknown', 7, '502'],
  ['leads comments add', '1 Hello', 'unreachable', 7, 'closed port'],
  ['leads list', '--timeout 0.3', 'timed_out', 7, 'silence'],
  ['leads comments add', '1 Hello --timeout 0.3', 'outcome_unknown', 7, 'silence'],
  ['leads get', '12,999999', 'partial', 8],
  ['leads delete', '12', 'unconfirmed', 9],
  ['proposals status', '13 draft', 'unconfirmed', 9],
  ['leads delete', '12 --yes', 'profile_protected', 9, 'protected'],
  ['leads archive', '12', 'read_only', 9, 'read only'],
  ['sandbox init', '', 'conflict', 10],
  ['leads convert', '17 --first-name A --last-name B --email a@b.example', 'already_converted', 10],
  ['contacts account-owner', '30', 'no_client_account', 10],
  ['profile add', 'sandbox --base-url sandbox:', 'name_taken', 10],
];

let folder: string;
let server: ServedHere;
let hostile: HostileServer;
const envs = {} as Record<Where, Record<string, string>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-errors-'));
  const env = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
  const guarded = { ...env, CRM_CONFIG_DIR: join(folder, 'guarded') };
  await runHere(['sandbox', 'init'], { env });
  await runHere(['profile', 'add', 'guarded', '--base-url', 'sandbox:'], { env: guarded });
  await runHere(['profile', 'set', 'guarded', '--protected'], { env: guarded });
  server = await serveHere(join(folder, 'served.sqlite'), { key });
  hostile = await hostileServer();
  const at = (name: string, ...replies: Parameters<HostileServer['serve']>[1][]) => settings(hostile.serve(name, ...replies).url);
  Object.assign(envs, {
    sandbox: env,
    nothing: { CRM_CONFIG_DIR: '/nonexistent/crm' },
    'no key': { CRM_CONFIG_DIR: '/nonexistent/crm', CRM_BASE_URL: 'https://crm.invalid' },
    'plain http': settings('http://crm.invalid'),
    'wrong key': { ...settings(server.baseUrl), CRM_API_KEY: 'wrong' },
    protected: guarded,
    'read only': { ...env, CRM_READ_ONLY: '1' },
    '429': at('busy', json({ message: 'Too Many Attempts.' }, 429)),
    '502': at('bad', html(502, 'Bad Gateway')),
    'closed port': settings('http://127.0.0.1:1'),
    silence: at('silent', silence),
  });
});

afterAll(async () => {
  await Promise.all([server.stop(), hostile.stop()]);
  rmSync(folder, { recursive: true });
});

const errorOf = ({ stderr }: Crm) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;

describe('a command ends with a code', () => {
  const cases = rows.map(([command, args, code, status, where = 'sandbox' as const]) => ({ command, args, code, status, where }));

  it.each(cases)('$code: $command $args', async ({ command, args, code, status, where }) => {
    const words = [...command.split(' '), ...args.split(' ').filter((word) => word !== '')];
    const crm = await runHere([...words, '--json'], { env: envs[where], cwd: folder });
    expect([crm.status, errorOf(crm).code, crm.stdout]).toEqual([
      status,
      code,
      ({ partial: expect.stringContaining('"id": 12'), found: expect.stringContaining('"check": "service"') } as Record<string, unknown>)[
        code
      ] ?? '',
    ]);
  });

  it('that explain tells, with the status', async () => {
    const { errors } = JSON.parse((await runHere(['explain', 'leads', '--json'], { env: {}, cwd: folder })).stdout);
    for (const { code, status } of cases) expect(errors).toContainEqual(expect.objectContaining({ code, status }));
  });

  it('each failure of several has its own', async () => {
    const { status, stderr } = await runHere(['proposals', 'status', '13,5', '--to', 'revised', '--yes', '--json'], { env: envs.sandbox });
    expect([status, JSON.parse(stderr).error]).toMatchObject([8, { code: 'partial', failures: [{ id: 13, code: 'proposal_signed' }] }]);
    const gone = await runHere(['leads', 'archive', '999998', '999999', '--yes', '--json'], { env: envs.sandbox });
    expect(errorOf(gone).failures.map(({ code }: { code: string }) => code)).toEqual(['not_found', 'not_found']);
  });

  it.runIf(process.platform === 'linux')('disk_full', () => {
    const [command, args] = crmCommand(['leads', 'list', '--all', '--json']);
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(command, args, { env: cleanEnv(envs.sandbox), stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
    expect([status, JSON.parse(stderr).error.code]).toEqual([7, 'disk_full']);
  });

  it('interrupted', async () => {
    const { process: child, ended } = startCrm(['leads', 'list', '--json', '--verbose'], envs.silence);
    const seen = hostile.seen.length;
    await vi.waitUntil(() => hostile.seen.length > seen, { timeout: 55_000 });
    child.kill('SIGINT');
    const crm = await ended;
    expect([crm.status, errorOf(crm).code]).toEqual([130, 'interrupted']);
  });
});

describe('an import ends with a code', () => {
  const importing = (...args: string[]) => runHere(['leads', 'import', ...args, '--json'], { env: envs.sandbox, cwd: folder });

  it('already_imported', async () => {
    writeFileSync(join(folder, 'twice.csv'), 'title,status,category\nOnce,1,1\n');
    await importing('twice.csv');
    const crm = await importing('twice.csv');
    expect([crm.status, errorOf(crm).code]).toEqual([10, 'already_imported']);
  });

  it('run_unfinished', async () => {
    writeFileSync(join(folder, 'stopped.csv'), 'title,status,category\nGood,1,1\nBad,999,1\nLate,1,1\n');
    expect((await importing('stopped.csv', '--max-errors', '1')).status).toBe(8);
    const crm = await importing('stopped.csv');
    expect([crm.status, errorOf(crm).code]).toEqual([10, 'run_unfinished']);
  });

  it('usage, where a file has values that mean nothing', async () => {
    writeFileSync(join(folder, 'wrong.csv'), 'title,status,category\nTill,Nope,1\n');
    const crm = await importing('wrong.csv');
    expect([crm.status, errorOf(crm).code]).toEqual([2, 'usage']);
  });

  it('run_held', async () => {
    writeFileSync(join(folder, 'held.csv'), 'title,status,category\nHeld,1,1\n');
    const [lock = ''] = globSync(join(folder, 'data/journals/*.lock'));
    const holder = new DatabaseSync(lock);
    onTestFinished(() => holder.close());
    holder.exec('BEGIN IMMEDIATE');
    writeFileSync(join(folder, 'held.yaml'), 'version: 1\nrecords: [{ name: a, type: note, set: { title: T, description: D } }]\n');
    const hint = expect.stringMatching(/^Wait longer: --wait SECONDS, or CRM_WAIT\..* CRM_DATA_DIR /);
    const [{ run: some }] = JSON.parse((await runHere(['history', '--json'], { env: envs.sandbox })).stdout) as [{ run: string }];
    for (const line of [
      'leads import held.csv',
      'seed apply held.yaml',
      'seed demo --leads 1',
      `undo ${some} --yes`,
      `history forget ${some} --yes`,
    ])
      for (const [more, env] of [
        [['--wait', '0'], {}],
        [[], { CRM_WAIT: '0.1' }],
      ] as const) {
        const crm = await runHere([...line.split(' '), ...more, '--json'], { env: { ...envs.sandbox, ...env }, cwd: folder });
        expect([line, crm.status, errorOf(crm).code, errorOf(crm).hint]).toEqual([line, 10, 'run_held', hint]);
      }
    for (const [args, env, says] of [
      [['--wait', 'long'], {}, '--wait'],
      [[], { CRM_WAIT: '90000' }, 'CRM_WAIT'],
    ] as const) {
      const crm = await runHere(['leads', 'import', 'held.csv', ...args, '--json'], { env: { ...envs.sandbox, ...env }, cwd: folder });
      expect([crm.status, errorOf(crm).message]).toEqual([2, expect.stringMatching(`^${says}: "\\w+" is not a number of seconds from 0`)]);
    }
  });
});

it('the text of a refusal names its fields, of another error its message', () => {
  const fields = [{ name: 'email', messages: ['The email has already been taken.'] }];
  const text = 'RefusedError: The given data was invalid. email: The email has already been taken.';
  expect(String(new RefusedError('The given data was invalid.', { httpStatus: 422, fields }))).toBe(text);
  expect(String(new UsageError('--value: "x" is no number.', { fields }))).toBe('UsageError: --value: "x" is no number.');
});

it('every code is provoked', () => {
  // A fault in test/output/render-error.test.ts, the others above.
  const elsewhere = ['fault', 'not_taken', 'proposal_signed', 'disk_full', 'interrupted', 'already_imported', 'run_unfinished', 'run_held'];
  const provoked = new Set([...rows.map(([, , code]) => code), ...elsewhere]);
  expect(
    Object.keys(errorCodes).filter((code) => !provoked.has(code)),
    'no row above',
  ).toEqual([]);
});
