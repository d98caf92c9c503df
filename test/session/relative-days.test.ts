// TZ without a zone: Node takes UTC and says nothing, so crm says it, once, where a relative day is used.

import { expect, it } from 'vitest';
import { nowFor } from '../../src/session/relative-days.ts';
import { fakeContext } from './profiles/support.ts';

it.each<[string, string[], number]>([
  ['Nowhere/Zone', ['today'], 1],
  ['Nowhere/Zone', ['last_contacted=..-30d', 'created=today..', '+2w'], 1],
  ['Nowhere/Zone', ['2026-01-31', 'title=today I learnt', 'value=-30', ''], 0],
  ['Europe/Berlin', ['today'], 0],
  ['UTC0', ['today'], 0],
  ['EST5EDT', ['-1d'], 0],
  ['<+03>-3', ['-1d'], 0],
  [':/usr/share/zoneinfo/Europe/Berlin', ['today'], 0],
  ['/etc/localtime', ['today'], 0],
  ['', ['today'], 0],
])('TZ=%s with %j: %i notice', (TZ, texts, told) => {
  const context = fakeContext({ configDir: '', env: { TZ } });
  for (const text of texts) nowFor(context, text);
  nowFor(context, ...texts);
  expect(context.afterwards).toEqual(
    told === 0
      ? []
      : [
          'TZ is "Nowhere/Zone", which is no time zone: days such as today were counted in UTC. A zone is called Europe/Berlin, for example.',
        ],
  );
});
