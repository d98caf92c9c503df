// Imports over HTTP: signals to processes, two at once, and services that fail in ways that need a decision.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { attack, type Place } from '../attacks/place.ts';
import { type Crm, runCrm } from '../support/crm.ts';
import { atRun } from '../support/journal.ts';
import { told } from '../support/start-crm.ts';

/** Writes a file of so many leads; its path. */
const leads = (place: Place, count: number): string =>
  place.write('leads.csv', `title,status,category\n${Array.from({ length: count }, (_, index) => `Row ${index},1,1\n`).join('')}`);

const summary = ({ stdout }: Crm): Record<string, unknown> => JSON.parse(stdout);
const errorOf = ({ stderr }: Crm): Record<string, unknown> => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;

/** How many leads there are, and how many different ones. */
async function count(place: Place): Promise<[records: number, titles: number]> {
  const { stdout } = await place.here('leads', 'list', '--all', '--json');
  const titles = (JSON.parse(stdout) as { title: string }[]).map(({ title }) => title);
  return [titles.length, new Set(titles).size];
}

/** Behind its first signal the program has no processor for a second, as on a busy machine. */
const busy = `data:text/javascript,${encodeURIComponent(
  "process.once('SIGINT', () => process.nextTick(() => { for (const end = Date.now() + 1000; Date.now() < end; ); }))",
)}`;

describe.concurrent('signals', () => {
  attack('once: what flies lands, the rest waits', async (place) => {
    place.proxy.change({ delay: 20 });
    const file = leads(place, 150);
    const run = place.start(['leads', 'import', file], { NODE_OPTIONS: `--import=${busy}` });
    await place.proxy.write(60);
    // As timeout sends it: twice for one.
    run.process.kill('SIGINT');
    await sleep(100);
    run.process.kill('SIGINT');
    const ended = await run.ended;
    expect([ended.status, ended.stdout]).toEqual([130, expect.stringMatching(/^unknown\t0$/m)]);
    const created = Number(/^created\t(\d+)$/m.exec(ended.stdout)?.[1]);
    expect(created).toBeLessThan(100);
    expect(await count(place)).toEqual([created, created]);
    expect(ended.stderr).toContain(`Interrupted. ${150 - created} rows are to go.\nGo on with: crm leads import ${file} --resume`);
    expect(summary(await place.here('leads', 'import', file, '--resume', '--json'))).toMatchObject({ created: 150, unknown: 0 });
    expect(await count(place)).toEqual([150, 150]);
  });

  attack('twice: gone at once, and still resumable', async (place) => {
    place.proxy.change({ answer: ({ method }) => (method === 'POST' ? 'hold' : undefined) });
    const file = leads(place, 40);
    const run = place.start(['leads', 'import', file, '--timeout', '600']);
    await place.proxy.write(4);
    run.process.kill('SIGINT');
    await told(run, /a second Ctrl-C/);
    // One that comes at once is the same one, and what is at once takes longer on a busy machine.
    await sleep(1000);
    run.process.kill('SIGINT');
    const { stderr } = await run.ended;
    expect(stderr).toBe(
      `Finishing what was sent; a second Ctrl-C leaves at once. Go on with: crm leads import ${file} --timeout 600 --resume\n`,
    );
    place.proxy.change();
    expect(summary(await place.here('leads', 'import', file, '--resume', '--json'))).toMatchObject({ created: 40, unknown: 0 });
    expect(await count(place)).toEqual([40, 40]);
  });

  attack('a pause does not hold it up', async (place) => {
    place.proxy.change({ answer: ({ method }) => (method === 'POST' ? 429 : undefined), retryAfter: '600' });
    const run = place.start(['leads', 'import', leads(place, 5), '--concurrency', '1']);
    await told(run, /going on in 10 min/);
    run.process.kill('SIGINT');
    const { status, stderr } = await run.ended;
    // Nothing was sent, so there is nothing to resume.
    expect([status, stderr]).toEqual([130, expect.stringMatching(/No row was sent\.\n$/)]);
    expect(stderr).not.toContain('--resume');
    expect(JSON.parse((await place.here('history', '--json')).stdout)).toEqual([]);
  });
});

describe.concurrent('one run beside and after another', () => {
  attack('standard input leaves nothing behind, and can be resumed', async (place) => {
    place.proxy.change({ answer: ({ method, number }) => (method === 'POST' && number > 20 ? 401 : undefined) });
    const stdin = `title;status;category\n${Array.from({ length: 50 }, (_, index) => `Piped ${index};1;1\n`).join('')}`;
    const tmp = join(place.folder, 'tmp');
    mkdirSync(tmp);
    const piped = (...more: string[]): Promise<Crm> =>
      runCrm(['leads', 'import', '-', '--json', ...more], { env: { ...place.env, TMPDIR: tmp }, stdin });
    const stopped = await piped();
    expect([stopped.status, summary(stopped)]).toMatchObject([4, { total: 50, failed: 0, unknown: 0 }]);
    expect(errorOf(stopped).hint).toMatch(/\nGo on with the same input and: crm leads import - --json --resume$/);
    expect(readdirSync(tmp)).toEqual([]);
    place.proxy.change();
    const resumed = await piped('--resume');
    expect([resumed.status, summary(resumed)]).toMatchObject([0, { total: 50, created: 50 }]);
    expect(await count(place)).toEqual([50, 50]);
    rmSync(tmp, { recursive: true });
    const uncopied = await piped('--again', '--yes');
    expect([uncopied.status, errorOf(uncopied).message]).toEqual([
      4,
      expect.stringMatching(/^Temporary files can't be written in .* \(no such file or directory\)\.$/),
    ]);
  });

  attack('--resume --dry-run tells what the resume would send, and changes nothing', async (place) => {
    const file = leads(place, 40);
    const importing = (...more: string[]): Promise<Crm> => place.here('leads', 'import', file, '--json', ...more);
    expect(await importing('--resume', '--dry-run')).toMatchObject({ status: 2, stderr: expect.stringContaining('to resume.') });
    place.proxy.change({
      answer: ({ method, body, number }) => {
        if (method === 'POST' && number > 20) return 401;
        return body.includes('Row+5&') ? 422 : undefined;
      },
    });
    const stopped = await importing();
    const { run, created } = summary(stopped) as { run: string; created: number };
    expect([stopped.status, summary(stopped)]).toMatchObject([4, { failed: 1, unknown: 0 }]);
    const states = (): unknown[] => atRun(join(place.folder, 'data'), run, (open) => [...open.steps()]);
    const before = states();
    place.proxy.change();
    const dry = await importing('--resume', '--dry-run');
    const counts = { rows: 39 - created, would_create: 39 - created, would_change: 0, unchanged: 0, conflicts: 0, invalid: 0, unknown: 0 };
    expect([dry.status, summary(dry)]).toEqual([0, { rows: expect.any(Array), counts }]);
    expect(dry.stderr).toBe(`${created + 1} of 40 rows are done; the others follow.\n`);
    expect([states(), await count(place)]).toEqual([before, [created, created]]);
    const other = await importing('--mode', 'upsert', '--match', 'title', '--resume', '--dry-run');
    expect(other).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no import of') });
  });

  attack('a file that changes meanwhile is imported as it was read', async (place) => {
    const rows = Array.from({ length: 600 }, (_, index) => `Changed ${index},${index === 2 ? 99 : 1},1\n`);
    const file = place.write('f.csv', `title,status,category\n${rows.join('')}`);
    const rejects = join(place.folder, 'r.csv');
    const run = place.start(['leads', 'import', file, '--rejects', rejects, '--json', '--concurrency', '16']);
    await place.proxy.write(60);
    writeFileSync(file, 'title,status,category\nOther,1,1\n');
    const ended = await run.ended;
    expect([ended.status, summary(ended)]).toMatchObject([8, { total: 600, created: 599, failed: 1 }]);
    expect(readFileSync(rejects, 'utf8')).toContain('Changed 2,99,1,4,422,');
    expect(await count(place)).toEqual([599, 599]);
  });

  attack('a pipe with a name of its own, too', async (place) => {
    const pipe = join(place.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const run = place.start(['leads', 'import', pipe, '--max-errors', '1', '--concurrency', '1']);
    await writeFile(pipe, 'title,status,category\nFifo 1,99,1\nFifo 2,1,1\n');
    const { status, stderr } = await run.ended;
    expect([status, stderr]).toEqual([8, expect.stringContaining('Stopped after 1 failure, with 1 row to go: 2 rows, 1 failed.')]);
    const command = `crm leads import ${pipe} --concurrency 1 --max-errors 1 --resume`;
    expect(stderr).toContain(
      `The failed rows as a file with the same input and: ${command} --rejects FILE\nGo on with the same input and: ${command}\n`,
    );
  });
});

describe.concurrent('services that fail', () => {
  attack('forbidding a row, it is rejected; forbidding them all, the run stops', async (place) => {
    const words = ['leads', 'import', leads(place, 60), '--json'];
    place.proxy.change({ answer: ({ method }) => (method === 'POST' ? 403 : undefined) });
    expect(await place.here(...words)).toMatchObject({ status: 4, stdout: '' });
    place.proxy.change({ answer: ({ body }) => (/Row\+(7|[345]\d)&/.test(body) ? 403 : undefined) });
    const later = await place.here(...words, '--concurrency', '1');
    expect([later.status, summary(later)]).toMatchObject([4, { created: 29, failed: 8, unknown: 0 }]);
    place.proxy.change();
    const resumed = await place.here(...words, '--resume');
    expect([resumed.status, summary(resumed)]).toMatchObject([8, { total: 60, created: 52, failed: 8, unknown: 0 }]);
    expect(await count(place)).toEqual([52, 52]);
  });

  attack('altogether: the run stops, and the rest can be resumed', async (place) => {
    place.proxy.change({ answer: ({ method, number }) => (method === 'POST' && number > 20 ? 'cut' : undefined) });
    const words = ['leads', 'import', leads(place, 500), '--json'];
    const stopped = await place.here(...words, '--timeout', '2');
    expect([stopped.status, errorOf(stopped)]).toMatchObject([7, { code: 'outcome_unknown', hint: expect.stringContaining('--resume') }]);
    // The run stops at the eighth time that the requests under way have no answer, and four go at once.
    expect(Number(summary(stopped).unknown)).toBeLessThanOrEqual(8 * 4);
    place.proxy.change();
    expect(summary(await place.here(...words, '--resume'))).toMatchObject({ created: 500, unknown: 0 });
    expect(await count(place)).toEqual([500, 500]);
  });
});

describe.concurrent('what is unchanged is told by the list alone', () => {
  /** Runs an import of 250 rows or so that sends few requests; its counts. */
  const few = async (place: Place, ...words: string[]): Promise<Record<string, unknown>> => {
    const before = place.proxy.seen.length;
    const ended = await place.here(...words, '--mode', 'update', '--json');
    expect(place.proxy.seen.length - before).toBeLessThan(100);
    return summary(ended);
  };

  attack('whatever cells are blank', async (place) => {
    await place.here('leads', 'import', leads(place, 250));
    const cells = (id: number): string => ['1,,', ',1,', ',,', '1,1,'][id % 4] ?? '';
    const titles = JSON.parse((await place.here('leads', 'list', '--all', '--json')).stdout) as { id: number; title: string }[];
    const rows = titles.map(({ id, title }, index) => `${id},${index === 7 ? 'other' : index % 3 ? title : ''},${cells(id)}\n`);
    const file = place.write('u.csv', `id,title,status,category,value\n${rows.join('')}`);
    expect(await few(place, 'leads', 'import', file)).toMatchObject({ total: 250, updated: 1, unchanged: 249 });
  });

  attack('a unit is known by its id and by its name, a custom field by its number', async (place) => {
    const items = Array.from({ length: 210 }, (_, index) => `Units ${index},1,6,2,each,"a ${index}",${index % 2 ? 'b' : ''}\n`);
    const header = 'description,rate,category,default-tax,unit,custom-field-1,custom-field-2';
    const words = ['items', 'import', place.write('i.csv', `${header}\n${items.join('')}`)];
    expect(summary(await place.here(...words, '--new-unit', '--json'))).toMatchObject({ created: 210 });
    expect(await few(place, ...words, '--match', 'description')).toMatchObject({ total: 210, unchanged: 210 });
    place.write('i.csv', 'description,unit\nUnits 1,each\nUnits 2,none such\n');
    expect(await few(place, ...words, '--match', 'description', '--new-unit')).toMatchObject({ total: 2, updated: 1, unchanged: 1 });
    const [{ id }] = JSON.parse((await place.here('items', 'list', '--search', 'Units 1', '--json')).stdout) as [{ id: number }];
    place.write('i.csv', `id,unit\n${id},each\n`);
    expect(await few(place, ...words)).toMatchObject({ unchanged: 1 });
  });
});

attack('eight jobs at once with one data folder all go through, with a --wait that fits', async (place) => {
  // Longer than the test may take: each job waits for the others to end, and never for a time.
  const jobs = Array.from({ length: 8 }, (_, job) => place.write(`job-${job}.csv`, `title,status,category\nA ${job},1,1\nB ${job},1,1\n`));
  const ended = await Promise.all(jobs.map((file) => place.crm(['leads', 'import', file, '--wait', '3600', '--json'])));
  expect(ended.map(({ status, stderr }) => (status === 0 ? 0 : stderr))).toEqual(jobs.map(() => 0));
  expect(await count(place)).toEqual([16, 16]);
});

attack('--rate holds, and progress is a line every five seconds', async (place) => {
  const { status, stderr } = await place.here('leads', 'import', leads(place, 60), '--rate', '10');
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^(Importing leads: \d+ of 60, \d+\/s, \d+ s left\n)+Undo: crm undo \w{4}\n$/),
  ]);
});
