// `npm test`: types, lint, the build, all tests on the pinned runtime and on the oldest supported one, and the acceptance
// scripts once more with the standalone executable.
// Ends with a line `N passed, N failed`; each check counts as one, each test as one per runtime.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const oldest = '22.20.0';
const folder = mkdtempSync(join(tmpdir(), 'crm-test-'));
const tally = { passed: 0, failed: 0 };

/** Runs a program with its output shown; true when it succeeded. */
function run(command, args, env = {}) {
  console.log(`\n> ${[command, ...args].join(' ')}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
  return status === 0;
}

function count(succeeded) {
  tally[succeeded ? 'passed' : 'failed'] += 1;
  return succeeded;
}

const packageFile = (name, path) => join(root, 'node_modules', name, path);

/** The tests on one runtime, or those in some folders of test/; a run that dies without a report counts as one failure. */
function test(node, name, { folders = [], env = {} } = {}) {
  const report = join(folder, `${name}.json`);
  const succeeded = run(
    node,
    [packageFile('vitest', 'vitest.mjs'), 'run', ...folders, '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    {
      PATH: `${join(node, '..')}${delimiter}${process.env.PATH}`,
      ...env,
    },
  );
  if (!existsSync(report)) return count(false);
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  tally.passed += numPassedTests;
  tally.failed += numFailedTests;
  if (numFailedTests === 0 && (numFailedTestSuites > 0 || !succeeded)) count(false);
}

/** The oldest supported runtime, from the registry; kept beside the packages. */
function installOldest() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const prefix = join(root, 'node_modules', '.cache', `node-${oldest}`);
  const node = join(prefix, 'node_modules', name, 'bin', 'node');
  if (!existsSync(node)) run('npm', ['install', '--no-save', '--no-package-lock', '--prefix', prefix, `${name}@${oldest}`]);
  return existsSync(node) ? node : undefined;
}

count(run('npx', ['biome', 'check', '--error-on-warnings', '.']));
count(run('npx', ['tsc', '-p', '.']));
if (count(run('npm', ['run', 'build']))) {
  test(process.execPath, 'pinned');
  const node = installOldest();
  if (node === undefined) count(false);
  else test(node, 'oldest');
  if (count(run('npm', ['run', 'build:standalone']))) {
    const executable = join(root, 'dist', 'standalone', process.platform === 'win32' ? 'crm.exe' : 'crm');
    test(process.execPath, 'standalone', { folders: ['test/acceptance'], env: { CRM_BIN: executable } });
  }
}
rmSync(folder, { recursive: true });
console.log(`\n${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;
