// Loaded before crm (NODE_OPTIONS=--import): it is always the same moment. Only the wall clock stands still: timers and
// performance.now go on, so that whoever waits gets on.

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
