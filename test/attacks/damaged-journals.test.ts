// A journal that can't be relied upon: nothing is created beside it, and it is never passed over without a word.

import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { attack, leadOf, leadsFile, type Place, seedLead, seedOf, titlesOf } from './place.ts';

const overwrite = (path: string, from: number, to: number): void => {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, from, to);
  writeFileSync(path, bytes);
};

/** What SQLite keeps beside the file. */
const beside = (path: string): string[] =>
  readdirSync(dirname(path))
    .map((name) => join(dirname(path), name))
    .filter((one) => one.startsWith(`${path}-`));

const without = (path: string): void => {
  for (const one of beside(path)) rmSync(one);
};

const damages: Readonly<Record<string, (path: string) => void>> = {
  'its header overwritten': (path) => {
    without(path);
    overwrite(path, 0, 100);
  },
  'its middle overwritten': (path) => {
    without(path);
    overwrite(path, 4096, statSync(path).size);
  },
  'cut in half': (path) => {
    without(path);
    truncateSync(path, Math.floor(statSync(path).size / 2));
  },
  empty: (path) => {
    without(path);
    truncateSync(path, 0);
  },
};

/** An import of which four rows are done and one is on its way when it is killed. */
async function killed(place: Place, how: NodeJS.Signals = 'SIGKILL'): Promise<string[]> {
  const { service } = place;
  const file = place.write('leads.csv', leadsFile(8));
  const command = ['leads', 'import', file, '--json', '--concurrency', '1'];
  service.script(({ method, nth }) => (method === 'POST' && nth === 5 ? { answer: 'silence' } : undefined));
  const run = place.start(command);
  await service.came(({ method, nth }) => method === 'POST' && nth === 5);
  run.process.kill(how);
  await run.ended;
  service.script(undefined);
  return command;
}

/** Lets SQLite put everything into the file, as the next process that opens it would. */
async function whole(place: Place): Promise<string> {
  await place.crm(['leads', 'import', join(place.folder, 'leads.csv'), '--dry-run', '--json']);
  const [path = ''] = place.journals();
  return path;
}

describe.concurrent('an import was killed, and its journal is', () => {
  for (const [name, damage] of Object.entries(damages)) {
    attack(`damaged (${name}): --resume and a new import are refused, with the path, and send nothing`, async (place) => {
      const command = await killed(place);
      const path = await whole(place);
      damage(path);
      const before = place.service.writes().length;
      for (const args of [[...command, '--resume'], command]) {
        const end = await place.crm(args);
        expect(end.stderr).not.toMatch(/There is no import|nothing to resume/);
        expect([end.status, place.service.writes().length - before], end.stderr).toEqual([10, 0]);
        expect(end.stderr).toContain(path);
      }
      expect(titlesOf(place)).toHaveLength(5);
    });
  }

  attack('damaged: a seed is refused, and changes go on with a warning', async (place) => {
    await killed(place);
    damages['its header overwritten']?.(await whole(place));
    const seed = place.write('seed.yaml', seedOf(seedLead('ada')));
    const applied = await place.crm(['seed', 'apply', seed, '--json']);
    expect(applied.status, applied.stderr).toBe(10);
    const lead = leadOf(place, 50, { source: 'Fair' });
    const end = await place.crm(['leads', 'update', '--where', 'source=Fair', '--value', '7', '--yes', '--json']);
    expect(end.status, end.stderr).toBe(0);
    expect(place.service.values(lead).value).toBe('7.00');
    expect(end.stderr).toMatch(/journal/i);
  });
});

describe.concurrent('a seed was killed, and its journal is', () => {
  for (const [name, damage] of Object.entries(damages)) {
    attack(`damaged (${name}): apply and destroy are refused, and list is not silent, with the path`, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', seedOf(seedLead('ada'), seedLead('ben'), seedLead('cleo')));
      service.script(({ method, nth }) => (method === 'POST' && nth === 2 ? { answer: 'silence' } : undefined));
      const run = place.start(['seed', 'apply', file, '--json', '--concurrency', '1']);
      await service.came(({ method, nth }) => method === 'POST' && nth === 2);
      run.process.kill('SIGKILL');
      await run.ended;
      service.script(undefined);
      await place.crm(['history', '--json']);
      const [path = ''] = place.journals();
      damage(path);
      const before = service.writes().length;
      for (const args of [
        ['seed', 'apply', file, '--json'],
        ['seed', 'destroy', file, '--yes', '--json'],
      ]) {
        const end = await place.crm(args);
        expect([args[1], end.status, service.writes().length - before], end.stderr).toEqual([args[1], 10, 0]);
        expect(end.stderr).toContain(path);
      }
      expect((await place.crm(['history', '--json'])).stderr).toContain(path);
    });
  }
});
