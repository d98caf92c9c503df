// Every field that a family declares has a place in the embedded CRM: what is sent for it reads back where the declaration says, and in
// another embedded CRM that the record is copied to.

import { expect, it } from 'vitest';
import type { Field } from '../../src/model/define.ts';
import { resources } from '../../src/model/resources/index.ts';
import { loadRecords } from '../../src/sandbox/create.ts';
import { memoryStore, sandbox, sender } from './service/support.ts';

/** Fields that bring something about instead of being kept, and so read back nowhere. */
const passing = ['contacts send-email', 'proposals template'];

/** What to send for a field, by what it is: distinct for texts, and ids that the reference data has for every relation. */
function sample({ flag, type }: Field, family: string): unknown {
  const ids: Record<string, number> = { 'contacts client': 1, 'proposals client': 1, 'proposals category': 4, 'items category': 6 };
  switch (type.kind) {
    case 'id':
      return ids[`${family} ${flag}`] ?? 1;
    case 'integer':
      return 7;
    case 'decimal':
      return '12.34';
    case 'date':
      return '2027-01-04';
    case 'email':
      return `${family}@fields.example`;
    case 'choice':
      return type.values.at(-1);
    case 'id-or-name':
      return 'sack';
    case 'switch':
      return type.sends;
    default:
      return `A ${flag}`;
  }
}

const single = (field: Field): boolean => field.type.kind !== 'reference' && field.type.kind !== 'numbered';
const at = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((one, name) => (one as Record<string, unknown>)?.[name], record);

for (const { name, path, fields } of resources) {
  const sent = fields.filter((field) => single(field) && !(name === 'proposals' && field.flag === 'lead'));
  const extra = name === 'proposals' ? { customer_type: 'client' } : {};

  it.each(['create', 'update'] as const)(`${name}: every declared field is kept on %s`, async (mode) => {
    const { send } = sandbox({ demo: true });
    const values = Object.fromEntries(sent.map((field) => [field.wire, sample(field, name)]));
    const made = await send('POST', path, { ...extra, ...values });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id } = made.body.data;
    const changed = Object.fromEntries(
      sent.map((field) => [field.wire, field.type.kind === 'text' ? `Another ${field.flag}` : values[field.wire]]),
    );
    if (mode === 'update') expect((await send('PATCH', `${path}/${id}`, changed)).status).toBe(200);
    const record = (await send('GET', `${path}/${id}`)).body.data;
    const expected = mode === 'update' ? changed : values;
    for (const field of sent.filter(({ only }) => only === undefined || only === 'create' || only === mode)) {
      if (field.read === undefined) expect(passing, `${name} ${field.flag}`).toContain(`${name} ${field.flag}`);
      else if (mode === 'create' || field.only !== 'create')
        expect(shown(at(record, field.read), field, record), field.flag).toEqual(expected[field.wire]);
    }
  });

  it(`${name}: every declared field is kept by a copy (sandbox/create.ts)`, async () => {
    const { send } = sandbox({ demo: true });
    const values = Object.fromEntries(sent.map((field) => [field.wire, sample(field, name)]));
    const { id } = (await send('POST', path, { ...extra, ...values })).body.data;
    const record = (await send('GET', `${path}/${id}`)).body.data;
    const store = memoryStore({ demo: true });
    expect(loadRecords(store, (file) => (file === name ? [record] : []))).toEqual([]);
    const copy = (await sender(store)('GET', `${path}/${id}`)).body.data;
    for (const { read, flag } of sent) if (read !== undefined) expect(at(copy, read), flag).toEqual(at(record, read));
  });
}

/** A unit that was sent by its name reads back as an id: its name stands beside. */
function shown(value: unknown, field: Field, record: unknown): unknown {
  return field.type.kind === 'id-or-name' ? at(record, `${field.flag}.name`) : value;
}
