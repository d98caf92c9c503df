// Which tests run when. `quick` starts no process and takes no long time; `alone` is the same, for what others in its worker would be
// disturbed by: both in a minute or two, for while one works. `daily` is the rest of `npm test`: it runs the built command, or takes longer;
// `apart` is what would disturb others there. What is slow by nature is `npm run test:everywhere`'s: `campaigns` on both runtimes, each in
// its own size, `once` on the pinned one, `oldest` on the oldest one, in its large size: other programs are the matter there, or the
// executable, which has the pinned runtime in it, runs them, too. `stories` are those that are played in CI alone.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Tests that kill, and tests for which what the runtime does is what matters. */
const campaigns = [
  'test/import/undecided.test.ts',
  'test/import/crash.test.ts',
  'test/seed/crash.test.ts',
  'test/session/profiles/store.test.ts',
  'test/client/elsewhere.test.ts',
  'test/entry/compile-cache.test.ts',
];

/** Tests that attack, that search, that fill disks, that take terminals' pictures, or look into what the build made. */
const once = [
  'test/entry/environments.test.ts',
  'test/entry/loaded-modules.test.ts',
  'test/base/files/read-whole.test.ts',
  'test/sandbox/service/disk.test.ts',
  'test/output/full-disk.test.ts',
  'test/commands/history/full-disk.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/simulation/faults.test.ts',
  'test/screens/pictures.test.ts',
  'test/output/jq-referee.test.ts',
  'test/output/formats/html-page.test.ts',
  'test/package.test.ts',
  'test/build.test.ts',
  'test/sandbox/service/writers.test.ts',
];

/** Scripts whose every command is a process, terminals, what goes through spreadsheets and shells, and what is long on any runtime. */
const oldest = [
  'test/acceptance/details.test.ts',
  'test/acceptance/questions.test.ts',
  'test/acceptance/terminal.test.ts',
  'test/acceptance/week.test.ts',
  'test/import/edited-exports.test.ts',
  'test/import/spreadsheet.test.ts',
  'test/import/large-workbooks.test.ts',
  'test/import/workbooks.test.ts',
  'test/cli/completions/shells.test.ts',
  'test/cli/completions/live.test.ts',
  'test/commands/history/undo.test.ts',
  'test/import/service.test.ts',
];

/** The other half of simulation.test.ts's stories. */
const stories = ['test/simulation/even.test.ts'];

/** In one process, and yet too long to wait for between two changes; stories replace what others in their worker would miss. */
const long = [
  'test/simulation/simulation.test.ts',
  'test/simulation/letter.test.ts',
  'test/client/paging.test.ts',
  'test/client/refusals.test.ts',
  'test/import/apply.test.ts',
  'test/import/import.test.ts',
  'test/import/pauses.test.ts',
  'test/import/round-trip.test.ts',
  'test/cli/derive/minimal-calls.test.ts',
  'test/seed/plan.test.ts',
  'test/sandbox/service/lists.test.ts',
  'test/model/bodies/replaced-set.test.ts',
];

/** The program starts processes in them by itself (an editor, a command that gives a key), or they import what the build makes. */
const withChildren = ['test/wire/edit.test.ts', 'test/commands/doctor/doctor.test.ts', 'examples/sandbox.test.ts'];

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const tests = globSync(['test/**/*.test.ts', 'examples/*.test.ts'], {
  cwd: root,
  exclude: ['**/node_modules', 'test/referees', 'test/windows'],
});

/** Modules that can start a process, or replace another module for all that follow. */
const starters = /^node:(child_process|worker_threads)$/;

/** Whether a test, or support code that it imports, starts processes. */
function startsProcesses(test: string): boolean {
  const reached = new Set([test]);
  for (const path of reached) {
    for (const [, id = ''] of read(path).matchAll(/^(?:import (?!type ).*|\} )from '([^']+)';$/gm)) {
      if (starters.test(id)) return true;
      const file = normalize(join(dirname(path), id));
      if (id.startsWith('.') && file.startsWith('test/')) reached.add(file);
    }
  }
  return false;
}

/** One fills the memory; the other has nock, which replaces the sockets for all that follow in its worker. */
const ownWorkers = ['test/client/paging.test.ts', 'test/wire/edit.test.ts'];

/** A file that replaces modules or timers may do so for those that share its worker, and one that fills the memory slows them down. */
const wantsAWorker = (test: string): boolean =>
  ownWorkers.includes(test) || /\bvi\.(mock|doMock|resetModules|useFakeTimers)\(/.test(read(test));

const isOnce = (test: string): boolean => once.includes(test) || test.startsWith('test/attacks/');
const inCi = [...campaigns, ...oldest, ...stories];
const others = tests.filter((path) => !inCi.includes(path) && !isOnce(path));
const isQuick = (path: string): boolean => !startsProcesses(path) && !withChildren.includes(path) && !long.includes(path);
const [quick, daily] = [others.filter(isQuick), others.filter((path) => !isQuick(path))];
export const suites = {
  quick: quick.filter((path) => !wantsAWorker(path)),
  alone: quick.filter(wantsAWorker),
  daily: daily.filter((path) => !wantsAWorker(path)),
  apart: daily.filter(wantsAWorker),
  campaigns,
  once: tests.filter(isOnce),
  oldest,
  stories,
};

/**
 * Each file of these groups has a worker of its own. Elsewhere files share theirs, which loads the program once; none there replaces a part
 * of it.
 */
export const withOwnWorkers: readonly string[] = ['alone', 'apart'];

/** What takes longest comes first, so that at the end no processor waits for one file. */
export const longest = [
  'test/simulation/simulation.test.ts',
  'test/simulation/even.test.ts',
  'test/acceptance/acceptance.test.ts',
  'test/screens/screens.test.ts',
  'test/import/import.test.ts',
  'test/acceptance/terminal.test.ts',
  'test/import/crash.test.ts',
  'test/simulation/faults.test.ts',
  'test/cli/completions/shells.test.ts',
  'test/acceptance/details.test.ts',
  'test/reading/report/sums.test.ts',
  'test/import/large-workbooks.test.ts',
  'test/import/service.test.ts',
  'test/cli/derive/minimal-calls.test.ts',
  'test/seed/crash.test.ts',
  'test/import/apply.test.ts',
];
