// The environment of a `crm` that a test runs, as a process or in the test's own.

import { fileURLToPath } from 'node:url';

/** The compile cache that all started commands share: otherwise each data folder would get a cache of its own. */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));

/**
 * A clean environment: nothing of the developer's own settings. The waits for lost answers are a twentieth of the usual waits, because the
 * service is on this machine.
 */
export function cleanEnv(env: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, LANG: 'C.UTF-8', CRM_TEST_WAITS: '0.05', NODE_COMPILE_CACHE: compileCache, ...env };
}
