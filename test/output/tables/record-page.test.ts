// The page of one record on a terminal, of an invented family: what is declared, what follows, and what no text can do to it.

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { GlobalFlags } from '../../../src/base/global-flags.ts';
import { referenceFamilies, resources } from '../../../src/model/resources/index.ts';
import type { Shape } from '../../../src/output/result.ts';
import { printRecord } from '../../../src/output/tables/record-view.ts';
import { type FakeIoOptions, fakeIo } from '../../support/fake-io.ts';
import { now } from '../samples.ts';

const boats: Shape = {
  singular: 'boat',
  title: 'name',
  columns: [],
  record: [
    ...['id', 'name', 'status.id', 'status.title', 'status.color', 'active_state', 'price', 'origin', 'crew', 'tags', 'story'],
    ...['port.street', 'port.zip', 'port.city', 'port.country', 'owner.id', 'owner.name', 'insured', 'log.miles', 'log.days'],
    ...['dates.built', 'dates.sold'],
  ],
  types: { story: { kind: 'text', long: true }, 'crew.id': { kind: 'id', of: 'team' } },
  meanings: { active_state: { laid_up: 'past' } },
  view: {
    state: 'active_state',
    facts: ['status', 'price', 'from origin', 'crew', '#tags'],
    groups: [
      ['Port', 'port.street, port.zip port.city, port.country'],
      ['Owner', 'owner'],
      ['Story', 'story'],
      ['Built', 'dates.built · sold dates.sold'],
    ],
    unsaid: ['insured=yes', 'dates.sold=dates.built'],
    entry: ['name · status', 'story'],
  },
};

const kestrel = {
  id: 7,
  name: 'Kestrel',
  status: { id: 4, title: 'Afloat', color: '#3b82f6' },
  active_state: 'laid_up',
  price: '1200.50',
  origin: 'Auction',
  crew: [
    { id: 2, name: 'Tom Okafor' },
    { id: 3, name: 'Priya Raman' },
  ],
  tags: ['fast', 'old'],
  story: null,
  port: { street: '1 Quay', zip: null, city: 'Bergen', country: null },
  owner: { id: null, name: null },
  insured: 'yes',
  log: { miles: 40, days: null },
  dates: { built: '2026-11-10', sold: null },
};

async function shown(
  record: unknown,
  { streams = {}, shape = boats, flags = {} }: { streams?: FakeIoOptions; shape?: Shape; flags?: Partial<GlobalFlags> } = {},
) {
  const io = fakeIo({ tty: true, ...streams });
  await printRecord(record, { io, shape, now, flags: { csvRaw: false, ...flags } });
  return io.stdoutText();
}

describe('a page', () => {
  it('has a heading, what matters, and rows; what is empty or goes without saying is left out', async () => {
    expect(await shown(kestrel)).toBe(
      [
        `Kestrel${' '.repeat(80 - 7 - 16)}boat 7 · laid_up`,
        'Afloat (4)   1200.50   from Auction   Tom Okafor (2), Priya Raman (3)',
        '#fast #old',
        '',
        'Port   1 Quay, Bergen',
        'Built  2026-11-10, 11 days ago',
        'Log    miles 40',
        '',
      ].join('\n'),
    );
  });

  it('shows what no document names, and what is not as it should be', async () => {
    const odd = {
      id: 7,
      name: 'Kestrel',
      insured: 'no',
      status: 'Sunk',
      port: { city: 'Oslo', fax: '12' },
      radio: { call: 'LA1', mmsi: 25 },
      dates: { lost: '2026-11-20' },
    };
    expect((await shown(odd)).split('\n').slice(1)).toEqual([
      'Sunk',
      '',
      'Port     Oslo',
      '         fax 12',
      'Insured  no',
      'Radio    call LA1',
      '         mmsi 25',
      'Lost     2026-11-20',
      '',
    ]);
  });

  it('says twice nothing that is declared to go without saying', async () => {
    const sold = { id: 7, name: 'K', dates: { built: '2026-11-10', sold: '2026-11-10' } };
    expect(await shown(sold)).toContain('Built  2026-11-10, 11 days ago\n');
    expect(await shown({ ...sold, dates: { ...sold.dates, sold: '2026-11-20' } })).toContain('11 days ago · sold 2026-11-20, yesterday\n');
  });

  it('keeps the lines of a long text, reads HTML in it, and hangs lists', async () => {
    const story = '<p>Built in <b>1999</b>.</p><ul><li>one two three four five</li></ul>';
    expect(await shown({ id: 7, name: 'K', story }, { streams: { columns: 30 } })).toContain(
      'Story  Built in 1999.\n\n       - one two three four\n         five\n',
    );
    expect(await shown({ id: 7, name: 'K', story: 'a < b\n<tom@x>\r\n\n\n\nend  \n' })).toContain(
      'Story  a < b\n       <tom@x>\n\n       end\n',
    );
  });

  it('finds room for a long title at 40 columns', async () => {
    const text = await shown({ ...kestrel, name: 'Kestrel, the last wooden one of its yard' }, { streams: { columns: 40 } });
    expect(text.split('\n').slice(0, 5)).toEqual([
      'Kestrel, the last wooden one of its yard',
      'boat 7 · laid_up',
      'Afloat (4)   1200.50   from Auction',
      'Tom Okafor (2), Priya Raman (3)',
      '#fast #old',
    ]);
  });

  it('colours what means something, and no text by it', async () => {
    const text = await shown(kestrel, { streams: { color: true, depth: 24 } });
    expect(text).toContain('\x1b[1mKestrel\x1b[22m');
    expect(text).toContain('\x1b[38;2;59;130;246m● \x1b[39mAfloat\x1b[2m (4)\x1b[22m');
    expect(text).toContain('\x1b[2mlaid_up\x1b[22m');
    expect(stripVTControlCharacters(text).replace('● ', '')).toBe(await shown(kestrel));
  });

  it('cannot be forged: neither by a text nor by an entity in HTML', async () => {
    const evil = 'x\x1b[2J\nOwner  me (1)';
    const text = await shown({
      id: 7,
      name: evil,
      origin: evil,
      [evil]: evil,
      story: `<p>&#27;[31m&#8238;red&#10;&#x85;</p><pre>${evil}</pre>`,
      tags: [evil],
    });
    expect(text).not.toMatch(/[\x1b\u202e\x85]/);
    expect(text).toContain('\\x1b[31m\\u202ered');
    expect(text).not.toMatch(/^Owner/m);
  });

  it('takes a text of twenty thousand lines, however deep', async () => {
    const start = process.cpuUsage();
    const text = await shown({ id: 7, name: 'K', story: `${'<div>'.repeat(10_000)}deep${'<p>word '.repeat(20_000)}` });
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6, 'seconds of a processor').toBeLessThan(5);
    expect(text).toContain('Story  deep\n');
  });
});

it('--all-fields has every documented member by its path, the empty ones too', async () => {
  const text = await shown({ id: 7, name: 'K', owner: null, extra: 1 }, { flags: { allFields: true } });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ +/));
  expect(lines.map(([path]) => path)).toEqual([...boats.record, 'extra']);
  expect(lines.filter(([, value]) => value !== '-').map(([path]) => path)).toEqual(['id', 'name', 'extra']);
});

it('--fields shows them in two columns as they look', async () => {
  expect(await shown(kestrel, { flags: { fields: ['status', 'dates.built', 'owner', 'crew.name'] } })).toBe(
    'status       Afloat (4)\ndates.built  2026-11-10, 11 days ago\nowner        -\ncrew.name    Tom Okafor, Priya Raman\n',
  );
});

describe('what hangs on a record', () => {
  const shape: Shape = {
    ...boats,
    sections: [
      { name: 'tenders', shape: boats, cut: (records) => (Array.isArray(records) && records.length > 1 ? 'the newest 2 of 9' : undefined) },
    ],
  };
  const tender = { id: 81, name: 'Tender', status: { id: 1, title: 'New' }, story: '<p>one</p><p>two</p>' };

  it('follows in a section of its own, with its lines', async () => {
    const text = await shown({ id: 7, name: 'K', tenders: [tender, { id: 9, name: 'Raft' }] }, { shape });
    expect(text.split('\n').slice(1)).toEqual([
      '',
      'Tenders (2)',
      '  81  Tender · New (1)',
      '      one',
      '',
      '      two',
      '   9  Raft',
      '  The newest 2 of 9',
      '',
    ]);
  });

  it('is said to be none, and left out where it was not read', async () => {
    expect(await shown({ id: 7, name: 'K', tenders: [] }, { shape })).toMatch(/\n\nTenders \(none\)\n$/);
    expect(await shown({ id: 7, name: 'K' }, { shape })).not.toContain('Tenders');
  });

  it('is dotted lines off a terminal, counted as jq does', async () => {
    const off = await shown({ id: 7, tenders: [{ id: 81, status: { title: 'New' } }] }, { shape, streams: { tty: false } });
    expect(off).toBe('id\t7\ntenders.0.id\t81\ntenders.0.status.title\tNew\n');
  });
});

describe.each([...resources, ...referenceFamilies])('the view of $name', ({ record, view, title, attached = [] }) => {
  it('names members, and before them only words that are meant', () => {
    const phrases = [...(view?.facts ?? []), ...(view?.groups ?? []).flatMap(([, ...lines]) => lines), ...(view?.entry ?? [])];
    const tokens = phrases.flatMap((phrase) => phrase.split(/, | · | /)).map((token) => token.replace(/^#/, ''));
    const paths = [title, view?.state ?? 'id', ...tokens];
    const isPath = (token = '') => record.some((path) => path === token || path.startsWith(`${token}.`));
    const words = `from tax for at on per by to due until changed account owner user client invoice days
      category: role: owner: type: tax: priority: visibility: source:`.split(/\s+/);
    const others = paths.filter((path) => !isPath(path) && !words.includes(path ?? ''));
    expect(others, 'words of a view that are no members: a word that is meant goes into the list above').toEqual([]);
  });

  it('what hangs on its records is found by filters that there are', () => {
    const families = [...resources, ...referenceFamilies];
    for (const one of attached) {
      if (!('filter' in one)) continue;
      const filter = families.find(({ name }) => name === one.name)?.filters.find(({ flag }) => flag === one.filter);
      expect(filter?.type, one.name).toMatchObject(
        one.type === undefined ? { kind: 'id' } : { kind: 'reference', types: expect.arrayContaining([one.type]) },
      );
    }
  });
});
