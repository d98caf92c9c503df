// Preloaded into a process: a timer of a second or more that goes off is told on standard error. Such a timer holds a process that has no
// other work left. Timers that are unreferenced hold nothing.

import { createHook } from 'node:async_hooks';
import { writeSync } from 'node:fs';

const waiting = new Map();
const hook = createHook({
  init: (id, type, _trigger, timer) => void (type === 'Timeout' && waiting.set(id, timer)),
  before: (id) => {
    const timer = waiting.get(id);
    if (timer?.hasRef() && timer._idleTimeout >= 1000) writeSync(2, `a timer of ${timer._idleTimeout} ms went off\n`);
  },
  destroy: (id) => void waiting.delete(id),
});
hook.enable();
