// Runs every script of this folder against the built command and an embedded CRM with demo data over real HTTP.
// A script gets a folder of its own, which is also its working folder; everything in it is gone afterwards.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { cleanEnv, shellCommand, startSandbox } from '../support/crm.ts';
import { describeWith } from '../support/tools.ts';

const scripts = globSync(join(import.meta.dirname, '*.sh')).filter((path) => basename(path) !== 'lib.sh');

describeWith(['bash', 'jq', 'curl'], 'scripts', { timeout: 180_000 }, () => {
  it.concurrent.each(scripts.map((path) => [basename(path, '.sh'), path]))('%s', async (_name, path) => {
    const folder = mkdtempSync(join(tmpdir(), 'crm-acceptance-'));
    const server = await startSandbox(['--db', join(folder, 'service.sqlite')]);
    try {
      const work = join(folder, 'work');
      mkdirSync(work);
      const env = cleanEnv({
        PATH: `${commandFolder(folder)}:${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: folder,
        CRM_CONFIG_DIR: join(folder, 'config'),
        CRM_DATA_DIR: join(folder, 'data'),
        CRM_BASE_URL: server.baseUrl,
        CRM_API_KEY: server.key,
        LIB: join(import.meta.dirname, 'lib.sh'),
        ROOT: join(import.meta.dirname, '..', '..'),
      });
      const script = spawn('bash', [path], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
      const [stdout, stderr, [status]] = await Promise.all([text(script.stdout), text(script.stderr), once(script, 'close')]);
      expect(status, `${stdout}\n${stderr}`).toBe(0);
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

/** A folder that holds `crm`, for the scripts' PATH. */
function commandFolder(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'crm'), `#!/bin/sh\nexec ${shellCommand()} "$@"\n`);
  chmodSync(join(bin, 'crm'), 0o755);
  return bin;
}
