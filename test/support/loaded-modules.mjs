// Preloaded with --import: tells at the end which modules a run has loaded, in the file that LOADED_MODULES names.

import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const before = new Set(process.moduleLoadList);
const files = [];

registerHooks({
  load: (url, context, next) => {
    files.push(url);
    return next(url, context);
  },
});

process.on('exit', () => {
  const builtins = process.moduleLoadList.filter((name) => !before.has(name));
  writeFileSync(process.env.LOADED_MODULES, JSON.stringify({ files, builtins }));
});
