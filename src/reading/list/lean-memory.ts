// Makes the garbage collector keep memory small, for long lists.

import { setV8Flag } from '../../base/v8-flag.ts';

/** `young`: the room for new objects grows no more. `old`: old objects get a third more than they need, which is slower. */
const flags = { young: '--semi-space-growth-factor=1', old: '--heap-growing-percent=30' } as const;

/** The room for new objects, in bytes, at which it stays: the start has 1 MiB. */
const roomForNew = 4 * 1024 * 1024;
const betweenLooks = 25;

/**
 * Makes V8 favour memory over speed from here on. A long list needs little memory at any time. By default V8 collects late, which is
 * faster, and the process grows by half.
 */
export function favourMemory(...parts: readonly (keyof typeof flags)[]): void {
  if (parts.includes('old')) setV8Flag(flags.old);
  if (!parts.includes('young')) return;
  // With the room of the start, a page is still in use when V8 collects: its objects are moved twice as often, for nothing.
  const keepOnceGrown = (): void => {
    const spaces = process.getBuiltinModule('node:v8').getHeapSpaceStatistics();
    const room = spaces.find((space) => space.space_name === 'new_space')?.space_size ?? roomForNew;
    if (room >= roomForNew) setV8Flag(flags.young);
    else setTimeout(keepOnceGrown, betweenLooks).unref();
  };
  keepOnceGrown();
}
