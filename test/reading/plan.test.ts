// --plan: the file that a change over a selection writes in place of sending anything. A whole run against the embedded CRM over real HTTP.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addProtected, eachWorkplace } from '../seed/support.ts';

const place = eachWorkplace({}, async ({ crm }) => {
  for (const args of [
    ['leads', 'update', '12', '--title', 'Quay, "north"', '--source', 'web', '--value', '12.50', '--status', 'New'],
    ['leads', 'update', '13', '--title', '=Quay', '--source', 'Web shop', '--value', '', '--status', 'Lost'],
    ['leads', 'update', '14', '--title', 'Quay west', '--source', 'web', '--value', '3', '--status', 'Negotiation'],
    ['leads', 'tags', '12', 'cold', 'a;b'],
    ['leads', 'tags', '13', '--clear'],
    ['leads', 'tags', '14', 'hot'],
    ['leads', 'assign', '12', 'Priya Raman'],
    ['leads', 'assign', '13', 'Tom Okafor'],
    ['leads', 'activate', '12,13,14'],
  ])
    expect(await crm([...args, '-q', '--yes'])).toMatchObject({ status: 0 });
});

const written = (name: string): string[] => readFileSync(join(place.folder, name), 'utf8').trimEnd().split('\r\n');

describe('--plan', () => {
  // biome-ignore format: a table
  it.each<[string, string[], string[]]>([
    ['update, with what selected the records and what they are called',
      ['leads', 'update', '--where', 'source~web', '--where', 'title~quay', '--status', 'negotiation', '--value', '9'],
      ['family,id,was.title,was.source,status,was.status,value,was.value', 'leads,14,Quay west,web,Negotiation,Negotiation,9,3.00',
      "leads,13,'=Quay,Web shop,Negotiation,Lost,9,", 'leads,12,"Quay, ""north""",web,Negotiation,New,9,12.50']],
    ['a field that selects and is written', ['leads', 'update', '--where', 'source=Web shop', '--source', ''],
      ['family,id,was.title,source,was.source', "leads,13,'=Quay,,Web shop"]],
    ['a single id', ['leads', 'update', '12', '--title', 'Kai'], ['family,id,title,was.title', 'leads,12,Kai,"Quay, ""north"""']],
    ['what only crm can tell of the state', ['leads', 'archive', '--where', 'state=open', '--where', 'title=Quay west'],
      ['family,id,was.title,was.converted.is_converted,active_state,was.active_state', 'leads,14,Quay west,false,archived,active']],
    ['status, of those that are not so already', ['leads', 'status', '12,14', '--to', 'Negotiation'],
      ['family,id,was.title,status,was.status', 'leads,12,"Quay, ""north""",Negotiation,New']],
    ['an update of a status alone, beside a field that stays: it is no setting of the status',
      ['leads', 'update', '12,14', '--status', 'Negotiation'],
      ['family,id,was.title,status,was.status,category,was.category', 'leads,12,"Quay, ""north""",Negotiation,New,Inbound,Inbound']],
    ['tags', ['leads', 'tags', '12,13,14', '--add', 'hot', '--remove', 'cold'],
      ['family,id,was.title,tags,was.tags', 'leads,12,"Quay, ""north""","[""a;b"",""hot""]","[""cold"",""a;b""]"', "leads,13,'=Quay,hot,"]],
    ['assign', ['leads', 'assign', '12,13', '--add', 'tom okafor'],
      ['family,id,was.title,assigned,was.assigned', 'leads,12,"Quay, ""north""",Priya Raman; Tom Okafor,Priya Raman']],
    ['none', ['leads', 'update', '--where', 'title=nothing-like-it', '--source', 'Fair'], ['family,id,was.title,source,was.source']],
  ])('writes %s', async (_name, args, lines) => {
    const before = await place.everything();
    const { status, stderr } = await place.crm([...args, '--plan', 'plan.csv']);
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('crm apply plan.csv');
    expect(await place.everything()).toEqual(before);
    expect(written('plan.csv').sort()).toEqual(lines.toSorted());
    expect(written('plan.csv')[0]).toBe(lines[0]);
  });

  it('prints what the dry run prints', async () => {
    const args = ['leads', 'update', '12,13', '--source', 'Fair', '--json'];
    const [dry, plan] = [await place.crm([...args, '--dry-run']), await place.crm([...args, '--plan', 'plan.csv'])];
    expect(plan.stdout).toBe(dry.stdout);
    expect(JSON.parse(plan.stdout)).toHaveLength(2);
  });

  it('asks for no name of a protected profile', async () => {
    await addProtected(place, 'live');
    const env = { CRM_BASE_URL: '', CRM_API_KEY: '' };
    const args = ['leads', 'update', '--where', 'title~quay', '--source', 'Fair', '-p', 'live'];
    expect(await place.crm(args, { env })).toMatchObject({ status: 9 });
    const { status, stderr } = await place.crm([...args, '--plan', 'plan.csv'], { env });
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('crm -p live apply plan.csv');
  });

  it('overwrites no file, and writes no other kind', async () => {
    place.write('plan.csv', 'mine');
    const args = ['leads', 'archive', '12,13', '--plan'];
    expect(await place.crm([...args, 'plan.csv'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('is there already'),
    });
    expect(written('plan.csv')).toEqual(['mine']);
    expect(await place.crm([...args, 'plan.json'])).toMatchObject({ status: 2, stderr: expect.stringContaining('.csv or .xlsx') });
  });

  it.each([
    [['items', 'update', '1,2', '--set', 'item_custom=7'], "can't hold item_custom"],
    [['leads', 'update', '12,13', '--title', 'x', '--status', '1', '--category', '1', '--replace'], '--replace'],
  ])('refuses what records do not tell: %s', async (args, words) => {
    expect(await place.crm([...args, '--plan', 'plan.csv'])).toMatchObject({ status: 2, stderr: expect.stringContaining(words) });
  });
});
