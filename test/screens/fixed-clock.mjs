// Loaded before crm (NODE_OPTIONS=--import): it is always the same moment. Only the wall clock stands still: timers and
// performance.now go on, so that whoever waits gets on. What is drawn at random is always the same, too: the names of runs.

import { rowOf } from './row-of-numbers.mjs';

const now = Date.parse(process.env.SCREENS_NOW ?? '2026-11-21T10:00:00Z');

globalThis.Date = class StillDate extends globalThis.Date {
  constructor(...parts) {
    if (parts.length === 0) super(now);
    else super(...parts);
  }
  static now() {
    return now;
  }
};

// Libraries draw when they are loaded, which is now before and now behind the name of a run: they have another row of numbers.
const [ofRuns, ofOthers] = [rowOf(1), rowOf(2)];
Math.random = () => (new Error().stack?.includes('/chunks/journal-') ? ofRuns() : ofOthers());
