// A disk that has no room any more, for the built command: nothing leaves that couldn't be taken back, and what was done is told. No file
// of the command may grow beyond so many blocks of 512 bytes: to SQLite that is a disk without room.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { eachWorkplace } from '../../seed/support.ts';
import { type Crm, shellCommand } from '../../support/crm.ts';
import { cleanEnv } from '../../support/environment.ts';
import { historyOf, type Run } from './support.ts';

const place = eachWorkplace();

const count = 300;

/** Runs the command where no file may be larger than so many bytes. */
async function withRoom(bytes: number, ...args: string[]): Promise<Crm> {
  const words = args.map((word) => `'${word}'`).join(' ');
  const line = `ulimit -f ${Math.floor(bytes / 512)}; exec ${shellCommand()} ${words}`;
  const child = spawn('sh', ['-c', line], { env: cleanEnv(place.env), cwd: place.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: status as number | null, stdout, stderr };
}

const history = (): Promise<Run[]> => historyOf(place);
/** How large the journal is by now. */
const journal = (): number => Math.max(...globSync(join(place.folder, 'data/journals/*.sqlite')).map((path) => statSync(path).size));
const described = async (letter: string): Promise<number> =>
  ((await place.everything()).leads ?? []).filter(({ description }) => String(description).startsWith(letter.repeat(10))).length;

it('ends a change and an undo with 7: all that was sent goes back, and how many were not sent is told', async () => {
  const rows = Array.from({ length: count }, (_, index) => `Full ${index},1,1,${'a'.repeat(1500)}\n`);
  place.write('new.csv', `title,status,category,description\n${rows.join('')}`);
  expect((await place.crm(['leads', 'import', 'new.csv', '--yes', '-q'])).status).toBe(0);
  expect(await described('a')).toBe(count);
  const update = ['leads', 'update', '--where', 'title~Full', '--description', 'b'.repeat(1000)];
  const changed = await withRoom(3000 * 1024, ...update, '--yes', '--json');
  expect([changed.status, JSON.parse(changed.stderr)]).toMatchObject([7, { error: { code: 'disk_full' } }]);
  const sent = await described('b');
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(count);
  expect((await history())[0]?.did).toBe(`${sent} leads changed, ${count - sent} not sent`);

  const run = (await history())[0]?.run ?? '';
  const undo = await withRoom(journal() + 100 * 1024, 'undo', run, '--yes', '--json');
  const left = await described('b');
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(sent);
  // What there was no room to note is of unknown outcome.
  const said = /^\d+ leads put back(, \d+ of unknown outcome)?, \d+ not sent: /;
  const hint = `Make room, then go on.\nGo on with: crm undo ${run}`;
  expect([undo.status, JSON.parse(undo.stderr)]).toMatchObject([
    7,
    { error: { code: 'disk_full', message: expect.stringMatching(said), hint } },
  ]);
  expect((await history())[0]).toMatchObject({ left: `unfinished: crm undo ${run}` });

  expect((await place.crm(['undo', run, '--yes', '-q'])).status).toBe(0);
  expect(await described('a')).toBe(count);
});
