// The entry of the installed program: prints prepared answers and answers a Tab; otherwise turns on the compile cache and loads the
// program.

import { readFileSync } from 'node:fs';
import { useCompileCache } from './compile-cache.ts';
import { answerPrepared } from './prepared.ts';

const argv = process.argv.slice(2);

const readPrepared = (name: string): string => readFileSync(new URL(`prepared/${name}`, import.meta.url), 'utf8');

if (argv[0] === '__complete') {
  void import('./complete.ts').then(({ answerTab }) => answerTab(argv.slice(1), readPrepared, process.env));
} else if (!answerPrepared(argv, readPrepared)) {
  useCompileCache(process.env);
  void import('./process.ts').then(({ runProcess }) => runProcess(argv));
}
