// What `crm history` says of runs: from the journal alone, with what was typed, and unfinished ones first.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../../seed/support.ts';
import { type Crm, runCrm } from '../../support/crm.ts';
import { startCrm } from '../../support/start-crm.ts';
import { historyOf, type Run } from './support.ts';

let place: Workplace;
let crm: (...args: string[]) => Promise<Crm>;
const history = (): Promise<Run[]> => historyOf(place);

beforeAll(async () => {
  place = await openWorkplace();
  crm = (...args) => place.crm(args);
});
afterAll(() => place.close());
beforeEach(async () => {
  for (const { run } of await history()) await crm('history', 'forget', run, '--yes');
});

describe('history', () => {
  it('tells of a change what was typed, and what became of it', async () => {
    await crm('leads', 'tags', '12,13', '--add', 'two words', '--yes', '-q');
    const [run] = await history();
    expect(run).toMatchObject({
      kind: 'change',
      command: "crm leads tags 12,13 --add 'two words' --yes -q",
      did: '2 leads changed',
      state: 'done',
      left: null,
    });
    const shown = JSON.parse((await crm('history', run?.run ?? '', '--json')).stdout);
    expect(shown).toMatchObject([
      { id: 12, family: 'leads', field: 'tags', new: expect.stringContaining('two words'), outcome: 'changed', error: null },
      { id: 13, family: 'leads', field: 'tags', new: expect.stringContaining('two words'), outcome: 'changed', error: null },
    ]);
  });

  it('tells old and new value under the name of the flag', async () => {
    await crm('leads', 'update', '12,13', '--source', 'First', '--yes', '-q');
    await crm('leads', 'update', '12,13', '--source', 'Second', '--value', '5', '--yes', '-q');
    const shown = (await crm('history', (await history())[0]?.run ?? '', '--fields', 'id,field,old,new', '--csv')).stdout;
    expect(shown).toContain('12,source,First,Second\r\n');
    expect(shown).toMatch(/\n13,value,[\d.]+,5\.00\r\n/);
  });

  it('never tells the key, wherever it was typed', async () => {
    await crm('leads', 'update', '12,13', '--description', `the key is ${place.server.key}`, '--yes', '-q');
    const { stdout, stderr } = await crm('history', '--json');
    expect(stdout + stderr).not.toContain(place.server.key);
    expect((JSON.parse(stdout) as Run[])[0]?.command).toBe('crm leads update 12,13 --description *** --yes -q');
  });

  it('sends nothing, and needs no service', async () => {
    await crm('leads', 'archive', '12,13', '-q', '--yes');
    const { stdout } = await runCrm(['history', '--json'], { env: { ...place.env, CRM_API_KEY: 'another' } });
    expect(JSON.parse(stdout)).toMatchObject([{ kind: 'change', did: '2 leads changed' }]);
    await crm('leads', 'activate', '12,13', '-q', '--yes');
  });

  it('puts what was cut off first, with the command that goes on', async () => {
    place.write('many.csv', `title,status,category\n${Array.from({ length: 400 }, (_, n) => `Row ${n},1,1\n`).join('')}`);
    const running = startCrm(['leads', 'import', `${place.folder}/many.csv`, '--rate', '10', '-q'], place.env);
    while (!(await history()).some(({ did }) => /^\d+ leads? created/.test(did))) await sleep(50);
    running.process.kill('SIGKILL');
    await running.ended;
    await crm('leads', 'tags', '12,13', '--add', 'later', '--yes', '-q');
    const runs = await history();
    expect(runs.map(({ kind, state }) => [kind, state])).toEqual([
      ['import', 'unfinished'],
      ['change', 'done'],
    ]);
    expect(runs[0]?.left).toBe(`unfinished: crm leads import ${place.folder}/many.csv --rate 10 --resume`);
  });

  it('forgets by name, and says what it does not know', async () => {
    await crm('leads', 'tags', '12,13', '--add', 'x', '--yes', '-q');
    const name = (await history())[0]?.run ?? '';
    expect((await crm('history', 'forget', name)).status).toBe(9);
    expect((await crm('history', 'forget', '--yes')).status).toBe(2);
    expect(await crm('history', 'forget', name, '--yes')).toMatchObject({ status: 0, stderr: `Forgotten: run ${name}.\n` });
    expect(await crm('history', name)).toMatchObject({ status: 3, stderr: expect.stringContaining(`There is no run ${name}`) });
  });

  it('names the profile of a run of another service', async () => {
    await crm('leads', 'tags', '12,13', '--add', 'y', '--yes', '-q');
    const name = (await history())[0]?.run ?? '';
    const env = { CRM_DATA_DIR: place.env.CRM_DATA_DIR ?? '', CRM_CONFIG_DIR: place.env.CRM_CONFIG_DIR ?? '' };
    const made = await runCrm(['profile', 'add', 'served', '--base-url', place.server.baseUrl, '--key-stdin'], {
      env,
      stdin: place.server.key,
    });
    expect(made.status, made.stderr).toBe(0);
    const asked = await runCrm(['history', name], { env: { ...env, CRM_BASE_URL: 'https://crm.other.example', CRM_API_KEY: 'key' } });
    expect(asked.status).toBe(3);
    expect(asked.stderr).toContain('Name its profile: -p served');
  });
});
