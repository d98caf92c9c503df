// Leads that stand twice become one: what the kept one gets, what stays, what is refused, and the way back.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../import/support.ts';

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

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop({ demo: true });
});
afterEach(() => shop.remove());

async function made(...words: string[]): Promise<number> {
  const create = ['leads', 'create', '--title', 'Harbour', '--status', '1', '--category', '1', '--json', '-q', ...words];
  return ((await shop.crm(create)).json() as Lead).id;
}

const leads = async (...ids: number[]): Promise<Lead[]> => (await shop.crm(['leads', 'get', ids.join(','), '--json'])).json() as Lead[];
const merge = (...words: (string | number)[]) => shop.crm(['leads', 'merge', ...words.map(String), '--yes']);
const comments = async (id: number): Promise<string[]> =>
  ((await shop.crm(['leads', 'comments', 'list', String(id), '--json'])).json() as { text: string }[]).map(({ text }) => text);
const latestRun = async (): Promise<string> => (await shop.crm(['history', '--jq', '.[0].run'])).stdout.trim();

describe('two leads into one', () => {
  it('the kept one gets what it lacks, and its own values stay and are named', async () => {
    const kept = await made('--email', 'ann@north.example', '--value', '100', '--city', 'York');
    const one = await made('--title', 'Quay', '--email', 'ann@north.example', '--phone', '555 123 456', '--value', '90');
    const other = await made('--source', 'Fair', '--phone', '444 123 456', '--street', 'Main St 1', '--city', 'Leeds');
    await shop.crm(['leads', 'tags', String(kept), 'hot']);
    await shop.crm(['leads', 'tags', String(one), 'cold', 'merged']);
    await shop.crm(['leads', 'assign', String(other), '2', '3']);
    await shop.crm(['leads', 'comment', String(one), 'Called']);
    const ended = await merge(`${one},${other}`, '--into', kept);
    expect(ended.status, ended.stderr).toBe(0);
    const history = await shop.crm(['history', '--jq', '.[0].did']);
    expect(history.stdout).toBe('3 leads changed, 2 leads commented\n');
    const [now, gone, last] = await leads(kept, one, other);
    expect(now).toMatchObject({
      title: 'Harbour',
      active_state: 'active',
      value: '100.00',
      source: 'Fair',
      contact: { email: 'ann@north.example', phone: '555 123 456' },
      // Half of another address makes none.
      address: { street: null, city: 'York' },
      tags: ['hot', 'cold'],
    });
    expect(now?.assigned.map(({ id }) => id)).toEqual([2, 3]);
    expect([gone?.active_state, gone?.tags, gone?.contact.phone]).toEqual(['archived', ['cold', 'merged'], '555 123 456']);
    expect([last?.active_state, last?.tags, last?.source]).toEqual(['archived', ['merged'], 'Fair']);
    expect([await comments(kept), await comments(one), await comments(other)]).toEqual([
      [],
      ['Called', `Merged into lead ${kept}: Harbour`],
      [`Merged into lead ${kept}: Harbour`],
    ]);
    expect(ended.stderr).toContain(`Lead ${kept}, beside lead ${one}, keeps title Harbour, not Quay; value 100.00, not 90.00`);
    expect(ended.stderr).toContain(`keeps phone 555 123 456, not 444 123 456; street (empty), not Main St 1; city York, not Leeds`);
    expect(ended.stderr).toContain(`With lead ${one} stay 1 comment, which can't be moved.`);
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
    expect(JSON.stringify(sent)).toMatch(/PATCH.*\/tags.*\/comments.*\/archive/s);
    const asked = await shop.crm(words, { tty: true, columns: 100, stdin: 'n\n' });
    expect([asked.status, asked.stderr]).toEqual([9, expect.stringContaining(`Merge 1 lead (${one}) into lead ${kept} "Harbour"?`)]);
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
    ['ids beside a file', ['12', '--from', 'x.csv']],
    ['ids from standard input', ['-', '--into', '12']],
  ])('%s is refused', async (_name, words) => {
    shop.write('x.csv', 'group,keep,id\n');
    expect((await merge(...words)).status).toBe(2);
  });

  it('a lead that there is none of is 3', async () => expect((await merge(99_999, '--into', 12)).status).toBe(3));
});

describe('a file', () => {
  const refused = async (content: string): Promise<string> => {
    shop.write('twice.csv', content);
    const { status, stderr, stdout } = await merge('--from', 'twice.csv');
    expect([status, stdout]).toEqual([2, '']);
    return stderr;
  };

  it('with a lead in two groups, two leads to keep, or none of them in the group, is refused', async () => {
    expect(await refused('group,keep,id\n1,5,5\n1,5,6\n2,6,6\n2,6,7\n')).toContain('lead 6 stands on line 3, too');
    expect(await refused('group,keep,id\n1,5,5\n1,6,6\n')).toContain('line 3, column keep: it says 6, and 5 above in the same group');
    expect(await refused('group,keep,id\n1,5,6\n')).toContain('lead 5 has no line in this group');
    expect(await refused('id,title\n1,Harbour\n')).toContain('has no column group and keep');
  });

  it('of which some groups can’t be merged is merged but for these, with 8', async () => {
    const [a, b, c, d] = [await made(), await made(), await made(), await made()];
    await shop.crm(['leads', 'archive', String(a)]);
    shop.write('twice.csv', `group,keep,id\n1,${a},${a}\n1,${a},${b}\n2,${c},${c}\n2,${c},${d}\n`);
    const ended = await merge('--from', 'twice.csv');
    expect([ended.status, ended.stderr]).toEqual([8, expect.stringContaining(`Lead ${a} is archived: nothing is merged with it.`)]);
    expect((await leads(a, b, c, d)).map(({ active_state: state }) => state)).toEqual(['archived', 'active', 'active', 'archived']);
  });

  it('of forty duplicates that was edited is carried out, and undone', async () => {
    const people = Array.from({ length: 20 }, (_, number) => `person${number}@north.example`);
    const rows = people.flatMap((email, number) => [
      `Deal ${number},1,1,${email},,`,
      `Deal ${number} again,2,1,${email.toUpperCase()},555 100 ${100 + number},`,
      `Deal ${number} once more,1,2,${email.replace('@', '+fair@')},,Fair ${number}`,
    ]);
    shop.write('new.csv', `title,status,category,email,phone,source\n${rows.join('\n')}\n`);
    expect((await shop.crm(['leads', 'import', 'new.csv', '-q'])).status).toBe(0);
    const before = (await shop.crm(['leads', 'list', '--all', '--json'])).json() as (Lead & { dates: object })[];
    const file = (await shop.crm(['leads', 'duplicates', '--by', 'email', '--csv', '-q'])).stdout.trimEnd().split(/\r?\n/);
    expect(file).toHaveLength(61);
    const idOf = (title: string): number => before.find((lead) => lead.title === title)?.id ?? 0;
    // One group is struck out, of another one line, and a third keeps another lead.
    const edited = file
      .filter((line) => !/,Deal 3( |,)/.test(line) && !line.includes(',Deal 4 again,'))
      .map((line) => (/,Deal 5( |,)/.test(line) ? line.replace(`,${idOf('Deal 5')},`, `,${idOf('Deal 5 again')},`) : line));
    shop.write('twice.csv', `${edited.join('\r\n')}\r\n`);
    const ended = await merge('--from', 'twice.csv', '-q');
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    const after = new Map(((await shop.crm(['leads', 'list', '--all', '--json'])).json() as Lead[]).map((lead) => [lead.title, lead]));
    const archived = [...after.values()].filter(({ tags }) => tags.includes('merged'));
    expect(archived).toHaveLength(37);
    expect(archived.filter(({ active_state: state }) => state !== 'archived')).toEqual([]);
    for (let number = 0; number < 20; number += 1) {
      const [first, again, more] = ['', ' again', ' once more'].map((name) => after.get(`Deal ${number}${name}`));
      const states = [first, again, more].map((lead) => lead?.active_state);
      if (number === 3) expect(states).toEqual(['active', 'active', 'active']);
      else if (number === 4)
        expect([...states, first?.contact.phone, first?.source]).toEqual(['active', 'active', 'archived', null, 'Fair 4']);
      else if (number === 5) expect([...states, again?.source]).toEqual(['archived', 'active', 'archived', 'Fair 5']);
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
    expect(undone.stdout).toContain("commented: that can't be undone");
    const back = (await shop.crm(['leads', 'list', '--all', '--json'])).json() as (Lead & { dates: object })[];
    const told = (all: typeof back) => all.map(({ dates: _dates, ...lead }) => lead);
    expect(told(back)).toEqual(told(before));
  });
});
