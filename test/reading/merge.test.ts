// Leads that stand twice become one: what the kept one gets, what stays, what is refused, and the way back.

import { describe, expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

interface Lead {
  readonly id: number;
  readonly title: string;
  readonly active_state: string;
  readonly value: string | null;
  readonly source: string | null;
  readonly contact: { readonly email: string | null; readonly phone: string | null };
  readonly address: { readonly street: string | null; readonly city: string | null };
  readonly assigned: readonly { readonly id: number }[];
  readonly tags: readonly string[];
}

const shop = eachWorkshop({ demo: true });

async function made(...words: string[]): Promise<number> {
  const create = ['leads', 'create', '--title', 'Harbour', '--status', '1', '--category', '1', '--json', '-q', ...words];
  return ((await shop.crm(create)).json() as Lead).id;
}

const leads = async (...ids: number[]): Promise<Lead[]> => (await shop.crm(['leads', 'get', ids.join(','), '--json'])).json() as Lead[];
const merge = (...words: (string | number)[]) => shop.crm(['leads', 'merge', ...words.map(String), '--yes']);
const comments = async (id: number): Promise<string[]> =>
  ((await shop.crm(['leads', 'comments', 'list', String(id), '--json'])).json() as { text: string }[]).map(({ text }) => text);
const history = async () => (await shop.crm(['history', '--json'])).json() as { run: string; did: string; command: string }[];
const latestRun = async (): Promise<string> => (await history())[0]?.run ?? '';

describe('two leads into one', () => {
  it('the kept one gets what it lacks, and its own values stay and are named', async () => {
    const kept = await made('--email', 'ann@north.example', '--value', '100', '--city', 'York');
    const one = await made('--title', 'Quay', '--email', 'ann@north.example', '--phone', '555 123 456', '--value', '90');
    const other = await made('--source', 'Fair', '--phone', '444 123 456', '--street', 'Main St 1', '--city', 'Leeds');
    await shop.crm(['leads', 'tags', String(kept), 'hot']);
    await shop.crm(['leads', 'tags', String(one), 'cold', 'merged-into-7']);
    await shop.crm(['leads', 'contacted', String(kept), '--on', '2026-01-10']);
    await shop.crm(['leads', 'contacted', String(other), '--on', '2026-02-10']);
    await shop.crm(['leads', 'assign', String(other), '2', '3']);
    await shop.crm(['leads', 'comment', String(one), 'Called']);
    const ended = await merge(`${one},${other}`, '--into', kept);
    expect(ended.status, ended.stderr).toBe(0);
    expect((await history())[0]).toMatchObject({ did: '3 leads merged', command: expect.stringMatching(/^crm leads merge /) });
    const [now, gone, last] = await leads(kept, one, other);
    const tag = `merged-into-${kept}`;
    expect(now).toMatchObject({
      title: 'Harbour',
      active_state: 'active',
      value: '100.00',
      source: 'Fair',
      contact: { email: 'ann@north.example', phone: '555 123 456' },
      // Half of another address makes none.
      address: { street: null, city: 'York' },
      tags: ['hot', 'cold'],
      last_contacted: '2026-02-10',
    });
    expect(now?.assigned.map(({ id }) => id)).toEqual([2, 3]);
    expect([gone?.active_state, gone?.tags, gone?.contact.phone]).toEqual(['archived', ['cold', 'merged-into-7', tag], '555 123 456']);
    expect([last?.active_state, last?.tags, last?.source]).toEqual(['archived', [tag], 'Fair']);
    expect([await comments(kept), await comments(one), await comments(other)]).toEqual([[], ['Called'], []]);
    expect(ended.stderr).toContain(
      `Where lead ${one} differs, lead ${kept} keeps its own values: title Harbour, not Quay; value 100.00, not 90.00`,
    );
    expect(ended.stderr).toContain(
      `keeps its own values: phone 555 123 456, not 444 123 456; street (empty), not Main St 1; city York, not Leeds`,
    );
    expect(ended.stderr).toContain(`Can't be moved, and stay with lead ${one}: 1 comment.`);
  });

  it('once more changes nothing', async () => {
    const [kept, one] = [await made(), await made('--phone', '555 123 456')];
    await merge(one, '--into', kept);
    const before = [...(await leads(kept, one)), await comments(one)];
    expect((await merge(one, '--into', kept)).status).toBe(0);
    expect([...(await leads(kept, one)), await comments(one)]).toEqual(before);
  });

  it('asks, tells beforehand what it would do, and does nothing without a yes', async () => {
    const [kept, one] = [await made(), await made('--phone', '555 123 456')];
    const before = await leads(kept, one);
    const words = ['leads', 'merge', String(one), '--into', String(kept)];
    const [alone, dry] = [await shop.crm(words), await shop.crm([...words, '--dry-run', '--json'])];
    expect([alone.status, alone.stdout, dry.status]).toEqual([9, '', 0]);
    const sent = (dry.json() as { requests?: { method: string; url: string }[] }) ?? {};
    expect(JSON.stringify(sent)).toMatch(/PATCH.*\/tags.*\/archive/s);
    const asked = await shop.crm(words, { tty: true, columns: 100, stdin: 'n\n' });
    expect([asked.status, asked.stderr]).toEqual([9, expect.stringContaining(`Merge 1 lead (${one}) into lead ${kept}?`)]);
    expect(asked.stderr).toMatch(
      new RegExp(`Lead ${kept}: Harbour\n {2}phone {2}\\(empty\\) → 555 123 456\nLead ${one}: Harbour\n {2}tags`),
    );
    expect(await leads(kept, one)).toEqual(before);
    expect((await shop.crm(words, { tty: true, columns: 100, stdin: 'y\n' })).status).toBe(0);
  });

  it('an archived or converted lead is not merged into, and a converted one not at all', async () => {
    const [kept, archived, converted] = [await made(), await made(), await made('--email', 'c@x.example')];
    await shop.crm(['leads', 'archive', String(archived)]);
    await shop.crm(['leads', 'convert', String(converted), '--first-name', 'C', '--last-name', 'D', '--email', 'c@x.example']);
    const before = await leads(kept, archived, converted);
    const ends = [await merge(kept, '--into', archived), await merge(kept, '--into', converted), await merge(converted, '--into', kept)];
    expect(ends.map(({ status }) => status)).toEqual([10, 10, 10]);
    expect(ends.map(({ stderr }) => /Lead (\d+) is (\w+)/.exec(stderr)?.slice(1))).toEqual([
      [String(archived), 'archived'],
      [String(converted), 'converted'],
      [String(converted), 'converted'],
    ]);
    expect(await leads(kept, archived, converted)).toEqual(before);
    expect((await merge(archived, '--into', kept)).status).toBe(0);
  });

  it.each([
    ['itself', ['12', '--into', '12']],
    ['no lead to keep', ['12,13']],
    ['no lead to merge', ['--into', '12']],
    ['a file', ['--from', 'x.csv']],
    ['ids from standard input', ['-', '--into', '12']],
  ])('%s is refused', async (_name, words) => {
    expect((await merge(...words)).status).toBe(2);
  });

  it('a lead that there is none of is 3', async () => expect((await merge(99_999, '--into', 12)).status).toBe(3));
});

describe('what merges all groups, as a change file', () => {
  it('has no rows where no two share an email, and says what merges others', async () => {
    const [one, other] = [await made('--phone', '+49 30 7654321'), await made('--phone', '030 7654321')];
    const { status, stderr } = await shop.crm(['leads', 'duplicates', '--by', 'phone', '--plan', 'none.csv']);
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/none\.csv has no rows: .*Nothing was sent\. To merge others: crm leads merge IDS --into ID\n/),
    ]);
    expect(stderr).not.toContain('crm apply');
    expect((await merge(other, '--into', one)).status).toBe(0);
  });

  it('guards that a lead is open, names what is taken, and is not written over', async () => {
    const [kept, one] = [await made('--email', 'ann@north.example'), await made('--email', 'ANN@north.example', '--source', 'Fair')];
    await shop.crm(['leads', 'assign', String(one), '2']);
    const planned = await shop.crm(['leads', 'duplicates', '--plan', 'merge.csv', '--json']);
    expect([planned.status, planned.json()], planned.stderr).toMatchObject([
      0,
      expect.arrayContaining([expect.objectContaining({ keep: kept })]),
    ]);
    expect(planned.stderr).toContain('Nothing was sent. To carry it out: crm apply merge.csv');
    const [header = '', ...rows] = shop.read('merge.csv').trimEnd().split(/\r?\n/);
    expect(header.split(',')).toEqual(
      expect.arrayContaining([
        'family',
        'id',
        'was.title',
        'was.converted.is_converted',
        'active_state',
        'was.active_state',
        'source',
        'tags',
        'assigned',
      ]),
    );
    const cells = (row = ''): Record<string, string> =>
      Object.fromEntries(header.split(',').map((name, index) => [name, row.split(',')[index] ?? '']));
    expect(rows.map(cells)).toMatchObject([
      {
        id: String(kept),
        source: 'Fair',
        'was.source': '',
        'was.converted.is_converted': 'false',
        assigned: expect.stringMatching(/^[A-Z]/),
      },
      { id: String(one), tags: `merged-into-${kept}`, active_state: 'archived', 'was.active_state': 'active' },
    ]);
    expect((await shop.crm(['leads', 'duplicates', '--plan', 'merge.csv'])).status).toBe(2);
    await shop.crm(['leads', 'convert', String(one), '--first-name', 'C', '--last-name', 'D', '--email', 'c@x.example']);
    const applied = await shop.crm(['apply', 'merge.csv']);
    expect([applied.status, applied.stderr]).toEqual([8, expect.stringContaining('converted.is_converted is true now, not false')]);
    expect((await leads(kept, one)).map(({ active_state: state }) => state)).toEqual(['active', 'active']);
  });

  const convert = ['convert', '--first-name', 'C', '--last-name', 'D', '--email'];

  it.each([
    ['which lacks a source, was archived', ['--source', 'Fair'], ['archive'], /Lead \d+ is archived: nothing is merged with it/],
    ['which lacks nothing, was archived', [], ['archive'], /Lead \d+ is archived: nothing is merged with it/],
    ['which lacks a source, was converted', ['--source', 'Fair'], [...convert, 'c1@x.example'], /is_converted is true now/],
    ['which lacks nothing, was converted', [], [...convert, 'c2@x.example'], /is_converted is true now/],
    ['which lacks nothing, has another title', [], ['update', '--title', 'Theirs'], /title is Theirs now/],
    ['which lacked a source, has got one', ['--source', 'Fair'], ['update', '--source', 'Theirs'], /source is Theirs now/],
  ])('leaves a group as it is when the lead that is kept, %s meanwhile', async (name, more, [verb = '', ...meanwhile], told) => {
    const email = `${name.replaceAll(/\W+/g, '-')}@north.example`;
    const [kept, one] = [await made('--email', email), await made('--email', email, ...more)];
    const [other, another] = [await made('--email', `x${email}`), await made('--email', `x${email}`)];
    expect((await shop.crm(['leads', 'duplicates', '--by', 'email', '--plan', 'all.csv', '-q'])).status).toBe(0);
    // A spreadsheet may have put them in another order.
    const [header, ...rows] = shop.read('all.csv').trimEnd().split('\r\n');
    shop.write('all.csv', `${[header, ...rows.toReversed()].join('\r\n')}\r\n`);
    expect((await shop.crm(['leads', verb, String(kept), ...meanwhile])).status).toBe(0);
    const { status, stderr } = await shop.crm(['apply', 'all.csv']);
    expect([status, stderr]).toEqual([8, expect.stringMatching(told)]);
    expect(stderr).toContain(`Nothing was sent to it, because a write to lead ${kept} did not succeed.`);
    const states = (await leads(one, other, another)).map(({ active_state: state }) => state);
    expect(states).toEqual(['active', 'active', 'archived']);
  });

  it.each([80, 100])('on a terminal of %d columns names the values that stay behind, and the list of all of them', async (columns) => {
    const kept = await made('--email', 'ann@north.example', '--phone', '+49 382 1', '--job-position', 'Owner');
    const one = await made('--email', 'ann@north.example', '--phone', '+39 345 2', '--job-position', 'Buyer');
    const seen = await shop.crm(['leads', 'duplicates', '--by', 'email'], { tty: true, columns });
    expect(seen.stdout + seen.stderr).toMatch(/To merge those that share an email: +crm leads duplicates --by email --plan\smerge\.csv/);
    const planned = await shop.crm(['leads', 'duplicates', '--by', 'email', '--plan', 'merge.csv'], { tty: true, columns });
    const lines = planned.stderr.replaceAll('\n  ', ' ');
    expect(lines).toContain(`phone         ${kept}: +49 382 1 stays · ${one}: +39 345 2 goes to the archive`);
    expect(lines).toContain(`job-position  ${kept}: Owner stays · ${one}: Buyer goes to the archive`);
    expect(planned.stderr).toContain('All values of the groups: crm leads duplicates --by email --csv');
    expect(planned.stderr).not.toContain('in all');
    const csv = (await shop.crm(['leads', 'duplicates', '--by', 'email', '--csv'])).stdout;
    for (const value of ['+49 382 1', '+39 345 2', 'Owner', 'Buyer']) expect(csv).toContain(value);
  });

  it('names twenty values, and how many there are', async () => {
    for (let place = 0; place < 11; place += 1) {
      await made('--email', `p${place}@north.example`, '--phone', `+49 382 ${place}`, '--job-position', 'Owner');
      await made('--email', `p${place}@north.example`, '--phone', `+39 345 ${place}`, '--job-position', 'Buyer');
    }
    const { stderr } = await shop.crm(['leads', 'duplicates', '--by', 'email', '--plan', 'merge.csv'], { tty: true, columns: 100 });
    expect(stderr.match(/goes to the archive\n/g)).toHaveLength(20);
    expect(stderr).toContain('22 values in all. All values of the groups: crm leads duplicates --by email --csv');
    const cut = await shop.crm(['leads', 'duplicates', '--limit', '3', '--json']);
    const groups = new Set((cut.json() as { group: unknown }[]).map(({ group }) => group));
    expect([groups.size, cut.stderr]).toEqual([3, expect.stringContaining('3 of 11 groups. More: --limit 6.')]);
    const runs = await shop.crm(['history', '--limit', '2', '--json']);
    expect([runs.status, runs.json()]).toEqual([0, []]);
  });

  it('of forty duplicates that was struck out in places is carried out, and undone', async () => {
    const people = Array.from({ length: 20 }, (_, number) => `person${number}@north.example`);
    const rows = people.flatMap((email, number) => [
      `Deal ${number},1,1,${email},,`,
      `Deal ${number} again,2,1,${email.toUpperCase()},555 100 ${100 + number},`,
      `Deal ${number} once more,1,2,${email.replace('@', '+fair@')},,Fair ${number}`,
    ]);
    shop.write('new.csv', `title,status,category,email,phone,source\n${rows.join('\n')}\n`);
    expect((await shop.crm(['leads', 'import', 'new.csv', '-q'])).status).toBe(0);
    const before = (await shop.crm(['leads', 'list', '--all', '--json'])).json() as (Lead & { dates: object })[];
    expect((await shop.crm(['leads', 'duplicates', '--by', 'email', '--plan', 'twice.csv', '-q'])).status).toBe(0);
    const file = shop.read('twice.csv').trimEnd().split(/\r?\n/);
    expect(file).toHaveLength(61);
    // One group is struck out, and of another one line.
    const edited = file.filter((line) => !/,Deal 3( |,)/.test(line) && !line.includes(',Deal 4 again,'));
    shop.write('twice.csv', `${edited.join('\r\n')}\r\n`);
    const ended = await shop.crm(['apply', 'twice.csv', '-q']);
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    const after = new Map(((await shop.crm(['leads', 'list', '--all', '--json'])).json() as Lead[]).map((lead) => [lead.title, lead]));
    const archived = [...after.values()].filter(({ tags }) => tags.some((tag) => tag.startsWith('merged-into-')));
    expect(archived).toHaveLength(37);
    expect(archived.filter(({ active_state: state }) => state !== 'archived')).toEqual([]);
    for (let number = 0; number < 20; number += 1) {
      const [first, again, more] = ['', ' again', ' once more'].map((name) => after.get(`Deal ${number}${name}`));
      const states = [first, again, more].map((lead) => lead?.active_state);
      if (number === 3) expect(states).toEqual(['active', 'active', 'active']);
      else if (number === 4) expect(states).toEqual(['active', 'active', 'archived']);
      else
        expect([...states, first?.contact.phone, first?.source]).toEqual([
          'active',
          'archived',
          'archived',
          `555 100 ${100 + number}`,
          `Fair ${number}`,
        ]);
    }
    const undone = await shop.crm(['undo', await latestRun(), '--yes']);
    expect(undone.status, undone.stderr).toBe(0);
    const back = (await shop.crm(['leads', 'list', '--all', '--json'])).json() as (Lead & { dates: object })[];
    const told = (all: typeof back) => all.map(({ dates: _dates, ...lead }) => lead);
    expect(told(back)).toEqual(told(before));
  });
});
