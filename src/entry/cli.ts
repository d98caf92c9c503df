// The entry: gives the answers that the build has prepared; otherwise turns the compile cache on and loads the rest.

import { readFileSync } from 'node:fs';
import { useCompileCache } from './compile-cache.ts';
import { answerPrepared } from './prepared.ts';

const argv = process.argv.slice(2);

const readPrepared = (name: string): string => readFileSync(new URL(`prepared/${name}`, import.meta.url), 'utf8');

if (!answerPrepared(argv, readPrepared)) {
  useCompileCache(process.env);
  void import('./process.ts').then(({ runProcess }) => runProcess(argv));
}
