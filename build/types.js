// Writes the types of the library beside its bundle: those of the client from the families' declarations, the rest by the compiler, of
// which only what the entries lead to is kept. Nothing in them needs another package.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the entries' types are made of, in src/. */
const shared = ['client/library/sandbox.ts', 'client/library/calls.ts', 'client/library/errors.ts'];

/** Writes the types into the library's folder. Throws with what the compiler says. */
export async function writeTypes(library) {
  const made = await mkdtemp(join(tmpdir(), 'crm-types-'));
  try {
    compile(made);
    const wanted = shared.map((file) => join(made, file.replace(/ts$/, 'd.ts')));
    // Grows while it is walked: what a file imports is wanted, too.
    for (const file of wanted) {
      const text = (await readFile(file, 'utf8')).replaceAll(/(?<=from '\.[^']+)\.ts(?=')/g, '.js');
      for (const [, id] of text.matchAll(/from '(\.[^']+)\.js'/g)) {
        const next = join(dirname(file), `${id}.d.ts`);
        if (!wanted.includes(next)) wanted.push(next);
      }
      const place = join(library, 'types', relative(made, file));
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, text);
    }
  } finally {
    await rm(made, { recursive: true });
  }
  const { clientTypes } = await import('./client-types.ts');
  const { referenceFamilies, resources } = await import('../src/model/resources/index.ts');
  await writeFile(join(library, 'client.d.ts'), clientTypes([...resources, ...referenceFamilies], './types/client/library'));
  await writeFile(join(library, 'sandbox.d.ts'), "export * from './types/client/library/sandbox.js';\n");
}

function compile(outDir) {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  const places = ['--rootDir', join(root, 'src'), '--outDir', outDir];
  const typescript = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const config = join(root, 'tsconfig.library.json');
  execFileSync(process.execPath, [typescript, '-p', config, ...options, ...places], { stdio: ['ignore', 'inherit', 'inherit'] });
}
