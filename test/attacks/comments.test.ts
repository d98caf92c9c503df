// Comments on several leads: a comment is made, and made once, whatever becomes of its answer and of the process that sent it.

import { describe, expect } from 'vitest';
import { later } from '../support/fast-time.ts';
import { type Kept, type Script, saying, type Turn, tooMany } from '../support/strange-service.ts';
import { attack, leadOf, type Place } from './place.ts';

const command = ['leads', 'comments', 'add', '--where', 'source=Fair', '--text', 'Met there', '--yes', '--json'];

const fairLeads = (place: Place, count: number): Kept[] =>
  Array.from({ length: count }, (_, index) => leadOf(place, index + 1, { source: 'Fair', last_contacted: '2026-01-01' }));

/** How many comments each of the leads has that say so. */
const commentsOn = ({ service }: Place, leads: readonly Kept[], text = 'Met there'): number[] =>
  leads.map(
    ({ id }) => service.there('comments').filter((one) => service.values(one).lead_id === id && service.values(one).text === text).length,
  );

const ones = (leads: readonly Kept[]): number[] => leads.map(() => 1);

const comments =
  (turn: (nth: number) => Turn | undefined): Script =>
  ({ method, action, nth }) =>
    method === 'POST' && action === 'comments' ? turn(nth) : undefined;

describe.concurrent('each lead has its comment once', () => {
  attack('where answers are lost, and comments that say the same were there before', async (place) => {
    const { service } = place;
    const leads = fairLeads(place, 6);
    for (const lead of leads) service.colleague.comment(lead, 'Met there');
    service.script(comments((nth) => (nth % 2 === 0 ? { answer: 'cut' } : undefined)));
    const end = await place.crm(command);
    expect([end.status, (JSON.parse(end.stdout) as unknown[]).length], end.stderr).toEqual([0, 6]);
    expect(commentsOn(place, leads)).toEqual(leads.map(() => 2));
  });

  attack('where they never arrived', async (place) => {
    const { service } = place;
    const leads = fairLeads(place, 4);
    service.script(comments((nth) => (nth === 2 ? { carried: 'never', answer: 'cut' } : undefined)));
    const end = await place.crm(command);
    expect(end.status, end.stderr).toBe(0);
    expect(commentsOn(place, leads)).toEqual(ones(leads));
  });

  attack('where one is answered by a gateway, which is not called no answer', async (place) => {
    const leads = fairLeads(place, 4);
    place.service.script(comments((nth) => (nth === 2 ? saying({ message: 'Bad gateway' }, 502) : undefined)));
    const end = await place.crm(command.slice(0, -1));
    expect(end.stderr).toMatch(/^1 request whose outcome is not known may still arrive: looking for it for up to \d+ s\.$/m);
    expect(end.status, end.stderr).toBe(0);
    expect(commentsOn(place, leads)).toEqual(ones(leads));
  });

  attack('where the answers say nothing', async (place) => {
    const leads = fairLeads(place, 3);
    place.service.script(comments(() => saying(undefined, 204, 0)));
    const end = await place.crm([...command.slice(0, -1), '-o', 'ids']);
    expect([end.status, end.stdout.trim().split('\n').length], end.stderr).toEqual([0, 3]);
    expect(commentsOn(place, leads)).toEqual(ones(leads));
  });

  attack('where a run was killed, and the same command is given again', async (place) => {
    const { service } = place;
    const leads = fairLeads(place, 8);
    service.script(comments((nth) => (nth > 3 ? { carried: 20_000, answer: 'silence' } : undefined)));
    const run = place.start(command);
    await service.came(({ method, nth }) => method === 'POST' && nth > 3, 2);
    run.process.kill('SIGKILL');
    await run.ended;
    service.script(undefined);
    // What was on its way may still arrive, and is left alone until it can't.
    const second = await place.crm(command);
    expect(second.status, second.stderr).toBe(8);
    expect(second.stderr).toMatch(/may still arrive/);
    await later(70_000);
    await service.settled();
    const third = await place.crm(command);
    expect(third.status, third.stderr).toBe(0);
    expect(commentsOn(place, leads)).toEqual(ones(leads));
  });

  attack('and again where that is meant', async (place) => {
    const leads = fairLeads(place, 2);
    for (const _ of [1, 2]) expect((await place.crm(command)).status).toBe(0);
    expect(commentsOn(place, leads)).toEqual([2, 2]);
  });
});

attack('a contact of a selection: its own date is no reason to leave the comment out, what a colleague changed is', async (place) => {
  const { service } = place;
  const leads = fairLeads(place, 4);
  let away: Kept | undefined;
  service.script(({ method, nth, id }) => {
    if (method !== 'PATCH' || nth !== 1) return undefined;
    away = leads.find((lead) => lead.id === id);
    return tooMany(3, () => service.colleague.edit(away as Kept, { source: 'Theirs' }));
  });
  const args = ['leads', 'contacted', '--where', 'source=Fair', '--where', 'last_contacted=..2026-01-31', '--on', '2026-02-03'];
  const end = await place.crm([...args, '--text', 'Met there', '--yes', '--json']);
  expect(end.status, end.stderr).toBe(8);
  expect(leads.map((lead) => service.values(lead).last_contacted)).toEqual(
    leads.map((lead) => (lead === away ? '2026-01-01' : '2026-02-03')),
  );
  expect(commentsOn(place, leads)).toEqual(leads.map((lead) => (lead === away ? 0 : 1)));
  expect(service.harm).toEqual([]);
});

attack('comments of two commands at once: one after the other', async (place) => {
  const leads = fairLeads(place, 3);
  const ends = await Promise.all([place.crm(command), place.crm(command)]);
  expect(
    ends.map(({ status }) => status),
    ends.map(({ stderr }) => stderr).join('\n'),
  ).toEqual([0, 0]);
  expect(commentsOn(place, leads)).toEqual([2, 2, 2]);
});
