// Preloaded with --import: at the end of a process, writes the list of loaded modules to the file named by LOADED_MODULES.

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
