// A selection's update whose answer is lost: what the record shows then, compared with what was sent.

import { expect, it } from 'vitest';
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
