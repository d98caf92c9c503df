// `--out FILE`: the result is in the file whole, as it would be in a pipe, or the file is as it was. Standard output stays empty.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/sandbox/store/store.ts';
import { type Crm, runCrm, shellCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { fillLeads } from '../support/fill-leads.ts';
import { makeSandbox } from '../support/make-sandbox.ts';
import { runHere } from '../support/run-here.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';
import { startCrm } from '../support/start-crm.ts';

const root = mkdtempSync(join(tmpdir(), 'crm-out-'));
let server: ServedHere;
let proxy: FaultyProxy;
let cwd = '';
let count = 0;

beforeAll(async () => {
  const path = join(root, 'service.sqlite');
  makeSandbox(path, { demo: true });
  const store = openStore(path, { mode: 'open' });
  fillLeads(store, 600);
  store.close();
  server = await serveHere(join(root, 'served.sqlite'), { from: path });
  proxy = await startFaultyProxy(server.baseUrl);
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  proxy.change();
  count += 1;
  cwd = join(root, `folder-${count}`);
  mkdirSync(cwd);
});

const at = (name: string): string => join(cwd, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');
const env = (): Record<string, string> => ({
  CRM_BASE_URL: proxy.baseUrl,
  CRM_API_KEY: server.key,
  CRM_DATA_DIR: join(root, 'data'),
  CRM_CONFIG_DIR: join(root, 'config'),
});

/** Runs the words of a line; a word with blanks stands in single quotes. */
const crm = (line: string, more: { stdin?: string; tty?: boolean } = {}): Promise<Crm> =>
  runHere(
    [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    { env: env(), cwd, ...more },
  );

describe('the result', () => {
  it.each([
    ['csv', 'csv'],
    ['json', 'json'],
    ['ndjson', 'ndjson'],
    ['yaml', 'yaml'],
    ['md', 'markdown'],
    ['html', 'html'],
    ['txt', 'table'],
    ['CSV', 'csv'],
  ])('.%s is what -o %s gives off a terminal, for one page, for many pages and for none', async (ending, format) => {
    for (const list of ['leads list --limit 20', 'leads list', 'leads list --where title=nothing']) {
      const inPipe = await crm(`${list} -o ${format} -q`);
      const { status, stdout } = await crm(`${list} --out leads.${ending}`, { tty: true });
      expect([status, stdout]).toEqual([0, '']);
      expect(read(`leads.${ending}`)).toBe(inPipe.stdout);
    }
  });

  it('.xlsx is a workbook that an import reads', async () => {
    expect((await crm('leads list --limit 20 --out leads.xlsx')).stderr).toBe('20 leads in leads.xlsx\n');
    const { status, stdout } = await crm('leads import leads.xlsx --mode update --dry-run --json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { counts: { unchanged: 20 } }]);
  });

  it.each([
    ['leads get 12 --out one.json', '1 lead in one.json'],
    ['leads get 12,13 -o ids --out ids.list', '2 leads in ids.list'],
    ['leads list --where title=nothing --out none.csv', '0 leads in none.csv'],
    ['leads list --limit 3 --envelope --out page.json', '3 leads in page.json'],
    ['report leads --out report.csv', 'The result is in report.csv'],
    ["leads list --jq '.[0].title' --out title.txt", 'The result is in title.txt'],
    ['leads list --jq length --out length.json', 'The result is in length.json'],
    ['leads list --fields help --out fields.md', 'The result is in fields.md'],
    ['leads update 12 --value 7 --dry-run --out plan.json', 'The result is in plan.json'],
  ])('%s: one sentence stays on standard error', async (line, sentence) => {
    const { status, stdout, stderr } = await crm(line);
    expect([status, stdout, stderr.trimEnd().split('\n').at(-1)]).toEqual([0, '', sentence]);
    expect((await crm(`${line} -q`)).stderr).not.toContain(sentence);
  });

  it('on a terminal is told with a mark, in full, and without a pager', async () => {
    const { stdout, stderr } = await crm('leads list --out leads.txt', { tty: true });
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/✓ 644 leads in leads\.txt\n$/)]);
    expect(read('leads.txt')).not.toContain('\u001b');
  });

  it('of a write is the record, as off a terminal', async () => {
    const { status, stderr } = await crm('leads update 12 --value 7 --out lead.json', { tty: true });
    expect([status, JSON.parse(read('lead.json'))]).toMatchObject([0, { id: 12, value: '7.00' }]);
    expect(stderr).toContain('1 lead in lead.json');
  });

  it('-o wins over the ending', async () => {
    await crm('leads list --limit 2 -o ids --out leads.csv');
    expect(read('leads.csv')).toMatch(/^\d+\n\d+\n$/);
  });
});

describe('the file', () => {
  it('takes the place of a file, whose mode stays; a new one has the mode of any new file', async () => {
    writeFileSync(at('old.csv'), 'old');
    chmodSync(at('old.csv'), 0o606);
    expect((await crm('leads list --limit 1 --out old.csv')).status).toBe(0);
    expect((await crm('leads list --limit 1 --out new.csv')).status).toBe(0);
    writeFileSync(at('plain'), '');
    const mode = (name: string): number => statSync(at(name)).mode & 0o777;
    expect([mode('old.csv'), mode('new.csv')]).toEqual([0o606, mode('plain')]);
    expect(read('old.csv')).toBe(read('new.csv'));
    expect(readdirSync(cwd).toSorted()).toEqual(['new.csv', 'old.csv', 'plain']);
  });

  it('behind a link is written, and the link stays', async () => {
    mkdirSync(at('deep'));
    writeFileSync(at('deep/real.csv'), 'old');
    symlinkSync('deep/real.csv', at('link.csv'));
    expect((await crm('leads list --limit 1 --out link.csv')).status).toBe(0);
    expect(read('deep/real.csv')).toMatch(/^id,title/);
    expect(
      readdirSync(cwd, { withFileTypes: true })
        .find(({ name }) => name === 'link.csv')
        ?.isSymbolicLink(),
    ).toBe(true);
    expect(readdirSync(at('deep'))).toEqual(['real.csv']);
  });

  it('is written with status 8 and 11', async () => {
    expect((await crm('leads get 12,9999 --out some.json')).status).toBe(8);
    expect(JSON.parse(read('some.json'))).toMatchObject([{ id: 12 }]);
    expect((await crm('leads list --count --at-most 1 --out count.txt')).status).toBe(11);
    expect(read('count.txt')).toBe('644\n');
  });

  it.each([
    ['a failure in the middle of a list', 7, 'leads list --retries 0', (n: number) => (n > 1 ? 503 : undefined)],
    ['a refused key', 4, 'leads list', () => 401],
    ['a missing record', 3, 'leads get 9999', () => undefined],
    ['a failed expression', 2, "leads list --jq '.[0].title.x'", () => undefined],
    ['a wrong name in --fields', 2, 'leads list --fields nonsense', () => undefined],
    ['nobody to ask', 9, 'leads delete 12', () => undefined],
  ])('stays as it was after %s', async (_why, wanted, line, fate) => {
    for (const ending of ['ndjson', 'json']) {
      writeFileSync(at(`leads.${ending}`), 'old');
      let n = 0;
      proxy.change({
        answer: () => {
          n += 1;
          return fate(n);
        },
      });
      const { status, stdout } = await crm(`${line} --out leads.${ending}`);
      expect([status, stdout, read(`leads.${ending}`)]).toEqual([wanted, '', 'old']);
      expect((await crm(`${line} --out new.${ending}`)).status).toBe(wanted);
    }
    expect(readdirSync(cwd).toSorted()).toEqual(['leads.json', 'leads.ndjson']);
  });

  it('stays as it was after Ctrl-C', async () => {
    writeFileSync(at('leads.ndjson'), 'old');
    let n = 0;
    proxy.change({
      answer: () => {
        n += 1;
        return n > 2 ? 'hold' : undefined;
      },
    });
    const came = proxy.came(() => true, 3);
    const running = startCrm(['leads', 'list', '--out', at('leads.ndjson')], env());
    await came;
    expect(readdirSync(cwd)).toHaveLength(2);
    running.process.kill('SIGINT');
    expect(await running.ended).toMatchObject({ status: 130, stdout: '' });
    expect([readdirSync(cwd), read('leads.ndjson')]).toEqual([['leads.ndjson'], 'old']);
  });
});

describe('is refused before the first request:', () => {
  const refused = async (line: string, words: string, more = {}): Promise<void> => {
    const before = proxy.seen.length;
    const { status, stdout, stderr } = await crm(line, more);
    expect([status, stdout, proxy.seen.length]).toEqual([2, '', before]);
    expect(stderr).toContain(words);
  };

  it.each([
    ['leads list --out leads.pdf', '"leads.pdf" has none of the endings .csv, .xlsx, .json, .ndjson, .yaml, .md, .html, .txt.'],
    ['leads list --out leads', '"leads" has none of the endings'],
    ['leads list --out - --csv', 'without --out the result is on standard output; name a file.'],
    ['leads list --csv --out /dev/null', '/dev/null is not an ordinary file.'],
    ['leads list --csv --out .', '. is not an ordinary file.'],
    ['leads list --out /proc/leads.csv', "/proc/leads.csv can't be written (no such file or directory)."],
    ['leads list --out missing/leads.csv', "missing/leads.csv can't be written (no such file or directory)."],
    ['leads update 12,13 --value 7 --plan plan.csv --out leads.csv', "--out can't be combined with --plan"],
    ['sandbox serve --json --out service.json', '--out: a server tells its address at once.'],
    ['sandbox exec --out leads.txt -- true', "--out: standard output is the command's own"],
    ["leads list --jq '.[]' --out leads.csv", '--jq is for JSON output, and \\"leads.csv\\" asks for csv. Name the format: -o json'],
    ['leads list --envelope --out leads.csv', '--envelope is for JSON output'],
    ['leads list -o leads.csv', '"leads.csv" is no format. To write a file: --out leads.csv'],
    ["leads list -o 'my leads.xlsx'", `To write a file: --out 'my leads.xlsx'`],
  ])('crm %s', async (line, words) => {
    await refused(line, words);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('a pipe', async () => {
    spawnSync('mkfifo', [at('pipe.csv')]);
    await refused('leads list --out pipe.csv', 'pipe.csv is not an ordinary file.');
  });

  it('a link to nothing', async () => {
    symlinkSync('nothing.csv', at('link.csv'));
    await refused('leads list --out link.csv', "link.csv can't be written (no such file or directory).");
  });

  it('a file and a folder that may not be written', async () => {
    chmodSync(root, 0o755);
    writeFileSync(at('leads.csv'), 'old', { mode: 0o444 });
    mkdirSync(at('closed'), { mode: 0o555 });
    // What is loaded on first use is loaded: another user may not read the folder of the project.
    const lines = [
      ['leads list --out', '--out'],
      ['leads update 12,13 --value 7 --plan', '--plan'],
    ] as const;
    for (const [line] of lines)
      await refused(`${line} missing/leads.csv`, "missing/leads.csv can't be written (no such file or directory).");
    await refused('sandbox exec --keep missing/crm.sqlite -- touch ran', "crm.sqlite can't be written (no such file or directory).");
    expect(existsSync(at('ran'))).toBe(false);
    // The administrator may write anywhere.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await refused('leads list --out leads.csv', "--out: leads.csv can't be written (permission denied).");
      for (const [line, flag] of lines)
        await refused(`${line} closed/leads.csv`, `${flag}: closed/leads.csv can't be written (permission denied).`);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(read('leads.csv')).toBe('old');
  });

  it('a file that the system does not tell about: another user’s link, in a folder for all', async () => {
    const { stat } = fs;
    try {
      fs.stat = ((path: string, ...more: []) =>
        /barred/.test(path)
          ? Promise.reject(Object.assign(new Error('It is barred.'), { code: 'EACCES', errno: -constants.errno.EACCES }))
          : stat(path, ...more)) as typeof stat;
      syncBuiltinESMExports();
      writeFileSync(at('theirs'), 'title,status,category\nOld,1,3\n', { mode: 0o600 });
      writeFileSync(at('in.csv'), 'title,status,category\nNew,1,3\n');
      for (const name of ['barred.csv', 'barred.sqlite']) symlinkSync('theirs', at(name));
      for (const [line, flag] of [
        ['leads list --out barred.csv', '--out'],
        ['leads update 12,13 --title x --plan barred.csv', '--plan'],
        ['leads import in.csv --rejects barred.csv', '--rejects'],
        ['leads import in.csv --results barred.csv', '--results'],
      ] as const)
        await refused(line, `error: ${flag}: barred.csv can't be written (permission denied).`);
      await refused(
        `sandbox exec --keep barred.sqlite -- true`,
        `error: --keep: ${at('barred.sqlite')} can't be written (permission denied).`,
      );
      const mapping = await crm('leads import in.csv --save-mapping barred.csv');
      expect([mapping.status, mapping.stderr]).toEqual([2, expect.stringContaining('--save-mapping: barred.csv is there already')]);
    } finally {
      fs.stat = stat;
      syncBuiltinESMExports();
    }
    const { mode } = statSync(at('theirs'));
    expect([read('theirs'), mode & 0o777, readlinkSync(at('barred.csv'))]).toEqual(['title,status,category\nOld,1,3\n', 0o600, 'theirs']);
  });

  it('a database, whatever its name', async () => {
    makeSandbox(at('crm.csv'), { demo: false });
    const size = statSync(at('crm.csv')).size;
    await refused('leads list --out crm.csv', 'crm.csv is a database, and is not overwritten.');
    expect(statSync(at('crm.csv')).size).toBe(size);
    truncateSync(at('crm.csv'));
    expect((await crm('leads list --out crm.csv')).status).toBe(0);
  });

  it.each([
    ['leads import leads.csv --mode update --out leads.csv', 'leads.csv'],
    ['leads import leads.csv --mode update --out ./link.csv', 'leads.csv'],
    ['leads import leads.csv --rejects rejects.csv --out ./rejects.csv', 'rejects.csv'],
    ['leads import leads.csv --mapping m.yaml --out m.yaml', 'm.yaml'],
    ['leads import leads.csv --save-mapping new.yaml --out new.yaml', 'new.yaml'],
    ['leads update 12 --description @text.txt --out text.txt', 'text.txt'],
    ['leads comments add 12 @text.txt --out text.txt', 'text.txt'],
    ['apply leads.csv --out leads.csv', 'leads.csv'],
    ['seed apply seed.yaml --out seed.yaml', 'seed.yaml'],
    ['diff snap --out snap/leads.ndjson', 'snap'],
  ])('crm %s', async (line, other) => {
    mkdirSync(at('snap'));
    for (const name of ['leads.csv', 'm.yaml', 'text.txt', 'seed.yaml']) writeFileSync(at(name), 'id,title\n');
    symlinkSync('leads.csv', at('link.csv'));
    await refused(line, `the command uses ${other} itself; name another file.`);
    expect([read('leads.csv'), existsSync(at('new.yaml'))]).toEqual(['id,title\n', false]);
  });

  it('the file of profiles', async () => {
    mkdirSync(join(root, 'config'), { recursive: true });
    writeFileSync(join(root, 'config', 'config.json'), '{}');
    await refused(`leads list --out ${join(root, 'config', 'config.json')}`, 'config.json itself; name another file.');
    rmSync(join(root, 'config', 'config.json'));
  });
});

describe('advice that names --out, followed', () => {
  it('an import of a re-encoded text: the file written with --out comes back as it was', async () => {
    await crm('leads update 12 --title Müller --yes');
    expect((await crm('leads list --where title=Müller --out leads.csv')).status).toBe(0);
    const { status, stderr } = await crm('leads import leads.csv --mode update --dry-run');
    expect([status, stderr]).toEqual([0, expect.stringContaining('1 unchanged')]);
    expect(stderr).not.toContain('re-encoded');
  });

  it('-o with a name of a file, and xlsx on a terminal', async () => {
    for (const line of ['leads list --limit 2 -o leads.xlsx', 'leads list --limit 2 -o xlsx']) {
      const { status, stderr } = await crm(line, { tty: true });
      const [advice] = /--out \S+$/m.exec(stderr) ?? [''];
      expect([status, advice]).toEqual([2, '--out leads.xlsx']);
      expect((await crm(`leads list --limit 2 ${advice}`, { tty: true })).status).toBe(0);
      rmSync(at('leads.xlsx'));
    }
  });
});

it('errors are JSON off a terminal with the ending of JSON, and text on a terminal', async () => {
  const line = 'leads get 9999 --out lead.json';
  expect(JSON.parse((await crm(line)).stderr)).toMatchObject({ error: { code: 'not_found' } });
  expect(JSON.parse((await crm(`${line} --nonsense`)).stderr)).toMatchObject({ error: { code: 'unknown_flag' } });
  expect((await crm(line, { tty: true })).stderr).toMatch(/^error: /m);
});

it('standard input is refused, too', async () => {
  writeFileSync(at('ids.txt'), '12\n');
  const line = `${shellCommand()} leads get - --out ids.txt < ids.txt`;
  const { status, stderr } = spawnSync('sh', ['-c', line], { cwd, env: cleanEnv(env()), encoding: 'utf8' });
  expect([status, stderr, read('ids.txt')]).toEqual([2, expect.stringContaining('ids.txt is standard input; name another file.'), '12\n']);
});

it('the built command: standard output is empty', async () => {
  const { status, stdout, stderr } = await runCrm(['leads', 'list', '--limit', '44', '--out', 'leads.xlsx'], { env: env(), cwd });
  expect([status, stdout, stderr]).toEqual([0, '', '44 leads in leads.xlsx\n']);
});
