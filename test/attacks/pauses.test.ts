// A pause between a read and its write: a 429 with Retry-After, a 503. Colleagues are at work meanwhile, and nothing of theirs
// is lost.

import { expect } from 'vitest';
import { at, type Kept, refused, type Script, type Turn, tooMany } from '../support/strange-service.ts';
import { attack, countsOf, leadOf, type Place } from './place.ts';

/** The first write that matches gets this turn. */
const firstWrite = (turn: () => Turn, method = 'PATCH'): Script => {
  let isOver = false;
  return (incoming) => {
    if (isOver || incoming.method !== method) return undefined;
    isOver = true;
    return turn();
  };
};

/** The first write to each record is refused, and meanwhile somebody else changes just that one: several are on their way at once. */
const eachPausedOnce = (records: readonly Kept[], method: string, change: (one: Kept) => void): Script => {
  const changed = new Set<number>();
  return (incoming) => {
    const one = incoming.method === method ? records.find(({ id }) => id === incoming.id) : undefined;
    if (one === undefined || changed.has(one.id)) return undefined;
    changed.add(one.id);
    return tooMany(5, () => change(one));
  };
};

const pausedOnce = (meanwhile: () => void, method?: string): Script => firstWrite(() => tooMany(5, meanwhile), method);

const unharmed = ({ service }: Place): void => expect(service.harm).toEqual([]);

attack('a pause in update: a colleague edits another field, and it stays', async (place) => {
  const { service } = place;
  const lead = leadOf(place, 1);
  service.script(pausedOnce(() => service.colleague.edit(lead, { 'contact.phone': 'theirs', tags: ['theirs'] })));
  const end = await place.crm(['leads', 'update', String(lead.id), '--title', 'New', '--json']);
  expect(end.status, end.stderr).toBe(0);
  expect([service.values(lead).title, at(service.values(lead), 'contact.phone')]).toEqual(['New', 'theirs']);
  unharmed(place);
});

attack('a pause in update of a selection: a colleague edits another field, and it stays', async (place) => {
  const { service } = place;
  const leads = [1, 2, 3].map((number) => leadOf(place, number, { source: 'Fair' }));
  service.script(eachPausedOnce(leads, 'PATCH', (lead) => service.colleague.edit(lead, { 'contact.phone': 'theirs' })));
  const end = await place.crm(['leads', 'update', '--where', 'source=Fair', '--value', '7', '--yes', '--json']);
  expect(end.status, end.stderr).toBe(0);
  expect(leads.map((lead) => [service.values(lead).value, at(service.values(lead), 'contact.phone')])).toEqual(
    leads.map(() => ['7.00', 'theirs']),
  );
  unharmed(place);
});

attack('a pause in update of a selection: a lead that moves out of it meanwhile is left', async (place) => {
  const { service } = place;
  const leads = [1, 2, 3].map((number) => leadOf(place, number, { source: 'Fair' }));
  service.script(eachPausedOnce(leads, 'PATCH', (lead) => service.colleague.edit(lead, { source: 'Theirs' })));
  const end = await place.crm(['leads', 'update', '--where', 'source=Fair', '--source', 'Ours', '--yes', '--json']);
  expect(
    leads.map((lead) => service.values(lead).source),
    end.stderr,
  ).toEqual(leads.map(() => 'Theirs'));
  expect(end.status, end.stderr).toBe(8);
});

attack('delete of a selection: a lead that moves out of it meanwhile is left', async (place) => {
  const { service } = place;
  const leads = [1, 2, 3].map((number) => leadOf(place, number, { source: 'Fair' }));
  service.script(eachPausedOnce(leads, 'DELETE', (lead) => service.colleague.edit(lead, { source: 'Theirs' })));
  const end = await place.crm(['leads', 'delete', '--where', 'source=Fair', '--yes', '--json']);
  expect(
    leads.map((lead) => service.isGone(lead)),
    end.stderr,
  ).toEqual([false, false, false]);
  expect(end.status, end.stderr).toBe(8);
});

for (const [name, status] of [
  ['429', 429],
  ['503', 503],
] as const) {
  attack(`a ${name} in tags --add: a colleague's tag stays`, async (place) => {
    const { service } = place;
    const lead = leadOf(place, 1, { tags: ['old'] });
    service.script(firstWrite(() => refused(status, 5, () => service.colleague.edit(lead, { tags: ['old', 'theirs'] })), 'PUT'));
    const end = await place.crm(['leads', 'tags', String(lead.id), '--add', 'ours', '--json']);
    expect(end.status, end.stderr).toBe(0);
    expect(service.values(lead).tags).toEqual(['old', 'theirs', 'ours']);
    unharmed(place);
  });

  attack(`a ${name} in assign --add: a colleague's assignee stays`, async (place) => {
    const { service } = place;
    const lead = leadOf(place, 1);
    service.script(
      firstWrite(() => refused(status, 5, () => service.colleague.edit(lead, { assigned: [{ id: 2, name: 'Ben Staff' }] })), 'PUT'),
    );
    const end = await place.crm(['leads', 'assign', String(lead.id), '--add', '3', '--json']);
    expect(end.status, end.stderr).toBe(0);
    expect((service.values(lead).assigned as { id: number }[]).map(({ id }) => id)).toEqual([2, 3]);
    unharmed(place);
  });
}

attack("a pause in tags of a selection: colleagues' tags stay", async (place) => {
  const { service } = place;
  const leads = [1, 2, 3].map((number) => leadOf(place, number, { source: 'Fair', tags: ['old'] }));
  service.script(eachPausedOnce(leads, 'PUT', (lead) => service.colleague.edit(lead, { tags: ['old', 'theirs'] })));
  const end = await place.crm(['leads', 'tags', '--where', 'source=Fair', '--add', 'ours', '--yes', '--json']);
  expect(end.status, end.stderr).toBe(0);
  expect(leads.map((lead) => service.values(lead).tags)).toEqual(leads.map(() => ['old', 'theirs', 'ours']));
  unharmed(place);
});

const updates = ['leads', 'import', 'leads.csv', '--mode', 'update', '--yes', '--json'];

attack('a pause in import --mode update: a colleague edits another field, and it stays', async (place) => {
  const { service } = place;
  const lead = leadOf(place, 1);
  const file = place.write('leads.csv', `id,title\n${lead.id},New\n`);
  service.script(pausedOnce(() => service.colleague.edit(lead, { 'contact.phone': 'theirs' })));
  const end = await place.crm(updates.with(2, file));
  expect(end.status, end.stderr).toBe(0);
  expect([service.values(lead).title, at(service.values(lead), 'contact.phone')]).toEqual(['New', 'theirs']);
  unharmed(place);
});

attack('a pause in import --mode update with dates.updated: what a colleague edits is a conflict', async (place) => {
  const { service } = place;
  const lead = leadOf(place, 1);
  const updated = String(at(service.values(lead), 'dates.updated'));
  const file = place.write('leads.csv', `id,title,dates.updated\n${lead.id},New,${updated}\n`);
  service.script(pausedOnce(() => service.colleague.edit(lead, { title: 'Theirs' })));
  const end = await place.crm(updates.with(2, file));
  expect(service.values(lead).title, end.stderr).toBe('Theirs');
  expect(end.status, end.stderr).toBe(8);
  expect(countsOf(end).conflicts).toBe(1);
  unharmed(place);
});

attack('a pause in import --mode update, sixteen at once: what colleagues edit stays', async (place) => {
  const { service } = place;
  const leads = Array.from({ length: 16 }, (_, index) => leadOf(place, index + 1));
  const file = place.write('leads.csv', ['id,title', ...leads.map(({ id }) => `${id},New ${id}`), ''].join('\n'));
  const edited = new Set<number>();
  service.script(({ method, id }) => {
    const lead = leads.find((one) => one.id === id);
    if (method !== 'PATCH' || lead === undefined || edited.has(lead.id)) return undefined;
    edited.add(lead.id);
    return tooMany(5, () => service.colleague.edit(lead, { 'contact.phone': `theirs ${lead.id}` }));
  });
  const end = await place.crm([...updates.with(2, file), '--concurrency', '16']);
  expect(end.status, end.stderr).toBe(0);
  expect(leads.map((lead) => at(service.values(lead), 'contact.phone'))).toEqual(leads.map(({ id }) => `theirs ${id}`));
  expect(leads.map((lead) => service.values(lead).title)).toEqual(leads.map(({ id }) => `New ${id}`));
  unharmed(place);
});

attack('a long pause that meets sixteen requests is said once', async (place) => {
  const { service } = place;
  const leads = Array.from({ length: 16 }, (_, index) => leadOf(place, index + 1));
  const file = place.write('leads.csv', ['id,title', ...leads.map(({ id }) => `${id},New ${id}`), ''].join('\n'));
  service.script(({ method, nth }) => (method === 'PATCH' && nth <= 16 ? tooMany(20) : undefined));
  const end = await place.crm([...updates.with(2, file), '--concurrency', '16']);
  expect(end.status, end.stderr).toBe(0);
  expect(end.stderr.match(/Waiting \d+ s/g)).toHaveLength(1);
});

const proposal = (place: Place, number: number) =>
  place.service.has('proposals', {
    title: `Offer ${number}`,
    'client.id': 1,
    'category.id': 4,
    'dates.start': '2026-01-01',
    status: 'new',
  });

attack('a pause in proposals status: a signature given meanwhile is not erased unasked', async (place) => {
  const { service } = place;
  const offer = proposal(place, 1);
  service.script(pausedOnce(() => service.colleague.sign(offer), 'PUT'));
  const end = await place.crm(['proposals', 'status', String(offer.id), 'revised', '--json']);
  expect(at(service.values(offer), 'signed.first_name'), end.stderr).toBe('Olga');
  expect(end.status, end.stderr).toBe(10);
  unharmed(place);
});

attack('a pause in proposals status of a selection: what was signed meanwhile is left and told', async (place) => {
  const { service } = place;
  const offers = [1, 2, 3].map((number) => proposal(place, number));
  const [, second, third] = offers;
  if (second === undefined || third === undefined) return;
  service.script(eachPausedOnce([second, third], 'PUT', (offer) => service.colleague.sign(offer)));
  const end = await place.crm(['proposals', 'status', offers.map(({ id }) => id).join(','), '--to', 'revised', '--yes', '--json']);
  expect(
    [second, third].map((offer) => at(service.values(offer), 'signed.first_name')),
    end.stderr,
  ).toEqual(['Olga', 'Olga']);
  expect(end.status, end.stderr).toBe(8);
  unharmed(place);
});

attack('a lost answer in status of a selection: what somebody sets after it is not overwritten, and told', async (place) => {
  const { service } = place;
  const leads = [1, 2, 3].map((number) => leadOf(place, number));
  const [first] = leads;
  if (first === undefined) return;
  let isOver = false;
  service.script(({ method, id }) => {
    if (isOver || method !== 'PUT' || id !== first.id) return undefined;
    isOver = true;
    return { answer: 'cut', meanwhile: () => service.colleague.edit(first, { 'status.id': 4, 'status.title': 'Theirs' }) };
  });
  const end = await place.crm(['leads', 'status', leads.map(({ id }) => id).join(','), '--to', '3', '--yes', '--json']);
  expect(
    leads.map((lead) => String(at(service.values(lead), 'status.id'))),
    end.stderr,
  ).toEqual(['4', '3', '3']);
  expect(end.status, end.stderr).toBe(8);
  expect(end.stderr).toContain('somebody may have changed it since');
});
