// Builds dist/standalone/crm, an executable for this platform that needs no Node: the runtime that runs this script, stripped,
// with the program's chunks and their compiled code as assets. Beside it stand the licences of what is in it, and a bill of materials.
// Two builds are equal: V8 compiles predictably, and no path of this machine goes in.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bundle, prepareAnswers, root, signingOf, thirdPartiesIn, writeLicences } from './build.js';
import { nodeLicence } from './licences.js';
import { sbomText } from './sbom.js';

const outDir = join(root, 'dist', 'standalone');
const parts = join(outDir, 'parts');

await rm(outDir, { recursive: true, force: true });
await mkdir(parts, { recursive: true });
const chunks = [
  ...(await bundle({ process: join(root, 'src/entry/process.ts') }, { dir: parts, format: 'cjs', extension: 'cjs' })),
  ...(await bundle({ main: join(root, 'src/entry/standalone.ts') }, { dir: outDir, format: 'cjs', extension: 'cjs', single: true })),
];
const works = [nodeLicence(), ...thirdPartiesIn(chunks)];
await writeLicences(outDir, works);
await writeFile(join(outDir, 'crm.cdx.json'), sbomText(works));

/** With the same seeds, and in memory that nothing was in before: what pads a compiled function is whatever stood there. */
const predictably = ['--predictable', '--max-semi-space-size=64', '--min-semi-space-size=64'];

const files = (await readdir(parts, { recursive: true })).sort();
const modules = files.filter((path) => path.endsWith('.cjs'));
execFileSync(process.execPath, [...predictably, join(root, 'build/code-cache.js'), parts, ...modules], { stdio: 'inherit' });
const assets = {};
for (const name of modules) {
  const path = join('parts', name);
  Object.assign(assets, { [basename(name)]: path, [`${basename(name)}.cache`]: `${path}.cache` });
}
for (const name of files.filter((path) => path.endsWith('.wasm'))) assets[name] = join('parts', name);
for (const name of await prepareAnswers(join(outDir, 'prepared'))) assets[`prepared/${name}`] = join('prepared', name);

const node = join(outDir, 'node');
await copyFile(process.execPath, node);
await chmod(node, 0o755);
// Stripping saves a quarter of the size; it must come before, because it would cut the program off afterwards.
if (process.platform !== 'win32') {
  const { error } = spawnSync('strip', process.platform === 'darwin' ? ['-x', node] : [node], { stdio: 'inherit' });
  if (error) console.error(`Not stripped, so the executable is larger than it need be: ${error.message}`);
}

const config = {
  main: 'main.cjs',
  output: process.platform === 'win32' ? 'crm.exe' : 'crm',
  executable: 'node',
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets,
};
await writeFile(join(outDir, 'sea.json'), JSON.stringify(config));
// With large pages where there are any: of small ones so many are asked for that this takes twice as long.
const env = { ...process.env, GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };
execFileSync(process.execPath, [...predictably, '--build-sea', 'sea.json'], { cwd: outDir, stdio: 'inherit', env });
const signing = signingOf(process.platform, config.output);
if (signing !== undefined) execFileSync(...signing, { cwd: outDir, stdio: 'inherit' });
for (const leftover of ['node', 'sea.json', 'main.cjs', 'parts', 'prepared']) await rm(join(outDir, leftover), { recursive: true });
