// Writes beside each module of a folder what V8 compiles it to: a process of build/standalone.js, which gives the folder and the modules' names.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';

const [folder, ...names] = process.argv.slice(2);
for (const name of names) {
  const path = join(folder, name);
  const source = `(function (exports, require, module) {${readFileSync(path, 'utf8')}\n})`;
  writeFileSync(`${path}.cache`, new Script(source, { filename: basename(name) }).createCachedData());
}
