// What the question of an import showed guards the write: a colleague may change a record while the question stands.

import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { main } from '../../src/entry/main.ts';
import { fakeIo } from '../support/fake-io.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop({ demo: true });

/** Runs an import on a terminal. `meanwhile` is done while the question stands, before the answer y. */
async function asked(file: string, flags: readonly string[], meanwhile: () => Promise<unknown>) {
  shop.write('f.csv', file);
  async function* answer() {
    await meanwhile();
    yield 'y\n';
  }
  const io = fakeIo({ tty: true, columns: 160 });
  Object.assign(io.stdin, { stream: Readable.from(answer()) });
  const signal = new AbortController().signal;
  const status = await main(['leads', 'import', 'f.csv', ...flags], { io, env: shop.env, cwd: shop.folder, signal });
  return { status, stderr: io.stderrText() };
}

const change = (...argv: string[]) => shop.crm(['leads', ...argv, '-q', '--yes']);
const held = async (id: number) => (await shop.crm(['leads', 'get', String(id), '--json'])).json() as Record<string, unknown>;

it.each([['update'], ['upsert']])('--mode %s: a value that was shown and is another one now is a conflict', async (mode) => {
  await change('update', '12,13', '--value', '10.00');
  const file = 'id,value\n12,11.00\n13,11.00\n';
  const { status, stderr } = await asked(file, ['--mode', mode], () => change('update', '12', '--value', '5000.00'));
  expect(stderr).toContain('10.00 → 11.00');
  expect(stderr).toContain("line 2: conflict: changed while crm asked: value is '5000.00' there, '11.00' in the file.");
  expect(status).toBe(8);
  expect([(await held(12)).value, (await held(13)).value]).toEqual(['5000.00', '11.00']);
});

it('so is a row that the question called unchanged, and one below the examples', async () => {
  await change('update', '12,13,14,15,16', '--value', '10.00');
  const file = 'id,value\n12,11.00\n13,11.00\n14,11.00\n15,11.00\n16,10.00\n';
  const { status } = await asked(file, ['--mode', 'update'], () => change('update', '15,16', '--value', '5000.00'));
  expect(status).toBe(8);
  expect(await Promise.all([14, 15, 16].map(async (id) => (await held(id)).value))).toEqual(['11.00', '5000.00', '5000.00']);
});

it('a set that the row would replace guards, too; other values of the record may change', async () => {
  await change('tags', '12,13', '--clear', '--add', 'a');
  const file = 'id,tags\n12,b\n13,b\n';
  const { status } = await asked(file, ['--mode', 'update', '--sets', 'replace'], async () => {
    await change('tags', '12', '--add', 'theirs');
    await change('update', '13', '--value', '77');
  });
  expect(status).toBe(8);
  expect([(await held(12)).tags, (await held(13)).tags]).toEqual([['a', 'theirs'], ['b']]);
});

it('a record that came to hold the values of its row is unchanged', async () => {
  await change('update', '12', '--value', '10.00');
  const { status } = await asked('id,value\n12,11.00\n', ['--mode', 'update'], () => change('update', '12', '--value', '11.00'));
  expect(status).toBe(0);
});
