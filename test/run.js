// `npm test`: types, lint, the build, and the tests of every day (suites.ts) on the pinned runtime. Generated files are among them.
// `npm run test:everywhere`: what only CI needs. The tests that are slow by nature; on the oldest supported runtime the rooms where a
// runtime matters and the campaigns, tests that search and tests that kill, made much larger than anybody would wait for. And with the
// standalone executable the acceptance tests and the referees: programs of others that judge what is handed out, with a lock file of their
// own. And the command with Node for Windows under Wine, with a lock file of its own.
// `npm run test:windows`: the latter alone. `.ci/run` plays the stories of these, and fetches the packages that they need, while `npm test`
// waits now and then: `node test/run.js stories`, `packages`.
// All end with what failed, the processor time, and a line `N passed, N failed`; each check counts as one. CRM_TEST_TALLY names a file
// that gets these lines, too.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inPackage = (name, path) => join(root, 'node_modules', name, path);
const ending = process.platform === 'win32' ? '.exe' : '';

/** The project's own runtime, whichever one runs this file. */
const pinned = inPackage('node', `bin/node${ending}`);
const oldest = '22.20.0';

/** The most seconds of processors that `npm test` may take; beside other work it takes 10 to 18 % more than alone, and beside much up to 40. */
const dailyBound = 360;

/** Nobody else changes this clone: what is made of it once stays. */
const isCi = process.env.CI === 'true';

/** The groups of suites.ts that run every day. */
const everyDay = ['quick', 'alone', 'daily', 'apart'];

/** The rooms whose code a runtime can carry out in another way; the other rooms' tests compare texts with texts. */
const runtimeRooms = ['entry', 'output', 'client', 'sandbox', 'acceptance', 'simulation'].map((room) => `test/${room}/`);

/** Settings that make tests large: on the oldest runtime, where all run beside each other. */
const large = {
  CRM_CRASH_ROWS: '1000',
  CRM_PROPERTY_RUNS: '1000',
  CRM_REPORT_LEADS: '100000',
  // All shells and their settings, office programs, and what waits for long.
  CRM_SLOW: '1',
};

/** On the pinned runtime, which plays one in less time. Each planted fault has to be found by the 2,000th story about it. */
const manyStories = { CRM_SIMULATION_STORIES: '5000' };

const folder = mkdtempSync(join(tmpdir(), 'crm-test-'));
const tally = { passed: 0, failed: 0 };
/** Seconds of processors that programs have used so far: those that ended, with all that they waited for. */
let used = 0;
/** What failed, each with the first line of its complaint: said once more at the end, where it is looked for. */
const failures = [];

/** Seconds in the lines that a shell's `times` prints: `0m1.20s 0m0.35s`, with a comma in some languages. */
const secondsIn = (text) =>
  [...text.matchAll(/(\d+)m([\d.,]+)s/g)].reduce((sum, [, minutes, rest]) => sum + minutes * 60 + Number(rest.replace(',', '.')), 0);

/** The words of a program; where there is a shell, one that notes in a file what the program used. `patient`: see `run`. */
function timed(command, args, file, patient) {
  if (process.platform === 'win32') return [command, args];
  return ['sh', ['-c', '"$@"; status=$?; times >"$0"; exit $status', file, ...(patient ? ['nice', '-n', '5'] : []), command, ...args]];
}

/**
 * Runs a program. Its output is shown as it comes, or at its end where others run beside it. `patient`: others have three times its share of
 * the processors; with less it would come to no end on a busy machine. Resolves to whether it succeeded.
 */
function run(command, args, { env = {}, beside = false, patient = false } = {}) {
  const own = { ...process.env, PATH: `${dirname(pinned)}${delimiter}${process.env.PATH}`, ...env };
  const line = `\n> ${[command, ...args].join(' ')}`;
  if (!beside) console.log(line);
  const stdio = beside ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
  const times = join(folder, `${randomUUID()}.times`);
  const child = spawn(...timed(command, args, times, patient), { cwd: root, stdio, env: own });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (status) => {
      const seconds = existsSync(times) ? secondsIn(readFileSync(times, 'utf8')) : 0;
      used += seconds;
      console.log(`${beside ? `${line}\n${output}` : ''}${Math.round(seconds)} s of processor time`);
      resolve(status === 0);
    });
  });
}

function count(what, succeeded) {
  tally[succeeded ? 'passed' : 'failed'] += 1;
  if (!succeeded) failures.push(what);
  return succeeded;
}

/** The failed tests of a report, and the files that could not even be loaded. */
function failuresIn(report, name) {
  return report.testResults.flatMap(({ name: file, assertionResults, message }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const told = failed.map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages.join())}`);
    if (message) told.push(firstLine(message));
    return told.map((one) => `${name}: ${relative(root, file)}: ${one}`);
  });
}

/** Options for the tests of these groups of suites.ts. */
const projects = (...names) => names.flatMap((name) => ['--project', name]);

const firstLine = (text) => text.split('\n', 1)[0];

/** The tests on one runtime: all, or those below some paths. A run that dies without a report counts as one failure. */
async function test(node, name, { tests = [], env = {}, options = [], ...how } = {}) {
  const report = join(folder, `${name}.json`);
  const succeeded = await run(
    node,
    [
      inPackage('vitest', 'vitest.mjs'),
      'run',
      ...tests,
      ...options,
      '--no-color',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { env: { PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, ...env }, ...how },
  );
  if (!existsSync(report)) return count(`${name}: vitest left no report`, false);
  const told = JSON.parse(readFileSync(report, 'utf8'));
  tally.passed += told.numPassedTests;
  tally.failed += told.numFailedTests;
  failures.push(...failuresIn(told, name));
  if (told.numFailedTests === 0 && (told.numFailedTestSuites > 0 || !succeeded)) count(`${name}: vitest failed, see above`, false);
}

/** The oldest supported runtime, from the registry; kept beside the packages. */
async function installOldest() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const prefix = join(root, 'node_modules', '.cache', `node-${oldest}`);
  const node = join(prefix, 'node_modules', name, 'bin', `node${ending}`);
  const words = ['install', '--no-save', '--no-package-lock', '--prefix', prefix, `${name}@${oldest}`];
  if (!existsSync(node)) await run('npm', words, { beside: true });
  return existsSync(node) ? node : undefined;
}

/** Seconds of processors that everything on this machine has used since it started. */
const usedByAll = () => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;

async function testHere() {
  const before = usedByAll();
  // The tests wait now and then: a processor has time for these. npx takes most of a second itself; tsc has memory enough to collect nothing.
  const checks = {
    biome: run(pinned, [inPackage('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.'], { beside: true }),
    tsc: run(pinned, [inPackage('typescript', 'bin/tsc'), '-p', '.', '--singleThreaded'], { env: { GOGC: 'off' }, beside: true }),
  };
  if (count('the build', await run(pinned, [join('build', 'build.js')])))
    await test(pinned, 'pinned', { env: { CRM_SCREENS: 'daily' }, options: projects(...everyDay) });
  for (const [name, succeeded] of Object.entries(checks)) count(name, await succeeded);
  // In CI alone: elsewhere a slow machine is nobody's fault.
  if (!isCi) return;
  const others = usedByAll() - before - used;
  if (others > used)
    console.log(`\nOther work took ${Math.round(others)} s of processors meanwhile: what a day's tests take is not judged.`);
  else count(`a day's tests take at most ${dailyBound} s of processors`, used <= dailyBound);
}

/** Tests in a row beside other rows (vitest.config.ts). */
const row = (node, name, { options = [], workers = 2, env = {}, ...others }) =>
  test(node, name, { ...others, env: { CRM_TESTS_BESIDE: '1', ...env }, options: [...options, `--maxWorkers=${workers}`], beside: true });

/** What `testEverywhere` needs from the registry. npm refuses packages of another platform unless it is forced. */
const packages = () => [install('windows', '--force'), install('referees'), installOldest()];

async function testEverywhere(withStories) {
  // Packages come while the program is built.
  const [windows, referees, oldestNode] = packages();
  // In CI `npm test` has just made one.
  const isBuilt = isCi && existsSync(join(root, 'dist', 'crm.js'));
  if (!isBuilt && !count('the build', await run('npm', ['run', 'build']))) return;
  // They need no packages.
  const stories = withStories ? testStories() : undefined;
  const made = count('the executable', await run('npm', ['run', 'build:standalone']));
  const node = await oldestNode;
  if (node === undefined) count(`Node ${oldest} could not be installed`, false);
  await referees;
  const larger = testLarge();
  // Almost by itself: under Wine a program that waits for a processor hangs now and then.
  await testWindows(windows);
  // Three at a time use what there is of two processors; with more, each takes more of them. First comes what is in line.
  const works = [
    made && (() => testExecutable(referees)),
    node && (() => testOldestCampaigns(node)),
    testSlow,
    node && (() => testOldest(node)),
  ].filter(Boolean);
  const inTurn = async () => {
    for (let work = works.shift(); work !== undefined; work = works.shift()) await work();
  };
  await Promise.all([larger, inTurn(), inTurn(), stories ? stories.then(inTurn) : inTurn()]);
}

/** The packages of a folder of tests; for what is tested by programs of others. In CI they may have come already; npm notes it at its end. */
async function install(folder, ...options) {
  const prefix = join(root, 'test', folder);
  if (isCi && existsSync(join(prefix, 'node_modules', '.package-lock.json'))) return true;
  return run('npm', ['ci', ...options, '--prefix', prefix, '--loglevel=error'], { beside: true });
}

/** Most of it by itself: then the processors have room for one more. */
const testOldest = (node) => row(node, 'oldest', { tests: runtimeRooms, env: large, options: projects(...everyDay), workers: 3 });

const testOldestCampaigns = (node) => row(node, 'oldest-campaigns', { env: large, options: projects('campaigns', 'oldest') });

const stories = ['test/simulation/simulation.test.ts', 'test/simulation/even.test.ts'];
/** By one worker, which fills what `npm test` and then Wine leave. */
const testStories = () => row(pinned, 'stories', { tests: stories, env: manyStories, patient: true, workers: 1 });

/** The files outside of the rooms above that try a property with examples. */
function propertyTests() {
  const paths = readdirSync(join(root, 'test'), { recursive: true }).map((path) => `test/${path.replaceAll('\\', '/')}`);
  const others = paths.filter((path) => path.endsWith('.test.ts') && !runtimeRooms.some((room) => path.startsWith(room)));
  return others.filter((path) => readFileSync(join(root, path), 'utf8').includes("from 'fast-check'"));
}

const testSlow = () => row(pinned, 'slow', { options: projects('campaigns', 'once') });

/** What is larger than each day, of the rooms that the oldest runtime does not play. */
const testLarge = () =>
  row(pinned, 'large', {
    tests: [...propertyTests(), 'test/screens/screens.test.ts'],
    env: { CRM_PROPERTY_RUNS: '1000', CRM_SCREENS: 'others' },
    options: projects(...everyDay),
    patient: true,
  });

/** The scripts and the referees with the executable: one after the other. */
async function testExecutable(installed) {
  const env = { CRM_BIN: join(root, 'dist', 'standalone', `crm${ending}`) };
  // The referees have the scripts with it.
  const options = ['--exclude=test/acceptance/{acceptance,details}.test.ts'];
  await row(pinned, 'standalone', { tests: ['test/acceptance'], env, options, workers: 1 });
  if (!count('the referees are installed', await installed)) return;
  await row(pinned, 'referees', { env, options: configOf('referees'), workers: 1 });
}

/** The command with Node for Windows, under Wine. */
async function testWindows(installed) {
  if (!count('Node for Windows is installed', await installed)) return;
  await test(pinned, 'windows', { options: configOf('windows'), beside: true });
}

/** The options for a folder of tests with packages and settings of its own. */
const configOf = (folder) => ['--config', join(root, 'test', folder, 'vitest.config.ts')];

const parts = process.argv.slice(2);
if (parts.includes('packages')) await Promise.all(packages());
else if (parts.includes('everywhere')) await testEverywhere(parts.includes('stories'));
else if (parts.includes('stories')) await testStories();
else if (parts.includes('windows')) await testWindows(install('windows', '--force'));
else await testHere();
rmSync(folder, { recursive: true });
const told = [...failures.map((what) => `failed: ${what}`), `${tally.passed} passed, ${tally.failed} failed`];
const { user, system } = process.cpuUsage();
if (process.platform !== 'win32') told.splice(-1, 0, `${Math.round(used + (user + system) / 1e6)} s of processor time`);
console.log(`\n${told.join('\n')}`);
if (process.env.CRM_TEST_TALLY !== undefined) writeFileSync(process.env.CRM_TEST_TALLY, `${told.join('\n')}\n`);
process.exitCode = tally.failed === 0 ? 0 : 1;
