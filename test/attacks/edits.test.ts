// Records in an editor: what was shown is compared with what is there when it is sent. The editor is a script that lets a
// colleague work while the file is open.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { Crm } from '../support/crm.ts';
import { at, type Kept, tooMany } from '../support/strange-service.ts';
import { attack, leadOf, leadsFile, type Place } from './place.ts';

/**
 * Edits a record by a sed script, while `meanwhile` happens: the editor says that the file is open, and waits until it may
 * go on.
 */
async function edited(place: Place, args: readonly string[], sed: string, meanwhile: () => void): Promise<Crm> {
  const [open, goOn] = [join(place.folder, 'open'), join(place.folder, 'go-on')];
  const editor = `sed -i '${sed}' "$1"\ntouch '${open}'\nwhile [ ! -e '${goOn}' ]; do sleep 0.02; done`;
  const run = place.onTerminal([...args, '--yes'], { editor });
  await there(open, run);
  meanwhile();
  writeFileSync(goOn, '');
  return run;
}

async function there(path: string, run: Promise<Crm>): Promise<void> {
  const over = run.then((end) => {
    throw new Error(`It never opened an editor: ${end.status}\n${end.stdout}`);
  });
  const look = async (): Promise<void> => {
    while (!existsSync(path)) await sleep(20);
  };
  await Promise.race([look(), over]);
  over.catch(() => undefined);
}

/** What the colleague wrote stands there, and it is told: 8 as of a run, 10 as of one record. */
function expectConflict({ service }: Place, kept: Kept, { status, stdout }: Crm): void {
  expect(service.values(kept).title, stdout).toBe('Theirs');
  expect([8, 10], stdout).toContain(status);
}

const offerOf = ({ service }: Place): Kept =>
  service.has('proposals', { title: 'Offer', 'client.id': 1, 'category.id': 4, 'dates.start': '2026-01-01', status: 'draft' });

describe.concurrent('while the file is open, a colleague', () => {
  attack('changes the same field of a lead: a conflict', async (place) => {
    const { service } = place;
    const lead = leadOf(place, 1);
    const end = await edited(place, ['leads', 'edit', String(lead.id)], 's/^title: .*/title: Ours/', () =>
      service.colleague.edit(lead, { title: 'Theirs' }),
    );
    expectConflict(place, lead, end);
    expect(service.harm).toEqual([]);
  });

  for (const [name, meanwhile] of [
    [
      'without a new time stamp',
      ({ service }: Place, lead: Kept) => service.colleague.edit(lead, { title: 'Theirs' }, { unstamped: true }),
    ],
    [
      'under a clock that went back',
      ({ service }: Place, lead: Kept) => {
        service.setClock(-86_400_000 * 1000);
        service.colleague.edit(lead, { title: 'Theirs' });
      },
    ],
  ] as const) {
    attack(`changes the same field of a lead ${name}: a conflict`, async (place) => {
      const lead = leadOf(place, 1);
      const end = await edited(place, ['leads', 'edit', String(lead.id)], 's/^title: .*/title: Ours/', () => meanwhile(place, lead));
      expectConflict(place, lead, end);
    });
  }

  attack('changes another field of a lead: both stay', async (place) => {
    const { service } = place;
    const lead = leadOf(place, 1);
    const end = await edited(place, ['leads', 'edit', String(lead.id)], 's/^title: .*/title: Ours/', () =>
      service.colleague.edit(lead, { 'contact.phone': 'theirs' }, { unstamped: true }),
    );
    expect([service.values(lead).title, at(service.values(lead), 'contact.phone'), end.status], end.stdout).toEqual(['Ours', 'theirs', 0]);
  });

  attack('changes another field of a lead, with its time stamp: both stay', async (place) => {
    const { service } = place;
    const lead = leadOf(place, 1);
    const end = await edited(place, ['leads', 'edit', String(lead.id)], 's/^title: .*/title: Ours/', () =>
      service.colleague.edit(lead, { 'contact.phone': 'theirs' }),
    );
    expect([service.values(lead).title, at(service.values(lead), 'contact.phone'), end.status], end.stdout).toEqual(['Ours', 'theirs', 0]);
  });

  attack('makes the same change: nothing is sent, and nothing has failed', async (place) => {
    const { service } = place;
    const lead = leadOf(place, 1);
    const end = await edited(place, ['leads', 'edit', String(lead.id)], 's/^title: .*/title: Ours/', () =>
      service.colleague.edit(lead, { title: 'Ours' }),
    );
    expect([service.writes().length, end.status], end.stdout).toEqual([0, 0]);
  });

  attack('changes the same field of a proposal: a conflict', async (place) => {
    const { service } = place;
    const offer = offerOf(place);
    const end = await edited(place, ['proposals', 'edit', String(offer.id)], 's/^title: .*/title: Ours/', () =>
      service.colleague.edit(offer, { title: 'Theirs' }),
    );
    expectConflict(place, offer, end);
    expect(service.harm).toEqual([]);
  });

  attack('changes the text of a proposal: it is not overwritten with what was shown', async (place) => {
    const { service } = place;
    const offer = offerOf(place);
    const end = await edited(place, ['proposals', 'edit', String(offer.id)], 's/^title: .*/title: Ours/', () =>
      service.colleague.edit(offer, { body: '<p>Theirs</p>', 'dates.end': '2027-01-01' }),
    );
    expect([service.values(offer).body, at(service.values(offer), 'dates.end')], end.stdout).toEqual(['<p>Theirs</p>', '2027-01-01']);
    expect([service.values(offer).title, end.status], end.stdout).toEqual(['Ours', 0]);
  });
});

attack('a pause while an edit is sent: what a colleague changes meanwhile is a conflict', async (place) => {
  const { service } = place;
  const lead = leadOf(place, 1);
  service.script(({ method, nth }) =>
    method === 'PATCH' && nth === 1 ? tooMany(5, () => service.colleague.edit(lead, { title: 'Theirs' }, { unstamped: true })) : undefined,
  );
  const end = await edited(place, ['leads', 'edit', String(lead.id)], 's/^title: .*/title: Ours/', () => undefined);
  expectConflict(place, lead, end);
});

attack('an edit beside an import that is under way: it does not wait for its end', async (place) => {
  const { service } = place;
  const lead = leadOf(place, 90);
  const file = place.write('leads.csv', leadsFile(4));
  service.script(({ method, nth }) => (method === 'POST' && nth > 1 ? tooMany(600) : undefined));
  const run = place.start(['leads', 'import', file, '--json', '--concurrency', '1']);
  await service.came(({ method, nth }) => method === 'POST' && nth > 1);
  const end = await edited(place, ['leads', 'edit', String(lead.id)], 's/^title: .*/title: Ours/', () => undefined);
  expect([service.values(lead).title, end.status], end.stdout).toEqual(['Ours', 0]);
  run.process.kill('SIGKILL');
});

attack('an export of proposals that comes back: what a colleague changed meanwhile is not overwritten unseen', async (place) => {
  const { service } = place;
  const offer = offerOf(place);
  const listed = await place.crm(['proposals', 'list', '--csv', '--fields', 'id,title,end']);
  const file = place.write('offers.csv', listed.stdout.replace('Offer', 'Ours'));
  service.colleague.edit(offer, { title: 'Theirs' });
  const end = await place.crm(['proposals', 'import', file, '--mode', 'update', '--yes', '--json']);
  // Nothing in such a file tells what stood there: what was overwritten was read, and that nothing was compared is said.
  if (service.values(offer).title !== 'Theirs') expect(end.stderr).toMatch(/not (be )?compared|changed since/i);
  expect(service.harm).toEqual([]);
});
