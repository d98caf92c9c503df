// What an export shows beside the fields of a record, and an import writes: owners, tags, whether a lead is archived, a proposal's status.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { atRun } from '../support/journal.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop({ demo: true });

const importOf = (text: string, ...flags: string[]) => {
  shop.write('f.csv', text);
  return shop.crm(['leads', 'import', 'f.csv', '--json', ...flags]);
};
const recordOf = async (family: string, id: number | string) => (await shop.crm([family, 'get', String(id), '--json'])).json();
const newest = async (count: number) =>
  (await shop.crm(['leads', 'list', '--limit', String(count), '--json', '--fields', 'title,assigned.name,tags,active_state'])).json();
const problemsIn = (stderr: string) =>
  JSON.parse(stderr).error.fields.map(({ name, messages }: Record<string, string>) => [name, messages]);
const lastRun = async () => ((await shop.crm(['history', '--json'])).json() as { run: string; did: string; state: string }[])[0];

const people = [
  'title,status,category,Zuständig,Schlagworte,active_state',
  'A,1,1,Priya Raman,hot,active',
  'B,1,1,"Tom Okafor; priya raman","two words; cold",archived',
  'C,1,1,,,',
].join('\n');
const german = ['--map', 'Zuständig=assigned', '--map', 'Schlagworte=tags'];

describe('new leads', () => {
  it('get the owners and tags of their rows, and are archived', async () => {
    const { status, json } = await importOf(people, ...german, '--results', 'r.csv');
    expect([status, json()]).toMatchObject([0, { total: 3, created: 3, failed: 0 }]);
    expect(await newest(3)).toEqual([
      { title: 'C', assigned: [], tags: [], active_state: 'active' },
      { title: 'B', assigned: [{ name: 'Tom Okafor' }, { name: 'Priya Raman' }], tags: ['two words', 'cold'], active_state: 'archived' },
      { title: 'A', assigned: [{ name: 'Priya Raman' }], tags: ['hot'], active_state: 'active' },
    ]);
    expect(
      shop
        .read('r.csv')
        .trim()
        .split('\n')
        .map((line) => line.trim().split(',').slice(-2)),
    ).toEqual([
      ['outcome', 'error'],
      ['created', ''],
      ['created', ''],
      ['created', ''],
    ]);
    expect(await lastRun()).toMatchObject({ did: '3 leads created', state: 'done' });
  });

  it('get tags and owners that people wrote with commas, each as one', async () => {
    const file =
      'title,status,category,Tags,Assigned\nD,1,1,"hot, Gewerbe","priya raman, Tom Okafor"\nE,1,1,"[""x, y""]",Tom Okafor\nF,1,1,"a, b; c",\n';
    const { status, stderr } = await importOf(file, '--dry-run', '--json');
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^4 new tags, seen on no lead so far: .*"x, y", "a, b"|Gewerbe/)]);
    expect((await importOf(file)).status).toBe(0);
    expect(await newest(3)).toMatchObject([
      { title: 'F', tags: ['a, b', 'c'] },
      { title: 'E', tags: ['x, y'] },
      { title: 'D', tags: ['hot', 'Gewerbe'], assigned: [{ name: 'Priya Raman' }, { name: 'Tom Okafor' }] },
    ]);
  });

  it('get a tag with a comma where a constant or the word of a mapping says so', async () => {
    shop.write('m.yaml', "words: { tags: { both: 'hot, cold' } }\n");
    expect((await importOf('title,status,category,tags\nG,1,1,both\n', '--mapping', 'm.yaml')).status).toBe(0);
    expect((await importOf('title,status,category\nH,1,1\n', '--constant', 'tags=hot, cold')).status).toBe(0);
    expect(await newest(2)).toMatchObject([{ tags: ['hot, cold'] }, { tags: ['hot, cold'] }]);
  });

  it('names a person that nobody is called by, of several with commas', async () => {
    const { status, stderr } = await importOf('title,status,category,assigned\nI,1,1,"Priya Raman, Nobody Known"\n');
    expect([status, stderr]).toEqual([2, expect.stringContaining('no team member is called \\"Nobody Known\\"')]);
  });

  it('with tags that nobody has are named before they are written, once, and no others', async () => {
    const [carried] = ((await shop.crm(['leads', 'list', '--json', '--fields', 'tags'])).json() as { tags: string[] }[]).flatMap(
      ({ tags }) => tags,
    );
    const rows = ['A', 'B'].map((title) => `${title},1,1,${carried}; vpi; two words`);
    shop.write('f.csv', ['title,status,category,tags', ...rows].join('\n'));
    const preview = await shop.crm(['leads', 'import', 'f.csv', '--dry-run', '--csv']);
    expect(preview.stderr.match(/.*new tags.*/g)).toEqual(['2 new tags, seen on no lead so far: vpi and "two words".']);
    expect((await shop.crm(['leads', 'import', 'f.csv', '-q', '--json'])).stderr).toBe('');
    expect((await shop.crm(['leads', 'import', 'f.csv', '--again', '--dry-run', '--csv', '--yes'])).stderr).not.toContain('these tags');
  });

  it('of NDJSON, too', async () => {
    shop.write(
      'f.ndjson',
      '{"title":"A","status":{"id":1},"category":{"id":1},"assigned":[{"id":2,"name":"Tom Okafor"},"Priya Raman"],"tags":["a;b","c"],"active_state":"archived"}\n',
    );
    expect((await shop.crm(['leads', 'import', 'f.ndjson', '--json'])).json()).toMatchObject({ created: 1 });
    expect(await newest(1)).toEqual([
      { title: 'A', assigned: [{ name: 'Tom Okafor' }, { name: 'Priya Raman' }], tags: ['a;b', 'c'], active_state: 'archived' },
    ]);
  });

  it('are shown with them first', async () => {
    const { stdout } = await importOf(people, ...german, '--dry-run');
    const { rows } = JSON.parse(stdout) as { rows: { line: number; changes: { field: string; to: string }[] }[] };
    expect(rows.map(({ changes }) => changes.filter(({ field }) => !['title', 'status', 'category'].includes(field)))).toEqual([
      [
        { field: 'assigned', old: null, new: 'Priya Raman' },
        { field: 'tags', old: null, new: 'hot' },
      ],
      [
        { field: 'assigned', old: null, new: 'Tom Okafor; Priya Raman' },
        { field: 'tags', old: null, new: 'two words; cold' },
        { field: 'active_state', old: null, new: 'archived' },
      ],
      [],
    ]);
    expect(await newest(1)).not.toMatchObject([{ title: 'C' }]);
  });

  it('are not made while somebody is unknown, and the mapping says who is meant', async () => {
    const text = 'title,status,category,assigned,active_state\nA,1,1,Priya Raman; Müller,\nB,1,1,Müller,gone\n';
    const { status, stderr } = await importOf(text);
    expect([status, problemsIn(stderr)]).toEqual([
      2,
      [
        ['lines 2 and 3, column assigned', [expect.stringMatching(/^no team member is called "Müller"/)]],
        ['line 3, column active_state', [expect.stringContaining('"gone" is not one of archived, active')]],
      ],
    ]);
    shop.write('m.yaml', 'words:\n  assigned:\n    Müller: Jonas Weber\n');
    expect((await importOf(text.replace('gone', ''), '--mapping', 'm.yaml')).json()).toMatchObject({ created: 2 });
    expect(await newest(2)).toMatchObject([
      { assigned: [{ name: 'Jonas Weber' }] },
      { assigned: [{ name: 'Priya Raman' }, { name: 'Jonas Weber' }] },
    ]);
  });

  it('a mapping guesses who is responsible', async () => {
    shop.write('f.csv', 'Betreff,Phase,Kategorie,Zuständig,Schlagwörter\nA,New,Inbound,Müller,x\n');
    await shop.crm(['leads', 'import', 'f.csv', '--save-mapping', 'm.yaml']);
    expect(shop.read('m.yaml')).toMatch(/^ {2}Zuständig: assigned$/m);
    expect(shop.read('m.yaml')).toMatch(/^ {2}Schlagwörter: tags$/m);
    expect(shop.read('m.yaml')).toMatch(/assigned:\n {4}Müller:/);
  });

  it('a constant gives all of them a tag', async () => {
    expect((await importOf('title,status,category\nA,1,1\nB,1,1\n', '--constant', 'tags=fair 2026')).json()).toMatchObject({ created: 2 });
    expect(await newest(2)).toMatchObject([{ tags: ['fair 2026'] }, { tags: ['fair 2026'] }]);
  });

  it('an id and a name of one row must be the same person', async () => {
    const { status, stderr } = await importOf('title,status,category,assigned,assigned.id\nA,1,1,Priya Raman,3\nB,1,1,Priya Raman,2\n');
    expect([status, problemsIn(stderr)]).toEqual([2, [['line 3', [expect.stringContaining('assigned.id disagree: which one is meant?')]]]]);
  });

  it('that were made and could not be given something are told, are no rejects, and are gone on with', async () => {
    const text = (id: number) => `title,status,category,assigned,tags\nA,1,1,${id},x\nB,1,1,3,y\n`;
    const first = await importOf(text(999), '--rejects', 'rejects.csv', '--results', 'r.csv');
    expect([first.status, first.json()]).toMatchObject([8, { created: 2, failed: 0, rejects: null }]);
    expect(JSON.parse(first.stderr).error.message).toBe('2 rows, 1 lacks something.');
    expect(problemsIn(first.stderr)).toEqual([['line 2, assigned', [expect.stringContaining('assigned')]]]);
    expect(JSON.parse(first.stderr).error.hint).toContain('crm leads import f.csv');
    expect(shop.read('r.csv')).toMatch(/^A,1,1,999,x,\d+,"?created; assigned failed: .*$/m);
    expect(await newest(2)).toMatchObject([
      { title: 'B', tags: ['y'] },
      { title: 'A', assigned: [], tags: [] },
    ]);
    // Mended, it is sent for the lead that is there.
    const again = await importOf(text(2), '--rejects', 'rejects.csv', '--results', 'r.csv', '--resume');
    expect([again.status, again.json()]).toMatchObject([0, { created: 2, failed: 0 }]);
    expect(await newest(3)).toMatchObject([
      { title: 'B', assigned: [{ name: 'Priya Raman' }], tags: ['y'] },
      { title: 'A', assigned: [{ name: 'Tom Okafor' }], tags: ['x'] },
      { title: expect.not.stringMatching(/^[AB]$/) },
    ]);
    expect(shop.read('r.csv')).toMatch(/^A,1,1,2,x,\d+,created,\s*$/m);
  });

  it('whose part was lost by an import that has ended are looked at by --resume', async () => {
    const text = 'title,status,category,tags\nA,1,1,x\nB,1,1,y\n';
    expect((await importOf(text)).status).toBe(0);
    const path = atRun(join(shop.folder, 'data'), undefined, (run) => {
      expect(run.ended).toBeDefined();
      return run.file.path ?? '';
    });
    const database = new DatabaseSync(path);
    // The answers to the tags are lost: those of A never arrived, those of B did.
    expect(database.prepare('UPDATE steps SET state = 1, did = NULL, after = NULL WHERE part > 0').run().changes).toBe(2);
    database.close();
    const [, a] = (await shop.crm(['leads', 'list', '--limit', '2', '-o', 'ids'])).stdout.trim().split('\n');
    await shop.crm(['leads', 'tags', String(a), '--clear', '-q']);
    const again = await importOf(text, '--resume');
    expect([again.status, again.json()], again.stderr).toMatchObject([0, { created: 2, failed: 0, unknown: 0 }]);
    expect(await newest(2)).toMatchObject([
      { title: 'B', tags: ['y'] },
      { title: 'A', tags: ['x'] },
    ]);
  });

  it('an undo takes them away, and leaves those that a colleague has worked on', async () => {
    await importOf(people, ...german);
    const { run } = (await lastRun()) ?? { run: '' };
    const [, b] = (await shop.crm(['leads', 'list', '--limit', '3', '-o', 'ids'])).stdout.trim().split('\n');
    await shop.crm(['leads', 'tags', String(b), '--add', 'mine', '-q']);
    const { status, json } = await shop.crm(['undo', run, '--yes', '--json']);
    expect([status, json()]).toMatchObject([
      8,
      [
        { outcome: 'deleted', count: 2 },
        { outcome: 'kept', count: 1, what: 'changed since' },
      ],
    ]);
    expect((await shop.crm(['undo', run, '--yes', '--json'])).json()).toEqual([
      { outcome: 'kept', count: 1, family: 'leads', what: 'changed since', ids: [Number(b)] },
    ]);
    // The same file goes in again, but for the row whose lead was kept.
    expect((await importOf(people, ...german)).status).toBe(10);
    expect((await importOf(people, ...german, '--resume')).json()).toMatchObject({ created: 3 });
    expect((await shop.crm(['leads', 'list', '--limit', '4', '-o', 'ids'])).stdout.trim().split('\n')).toContain(b);
  });
});

describe('leads that are there', () => {
  beforeEach(async () => {
    await shop.crm(['leads', 'tags', '12', 'hot', 'cold', '-q']);
    await shop.crm(['leads', 'assign', '12', '1', '2', '-q']);
    await shop.crm(['leads', 'archive', '13', '-q']);
  });

  const lead = async (id: number) => {
    const { assigned, tags, active_state, value } = (await recordOf('leads', id)) as {
      assigned: { id: number }[];
      tags: string[];
      active_state: string;
      value: string;
    };
    return { assigned: assigned.map((one) => one.id), tags, active_state, value };
  };
  const updated = (text: string, ...flags: string[]) => importOf(text, '--mode', 'update', ...flags);

  it('get what is new, or the set of the row', async () => {
    const text = 'id,tags,assigned\n12,hot; new,Priya Raman\n';
    expect((await updated(text, '--sets', 'add')).json()).toMatchObject({ updated: 1 });
    expect(await lead(12)).toMatchObject({ tags: ['hot', 'cold', 'new'], assigned: [1, 2, 3] });
    expect((await updated(text, '--sets', 'add')).json()).toMatchObject({ updated: 0, unchanged: 1 });
    expect((await updated(text, '--sets', 'replace')).json()).toMatchObject({ updated: 1 });
    expect(await lead(12)).toMatchObject({ tags: ['hot', 'new'], assigned: [3] });
    expect((await updated(text)).json()).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('an undo puts them back, a tag of two words in quotes', async () => {
    await updated('id,tags\n12,hot; two words\n', '--sets', 'replace');
    const { run } = (await lastRun()) ?? { run: '' };
    expect((await shop.crm(['undo', run, '--yes', '--json'])).json()).toEqual([
      { outcome: 'put back', count: 1, family: 'leads', what: 'tags +cold -"two words"', ids: [12] },
    ]);
    expect(await lead(12)).toMatchObject({ tags: ['hot', 'cold'] });
  });

  it('are emptied where that is asked for', async () => {
    expect((await updated('id,tags\n12,\n', '--sets', 'replace')).json()).toMatchObject({ unchanged: 1 });
    expect((await updated('id,tags\n12,\n', '--sets', 'replace', '--blank', 'clear')).json()).toMatchObject({ updated: 1 });
    expect(await lead(12)).toMatchObject({ tags: [] });
  });

  it('are archived, and made active before they are changed', async () => {
    expect((await updated('id,active_state,value\n12,archived,7.00\n13,active,8.00\n')).json()).toMatchObject({ updated: 2 });
    expect(await lead(12)).toMatchObject({ active_state: 'archived', value: '7.00' });
    expect(await lead(13)).toMatchObject({ active_state: 'active', value: '8.00' });
    const { run, did } = (await lastRun()) ?? { run: '', did: '' };
    expect(did).toBe('2 leads updated');
    const values = (await shop.crm(['history', run, '--json'])).json() as { id: string; field: string }[];
    expect(values.filter(({ id }) => String(id) === '13').map(({ field }) => field)).toEqual(['active_state', 'value']);
    expect((await shop.crm(['undo', run, '--yes', '-q'])).status).toBe(0);
    expect(await lead(12)).toMatchObject({ active_state: 'active' });
    expect(await lead(13)).toMatchObject({ active_state: 'archived' });
  });

  it('are left whole where they were changed since the file was written', async () => {
    const { stdout } = await shop.crm(['leads', 'list', '--where', 'title~a', '--where', 'tags=cold', '--csv', '--all-fields']);
    await shop.crm(['leads', 'update', '12', '--value', '3.00', '-q']);
    const { status, json } = await updated(stdout.replace('hot; cold', 'other').replace('cold; hot', 'other'), '--sets', 'replace');
    expect([status, json()]).toMatchObject([8, { updated: 0, conflicts: 1 }]);
    expect(await lead(12)).toMatchObject({ tags: ['hot', 'cold'], value: '3.00' });
  });
});

describe('proposals', () => {
  const signed = async () => {
    const found = (await shop.crm(['proposals', 'list', '--where', 'has:signed.date', '--json'])).json() as {
      id: number;
      status: string;
    }[];
    return found[0] as { id: number; status: string };
  };

  it('new ones get their status', async () => {
    shop.write('p.csv', 'title,client,start,category,status,tags\nP,1,2027-01-04,Implementation,accepted,q3\n');
    expect((await shop.crm(['proposals', 'import', 'p.csv', '--json'])).json()).toMatchObject({ created: 1 });
    const found = (await shop.crm(['proposals', 'list', '--search', 'P', '--limit', '1', '--json'])).json();
    expect(found).toMatchObject([{ title: 'P', status: 'accepted', tags: ['q3'] }]);
  });

  it('a signature is not cleared, and its row stays back whole, unless that is asked for', async () => {
    const { id, status: before } = await signed();
    shop.write('p.csv', `id,title,status\n${id},Renamed,draft\n`);
    const words = ['proposals', 'import', 'p.csv', '--mode', 'update', '--json'];
    const { status, stderr, json } = await shop.crm(words);
    expect([status, json()]).toMatchObject([8, { updated: 0, failed: 1 }]);
    expect(problemsIn(stderr)).toEqual([['line 2', [expect.stringContaining('--clear-signatures')]]]);
    expect(await recordOf('proposals', id)).toMatchObject({ title: expect.not.stringMatching('Renamed'), status: before });
    expect((await shop.crm([...words, '--clear-signatures'])).json()).toMatchObject({ updated: 1 });
    expect(await recordOf('proposals', id)).toMatchObject({ title: 'Renamed', status: 'draft' });
  });
});
