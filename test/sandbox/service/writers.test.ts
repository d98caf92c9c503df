// The embedded CRM under fifty that write at once, killed in the midst of it, several times: what it has acknowledged is there, the
// database is whole, and it serves again.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCrm, type SandboxServer, startSandbox } from '../../support/crm.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-writers-'));
const path = join(folder, 'sandbox.sqlite');
const env = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: folder };
beforeAll(async () => {
  expect((await runCrm(['sandbox', 'init'], { env })).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Titles of the notes that the service has said are made. */
const acknowledged = new Set<string>();

/** Writes one note after the other until the service is gone. */
async function write(server: SandboxServer, name: string): Promise<void> {
  for (let number = 1; ; number += 1) {
    const title = `${name}, ${number}`;
    try {
      const answer = await fetch(`${server.baseUrl}/api/notes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, accept: 'application/json' },
        body: new URLSearchParams({ note_title: title, note_description: title }),
      });
      if (answer.status === 201) acknowledged.add(title);
    } catch {
      return;
    }
  }
}

it('loses nothing that it has acknowledged', { timeout: 600_000 }, async () => {
  for (const round of [1, 2, 3]) {
    const before = acknowledged.size;
    const server = await startSandbox([], env);
    const writers = Array.from({ length: 50 }, (_none, number) => write(server, `Round ${round}, writer ${number}`));
    await expect.poll(() => acknowledged.size - before, { timeout: 120_000, interval: 20 }).toBeGreaterThan(200 * round);
    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
    await Promise.all(writers);

    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    const titles = database
      .prepare("SELECT doc ->> '$.title' AS title FROM notes")
      .all()
      .map(({ title }) => String(title));
    database.close();
    expect([...acknowledged].filter((title) => !titles.includes(title))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  }
  const again = await startSandbox([], env);
  const answer = await fetch(`${again.baseUrl}/api/notes?limit=1`, { headers: { authorization: `Bearer ${again.key}` } });
  expect(((await answer.json()) as { meta: { total: number } }).meta.total).toBeGreaterThanOrEqual(acknowledged.size);
  await again.stop();
});
