// The library in a plain script: what keeps it alive, and that it ends by itself.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bundleLibrary } from '../../support/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-library-'));
await bundleLibrary(folder);
afterAll(() => rmSync(folder, { recursive: true }));

it('a slow answer keeps a script alive until it comes, and no longer than it is wanted', () => {
  const script = `
    import { openSandbox } from './sandbox.js';
    import { openClient } from './client.js';
    const sandbox = await openSandbox({ faults: 'slow=1:40' });
    const { records } = await (await openClient({ sandbox })).leads.list({}, {}).page();
    const hour = await openSandbox({ faults: 'slow=1:600000' });
    const { url, key } = await hour.listen();
    for (const options of [{ sandbox: hour }, { baseUrl: url, key }])
      await (await openClient(options)).leads.get(12, { timeout: 200, retries: 0 }).catch(({ code }) => records.push(code));
    await hour.close();
    await sandbox.close();
    console.log(records.slice(-2));`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8', timeout: 55_000 });
  expect(run).toMatchObject({ status: 0, stderr: '', stdout: "[ 'timed_out', 'timed_out' ]\n" });
});
