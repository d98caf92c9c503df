// Loaded before crm (NODE_OPTIONS=--import): its clocks and its timers run FAST_SPEED times as fast, counted from the moment
// FAST_EPOCH, so that several processes agree; its wall clock is FAST_AHEAD milliseconds ahead.

import { createRequire, syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const speed = Number(process.env.FAST_SPEED ?? 1);
const epoch = Number(process.env.FAST_EPOCH ?? 0);
const ahead = Number(process.env.FAST_AHEAD ?? 0);

const RealDate = globalThis.Date;
const now = () => Math.floor(epoch + (RealDate.now() - epoch) * speed) + ahead;
globalThis.Date = class FastDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }
  static now() {
    return now();
  }
};

const elapsed = performance.now.bind(performance);
performance.now = () => elapsed() * speed;

const nanoseconds = process.hrtime.bigint;
process.hrtime.bigint = () => nanoseconds() * BigInt(speed);

const timers = require('node:timers');
for (const name of ['setTimeout', 'setInterval']) {
  const real = globalThis[name];
  const fast = (work, milliseconds = 0, ...values) => real(work, milliseconds / speed, ...values);
  globalThis[name] = fast;
  timers[name] = fast;
}
const promises = require('node:timers/promises');
const sleep = promises.setTimeout;
promises.setTimeout = (milliseconds = 0, ...rest) => sleep(milliseconds / speed, ...rest);
Object.defineProperty(globalThis.setTimeout, promisify.custom, { value: promises.setTimeout });
syncBuiltinESMExports();
