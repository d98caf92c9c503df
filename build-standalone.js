// Builds dist/standalone/crm, an executable for this platform that needs no Node: the runtime that runs this script, stripped,
// with the program's chunks and their compiled code as assets. Beside it stand the licences of what is in it.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { bundle, prepareAnswers, root, writeLicences } from './build.js';
import { nodeLicence } from './build-licences.js';

const outDir = join(root, 'dist', 'standalone');
const parts = join(outDir, 'parts');

await rm(outDir, { recursive: true, force: true });
await mkdir(parts, { recursive: true });
const chunks = [
  ...(await bundle({ process: join(root, 'src/entry/process.ts') }, { dir: parts, format: 'cjs', extension: 'cjs' })),
  ...(await bundle({ main: join(root, 'src/entry/standalone.ts') }, { dir: outDir, format: 'cjs', extension: 'cjs', single: true })),
];
await writeLicences(outDir, chunks, [nodeLicence()]);

const assets = {};
for (const name of (await readdir(parts, { recursive: true })).filter((path) => path.endsWith('.cjs'))) {
  const path = join(parts, name);
  const key = name.slice(name.lastIndexOf('/') + 1);
  const source = `(function (exports, require, module) {${await readFile(path, 'utf8')}\n})`;
  await writeFile(`${path}.cache`, new Script(source, { filename: key }).createCachedData());
  Object.assign(assets, { [key]: path, [`${key}.cache`]: `${path}.cache` });
}

const prepared = join(outDir, 'prepared');
for (const name of await prepareAnswers(prepared)) assets[`prepared/${name}`] = join(prepared, name);

const node = join(outDir, 'node');
await copyFile(process.execPath, node);
await chmod(node, 0o755);
// Stripping saves a quarter of the size; it must come before, because it would cut the program off afterwards.
if (process.platform !== 'win32') {
  const { error } = spawnSync('strip', process.platform === 'darwin' ? ['-x', node] : [node], { stdio: 'inherit' });
  if (error) console.error(`Not stripped, so the executable is larger than it need be: ${error.message}`);
}

const config = {
  main: join(outDir, 'main.cjs'),
  output: join(outDir, process.platform === 'win32' ? 'crm.exe' : 'crm'),
  executable: node,
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets,
};
await writeFile(join(outDir, 'sea.json'), JSON.stringify(config));
execFileSync(process.execPath, ['--build-sea', join(outDir, 'sea.json')], { stdio: 'inherit' });
for (const leftover of ['node', 'sea.json', 'main.cjs', 'parts', 'prepared']) await rm(join(outDir, leftover), { recursive: true });
