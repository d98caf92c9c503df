import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/base/values/json.ts';
import type { Shape } from '../../../src/output/result.ts';
import { printRecord } from '../../../src/output/tables/record-view.ts';
import { type FakeIoOptions, fakeIo } from '../../support/fake-io.ts';
import { kestrel, now, osprey, shapeless, ships } from '../samples.ts';

async function view(record: unknown, streams: FakeIoOptions = {}, shape: Shape = ships, fields?: readonly string[]): Promise<string> {
  const io = fakeIo(streams);
  await printRecord(record, { io, shape, now, flags: { csvRaw: false, ...(fields === undefined ? {} : { fields }) } });
  return io.stdoutText();
}

const terminal = { tty: true, columns: 40 };

it('the path of a file is not broken on a terminal', async () => {
  const path = '/home/of somebody/.local/share/crm/journals/leads-create-0123456789abcdef01234567.jsonl';
  expect(stripVTControlCharacters(await view({ total: 3, journal: path }, terminal, shapeless))).toBe(`total    3\njournal  ${path}\n`);
});

describe('off a terminal', () => {
  it('is one line a member, documented ones first', async () => {
    expect(await view({ score: 3, ...kestrel })).toBe(
      [
        'id\t7',
        'name\tKestrel',
        'port.id\t2',
        'port.city\tBergen',
        'price\t1200.50',
        'afloat\ttrue',
        'crew\t2 Tom Okafor, 3 Priya Raman',
        'flags\tfast, old',
        'dates.built\t1999-05-06',
        'score\t3',
        '',
      ].join('\n'),
    );
  });

  it('shows nulls empty, and leaves out what the record lacks', async () => {
    expect(await view(osprey)).toBe(
      'id\t12\nname\tOsprey\nport.id\t\nport.city\t\nprice\t\nafloat\tfalse\ncrew\t\nflags\t\ndates.built\t\n',
    );
    expect(await view({ id: 1 })).toBe('id\t1\n');
  });

  it('gives custom fields a line each', async () => {
    const record = {
      id: 1,
      custom_fields: [
        { id: 1, name: 'SKU', value: 'A-1' },
        { id: 2, name: 'Evil\nname', value: null },
      ],
    };
    expect(await view(record, {}, shapeless)).toBe('id\t1\ncustom_fields.SKU\tA-1\ncustom_fields.Evil↵name\t\n');
  });

  it('keeps numbers digit for digit', async () => {
    expect(await view(parseJson('{"n": 12345678901234567890.10}'), {}, shapeless)).toBe('n\t12345678901234567890.10\n');
  });

  it('shows the members of --fields, in their order', async () => {
    expect(await view(kestrel, {}, ships, ['port', 'crew.name', 'nope'])).toBe(
      'port.id\t2\nport.city\tBergen\ncrew.name\tTom Okafor, Priya Raman\nnope\t\n',
    );
  });

  it('cannot be forged by a text', async () => {
    expect(await view({ id: 1, name: 'x\nid\t2\x1b[1A' }, {}, shapeless)).toBe('id\t1\nname\tx↵id 2\\x1b[1A\n');
  });
});

describe('on a terminal', () => {
  it('a long name stands above its value, and moves no other', async () => {
    const name = 'the_name_of_a_member_longer_than_any_label';
    expect(stripVTControlCharacters(await view({ a: 1, [name]: 'x', bc: 2 }, { tty: true, columns: 60 }, shapeless))).toBe(
      `a   1\n${name}\n    x\nbc  2\n`,
    );
  });

  it('wraps long values below themselves and cuts nothing', async () => {
    const text = await view({ id: 1, note: 'one two three four five six seven\neight' }, { tty: true, columns: 28 }, shapeless);
    expect(text).toBe('id    1\nnote  one two three four\n      five six seven↵\n      eight\n');
  });

  it('marks what is absent', async () => {
    expect(await view({ id: 1, note: null, tags: [] }, terminal, shapeless)).toBe('id    1\nnote  -\ntags  -\n');
  });

  it('dims member names', async () => {
    const text = await view(kestrel, { ...terminal, color: true });
    expect(text).toContain('\x1b[2mPrice\x1b[22m');
    expect(stripVTControlCharacters(text)).toBe(await view(kestrel, terminal));
    expect(await view({ name: 'Kestrel' }, { ...terminal, color: true }, shapeless)).toContain('\x1b[2mname\x1b[22m');
  });
});

it('writes nothing for an empty record', async () => {
  expect(await view({}, terminal, shapeless)).toBe('');
});
