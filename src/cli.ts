// The entry: answers --version at once; otherwise turns the compile cache on and loads the rest.

import { useCompileCache } from './compile-cache.ts';
import { version } from './version.ts';

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  useCompileCache(process.env);
  void import('./process.ts').then(({ runProcess }) => runProcess(argv));
}
