// How many requests an undo of created leads takes: a read, the comments and the delete of each; what else may hang on them is listed once.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCrm, startSandbox } from '../../support/crm.ts';

const leads = 60;

/** A service before another one, that counts what is asked. */
async function counting(baseUrl: string) {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { method, headers } = incoming;
    const target = new URL(incoming.url ?? '', baseUrl);
    const outer = send(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(outer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close: () => server.close() };
}

it('an undo of new leads with owners and tags takes five requests each, and keeps those on which something hangs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-undo-'));
  const service = await startSandbox(['--db', join(folder, 'service.sqlite')]);
  const front = await counting(service.baseUrl);
  try {
    const env = { CRM_BASE_URL: front.url, CRM_API_KEY: service.key, CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: folder };
    const options = { cwd: folder, env };
    const text = `title,status,category,assigned,tags\n${Array.from({ length: leads }, (_, index) => `L${index},1,1,${(index % 3) + 1},t\n`).join('')}`;
    writeFileSync(join(folder, 'f.csv'), text);
    const made = JSON.parse((await runCrm(['leads', 'import', 'f.csv', '--json'], options)).stdout) as { run: string };
    const ids = (await runCrm(['leads', 'list', '--limit', String(leads), '-o', 'ids'], options)).stdout.trim().split('\n');
    await runCrm(['notes', 'create', '--title', 'N', '--description', 'D', '--resource', `lead:${ids[0]}`, '-q'], options);
    await runCrm(['leads', 'comments', 'add', String(ids[1]), 'Called', '-q'], options);
    front.asked.length = 0;
    const { stdout, stderr } = await runCrm(['undo', made.run, '--yes', '--json'], options);
    const rows = JSON.parse(stdout) as { outcome: string; count: number; what: string; ids: number[] }[];
    expect(
      rows.map(({ outcome, count }) => [outcome, count]),
      stderr,
    ).toEqual(
      expect.arrayContaining([
        ['deleted', leads - 2],
        ['kept', 1],
        ['kept', 1],
      ]),
    );
    expect(rows.filter(({ outcome }) => outcome === 'kept').flatMap((row) => row.ids)).toEqual(
      expect.arrayContaining([Number(ids[0]), Number(ids[1])]),
    );
    const each = front.asked.filter((one) => /\/leads\/\d+/.test(one));
    expect(each.length).toBeLessThanOrEqual(3 * leads);
    // What hangs on a lead is asked of the lead itself, right before its delete.
    for (const family of ['proposals', 'notes'])
      expect(front.asked.filter((one) => one.startsWith(`GET /api/${family}`)).length).toBeLessThanOrEqual(leads);
    expect(front.asked.length).toBeLessThanOrEqual(5 * leads + 20);
  } finally {
    front.close();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});
