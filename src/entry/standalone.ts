// The entry of the standalone executable. The program's chunks are assets of the executable, each with its compiled code. Chunks load on
// demand.

import { createRequire } from 'node:module';
import { getAsset, getRawAsset } from 'node:sea';
import { Script } from 'node:vm';
import { answerPrepared } from './prepared.ts';
import type { runProcess } from './process.ts';

type Load = (name: string) => unknown;

/** A chunk's code as a CommonJS module function. */
type Chunk = (exports: object, load: Load, module: { exports: object }) => void;

/** Loads chunks from the assets, each once, and Node's own modules. */
function chunkLoader(): Load {
  const loaded = new Map<string, { exports: object }>();
  const node = createRequire(process.execPath);
  const load: Load = (id) => {
    if (!id.startsWith('.')) return node(id);
    const name = id.slice(id.lastIndexOf('/') + 1);
    const there = loaded.get(name);
    if (there !== undefined) return there.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    compile(name)(module.exports, load, module);
    return module.exports;
  };
  return load;
}

function compile(name: string): Chunk {
  const source = `(function (exports, require, module) {${getAsset(name, 'utf8')}\n})`;
  const cachedData = Buffer.from(getRawAsset(`${name}.cache`));
  return new Script(source, { filename: name, cachedData }).runInThisContext();
}

const argv = process.argv.slice(2);
const readPrepared = (name: string): string => getAsset(`prepared/${name}`, 'utf8');

if (argv[0] === '__complete') {
  void import('./complete.ts').then(({ answerTab }) => answerTab(argv.slice(1), readPrepared, process.env));
} else if (!answerPrepared(argv, readPrepared)) {
  const program = chunkLoader()('./process.cjs') as { runProcess: typeof runProcess };
  void program.runProcess(argv);
}
