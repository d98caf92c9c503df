// The compile cache: code that is run, so its folder must be one that nobody else can write to.

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCrm } from '../support/crm.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-cache-'));
afterAll(() => rmSync(folder, { recursive: true }));

const isRoot = process.getuid?.() === 0;
const uid = process.getuid?.();

/** Where the cache lies, with what names its place. */
const places: Record<string, (home: string) => { cache: string; env: Record<string, string> }> = {
  CRM_DATA_DIR: (home) => ({ cache: join(home, 'compile-cache'), env: { CRM_DATA_DIR: home } }),
  XDG_CACHE_HOME: (home) => {
    mkdirSync(join(home, 'crm'), { mode: 0o700 });
    return { cache: join(home, 'crm', 'compile-cache'), env: { XDG_CACHE_HOME: home } };
  },
};

describe.each(Object.keys(places))('in %s', (name) => {
  /** How many entries there are in the cache after a command, in a place that is prepared first. */
  async function cached(prepare: (cache: string) => void): Promise<number> {
    const place = places[name]?.(mkdtempSync(join(folder, 'home-')));
    if (place === undefined) throw new Error(name);
    prepare(place.cache);
    const crm = await runCrm(['leads', 'lst'], { env: { ...place.env, CRM_CONFIG_DIR: folder, NODE_COMPILE_CACHE: '' } });
    expect(crm.status).toBe(2);
    return readdirSync(place.cache).length;
  }

  it('is made', async () => {
    expect(await cached(() => undefined)).toBeGreaterThan(0);
  });

  it('is used as it is', async () => {
    expect(await cached((cache) => mkdirSync(cache, { mode: 0o755 }))).toBeGreaterThan(0);
  });

  it.runIf(uid !== undefined).each([0o770, 0o707, 0o777])('is left alone when others can write to it: %o', async (mode) => {
    const prepare = (cache: string): void => {
      mkdirSync(cache);
      chmodSync(cache, mode);
    };
    expect(await cached(prepare)).toBe(0);
  });

  it.runIf(uid !== undefined)('is left alone when it is a link', async () => {
    expect(await cached((cache) => symlinkSync(mkdtempSync(join(folder, 'elsewhere-')), cache))).toBe(0);
  });

  it.runIf(isRoot)("is left alone when it is another user's", async () => {
    const prepare = (cache: string): void => {
      mkdirSync(cache, { mode: 0o700 });
      chownSync(cache, 4711, 4711);
    };
    expect(await cached(prepare)).toBe(0);
  });

  it.runIf(isRoot)("is not made in another user's folder, nor in one that others can write to", async () => {
    for (const spoil of [(above: string) => chownSync(above, 4711, 4711), (above: string) => chmodSync(above, 0o777)]) {
      const place = places[name]?.(mkdtempSync(join(folder, 'home-')));
      if (place === undefined) throw new Error(name);
      spoil(dirname(place.cache));
      expect((await runCrm(['leads', 'lst'], { env: { ...place.env, CRM_CONFIG_DIR: folder, NODE_COMPILE_CACHE: '' } })).status).toBe(2);
      expect(readdirSync(dirname(place.cache))).toEqual([]);
    }
  });
});

it.runIf(process.platform === 'linux')('lies in the home folder by itself, made with all that is missing', async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  await runCrm(['leads', 'lst'], { env: { HOME: home, CRM_CONFIG_DIR: folder, NODE_COMPILE_CACHE: '' } });
  expect(readdirSync(join(home, '.cache', 'crm', 'compile-cache')).length).toBeGreaterThan(0);
});

it.each([
  ['win32', 'Local', 'crm/Cache'],
  ['darwin', 'Library/Caches', 'crm'],
])("lies in the user's own folder of caches on %s", (platform, caches, own) => {
  const home = mkdtempSync(join(folder, 'home-'));
  mkdirSync(join(home, caches), { recursive: true });
  const code = `
    Object.defineProperty(process, 'platform', { value: '${platform}' });
    const { useCompileCache } = await import('${new URL('../../src/entry/compile-cache.ts', import.meta.url).href}');
    useCompileCache({ LOCALAPPDATA: process.env.HOME + '/Local' });
    console.log((await import('node:module')).getCompileCacheDir());`;
  const env = { PATH: process.env.PATH, HOME: home };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', env });
  expect(stdout).toContain(join(home, caches, own, 'compile-cache'));
});
