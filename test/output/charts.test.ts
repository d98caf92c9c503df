// Reports as a terminal shows them, of an invented family.

import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { writeChart } from '../../src/output/charts.ts';
import type { Chart, ChartLine } from '../../src/output/result.ts';
import { symbolsFor } from '../../src/output/streams/symbols.ts';
import { fakeIo } from '../support/fake-io.ts';
import { now, ships } from './samples.ts';

const line = (port: string | undefined, count: number, sum: string, beside: number[] = []): ChartLine => ({
  label: port === undefined ? { none: 'nowhere' } : { sample: { port: { city: port } } },
  count,
  sum,
  beside,
});

const ports: Chart = {
  columns: ['port', 'ships', 'price'],
  label: 'port.city',
  shape: ships,
  lines: [line('Bergen', 12, '400.00'), line('Göteborg', 3, '105.00'), line('Rotterdam', 1, '-20.00'), line(undefined, 0, '0.01')],
  total: { count: 16, sum: '485.01', beside: [] },
  notes: ['2 without a price', 'sunk 3 apart'],
};

async function draw(chart: Chart, columns: number, { env = {}, color = false }: { env?: Record<string, string>; color?: boolean } = {}) {
  const io = { ...fakeIo({ tty: true, columns, color }), symbols: symbolsFor(env) };
  await writeChart(chart, { io, now, shape: ships, flags: { csvRaw: false } });
  return io.stdoutText();
}
const lines = (text: string): string[] => text.trimEnd().split('\n');

it('bars are of the sums, to an eighth of a column; none below 0', async () => {
  expect(lines(await draw(ports, 60))).toEqual([
    'PORT       SHIPS  BY PRICE                             PRICE',
    'Bergen        12  ██████████████████████████████████  400.00',
    'Göteborg       3  ████████▉                           105.00',
    'Rotterdam      1                                      -20.00',
    '────────────────────────────────────────────────────────────',
    'Total         16                                      485.01',
    '2 without a price',
    'sunk 3 apart',
  ]);
});

it('in plain ASCII they are whole, and what is cut shows as ~', async () => {
  const long = { ...ports, lines: [line('Rotterdam, third basin, quay 7', 1, '1.00'), line('Bergen', 1, '3.00')] };
  expect(lines(await draw(long, 60, { env: { LANG: 'C' } })).slice(1, 4)).toEqual([
    'Rotterdam, third basi~      1  #######                  1.00',
    'Bergen                      1  #####################    3.00',
    '------------------------------------------------------------',
  ]);
});

it('where it is narrow there are no bars', async () => {
  expect(lines(await draw(ports, 32))).toEqual([
    'PORT       SHIPS   PRICE',
    'Bergen        12  400.00',
    'Göteborg       3  105.00',
    'Rotterdam      1  -20.00',
    '────────────────────────',
    'Total         16  485.01',
    '2 without a price',
    'sunk 3 apart',
  ]);
});

it('what is counted beside stands in columns of its own as far as there is room, and a row may be of it alone', async () => {
  const beside = {
    ...ports,
    columns: ['port', 'ships', 'price', 'sunk', 'lost'],
    lines: [line('Bergen', 12, '400.00', [3, 0]), line(undefined, 0, '0.00', [0, 1])],
    total: { count: 12, sum: '400.00', beside: [3, 1] },
  };
  expect(lines(await draw(beside, 200))).toEqual([
    'PORT     SHIPS  BY PRICE                                   PRICE  SUNK  LOST',
    'Bergen      12  ████████████████████████████████████████  400.00     3     0',
    'nowhere      0                                              0.00     0     1',
    '────────────────────────────────────────────────────────────────────────────',
    'Total       12                                            400.00     3     1',
    '2 without a price',
    'sunk 3 apart',
  ]);
  expect(lines(await draw(beside, 30))[1]).toBe('Bergen      12  400.00     3');
});

it('without any sum above 0 bars are of the counts, and without any count there are none', async () => {
  const counted = (count: number): Chart => ({
    ...ports,
    columns: ['port', 'ships'],
    lines: [{ ...line('Bergen', count, '0'), beside: [1] }],
    total: { count, beside: [] },
    notes: [],
  });
  expect(lines(await draw(counted(4), 40))[1]).toBe('Bergen      4  █████████████████████████');
  expect(lines(await draw(counted(0), 40))[1]).toBe('Bergen      0');
});

it('no number is cut, however narrow it is', async () => {
  const huge = {
    ...ports,
    lines: [line('Bergen', 123_456, '12345678901234567890.10')],
    total: { count: 123_456, sum: '12345678901234567890.10', beside: [] },
  };
  for (const columns of [1, 5, 20, 40]) expect(await draw(huge, columns)).toMatch(/ 123,456 {2}12,345,678,901,234,567,890\.10\n/);
});

it('where it is very narrow the numbers stand below the labels', async () => {
  expect(lines(await draw(ports, 20))).toEqual([
    'PORT',
    '  SHIPS   PRICE',
    'Bergen',
    '     12  400.00',
    'Göteborg',
    '      3  105.00',
    'Rotterdam',
    '      1  -20.00',
    '───────────────',
    'Total',
    '     16  485.01',
    '2 without a price',
    'sunk 3 apart',
  ]);
});

it('a sum of one cent beside millions is still to be seen', async () => {
  const few = { ...ports, lines: [line('Bergen', 1, '9000000.00'), line('Rotterdam', 1, '0.01')] };
  expect(lines(await draw(few, 80))[2]).toMatch(/▏ +0\.01$/);
});

it('text of the service is harmless, and the colours are those of headings and remarks', async () => {
  const text = await draw({ ...ports, lines: [line('x\x1b[2J\n', 1, '1.00')] }, 80, { color: true });
  expect(text).not.toContain('\x1b[2J');
  expect(stripVTControlCharacters(text)).toContain('x\\x1b[2J↵');
  expect(text).toContain('\x1b[2mPORT');
  expect(text).toContain('\x1b[2m2 without a price');
});

it('names that are the same have their ids beside them; neither moves the cursor', async () => {
  const again = (id: string): ChartLine => ({ label: { sample: { port: { city: 'Bergen' } }, id }, count: 1, sum: '1.00', beside: [] });
  const nameless: ChartLine = { label: { none: '\u001b[2J' }, count: 1, sum: '1.00', beside: [] };
  expect(lines(await draw({ ...ports, lines: [again('2'), again('\u001b[3m'), nameless] }, 32)).slice(1, 4)).toEqual([
    'Bergen (2)            1    1.00',
    'Bergen (\\x1b[3m)      1    1.00',
    '\\x1b[2J               1    1.00',
  ]);
});
