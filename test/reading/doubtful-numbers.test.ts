// Decimals that somebody typed and that could be thousands: 2 and nothing sent, with both ways to write them.

import { describe, expect, it } from 'vitest';
import { settings } from '../client/support.ts';
import { runHere } from '../support/run-here.ts';

// Nothing answers there.
const env = settings('http://127.0.0.1:9', { CRM_DATA_DIR: '/nonexistent/data' });
const crm = (argv: readonly string[]) => runHere(['--retries', '0', ...argv], { env });

describe('a number that could be thousands', () => {
  it.each<[string, string[], string]>([
    ['of an update', ['leads', 'update', '7', '--value', '145.000'], '--value: "145.000" could be thousands: write 145.00 or 145000.'],
    ['with three decimals', ['leads', 'update', '7', '--value', '145.125'], 'write 145.1250 or 145125.'],
    ['with two decimals and a 0', ['leads', 'update', '7', '--value', '1.120'], 'write 1.12 or 1120.'],
    ['below 0', ['leads', 'update', '7', '--value', '-145.000'], 'write -145.00 or -145000.'],
    ['with a comma', ['items', 'update', '7', '--rate', '12,345'], '--rate: "12,345" could be thousands: write 12.3450 or 12345.'],
    ['of a create', ['leads', 'create', '--title', 'A', '--status', '1', '--category', '1', '--value', '2.500'], 'write 2.50 or 2500.'],
    ['of a clone', ['leads', 'clone', '7', '--value', '2.500'], '--value: "2.500" could be thousands'],
    ['of a filter', ['items', 'list', '--rate-min', '1.000'], '--rate-min: "1.000" could be thousands: write 1.00 or 1000.'],
    ['of a condition', ['leads', 'list', '--where', 'value=145.000'], '"145.000" could be thousands: write 145.00 or 145000.'],
    ['of a range', ['leads', 'list', '--where', 'value=50..145.000'], '"145.000" could be thousands'],
    ['of a selection', ['leads', 'update', '--where', 'value!=1.000', '--source', 'x', '--yes'], '"1.000" could be thousands'],
    ['of a constant', ['leads', 'import', '-', '--format', 'csv', '--constant', 'value=145.000'], '"145.000" could be thousands'],
  ])('%s is refused', async (_name, argv, says) => {
    const { status, stderr } = await runHere(['--retries', '0', ...argv], {
      env,
      cwd: import.meta.dirname,
      ...(argv[1] === 'import' ? { stdin: 'title,status,category\nA,1,1\n' } : {}),
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it.each<[string, string[]]>([
    ['in --set', ['leads', 'update', '7', '--set', 'lead_value=145.000']],
    ['in --data', ['leads', 'update', '7', '--data', '{"value":"145.000"}']],
    ['behind 0', ['leads', 'update', '7', '--value', '0.125']],
    ['behind four digits', ['leads', 'update', '7', '--value', '1450.125']],
    ['with two decimals', ['leads', 'update', '7', '--value', '145.00']],
    ['of a range of two decimals', ['leads', 'list', '--where', 'value=0.500..145.00']],
    ['of a text', ['leads', 'update', '7', '--title', '145.000']],
  ])('%s is none', async (_name, argv) => {
    // It is sent.
    expect((await crm(argv)).status).toBe(7);
  });
});
