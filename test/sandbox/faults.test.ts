// Faults of the embedded CRM: each fault as it should be, by its seed the same again, and commands that come through it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../../src/client/library/sandbox.ts';
import { startSandbox } from '../support/crm.ts';
import { runHere } from '../support/run-here.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-faults-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lead = { method: 'POST', body: new URLSearchParams({ lead_title: 'Till', lead_status: '1', lead_categoryid: '1' }) };
const url = (path: string): string => `http://crm.test${path}`;

/** What a request came to, in a word. */
async function fate(request: Promise<Response>): Promise<string> {
  try {
    const response = await request;
    const text = await response.text();
    return text.startsWith('{') ? String(response.status) : `${response.status} no JSON`;
  } catch (error) {
    return error instanceof TypeError ? 'broken' : 'another error';
  }
}

async function leadsIn(sandbox: Sandbox): Promise<number> {
  for (;;) {
    const answer = await sandbox.fetch(url('/api/leads?limit=1')).then(
      (response) => response.text(),
      () => '',
    );
    if (answer.startsWith('{"data"')) return (JSON.parse(answer) as { meta: { total: number } }).meta.total;
  }
}

describe('each fault', () => {
  it.each([
    ['reset=0.5', 'broken', 0],
    ['cut-after-commit=0.5', 'broken', 1],
    ['503=0.5', '503', 0],
    ['429=0.5', '429', 0],
    ['garbage=0.5', '200 no JSON', 1],
  ])('%s: the sender has "%s", and the service %j more', async (faults, expected, made) => {
    await using sandbox = await openSandbox({ faults, faultSeed: 7 });
    const before = await leadsIn(sandbox);
    const fates: string[] = [];
    for (let number = 0; number < 20; number += 1) fates.push(await fate(sandbox.fetch(url('/api/leads'), lead)));
    const failed = fates.filter((one) => one === expected).length;
    expect(new Set(fates)).toEqual(new Set(['201', expected]));
    expect(await leadsIn(sandbox)).toBe(before + 20 - failed + made * failed);
  });

  it('a 429 says when to come again', async () => {
    await using sandbox = await openSandbox({ faults: '429=1:retry-after=2' });
    expect((await sandbox.fetch(url('/api/leads'))).headers.get('retry-after')).toBe('2');
  });

  it('slow comes later, and is done', async () => {
    await using sandbox = await openSandbox({ faults: 'slow=1:200' });
    const began = performance.now();
    expect((await sandbox.fetch(url('/api/leads'), lead)).status).toBe(201);
    expect(performance.now() - began).toBeGreaterThan(150);
  });

  it('the same seed fails the same requests, another one others', async () => {
    const day = async (faultSeed: number): Promise<string[]> => {
      await using sandbox = await openSandbox({ faults: 'reset=0.2,503=0.2,garbage=0.2', faultSeed });
      const fates: string[] = [];
      for (let number = 0; number < 60; number += 1) fates.push(await fate(sandbox.fetch(url('/api/leads'))));
      return fates;
    };
    const [one, again, other] = [await day(3), await day(3), await day(4)];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(new Set(one)).toEqual(new Set(['200', 'broken', '503', '200 no JSON']));
  });

  it.each([
    ['resets=0.1', '"resets=0.1" is no fault: write one of'],
    ['reset=2', 'the probability is a number from 0 to 1'],
    ['reset=0.6,slow=0.6', 'the probabilities add up to more than 1'],
    ['reset=0.1,reset=0.2', 'reset is given twice'],
    ['slow=0.1:soon', 'a number of milliseconds'],
    ['429=0.1:2', 'retry-after=SECONDS'],
    ['reset=0.1:2', 'reset takes no colon'],
  ])('%s is refused', async (faults, message) => {
    await expect(openSandbox({ faults })).rejects.toThrow(message);
  });
});

describe('over HTTP', () => {
  const served = ['--fault', 'reset=0.05,cut-after-commit=0.05,503=0.05,429=0.05:retry-after=0,garbage=0.03', '--fault-seed', '23'];

  it('an import comes through a bad day: each row is there once', async () => {
    const server = await startSandbox(['--db', join(folder, 'crm.sqlite'), '--empty', ...served]);
    try {
      const env = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key, CRM_DATA_DIR: folder, CRM_CONFIG_DIR: folder };
      const rows = Array.from({ length: 40 }, (_, number) => `Lead ${number},1,1`);
      const stdin = `title,status,category\n${rows.join('\n')}\n`;
      const ended = await runHere(['leads', 'import', '-', '--format', 'csv', '--json', '-q'], { env, stdin });
      expect([0, 8], ended.stderr).toContain(ended.status);
      const file = { ...env, CRM_BASE_URL: `sandbox:${join(folder, 'crm.sqlite')}` };
      const titles = JSON.parse((await runHere(['leads', 'list', '--all', '--json', '-q'], { env: file })).stdout).map(
        ({ title }: { title: string }) => title,
      );
      expect(titles.filter((title: string, at: number) => titles.indexOf(title) !== at)).toEqual([]);
      if (ended.status === 0) expect(titles).toHaveLength(40);
    } finally {
      await server.stop();
    }
  });

  it('tells the seed that nobody gave, and takes none without a fault', async () => {
    const env = { CRM_DATA_DIR: folder, CRM_CONFIG_DIR: folder };
    const refused = await runHere(['sandbox', 'serve', '--fault-seed', '3'], { env });
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--fault-seed needs --fault')]);
    const wrong = await runHere(['sandbox', 'serve', '--fault', 'flood=1'], { env });
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('--fault: "flood=1" is no fault')]);
  });
});
