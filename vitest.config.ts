import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longest, suites, withOwnWorkers } from './test/suites.ts';
import { folderForTests } from './test/support/memory-folder.ts';

// Programs of tests strip the types of the modules that they load once, in place of in each process.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compile');
process.env.TMPDIR = folderForTests();

/** jq's thread is the built one: of its files each thread would strip the types anew, which takes as long as a short expression. */
const threadAsBuilt = {
  name: 'thread-as-built',
  enforce: 'pre' as const,
  transform: async (code: string, id: string): Promise<string | undefined> => {
    if (!id.endsWith('/src/output/jq/thread-code.ts')) return undefined;
    const { threadText } = (await import(new URL('build/build.js', import.meta.url).href)) as { threadText(): Promise<string> };
    const text = JSON.stringify(await threadText());
    return code.replace("new URL('./thread.ts', import.meta.url)", () => text);
  },
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((path) => join(import.meta.dirname, path) === moduleId);
      return index < 0 ? longest.length : index;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}

// Beside other tests (run.js) each may wait longer, and fewer run at once: where six wait for a processor that two want, each takes a quarter
// more of it. Of the command line vitest hands neither limits of hooks nor numbers of tests on to projects.
const isBeside = process.env.CRM_TESTS_BESIDE === '1';
const patience = isBeside ? 600_000 : 60_000;

export default defineConfig({
  plugins: [threadAsBuilt],
  test: {
    setupFiles: ['test/support/no-v8-flags.ts', ...(process.env.CRM_PROPERTY_RUNS === undefined ? [] : ['test/support/property-runs.ts'])],
    // Short-lived objects have room, and threads that collect don't wait for each other: some 4 to 15 % of the processor time.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32', '--single-threaded-gc'],
    sequence: { sequencer: LongestFirst },
    // One more on two processors takes an eighth more of them, and is no sooner at the end.
    maxWorkers: Math.min(availableParallelism(), 4),
    testTimeout: patience,
    hookTimeout: patience,
    ...(isBeside && { maxConcurrency: 2 }),
    // A loaded machine may take its time for what is polled for; the usual second is no measure of anything.
    expect: { poll: { timeout: 20_000 } },
    projects: Object.entries(suites).map(([name, include]) => ({
      extends: true,
      test: { name, include, isolate: withOwnWorkers.includes(name) },
    })),
  },
});
