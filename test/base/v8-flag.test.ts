// Flags of V8 are set where they were tried: with the pinned Node, which runs this.

import v8 from 'node:v8';
import { expect, it, vi } from 'vitest';
import { setV8Flag } from '../../src/base/v8-flag.ts';

it('a flag is set', () => {
  const set = vi.spyOn(v8, 'setFlagsFromString').mockReturnValue(undefined);
  setV8Flag('--heap-growing-percent=30');
  expect(set.mock.calls).toEqual([['--heap-growing-percent=30']]);
  set.mockRestore();
});
