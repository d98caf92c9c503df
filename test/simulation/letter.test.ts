// To the letter: services that lose one answer, or write values in their own way, and colleagues who correct how a value is written. Each
// story is typed by hand and played in the simulation's world, whose waits take no time.

import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabases } from './databases.ts';
import type { Kept, Sent, Traits } from './service.ts';
import { stageFor, strike } from './stage.ts';
import { bodyOf, csvOf, type Ended, Story } from './story.ts';

const plain: Partial<Traits> = {
  trims: false,
  escapes: false,
  lowers: false,
  isSparse: false,
  page: 100,
  cutsTitlesAt: 1000,
  ids: 'one by one',
  lies: false,
  roughness: 1,
  nodes: [0],
  lag: 0,
  faults: 0,
  colleagues: 0,
  habit: 'none',
};

let story: Story;
const folder = join(tmpdir(), `crm-letter-${process.pid}`);

async function serviceWith(traits: Partial<Traits> = {}): Promise<void> {
  const { program } = await stageFor();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  story = new Story({ program, folder }, 1, { ...plain, ...traits });
}

beforeEach(() => serviceWith());
afterEach(() => {
  emptyDatabases();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(strike);

const has = (family: string, values: Record<string, string>): Kept =>
  story.service.add(family, { ...bodyOf(family, 'Shop'), ...values }, 'setup');

async function crm(...argv: string[]): Promise<Ended> {
  const ended = await story.crm(argv);
  if (ended === undefined) throw new Error('It was killed.');
  return ended;
}

/** The first write of this kind is lost; `arrives`: its answer alone. `meanwhile`: what somebody does then. */
function loses(method: string, { arrives = false, meanwhile = () => {} }: { arrives?: boolean; meanwhile?: () => void } = {}): void {
  let isOver = false;
  story.service.script = (sent) => {
    if (isOver || sent.method !== method) return undefined;
    isOver = true;
    if (!arrives) meanwhile();
    return { answer: 'cut', ...(arrives ? { commits: 0 } : {}) };
  };
}

/** Types a command that dies once the request of which this is true is on its way, which is lost. */
async function killed(isLast: (sent: Sent) => boolean, ...argv: string[]): Promise<void> {
  let isSent = false;
  story.service.script = (sent) => {
    isSent ||= isLast(sent);
    return isLast(sent) ? { answer: 'never' } : undefined;
  };
  for (let after = 40; !isSent && after < 400; after += 10) await story.crm(argv, { kind: 'kill', after });
  delete story.service.script;
}

/** The latest run's name. */
const latest = async (): Promise<string> => (JSON.parse((await crm('history', '--json')).stdout) as { run: string }[])[0]?.run ?? '';

interface Row {
  readonly outcome: string;
  readonly what: string;
}

async function undone(): Promise<{ status: number; rows: Row[] }> {
  const { status, stdout } = await crm('undo', await latest(), '--yes', '--json');
  return { status, rows: JSON.parse(stdout) as Row[] };
}

const long = 'A description of more than forty characters, with which';

/** A value, and a correction of it: alike, and not the same. */
const corrections: readonly [field: string, wire: string, path: string, old: string, corrected: string][] = [
  ['title', 'lead_title', 'title', 'meyer gmbh', 'Meyer GmbH'],
  ['title', 'lead_title', 'title', 'Cafe Mueller', 'Café Mueller'],
  ['phone', 'lead_phone', 'contact.phone', '+49 891 234', '+49 (891) 234'],
  ['email', 'lead_email', 'contact.email', 'annlee@x.example', 'ann.lee@x.example'],
  ['source', 'lead_source', 'source', 'Discount -5%', 'Discount 5%'],
  ['description', 'lead_description', 'description', long, `${long} somebody goes on`],
];

describe.each(corrections)('%s, %s in %s, "%s" -> "%s"', (field, wire, path, old, corrected) => {
  it('a selection that lost its correction sends it again', async () => {
    const kept = [has('leads', { [wire]: old }), has('leads', { [wire]: old })];
    loses('PATCH');
    const { status, stdout } = await crm('leads', 'update', kept.map(({ id }) => id).join(','), `--${field}`, corrected, '--yes', '--json');
    expect([status, JSON.parse(stdout).length]).toEqual([0, 2]);
    expect(kept.map(({ values }) => values.get(path))).toEqual([corrected, corrected]);
  });

  it('an import that lost its correction sends it again', async () => {
    const kept = has('leads', { [wire]: old });
    story.write('f.csv', csvOf([{ id: String(kept.id), [field]: corrected }]));
    loses('PATCH');
    const { status, stdout } = await crm('leads', 'import', 'f.csv', '--mode', 'update', '--yes', '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { updated: 1 }]);
    expect(kept.values.get(path)).toBe(corrected);
  });

  it('an undo keeps what a colleague corrected, and names it', async () => {
    const kept = [has('leads', { [wire]: 'Else' }), has('leads', { [wire]: 'Else' })];
    // Of one of them the answer is lost, and what was written found.
    loses('PATCH', { arrives: true });
    await crm('leads', 'update', kept.map(({ id }) => id).join(','), `--${field}`, old, '--yes');
    for (const one of kept) story.service.meddle(one, { [path]: corrected });
    const { status, rows } = await undone();
    expect(kept.map(({ values }) => values.get(path))).toEqual([corrected, corrected]);
    expect([status, rows.map(({ outcome }) => outcome)]).toEqual([8, ['kept']]);
  });
});

describe('an answer that does not show the record', () => {
  it.each(['contacts', 'leads'])('of %s: the record is read behind an import, a selection and an undo, once a write', async (family) => {
    await serviceWith({ isSparse: true });
    const [wire, path, flag] = family === 'contacts' ? ['phone', 'phone', 'phone'] : ['lead_source', 'source', 'source'];
    const kept = [has(family, { [wire]: '1' }), has(family, { [wire]: '1' })];
    const ids = kept.map(({ id }) => id).join(',');
    story.write('f.csv', csvOf(kept.map(({ id }) => ({ id: String(id), [flag]: '+49 891 234' }))));
    await crm(family, 'import', 'f.csv', '--mode', 'update', '--yes');
    if (kept[0] !== undefined) story.service.meddle(kept[0], { [path]: '+49 (891) 234' });
    const { status, rows } = await undone();
    expect([status, rows.map(({ outcome }) => outcome)]).toEqual([8, ['put back', 'kept']]);
    expect(kept.map(({ values }) => values.get(path))).toEqual(['+49 (891) 234', '1']);
    await crm(family, 'update', ids, `--${flag}`, 'Cafe', '--yes');
    if (kept[1] !== undefined) story.service.meddle(kept[1], { [path]: 'Café' });
    expect((await undone()).rows.map(({ outcome }) => outcome)).toEqual(['put back', 'kept']);
    expect(kept.map(({ values }) => values.get(path))).toEqual(['+49 (891) 234', 'Café']);
  });

  it('what a service made of a value is taken back, too', async () => {
    await serviceWith({ isSparse: true, cutsTitlesAt: 45 });
    const kept = [has('leads', { lead_title: 'Old' }), has('leads', { lead_title: 'Old' })];
    await crm('leads', 'update', kept.map(({ id }) => id).join(','), '--title', long, '--yes');
    expect((await undone()).status).toBe(0);
    expect(kept.map(({ values }) => values.get('title'))).toEqual(['Old', 'Old']);
  });
});

describe('a service that writes values in its own way', () => {
  it('an apply that is typed twice has nothing to do where entities are written', async () => {
    await serviceWith({ escapes: true, trims: true });
    const kept = has('leads', { lead_title: 'Old' });
    story.write('f.csv', `family,id,title,was.title\nleads,${kept.id}, R&D ,Old\n`);
    expect((await crm('apply', 'f.csv')).status).toBe(0);
    expect(kept.values.get('title')).toBe('R&amp;D');
    const writes = story.service.sent.length;
    const { status, stdout } = await crm('apply', 'f.csv', '--json');
    expect([status, story.service.sent.length]).toEqual([0, writes]);
    expect(stdout).not.toContain('conflict');
  });

  it.each([
    ['small letters', { lowers: true }, ['Hot'], ['hot']],
    ['entities', { escapes: true }, ['R&D'], ['R&amp;D']],
  ] as const)('tags in %s whose answer was lost are taken back, or named', async (_how, traits, tags, held) => {
    await serviceWith(traits);
    const kept = [has('leads', {}), has('leads', {})];
    loses('PUT', { arrives: true });
    await crm('leads', 'tags', kept.map(({ id }) => id).join(','), '--add', tags[0], '--yes', '--json');
    expect(kept.map(({ sets }) => sets.get('tags'))).toEqual([held, held]);
    const { rows } = await undone();
    for (const one of kept) {
      const isNamed = rows.some(({ outcome, what }) => ['kept', 'unknown'].includes(outcome) && what.includes('tags'));
      expect(one.sets.get('tags')?.length === 0 || isNamed, JSON.stringify(rows)).toBe(true);
    }
  });

  it.each<[string, Partial<Traits>, string]>([
    ['trims', { trims: true }, ' Meyer '],
    ['escapes', { escapes: true }, 'Meyer & Sons'],
  ])('that %s: a row is found again by its title', async (_how, traits, title) => {
    await serviceWith(traits);
    story.write('f.csv', csvOf([{ title, status: '1', category: '1' }]));
    for (const isMade of [true, false]) {
      const { stdout } = await crm('leads', 'import', 'f.csv', '--mode', 'upsert', '--match', 'title', '--yes', '--json');
      expect(JSON.parse(stdout)).toMatchObject(isMade ? { created: 1 } : { unchanged: 1 });
    }
    expect(story.service.there('leads')).toHaveLength(1);
  });

  it('that cuts the title a row is found by: it is said once', async () => {
    await serviceWith({ cutsTitlesAt: 18 });
    story.write('f.csv', csvOf(['A title of many letters', 'Another one of many'].map((title) => ({ title, status: '1', category: '1' }))));
    const { stderr } = await crm('leads', 'import', 'f.csv', '--mode', 'upsert', '--match', 'title', '--yes', '--json');
    expect(stderr.match(/keeps only 18 characters of title/g)).toHaveLength(1);
  });

  it('a field that was not given, and that the answer shows changed, is told', async () => {
    await serviceWith({ escapes: true });
    const kept = has('leads', { lead_title: 'R&amp;D' });
    const { stderr } = await crm('leads', 'update', String(kept.id), '--source', 'Fair');
    expect(stderr).toMatch(/title.*R&amp;D -> R&amp;amp;D/);
    const { stderr: ofSeveral } = await crm('leads', 'update', `${kept.id},${has('leads', {}).id}`, '--source', 'Web', '--yes');
    expect(ofSeveral).toMatch(/title/);
    story.write('f.csv', csvOf([{ id: String(kept.id), source: 'Else' }]));
    expect((await crm('leads', 'import', 'f.csv', '--mode', 'update', '--yes')).stderr).toMatch(/title/);
  });
});

describe('what a colleague has', () => {
  it('zeros in front of a record are never taken from it', async () => {
    const kept = [has('leads', { lead_zip: '1234' }), has('leads', { lead_zip: '01234' }), has('leads', { lead_zip: '01234' })];
    const was = ['01234', '1234', '01234'];
    story.write('f.csv', csvOf(kept.map(({ id }, index) => ({ family: 'leads', id: String(id), zip: '9', 'was.zip': was[index] ?? '' }))));
    expect((await crm('apply', 'f.csv', '--json')).status).toBe(8);
    expect(kept.map(({ values }) => values.get('address.zip'))).toEqual(['1234', '9', '9']);
  });

  it('a text that goes on where that of the kept lead ends is named before the lead is archived', async () => {
    const [kept, other] = [has('leads', { lead_description: long }), has('leads', { lead_description: `${long} somebody goes on` })];
    const { stderr } = await crm('leads', 'merge', String(other.id), '--into', String(kept.id), '--yes');
    expect(stderr).toContain('description');
  });

  it.each([true, false])('a record much like a row that never arrived is not ours (one was made before: %s)', async (isSecond) => {
    const rows = [
      ...(isSecond ? [{ title: 'First', status: '1', category: '1' }] : []),
      { title: 'Muller GmbH', status: '1', category: '1' },
    ];
    story.write('f.csv', csvOf(rows));
    let theirs: Kept | undefined;
    story.service.script = ({ method, values }) => {
      if (method !== 'POST' || values.lead_title !== 'Muller GmbH' || theirs !== undefined) return undefined;
      theirs = story.service.add('leads', { lead_title: 'Müller GmbH', lead_status: '1', lead_categoryid: '1' }, 'colleague');
      return { answer: 'cut' };
    };
    await crm('leads', 'import', 'f.csv', '--yes', '--json', '--concurrency', '1');
    await undone();
    expect(theirs?.gone).toBeUndefined();
  });
});

describe('a comment', () => {
  it('that was there before does not count as the one that was killed', async () => {
    const kept = [has('leads', {}), has('leads', {})];
    for (const one of kept) story.service.comment(one, 'Called', 'setup');
    const argv = ['leads', 'comments', 'add', kept.map(({ id }) => id).join(','), '--text', 'Called', '--yes', '--json'];
    await killed(({ method }) => method === 'POST', ...argv);
    await story.pause(120_000);
    expect((await crm(...argv)).status).toBe(0);
    expect(kept.map(({ comments }) => comments.length)).toEqual([2, 2]);
  });
});

it('an import whose correction was lost with its process goes on with it', async () => {
  const kept = has('leads', { lead_title: 'meyer gmbh' });
  story.write('f.csv', csvOf([{ id: String(kept.id), title: 'Meyer GmbH' }]));
  const argv = ['leads', 'import', 'f.csv', '--mode', 'update', '--yes', '--json'];
  await killed(({ method }) => method === 'PATCH', ...argv);
  const { status, stdout } = await crm(...argv, '--resume');
  expect([status, JSON.parse(stdout)]).toMatchObject([0, { updated: 1 }]);
  expect(kept.values.get('title')).toBe('Meyer GmbH');
});

it("a colleague's comment much like ours, which somebody deleted, keeps the lead of a seed", async () => {
  const record = '  - { name: lead, type: lead, set: { title: First, status: 1, category: 1 }, then: [{ comment: Called }] }';
  story.write('team.yaml', `version: 1\nrecords:\n${record}\n`);
  expect((await crm('seed', 'apply', 'team.yaml')).status).toBe(0);
  const [lead] = story.service.there('leads');
  lead?.comments.splice(0);
  if (lead !== undefined) story.service.comment(lead, 'called!', 'colleague');
  await crm('seed', 'destroy', '--run', 'team', '--yes');
  expect(lead?.gone).toBeUndefined();
});

it('an import that was killed leaves a record that a colleague corrected, and one that was converted', async () => {
  story.write('f.csv', csvOf(['Muller', 'Other', 'Third', 'Last'].map((title) => ({ title, status: '1', category: '1' }))));
  await killed(({ values }) => values.lead_title === 'Last', 'leads', 'import', 'f.csv', '--yes', '--concurrency', '1');
  const [first, second, third] = story.service.there('leads');
  await story.pause(120_000);
  if (first !== undefined) story.service.meddle(first, { title: 'Müller' });
  if (second !== undefined) story.service.convert(second);
  await undone();
  expect([first, second, third].map((one) => one?.gone === undefined)).toEqual([true, true, false]);
});
