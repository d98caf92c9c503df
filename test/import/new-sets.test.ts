// New rows at a service whose rule tags new leads and assigns them: tags are added, and the people of the file win. Every row alike.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Crm } from '../support/crm.ts';
import { type Oddities, type OddService, oddService, people } from '../support/odd-service.ts';
import { runHere } from '../support/run-here.ts';

let folder: string;
let service: OddService;

const rule: Oddities['keeps'] = (lead, { what }) => {
  if (what !== 'POST') return;
  lead.tags = ['auto'];
  lead.assigned = people.filter(({ id }) => id === 2);
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-sets-'));
  service = await oddService(folder, [], { keeps: rule });
});
afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const crm = (...args: string[]): Promise<Crm> => runHere(args, { env: service.env, cwd: folder });
const importOf = (text: string, ...flags: string[]): Promise<Crm> => {
  writeFileSync(join(folder, 'f.csv'), text);
  return crm('leads', 'import', 'f.csv', '--json', ...flags);
};
const held = (): string[] => [...service.leads.values()].map(({ tags, assigned }) => `${tags} / ${assigned.map(({ name }) => name)}`);

const rows = 'title,status,category,tags,assigned\nA,1,1,hot,3\nB,1,1,hot; auto,3; 1\nC,1,1,,2\nD,1,1,cold,\n';

it.each([
  [[], ['auto,hot / Cleo Kin', 'auto,hot / Ada Boss,Cleo Kin', 'auto / Jonas Weber', 'auto,cold / Jonas Weber'], 2],
  [
    ['--sets', 'add'],
    ['auto,hot / Jonas Weber,Cleo Kin', 'auto,hot / Ada Boss,Jonas Weber,Cleo Kin', 'auto / Jonas Weber', 'auto,cold / Jonas Weber'],
    0,
  ],
  [['--sets', 'replace'], ['hot / Cleo Kin', 'hot,auto / Ada Boss,Cleo Kin', 'auto / Jonas Weber', 'cold / Jonas Weber'], 2],
  [
    ['--mode', 'upsert', '--match', 'title'],
    ['auto,hot / Cleo Kin', 'auto,hot / Ada Boss,Cleo Kin', 'auto / Jonas Weber', 'auto,cold / Jonas Weber'],
    2,
  ],
] as const)('an import with %j', async (flags, wanted, displaced) => {
  const { status, stdout, stderr } = await importOf(rows, ...flags);
  expect([status, JSON.parse(stdout)], stderr).toMatchObject([0, { created: 4 }]);
  expect(held()).toEqual(wanted);
  const told = "new leads were Jonas Weber's by a rule of the service; the file's people have them now.";
  expect(stderr.split('\n').filter((line) => line.includes('by a rule'))).toEqual(displaced === 0 ? [] : [`${displaced} ${told}`]);
});

it('each set is read in its own turn; rows without sets pay nothing', async () => {
  const count = (): string[] => service.requests.splice(0).map((one) => one.replace(/\d+/, '1'));
  const forms = (all: readonly string[]): Record<string, number> =>
    Object.fromEntries([...new Set(all)].map((one) => [one, all.filter((other) => other === one).length]));
  await importOf('title,status,category,tags,assigned\nA,1,1,hot,3\nB,1,1,cold,1\n');
  expect(forms(count())).toMatchObject({
    'POST /api/leads': 2,
    'GET /api/leads/1': 4,
    'PUT /api/leads/1/tags': 2,
    'PUT /api/leads/1/assigned': 2,
  });
  await importOf('title,status,category\nC,1,1\nD,1,1\n');
  expect(forms(count())).toEqual({ 'GET /api/leads': 1, 'POST /api/leads': 2 });
});

it('an undo of the import deletes the leads: the sets are those that the run left', async () => {
  const { stdout } = await importOf(rows);
  const { run } = JSON.parse(stdout) as { run: string };
  expect((await crm('undo', run, '--yes')).status).toBe(0);
  expect(service.leads.size).toBe(0);
});
