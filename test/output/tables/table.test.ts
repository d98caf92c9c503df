import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { longText } from '../../../src/model/define.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import type { Shape } from '../../../src/output/result.ts';
import { tableWriter } from '../../../src/output/tables/table.ts';
import { type FakeIoOptions, fakeIo } from '../../support/fake-io.ts';
import { kestrel, now, osprey, shapeless, ships } from '../samples.ts';

interface Drawing {
  readonly shape?: Shape;
  readonly fields?: readonly string[];
  readonly streams?: FakeIoOptions;
  readonly sparse?: boolean;
  readonly askedFor?: readonly string[];
  readonly facts?: readonly string[];
  readonly quiet?: boolean;
  readonly allFields?: boolean;
}

async function draw(
  pages: readonly (readonly unknown[])[],
  { shape = ships, fields, streams = {}, sparse = false, askedFor = [], facts, quiet = false, allFields = false }: Drawing = {},
): Promise<string> {
  const io = fakeIo(streams);
  const flags = { csvRaw: false, quiet, allFields, ...(fields === undefined ? {} : { fields }) };
  const writer = tableWriter({ io, shape, now, askedFor, flags }, sparse);
  for (const page of pages) await writer.page(page);
  await writer.end(facts);
  return io.stdoutText();
}

const terminal = { tty: true, columns: 80 };
const long = 'A very long name that goes on and on, well past any width that a column could be given on a small terminal';

describe('on a terminal', () => {
  it('a column that says a value once leaves it out below the same value, and not below another', async () => {
    const shape: Shape = { columns: [{ path: 'group', once: true }, { path: 'name' }], record: ['group', 'name'] };
    const records = [1, 1, 2, 1, 1].map((group, index) => ({ group, name: 'abcde'[index] }));
    const drawn = (await draw([records], { shape, streams: terminal })).trimEnd().split('\n');
    expect(drawn.map((line) => line.trimEnd())).toEqual(['GROUP  NAME', '1      a', '       b', '2      c', '1      d', '       e']);
  });

  it('aligns columns under upper-case headers, without borders', async () => {
    expect(await draw([[kestrel, osprey]], { streams: { ...terminal, columns: 100 } })).toBe(
      [
        'ID  NAME     PORT      PRICE  CREW                     FLAGS',
        ' 7  Kestrel  Bergen  1200.50  Tom Okafor, Priya Raman  fast, old',
        '12  Osprey',
        '',
      ].join('\n'),
    );
  });

  it('fits the width with no space at the end of a line', async () => {
    for (const columns of [10, 20, 40, 60, 80, 120]) {
      const text = await draw(
        [
          [
            { ...kestrel, name: long },
            { ...osprey, name: '東京'.repeat(40) },
          ],
        ],
        { streams: { tty: true, columns } },
      );
      for (const line of text.trimEnd().split('\n')) {
        expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(line).not.toMatch(/\s$/);
      }
    }
  });

  it('never cuts an id or an amount while there is another column', async () => {
    const text = await draw([[{ ...kestrel, id: 12345678, name: long, price: '12345678901.50' }]], {
      fields: ['id', 'name', 'price'],
      streams: { tty: true, columns: 40 },
    });
    expect(text).toContain('12345678  ');
    expect(text).toContain('12345678901.50');
  });

  it('keeps the columns aligned around wide and joined characters', async () => {
    const names = ['東京オフィス', 'Café 👩‍👩‍👧‍👦 🚀', 'e\u0301cole', '한국어', 'plain'];
    const text = await draw([names.map((name, index) => ({ id: index, name, mark: 'X' }))], { shape: shapeless, streams: terminal });
    const starts = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => stringWidth(line.slice(0, line.indexOf('X'))));
    expect(new Set(starts).size).toBe(1);
  });

  it('cuts by grapheme', async () => {
    const text = await draw([[{ id: 1, name: '👩‍👩‍👧‍👦'.repeat(30), note: 'x' }]], {
      shape: shapeless,
      streams: { tty: true, columns: 30 },
    });
    expect(text).toMatch(/👩‍👩‍👧‍👦…/u);
    expect(text).not.toMatch(/\u200d…/u);
  });

  it('keeps the first page’s widths and has one header', async () => {
    const text = await draw([[{ id: 10, name: 'Heron', tag: 'b' }], [{ id: 11, name: 'A longer name', tag: 'c' }]], {
      shape: shapeless,
      streams: terminal,
    });
    expect(text).toBe('ID  NAME   TAG\n10  Heron  b\n11  A lo…  c\n');
  });

  it('makes room for longer ids on a later page', async () => {
    const text = await draw([[{ id: 99, name: 'Heron' }], [{ id: 100, name: 'Teal' }]], { shape: shapeless, streams: terminal });
    expect(text).toBe('ID  NAME\n99  Heron\n100  Teal\n');
  });

  it('lets a last column that starts on the left run to the edge on later pages', async () => {
    const text = await draw([[{ id: 10, name: 'Heron' }], [{ id: 11, name: 'A longer name' }]], { shape: shapeless, streams: terminal });
    expect(text).toBe('ID  NAME\n10  Heron\n11  A longer name\n');
  });

  it('shows no escape of the service’s, and breaks no line', async () => {
    const text = await draw([[{ id: 1, name: 'a\x1b[2Jb\nc\td', note: '\u202ee' }]], { shape: shapeless, streams: terminal });
    expect(text).toBe('ID  NAME           NOTE\n 1  a\\x1b[2Jb↵c d  \\u202ee\n');
  });

  it('has the title the brightest, headers dim, ids as what is typed next', async () => {
    const text = await draw([[kestrel]], { streams: { ...terminal, color: true } });
    expect(text).toContain('\x1b[2mNAME\x1b[22m');
    expect(text).toContain('\x1b[1mKestrel\x1b[22m');
    expect(text).toContain('\x1b[36m7\x1b[39m');
    expect(stripVTControlCharacters(text)).toBe(await draw([[kestrel]], { streams: terminal }));
  });

  it('cuts a coloured cell with its colour', async () => {
    const shape: Shape = {
      ...ships,
      columns: [{ path: 'id', align: 'right' }, { path: 'name' }, { path: 'port.title' }],
      record: [...ships.record, 'port.title', 'port.color'],
    };
    const record = { id: 1, name: long, port: { title: long, color: '#ff0000' } };
    const text = await draw([[record]], { shape, streams: { tty: true, columns: 30, color: true, depth: 24 } });
    expect(stripVTControlCharacters(text).split('\n')[1]).toBe(' 1  A very long…  ● A very lo…');
    expect(text).toContain('\x1b[38;2;255;0;0m● \x1b[39m');
  });

  it('shows dates with their ages where there is room, else the ages alone', async () => {
    const shape: Shape = { ...ships, columns: [{ path: 'name' }, { path: 'dates.built', header: 'built' }] };
    const [wide, narrow] = await Promise.all(
      [80, 22].map((columns) => draw([[kestrel, osprey]], { shape, streams: { tty: true, columns } })),
    );
    expect(wide).toBe('NAME     BUILT\nKestrel  1999-05-06, 27 years ago\nOsprey\n');
    expect(narrow).toBe('NAME     BUILT\nKestrel  27 years ago\nOsprey\n');
  });

  it('leaves out what matters least, and says so once at the end; what the list was asked for matters least of all', async () => {
    const shape: Shape = {
      ...ships,
      columns: [
        { path: 'id', align: 'right' },
        { path: 'name' },
        { path: 'port.city', header: 'port', priority: 6 },
        { path: 'crew.name', header: 'crew' },
      ],
    };
    const streams = { tty: true, columns: 45 };
    expect(await draw([[kestrel], [osprey]], { shape, streams })).toContain('ID  NAME     PORT    CREW');
    const crowded = { ...kestrel, name: long, crew: [{ id: 1, name: long }], port: { id: 1, city: long } };
    const wider = { shape: { ...shape, columns: [...shape.columns, { path: 'flags' }] }, streams: { tty: true, columns: 68 } };
    expect(await draw([[crowded]], wider)).toMatch(/^ID {2}NAME +CREW +FLAGS\n.*\nHidden: port \(--fields, or a wider terminal\)\n$/);
    expect(await draw([[crowded]], { ...wider, askedFor: ['crew'] })).toMatch(/^ID {2}NAME +PORT +FLAGS\n.*\nHidden: crew \(/);
    expect(await draw([[crowded]], { ...wider, quiet: true })).not.toContain('without');
    expect(await draw([[crowded]], { ...wider, facts: ['1 of 3 ships', 'More: --all'] })).toContain(
      '\n1 of 3 ships · More: --all\nHidden: port (--fields, or a wider terminal)\n',
    );
  });

  it('heads a column by the last word of its path, where the word alone names the same member', async () => {
    const lead = { client: { id: 3 }, contact: { first_name: 'Ada', last_name: 'Lee' }, dates: { created: '2026-01-02T03:04:05Z' } };
    const fields = ['contact.first_name', 'contact.last_name', 'dates.created', 'status.id', 'custom.first_name'];
    const [head] = (await draw([[lead]], { shape: leads, fields, streams: { tty: true, columns: 120 } })).split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['FIRST NAME', 'LAST NAME', 'CREATED', 'STATUS ID', 'CUSTOM FIRST NAME']);
    expect(await draw([[lead]], { shape: leads, fields: ['contact.first_name'] })).toBe('CONTACT FIRST NAME\nAda\n');
  });

  it('lets one huge cell push nothing out', async () => {
    const fleet = Array.from({ length: 20 }, (_, index) => ({ ...kestrel, id: index + 1 }));
    const text = await draw([[{ ...kestrel, id: 99, name: 'x'.repeat(2000), flags: ['y'.repeat(300)] }, ...fleet]], { streams: terminal });
    expect(text.split('\n')[0]).toMatch(/^ID {2}NAME +PORT +PRICE {2}CREW +FLAGS$/);
    expect(text).not.toContain('without');
  });

  it('names what an object holds, as far as it has a name', async () => {
    const records = [
      {
        id: 1,
        port: [{ id: 2, title: 'Bergen', color: 'red' }],
        hold: [{ width: 4, depth: 5 }],
        marks: [
          { id: 1, name: 'Call sign', value: 'LA7' },
          { id: 2, name: 'Yard', value: null },
        ],
      },
    ];
    expect(await draw([records], { shape: shapeless, streams: terminal })).toBe(
      'ID  PORT      HOLD  MARKS\n 1  2 Bergen  4, 5  Call sign LA7\n',
    );
  });

  it('shows HTML as the text that it is', async () => {
    const log = { flag: 'log', wire: 'ship_log', read: 'log', type: longText, help: 'Log' };
    const shape: Shape = { columns: [{ path: 'id' }, { path: 'log' }], record: ['id', 'log'], fields: [log] };
    const records = [
      { id: 1, log: '<ul><li>Fog &amp; ice</li><li>\u001b[2JNight</li></ul>' },
      { id: 2, log: 'a < b\nc' },
    ];
    const text = await draw([records], { shape, streams: terminal });
    expect(text).toMatch(/^ID {2}LOG\n1 +\S+ Fog & ice \S+ \\x1b\[2JNight\n2 +a < b↵c\n$/);
    expect(await draw([records], { shape })).toContain('<li>Fog');
  });

  it('has a column of its own that only a terminal shows', async () => {
    const shape: Shape = {
      ...ships,
      columns: [{ path: 'id' }, { path: 'dates.built', header: 'built', terminal: true }, { path: 'name' }],
    };
    expect(await draw([[kestrel]], { shape, streams: terminal })).toContain('ID  BUILT');
    expect(await draw([[kestrel]], { shape })).toBe('ID\tNAME\n7\tKestrel\n');
    expect(await draw([[kestrel]], { shape, fields: ['dates.built'] })).toBe('DATES BUILT\n1999-05-06\n');
  });

  it('shows texts of the private use area as they are', async () => {
    const text = await draw([[{ id: 1, name: '\u{E000}\u{E000}', note: 'x' }]], { shape: shapeless, streams: terminal });
    expect(text).toContain(' 1  \u{E000}\u{E000}    x');
  });

  it('writes nothing for no records', async () => {
    expect(await draw([[]], { streams: terminal })).toBe('');
  });

  it('takes columns from --fields, with the declared headers', async () => {
    const text = await draw([[kestrel]], { fields: ['port.city', 'port.id', 'afloat', 'crew'], streams: terminal });
    expect(text).toBe('PORT    PORT ID  AFLOAT  CREW\nBergen        2  true    Tom Okafor, Priya Raman\n');
  });

  it('draws a huge cell without measuring all of it', async () => {
    const text = await draw([[{ id: 1, body: '東'.repeat(500_000) }]], { shape: shapeless, streams: terminal });
    expect(stringWidth(text.split('\n')[1] ?? '')).toBeLessThanOrEqual(80);
  });
});

describe('off a terminal', () => {
  it('is tab-separated, header first, nothing cut, no colour', async () => {
    const text = await draw([[{ ...kestrel, name: long }], [osprey]], { streams: { columns: 20 } });
    expect(text).toBe(
      `ID\tNAME\tPORT\tPRICE\tCREW\tFLAGS\n7\t${long}\tBergen\t1200.50\tTom Okafor, Priya Raman\tfast, old\n12\tOsprey\t\t\t\t\n`,
    );
  });

  it('is coloured as on a terminal by --color always and FORCE_COLOR', async () => {
    const text = await draw([[kestrel]], { fields: ['id', 'name'], streams: { color: true } });
    expect(text).toBe('\x1b[1mID\x1b[22m\t\x1b[1mNAME\x1b[22m\n\x1b[36m7\x1b[39m\tKestrel\n');
  });

  it('keeps one record on one line', async () => {
    const text = await draw([[{ id: 1, name: 'a\tb\nc\r\nd\u2028e\x1b[0m' }]], { shape: shapeless });
    expect(text).toBe('ID\tNAME\n1\ta b↵c↵d↵e\\x1b[0m\n');
  });

  it('has its header even for no records', async () => {
    expect(await draw([[]])).toBe('ID\tNAME\tPORT\tPRICE\tCREW\tFLAGS\n');
    expect(await draw([], { shape: shapeless })).toBe('');
  });

  it('shows plain values and objects that it knows nothing about', async () => {
    expect(await draw([['a', 'b']], { shape: shapeless })).toBe('VALUE\na\nb\n');
    expect(await draw([[{ a: { b: { c: 1 } }, d: [[1], { x: { y: 2 } }] }]], { shape: shapeless })).toBe('A B C\tD\n1\t1, {"x":{"y":2}}\n');
  });

  it('has every documented member with --all-fields', async () => {
    const text = await draw([[kestrel]], { allFields: true });
    expect(text.split('\n')[0]).toBe('ID\tNAME\tPORT ID\tPORT\tPRICE\tAFLOAT\tCREW\tFLAGS\tDATES BUILT');
  });

  it('leaves out columns that no record has, when told to', async () => {
    expect(await draw([[{ id: 1, name: 'Heron' }]], { sparse: true })).toBe('ID\tNAME\n1\tHeron\n');
  });
});
