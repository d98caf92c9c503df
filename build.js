// Builds dist/: one entry, and chunks that load only when a command needs them. Types are checked by `npm run check`.

import { rm } from 'node:fs/promises';
import { rolldown } from 'rolldown';

const outDir = new URL('dist/', import.meta.url).pathname;

await rm(outDir, { recursive: true, force: true });
const bundle = await rolldown({
  input: { crm: new URL('src/cli.ts', import.meta.url).pathname },
  platform: 'node',
  logLevel: 'warn',
});
await bundle.write({
  dir: outDir,
  format: 'esm',
  minify: { mangle: { keepNames: true }, compress: true, codegen: true },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
});
await bundle.close();
