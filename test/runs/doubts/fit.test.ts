// Whether a record may be what a body made: which values tell, what a service may do to them, and who decides alone.

import { describe, expect, it } from 'vitest';
import { contacts } from '../../../src/resources/contacts.ts';
import type { Field, Resource } from '../../../src/resources/define.ts';
import { items } from '../../../src/resources/items.ts';
import { leads } from '../../../src/resources/leads.ts';
import { notes } from '../../../src/resources/notes.ts';
import { proposals } from '../../../src/resources/proposals.ts';
import { Fitting } from '../../../src/runs/doubts/fit.ts';
import { fieldKey } from '../../../src/runs/field-key.ts';
import type { Body } from '../../../src/values/body.ts';
import { areAlike } from '../../../src/values/text/alike.ts';

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

/** Whether a record is what a body made: enough speaks for it, perhaps, or no. */
const end = (fit: ReturnType<Fitting['fit']>): 'yes' | 'perhaps' | 'no' => (fit === undefined ? 'no' : fit.isEnough ? 'yes' : 'perhaps');

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

describe('a record that nobody changed', () => {
  const fits = (record: object, sent: Body) => end(new Fitting(leads, []).fit(record, sent));

  it('may be the one though what many have differs, which a service may write otherwise: nobody can tell', () => {
    for (const [wire, more] of [
      ['lead_phone', { contact: { phone: '2' } }],
      ['lead_source', { source: 'Fair' }],
      ['lead_city', { address: { city: 'Leeds' } }],
    ] as const)
      expect(fits(lead(more), body('A', { [wire]: '1' }))).toBe('perhaps');
    expect(fits(lead({ description: 'x' }), body('A', { lead_description: 'y' }))).toBe('no');
  });

  it('fits with its telling values, exactly or nearly; the nearer the better', () => {
    const fitting = new Fitting(leads, []);
    const contact = { email: 'a@x.example', company_name: 'Acme' };
    const sent = { lead_email: 'a@x.example', lead_company_name: 'Acme' };
    const scores = [body('A', sent), body('a', sent), body('A.', { ...sent, lead_company_name: 'ACME' })].map((one) =>
      fitting.fit(lead({ contact }), one),
    );
    // What is only alike may be a colleague's.
    expect(scores.map(end)).toEqual(['yes', 'perhaps', 'perhaps']);
    const [first = 0, second = 0, third = 0] = scores.map((one) => one?.score);
    expect(first > second && second > third).toBe(true);
  });

  it('and where an own record shows that the service writes values anew, what is alike is enough', () => {
    const sample = { record: lead({ title: 'small' }), body: body('Small') };
    expect(end(new Fitting(leads, [sample]).fit(lead(), body('a')))).toBe('yes');
    const other = { record: lead({ title: 'Small' }), body: body('Small') };
    expect(end(new Fitting(leads, [other]).fit(lead(), body('a')))).toBe('perhaps');
  });

  it.each([
    ['another title', lead(), body('B')],
    ['another company', lead({ contact: { company_name: 'Acme' } }), body('A', { lead_company_name: 'Bcme' })],
    ['another name', lead({ contact: { first_name: 'Ann', last_name: 'B' } }), body('A', { lead_firstname: 'Ann', lead_lastname: 'C' })],
    ['another long text', lead({ description: 'x' }), body('A', { lead_description: 'y' })],
    ['a value that is not there', lead(), body('A', { lead_email: 'a@x.example' })],
  ])('is out with %s', (_name, record, sent) => {
    expect(fits(record, sent)).toBe('no');
  });

  it('may fit where a small value differs; what was left out the service may have filled in', () => {
    expect(fits(lead({ value: '1.00' }), body('A', { lead_value: '2' }))).toBe('perhaps');
    expect(fits(lead({ value: '2.00' }), body('A', { lead_value: '2' }))).toBe('yes');
    expect(fits(lead({ contact: { company_name: 'Acme', phone: '1' } }), body('A'))).toBe('yes');
  });
});

describe('a record that somebody changed, or of which nobody can tell', () => {
  const fits = (record: object, sent: Body) => end(new Fitting(leads, []).fit(record, sent));
  const contact = { email: 'a@x.example', company_name: 'Acme' };
  const sent = { lead_email: 'a@x.example', lead_company_name: 'Acme' };

  it('is out only where two telling values differ and none agrees', () => {
    expect(fits(lead({ contact }, edited), body('A', sent))).toBe('yes');
    expect(fits(lead({ contact, title: 'B' }, edited), body('A', sent))).toBe('perhaps');
    expect(fits(lead({ title: 'B' }, edited), body('A'))).toBe('perhaps');
    expect(fits(lead({ contact, title: 'B' }, edited), body('A', { lead_email: 'b@x.example', lead_company_name: 'Acme' }))).toBe(
      'perhaps',
    );
    expect(fits(lead({ contact, title: 'B' }, edited), body('A', { lead_email: 'b@x.example', lead_company_name: 'B' }))).toBe('no');
    expect(fits(lead({ value: '9.00' }, edited), body('A', { lead_value: '1' }))).toBe('yes');
  });

  it('is the one where the service writes telling values anew only if every other value agrees', () => {
    const fitting = new Fitting(leads, [{ record: lead({ title: 'small' }), body: body('Small') }]);
    expect(end(fitting.fit(lead({ value: '1.00' }, edited), body('a', { lead_value: '1' })))).toBe('yes');
    expect(end(fitting.fit(lead({ value: '9.00' }, edited), body('a', { lead_value: '1' })))).toBe('perhaps');
    expect(end(fitting.fit(lead({ value: '9.00' }, edited), body('A', { lead_value: '1' })))).toBe('yes');
  });

  it('that is, where no time of change is told, or no times', () => {
    const others = [{}, edited, { created }].map((dates) => lead({ title: 'B' }, dates));
    expect([lead({ title: 'B' }), ...others, { id: 7, title: 'B' }].map((record) => fits(record, body('A')))).toEqual([
      'no',
      'perhaps',
      'perhaps',
      'perhaps',
      'perhaps',
    ]);
  });
});

describe('what the service does not keep as it was sent does not tell', () => {
  const sample = { record: lead({ title: 'Lead: X', contact: { company_name: 'Acme' } }), body: body('X', { lead_company_name: 'Acme' }) };

  it('as records show that are known for certain', () => {
    const record = lead({ title: 'Lead: A', contact: { company_name: 'Acme' } });
    const sent = body('A', { lead_company_name: 'Acme' });
    expect(end(new Fitting(leads, []).fit(record, sent))).toBe('no');
    expect(end(new Fitting(leads, [sample]).fit(record, sent))).toBe('yes');
    expect(end(new Fitting(leads, [sample]).fit(record, body('A', { lead_company_name: 'Other' })))).toBe('no');
  });

  it('but not those that somebody changed since', () => {
    const changed = { ...sample, record: { ...sample.record, dates: edited } };
    expect(end(new Fitting(leads, [changed]).fit(lead({ title: 'Lead: A' }), body('A')))).toBe('no');
  });

  it('and where nothing is left that tells, nobody can', () => {
    const plain = { record: lead({ title: 'Lead: X' }), body: body('X') };
    expect(end(new Fitting(leads, [plain]).fit(lead({ title: 'Lead: A' }), body('A')))).toBe('perhaps');
  });
});

describe('who and what only a create tells', () => {
  it('another creator than of all records known for certain', () => {
    const samples = [{ record: lead({ creator_id: 3 }), body: body('A') }];
    expect(end(new Fitting(leads, samples).fit(lead({ creator_id: 4 }), body('A')))).toBe('no');
    expect(end(new Fitting(leads, samples).fit(lead({ creator_id: 3 }), body('A')))).toBe('yes');
    expect(end(new Fitting(leads, samples).fit(lead(), body('A')))).toBe('yes');
    expect(end(new Fitting(leads, []).fit(lead({ creator_id: 4 }), body('A')))).toBe('yes');
  });

  it("a proposal's client or lead", () => {
    const record = { id: 1, title: 'P', client: { id: 5 }, lead: null, dates: untouched };
    const sent = (more: [string, number]): Body => new Map<string, string | number>([['doc_title', 'P'], more]);
    const fitting = new Fitting(proposals, []);
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
    const fitting = new Fitting(notes, []);
    expect([of('lead', 7), of('lead', 8), of('client', 7)].map((record) => end(fitting.fit(record, sent)))).toEqual(['yes', 'no', 'no']);
  });
});

it('a record whose id the service told is the right one if something tells so, and nothing speaks against it', () => {
  const fitting = new Fitting(leads, []);
  const isAlike = (record: object, sent = body('A')): boolean => fitting.isAlike(record, sent);
  expect([isAlike(lead()), isAlike(lead({ title: 'B' })), isAlike(lead(), body('B')), isAlike({ id: 1 })]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(isAlike(lead(), new Map([['lead_status', 1]]))).toBe(false);
  expect(isAlike(lead({ contact: { email: 'b@x.example' } }), body('A', { lead_email: 'a@x.example' }))).toBe(false);
  const note = { id: 1, title: 'N', description: 'd', resource: { type: 'lead', id: 7 } };
  const sent = (id: number): Body =>
    new Map<string, string | number>([
      ['note_title', 'N'],
      ['note_description', 'd'],
      ['noteresource_type', 'lead'],
      ['noteresource_id', id],
    ]);
  expect([7, 8].map((id) => new Fitting(notes, []).isAlike(note, sent(id)))).toEqual([true, false]);
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
  const contact = (email: string, first: string, dates: object = untouched) => ({ id: 1, first_name: first, last_name: 'B', email, dates });
  const sent = (email: string): Body =>
    new Map([
      ['first_name', 'A'],
      ['last_name', 'B'],
      ['email', email],
    ]);

  it('decides where nothing else was sent, or something else agrees', () => {
    const fitting = new Fitting(contacts, []);
    const alone: Body = new Map([['email', 'A@x.example']]);
    expect(end(fitting.fit(contact('a@x.example', 'Somebody else', edited), alone))).toBe('yes');
    expect(end(fitting.fit(contact('a@x.example', 'A', edited), sent('A@x.example')))).toBe('yes');
    const phoned = { ...contact('a@x.example', 'Renamed', edited), phone: '030 1234' };
    expect(end(fitting.fit(phoned, new Map([...sent('a@x.example'), ['phone', '030 1234']])))).toBe('yes');
    expect(end(fitting.fit(phoned, new Map([...sent('a@x.example'), ['phone', '0301234']])))).toBe('perhaps');
    expect(end(fitting.fit(contact('b@x.example', 'A'), sent('a@x.example')))).toBe('no');
  });

  it.each([[untouched], [edited]])('may be a colleague’s beside a name and a phone that differ %j', (dates) => {
    const theirs = { ...contact('a@x.example', 'Somebody else', dates), phone: '99' };
    expect(end(new Fitting(contacts, []).fit(theirs, new Map([...sent('a@x.example'), ['phone', '11']])))).toBe('perhaps');
  });
});

it("an item's description tells, its rate tells among equal ones", () => {
  const sent: Body = new Map([
    ['item_description', 'Thing'],
    ['item_rate', '12.5'],
  ]);
  const fitting = new Fitting(items, []);
  const item = (description: string, rate: string) => ({ id: 1, description, rate, dates: untouched });
  expect([item('Thing', '12.50'), item('Thing', '13.00'), item('Think', '12.50')].map((one) => end(fitting.fit(one, sent)))).toEqual([
    'yes',
    'perhaps',
    'no',
  ]);
});
