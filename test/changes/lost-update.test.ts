// A selection's update whose answer is lost: what the record shows then, compared with what was sent.

import { describe, expect, it } from 'vitest';
import { eachBehindProxy } from '../commands/history/support.ts';

const at = eachBehindProxy();

const update = async (source: string) => {
  at.proxy.change({
    answer: ({ method, id }) =>
      method === 'PATCH' && id === 12 ? { answer: 'cut', meanwhile: () => at.place.rewrite('leads', 12, { source }) } : undefined,
  });
  const { status, stdout, stderr } = await at.crm('leads', 'update', '12,13', '--source', 'Fair', '--yes', '--json');
  const [failure] = stderr.includes('{"error"') ? JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error.failures : [];
  return { status, code: failure?.code, changed: JSON.parse(stdout).map((lead: Record<string, unknown>) => [lead.id, lead.source]) };
};

it.each([
  ['the sent value: it is done', 'Fair', 0, undefined],
  ['the sent value as the service may keep it: nobody knows whose it is', 'FAIR', 8, 'outcome_unknown'],
  ['a value of somebody else: a conflict', 'Elsewhere', 8, 'conflict'],
])('it shows %s', async (_what, source, status, code) => {
  expect(await update(source)).toMatchObject({ status, code });
});

it('that arrived is shown as it is now, and undone as any other', async () => {
  const before = (await at.place.record('leads', 12)).source;
  expect(await update('Fair')).toMatchObject({
    changed: [
      [12, 'Fair'],
      [13, 'Fair'],
    ],
  });
  at.proxy.change();
  const [run] = await at.history();
  expect((await at.crm('undo', run?.run ?? '', '--yes')).status).toBe(0);
  expect((await at.place.record('leads', 12)).source).toBe(before);
});

describe('a write of several whose answer is lost', () => {
  type Rewritten = Readonly<Record<string, unknown>>;
  /** What is there when the lost write is looked for: as before where the service never got it, else as the service made it. */
  const end = async (argv: string, lost: 'never came' | 'arrived', meanwhile: Rewritten | string | undefined) => {
    let isLost = false;
    at.proxy.change({
      answer: ({ method, id }) => {
        if (method === 'GET' || id !== 12 || isLost) return undefined;
        isLost = true;
        const happens = async () => {
          if (typeof meanwhile === 'string') await at.place.crm(meanwhile.split(' '));
          else if (meanwhile !== undefined) at.place.rewrite('leads', 12, meanwhile);
        };
        return { answer: 'cut', meanwhile: happens, ...(lost === 'never came' ? { carried: 'never' as const } : {}) };
      },
    });
    const { status, stderr } = await at.crm(...argv.split(' '), '--yes', '--json');
    const [failure] = stderr.includes('{"error"') ? JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error.failures : [];
    const writes = at.proxy.seen.filter(({ method, id }) => method !== 'GET' && id === 12);
    return [status, failure?.code, writes.length];
  };
  const [tags, comment, archive, remove] = [
    'leads tags 12,13 --tags hot',
    'leads comments add 12,13 --text Hello',
    'leads archive 12,13',
    'leads delete 12,13',
  ];
  const other = { 'dates.created': '2020-01-01T00:00:00Z' };

  // biome-ignore format: a table
  it.each<[argv: string, lost: 'never came' | 'arrived', meanwhile: Rewritten | string | undefined, status: number, code: string | undefined, writes: number]>([
    [tags.replace('--tags', '--add'), 'arrived', undefined, 0, undefined, 1],
    [tags.replace('--tags', '--add'), 'never came', undefined, 0, undefined, 2],
    [tags.replace('--tags', '--add'), 'never came', { tags: ['HOT'] }, 8, 'outcome_unknown', 1],
    ['leads status 12,13 --to 2', 'never came', { status: { id: 5, title: 'Negotiation' } }, 8, 'conflict', 1],
    ['leads status 12,13 --to 2', 'never came', undefined, 0, undefined, 2],
    ['leads update 12,13 --source Fair', 'never came', other, 8, 'outcome_unknown', 1],
    [archive, 'never came', undefined, 0, undefined, 2],
    [archive, 'arrived', undefined, 0, undefined, 1],
    [remove, 'never came', undefined, 0, undefined, 2],
    [remove, 'arrived', undefined, 0, undefined, 1],
    [remove, 'never came', other, 0, undefined, 1],
    [comment, 'arrived', undefined, 0, undefined, 1],
    [comment, 'never came', undefined, 0, undefined, 2],
    [comment, 'never came', 'leads comments add 12 Hello', 0, undefined, 1],
    [comment, 'never came', 'leads comments add 12 HELLO', 8, 'outcome_unknown', 1],
    [comment, 'never came', other, 8, 'outcome_unknown', 1],
  ])('%s: it %s, and %j', async (argv, lost, meanwhile, status, code, writes) => {
    expect(await end(argv, lost, meanwhile)).toEqual([status, code, writes]);
  });
});
