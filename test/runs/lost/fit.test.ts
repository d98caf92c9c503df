// Whether a record may be what a body made: which values tell, what a service may do to them, and who decides alone.

import { describe, expect, it } from 'vitest';
import type { Body } from '../../../src/base/values/body.ts';
import { areAlike } from '../../../src/base/values/text/alike.ts';
import { contradictionsIn } from '../../../src/model/bodies/telling.ts';
import type { Field, Resource } from '../../../src/model/define.ts';
import { fieldKey } from '../../../src/model/field-key.ts';
import { contacts } from '../../../src/model/resources/contacts.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import { notes } from '../../../src/model/resources/notes.ts';
import { proposals } from '../../../src/model/resources/proposals.ts';
import { Fitting } from '../../../src/runs/lost/fit.ts';

const long = 'Forty letters and digits, and not one of them less than that';

describe('texts are alike', () => {
  it.each([
    ['but for what is no letter and no digit', ' Acme,  Inc. ', 'acme inc'],
    ['but for entities', 'A & B <c> "d" e\'s', 'A &amp; B &lt;c&gt; &quot;d&quot; e&#39;s'],
    ['but for entities of entities', 'A & B', 'A &amp;amp; B'],
    ['but for numbered entities', 'Müller', 'M&#252;ller'],
    ['but for entities in hexadecimal', 'Müller', 'M&#xFC;ller'],
    ['but for tags', '<p>Two <b>words</b></p>', 'Two words'],
    ['but for accents', 'Zoë Ångström', 'Zoe Angstrom'],
    ['but for how they are composed', 'é', 'e\u0301'],
    ['but for their width', 'ＡＢＣ', 'abc'],
    ['but for blanks around what has no letters', ' 👩‍👩‍👧 ', '👩‍👩‍👧'],
    ['but for zeros', '012.50', '12.5'],
    ['but for the sign of nothing', '-0.00', '0'],
    ['but for what was cut off a long one', `${long} ${long}`, long],
    ['from forty letters and digits on', `${'é'.repeat(40)} and more`, 'é'.repeat(40)],
  ])('%s: %j, %j', (_name, one, other) => {
    expect([areAlike(one, other), areAlike(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['T 1', 'T 10'],
    ['a'.repeat(39), `${'a'.repeat(39)}b`],
    ['12.50', '12.51'],
    ['12', '-12'],
    ['!', '?'],
    ['A', ''],
    ['a < b', 'a'],
    ['&unknown;', 'x'],
    [long, `x${long}`],
  ])('%j and %j are not', (one, other) => {
    expect([areAlike(one, other), areAlike(other, one)]).toEqual([false, false]);
  });
});

const created = '2026-11-20T10:00:00Z';
const untouched = { created, updated: created };
const edited = { created, updated: '2026-11-20T10:00:05Z' };

const lead = (more: object = {}, dates: object = untouched) => ({
  id: 7,
  title: 'A',
  status: { id: 1 },
  category: { id: 1 },
  dates,
  ...more,
});
const body = (title: string, more: Record<string, string | number> = {}): Body =>
  new Map<string, string | number>([['lead_title', title], ['lead_status', 1], ['lead_categoryid', 1], ...Object.entries(more)]);

/** Whether a record is what a body made: enough speaks for it, perhaps, or no. */
const end = (fit: ReturnType<Fitting['fit']>): 'yes' | 'perhaps' | 'no' => (fit === undefined ? 'no' : fit.isEnough ? 'yes' : 'perhaps');

/** What the service made of the run's first record, whose title it rewrote. */
const rewritten = { title: 'small' };

describe('a record', () => {
  const fits = (record: object, sent: Body, first: object = {}) => end(new Fitting(leads, { ...first }).fit(record, sent));
  const contact = { email: 'a@x.example', company_name: 'Acme', phone: '1' };
  const sent = { lead_email: 'a@x.example', lead_company_name: 'Acme', lead_phone: '1' };

  it('is what a body made when every telling value agrees to the letter, edited or not', () => {
    for (const dates of [untouched, edited, {}]) expect(fits(lead({ contact }, dates), body('A', sent))).toBe('yes');
    expect(fits(lead({ title: ' A &amp; B ' }), body('A & B'))).toBe('yes');
  });

  it('may have got another small value from the service or a colleague', () => {
    const other = { contact: { ...contact, phone: '2' } };
    for (const dates of [untouched, edited, {}]) expect(fits(lead(other, dates), body('A', sent))).toBe('yes');
  });

  it('is meant the more, the more of what was sent it holds', () => {
    const fitting = new Fitting(leads);
    const ranks = [body('A'), body('A', sent), body('A', { ...sent, lead_phone: '2' })].map(
      (one) => fitting.fit(lead({ contact }), one)?.rank,
    );
    const [bare = 0, whole = 0, other = 0] = ranks;
    expect([whole > bare, bare > other]).toEqual([true, true]);
  });

  it('may hold what was not sent: services fill in', () => {
    expect(fits(lead({ contact }), body('A'))).toBe('yes');
  });

  it.each([
    ['another title', lead(), body('B')],
    ['another company', lead({ contact: { company_name: 'Acme' } }), body('A', { lead_company_name: 'Bcme' })],
    ['another name', lead({ contact: { first_name: 'Ann', last_name: 'B' } }), body('A', { lead_firstname: 'Ann', lead_lastname: 'C' })],
    ['another long text', lead({ description: 'x' }), body('A', { lead_description: 'y' })],
    ['a value that is not there', lead(), body('A', { lead_email: 'a@x.example' })],
    ['another title that somebody gave it', lead({ title: 'B' }, edited), body('A')],
  ])('is not with %s', (_name, record, sent) => {
    expect(fits(record, sent)).toBe('no');
  });

  it('that is only alike, nobody can tell of', () => {
    for (const first of [undefined, {}, { value: '1.00' }]) expect(fits(lead({ title: 'a' }), body('A'), first)).toBe('perhaps');
  });

  it("that is alike is it, where the service rewrote the run's first one, and every other value agrees", () => {
    expect(fits(lead({ title: 'a', contact }), body('A', sent), rewritten)).toBe('yes');
    expect(fits(lead({ title: 'a', contact: { ...contact, phone: '2' } }), body('A', sent), rewritten)).toBe('perhaps');
  });

  it('that somebody edited is it by its telling values to the letter, or by every other value', () => {
    expect(fits(lead({ value: '1.00' }, edited), body('a', { lead_value: '1' }), rewritten)).toBe('yes');
    expect(fits(lead({ value: '9.00' }, edited), body('a', { lead_value: '1' }), rewritten)).toBe('perhaps');
    expect(fits(lead({ value: '9.00' }, edited), body('A', { lead_value: '1' }), rewritten)).toBe('yes');
  });
});

describe('what only a create tells', () => {
  it("a proposal's client or lead", () => {
    const record = { id: 1, title: 'P', client: { id: 5 }, lead: null, dates: untouched };
    const sent = (more: [string, number]): Body => new Map<string, string | number>([['doc_title', 'P'], more]);
    const fitting = new Fitting(proposals);
    expect(end(fitting.fit(record, sent(['doc_client_id', 5])))).toBe('yes');
    expect(end(fitting.fit(record, sent(['doc_client_id', 6])))).toBe('no');
    expect(end(fitting.fit(record, sent(['doc_lead_id', 5])))).toBe('no');
    expect(end(fitting.fit({ id: 1, title: 'P', dates: untouched }, sent(['doc_client_id', 5])))).toBe('yes');
  });

  it("a note's resource", () => {
    const of = (type: string, id: number) => ({ id: 1, title: 'N', description: 'd', resource: { type, id }, dates: untouched });
    const sent: Body = new Map<string, string | number>([
      ['note_title', 'N'],
      ['note_description', 'd'],
      ['noteresource_type', 'lead'],
      ['noteresource_id', 7],
    ]);
    const fitting = new Fitting(notes);
    expect([of('lead', 7), of('lead', 8), of('client', 7)].map((record) => end(fitting.fit(record, sent)))).toEqual(['yes', 'no', 'no']);
  });
});

it('an answer speaks against a body where it shows another telling value', () => {
  const isContradicted = (answered: object): boolean => contradictionsIn(leads, answered, body('A')).length > 0;
  expect([{ id: 1 }, { id: 1, title: 'a' }, { id: 1, title: 'B' }].map(isContradicted)).toEqual([false, false, true]);
});

it('an email is the same key whatever its case, a text is not, and blanks and entities count in neither', () => {
  const field = (family: Resource, name: string): Field => family.fields.find(({ flag }) => flag === name) as Field;
  expect([leads, contacts].map((family) => fieldKey(field(family, 'email'), ' Ann@B.example '))).toEqual([
    'ann@b.example',
    'ann@b.example',
  ]);
  expect(fieldKey(field(leads, 'title'), ' Shop &amp; Co ')).toBe('Shop & Co');
  expect(fieldKey(field(leads, 'value'), ' 5.00 ')).toBe('5.00');
});

describe('a value that is there only once', () => {
  const contact = (email: string, first: string) => ({ id: 1, first_name: first, last_name: 'B', email, dates: untouched });
  const sent: Body = new Map([
    ['first_name', 'A'],
    ['last_name', 'B'],
    ['email', 'A@x.example'],
  ]);

  it('agrees in any case, and leaves a question where something else differs', () => {
    const fitting = new Fitting(contacts);
    expect(end(fitting.fit(contact('a@x.example', 'A'), sent))).toBe('yes');
    expect(end(fitting.fit(contact('a@x.example', 'Somebody else'), sent))).toBe('perhaps');
    expect(end(fitting.fit(contact('b@x.example', 'A'), sent))).toBe('no');
  });
});
