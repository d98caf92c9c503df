// The seed commands against a served embedded CRM: applied twice and destroyed, refused, rolled back, shown.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SeenRequest, startFaultyProxy } from '../support/faulty-proxy.ts';
import { startCrm } from '../support/start-crm.ts';
import { contentOf, countsOf, openWorkplace, told, type Workplace } from './support.ts';

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});

afterAll(() => place.close());

async function ok(args: readonly string[], options?: Parameters<Workplace['crm']>[1]): Promise<string> {
  const { status, stdout, stderr } = await place.crm(args, options);
  expect(status, stderr).toBe(0);
  return stdout;
}

const okJson = async (args: readonly string[], options?: Parameters<Workplace['crm']>[1]): Promise<Record<string, unknown>> =>
  JSON.parse(await ok([...args, '--json'], options));

/** Destroys a run. An account owner whom a contact of it replaced is not made one again: the commands that do are named, and typed here. */
async function destroyed(words: readonly string[]): Promise<void> {
  const { status, stderr } = await place.crm(['seed', 'destroy', ...words, '--yes']);
  expect(status, stderr).toBe(0);
  for (const [, command = ''] of stderr.matchAll(/crm (contacts account-owner \d+)/g)) await ok(command.split(' '));
}

describe.each(['sales-team', 'ci-smoke'])('examples/%s.yaml', (run) => {
  it('applied twice creates once, and destroyed leaves everything as it was', async () => {
    const file = `examples/${run}.yaml`;
    const before = await place.everything();
    const ids = await okJson(['seed', 'apply', file]);
    const after = await place.everything();
    expect(countsOf(after)).not.toEqual(countsOf(before));
    expect(await okJson(['seed', 'apply', file])).toEqual(ids);
    expect(await place.everything()).toEqual(after);
    expect(await told(place, run)).toMatchObject({ kind: 'seed', state: 'done', command: expect.stringContaining(file) });
    await destroyed([file]);
    const end = await place.everything();
    expect(countsOf(end)).toEqual(countsOf(before));
    expect(contentOf(end)).toEqual(contentOf(before));
    expect(await told(place, run)).toMatchObject({ state: 'undone', left: 'destroyed' });
    expect(await okJson(['seed', 'destroy', file, '--yes'])).toEqual([]);
  });
});

it('the examples need no records of a service, and leave none', async () => {
  const fresh = await openWorkplace({ empty: true });
  try {
    for (const run of ['sales-team', 'ci-smoke']) {
      expect(await fresh.crm(['seed', 'apply', `examples/${run}.yaml`])).toMatchObject({ status: 0 });
      expect(await fresh.crm(['seed', 'destroy', '--run', run, '--yes'])).toMatchObject({ status: 0 });
    }
    expect((await fresh.everything()).leads).toEqual([]);
  } finally {
    await fresh.close();
  }
});

describe('apply', () => {
  it('names the variables of the environment that a file reads, before anything is sent', async () => {
    const seed = (text: string) => `version: 1\nrecords:\n  - { name: n, type: note, set: { title: '${text}', description: 'y' } }`;
    const apply = (text: string, env: Record<string, string>) =>
      place.crm(['seed', 'apply', '-', '--run', 'told', '--dry-run'], { stdin: seed(text), env });
    const told = await apply('${env:CRM_SEED_PLACE} ${env:CRM_SEED_TEAM|all} $${env:HOME} ${env:CRM_SEED_PLACE}', {
      CRM_SEED_PLACE: 'Leeds',
    });
    expect(told.stderr.split('\n')[0]).toBe('standard input reads these environment variables: CRM_SEED_PLACE');
    expect((await apply('${env:CRM_SEED_TEAM|all}', {})).stderr).not.toContain('environment');
  });

  it('reads other variables only where the command line names them', async () => {
    const text = "version: 1\nrecords:\n  - { name: n, type: note, set: { title: '${env:JWT|x}', description: 'y' } }";
    const apply = (...more: string[]) =>
      place.crm(['seed', 'apply', '-', '--run', 'named', '--dry-run', '--json', ...more], { stdin: text, env: { JWT: 'Leeds' } });
    const refused = await apply();
    expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('To let this one read JWT: --env JWT') });
    expect(refused.stderr).not.toContain('Leeds');
    const named = await apply('--env', 'JWT', '--env', 'HOME');
    expect(named).toMatchObject({ status: 0, stderr: expect.stringContaining('reads these environment variables: JWT') });
    expect(named.stdout).toContain('Leeds');
    expect((await apply('--env', 'JWT=Leeds')).status).toBe(2);
  });

  it('does what the file says', async () => {
    const ids = await okJson(['seed', 'apply', 'examples/ci-smoke.yaml', '--run', 'said']);
    expect(ids).toEqual({
      contact: expect.any(Number),
      lead: expect.any(Number),
      proposal: expect.any(Number),
      item: expect.any(Number),
      note: [expect.any(Number), expect.any(Number)],
    });
    const [lead, proposal, notes] = await Promise.all([
      okJson(['leads', 'get', String(ids.lead)]),
      okJson(['proposals', 'get', String(ids.proposal)]),
      Promise.all((ids.note as number[]).map((id) => okJson(['notes', 'get', String(id)]))),
    ]);
    expect(lead).toMatchObject({ title: 'Smoke test said', status: { id: 2 }, active_state: 'archived', tags: ['said'] });
    expect(await ok(['leads', 'get', String(ids.lead), '--json'])).toContain('12345678901234567890.10');
    expect(proposal).toMatchObject({ title: 'Offer of said', status: 'declined', lead: { id: ids.lead } });
    expect(notes.map(({ title, description, resource, tags }) => ({ title, description, resource, tags }))).toEqual(
      [1, 2].map((number) => ({
        title: `Note ${number} of said`,
        description: `On lead ${ids.lead}, Smoke test said`,
        resource: { type: 'lead', id: ids.lead },
        tags: ['said'],
      })),
    );
    await ok(['seed', 'destroy', '--run', 'said', '--yes']);
  });

  it('creates what was added to the file, and destroy takes it all', async () => {
    const note = (name: string): string => `  - { name: ${name}, type: note, set: { title: 'Grow ${name}', description: x } }\n`;
    const before = await place.everything();
    place.write('grow.yaml', `version: 1\nrecords:\n${note('a')}`);
    const { a } = await okJson(['seed', 'apply', 'grow.yaml']);
    place.write('grow.yaml', `version: 1\nrecords:\n${note('b')}${note('a')}`);
    expect(await okJson(['seed', 'apply', 'grow.yaml'])).toEqual({ b: expect.any(Number), a });
    expect((await place.everything()).notes).toHaveLength((before.notes?.length ?? 0) + 2);
    await ok(['seed', 'destroy', 'grow.yaml', '--yes']);
    expect(await place.everything()).toEqual(before);
  });

  it('does what was added at the end of the actions, and nothing twice', async () => {
    const lead = (acts: string): string => `version: 1
records:
  - name: lead
    type: lead
    set: { title: Moved, status: 1, category: 1, first-name: Mo, last-name: Ved, email: mo@ved.example, company-name: Ved Ltd }
    then: [${acts}]
`;
    place.write('moved.yaml', lead('comment: A, convert'));
    const { lead: id } = await okJson(['seed', 'apply', 'moved.yaml']);
    const clients = countsOf(await place.everything()).clients;
    place.write('moved.yaml', lead('comment: A, convert, tags: [x], comment: A, archive'));
    expect(JSON.parse(await ok(['seed', 'apply', 'moved.yaml', '--dry-run', '--json']))).toHaveLength(3);
    await ok(['seed', 'apply', 'moved.yaml']);
    await ok(['seed', 'apply', 'moved.yaml']);
    const everything = await place.everything();
    expect(everything.comments).toContainEqual({ lead: id, comments: ['A', 'A'] });
    expect(everything.leads?.find((one) => one.id === id)).toMatchObject({ tags: ['x'], active_state: 'archived' });
    expect(countsOf(everything).clients).toBe(clients);
    expect(JSON.parse(await ok(['seed', 'destroy', 'moved.yaml', '--yes', '--json']))).toHaveLength(2);
  });

  const kept = `version: 1
records:
  - { name: old, type: note, set: { title: Old, description: x } }
  - { name: lead, type: lead, set: { title: L, status: 1, category: 1 }, then: [tags: [a], comment: Hi] }
`;
  it.each([
    ['a value', ['title: Old', 'title: New'], /line 3, old: This run created "old" with other values already/],
    ['a value that is new', ['description: x', 'description: x, visibility: private'], /line 3, old: This run created "old" with other/],
    ['what an action is given', ['tags: [a]', 'tags: [b]'], /line 4, lead\.then\[0\]\.tags: This run did something else here/],
    ['an action in front', ['tags: [a]', 'status: 2, tags: [a]'], /line 4, lead\.then\[0\]\.status: .*\n.*lead\.then\[1\]\.tags: /],
  ])('refuses an edit to what was done, at its line, and sends nothing: %s', async (_name, [from = '', to = ''], message) => {
    const more = '  - { name: more, type: note, set: { title: More, description: x } }\n';
    place.write('edited.yaml', kept);
    await ok(['seed', 'apply', 'edited.yaml']);
    const before = await place.everything();
    place.write('edited.yaml', kept.replace(from, to) + more);
    for (const flags of [[], ['--dry-run']]) {
      const { status, stdout, stderr } = await place.crm(['seed', 'apply', 'edited.yaml', ...flags]);
      expect([status, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
      expect(stderr).toContain('Destroy the run, or give the run a new name.');
    }
    expect(await place.everything()).toEqual(before);
    place.write('edited.yaml', kept);
    expect((await place.crm(['seed', 'apply', 'edited.yaml'])).stderr).toBe('Run "edited" is applied: 0 created, 2 from before.\n');
    await ok(['seed', 'destroy', 'edited.yaml', '--yes']);
  });

  it('says what the file no longer has, and destroy takes that, too', async () => {
    const file = (count: number, acts: string, more = ''): string => `version: 1
records:
  - { name: n, type: note, count: ${count}, set: { title: 'N \${index}', description: x }, then: [tags: [n]] }
  - { name: lead, type: lead, set: { title: L, status: 1, category: 1 }, then: [${acts}] }
${more}`;
    place.write('less.yaml', file(3, 'tags: [a], comment: Hi', '  - { name: old, type: note, set: { title: Old, description: x } }\n'));
    await ok(['seed', 'apply', 'less.yaml']);
    const said = async (): Promise<string> => (await place.crm(['seed', 'apply', 'less.yaml'])).stderr;
    expect(await said()).toBe('Run "less" is applied: 0 created, 5 from before.\n');
    place.write('less.yaml', file(1, 'tags: [a]'));
    const left = 'Created records stay until the run is destroyed.\n';
    expect(await said()).toBe(
      `Run "less" is applied: 0 created, 2 from before. The file no longer has n[1], n[2], lead.then[1] and old. ${left}`,
    );
    place.write('less.yaml', file(3, 'tags: [a], comment: Hi'));
    expect(await said()).toBe(`Run "less" is applied: 0 created, 4 from before. The file no longer has old. ${left}`);
    expect(JSON.parse(await ok(['seed', 'destroy', 'less.yaml', '--yes', '--json']))).toHaveLength(5);
  });

  it('applied again does nothing where somebody deleted a converted lead, and says so', async () => {
    place.write(
      'gone.yaml',
      `version: 1
records:
  - name: lead
    type: lead
    set: { title: Sold, status: 1, category: 1, first-name: So, last-name: Ld, email: so@ld.example, company-name: Ld Ltd }
    then: [convert]
`,
    );
    const ids = await okJson(['seed', 'apply', 'gone.yaml']);
    await ok(['leads', 'delete', String(ids.lead), '--yes']);
    const after = await place.everything();
    const again = await place.crm(['seed', 'apply', 'gone.yaml', '--json']);
    expect([again.status, JSON.parse(again.stdout)]).toEqual([8, { lead: null }]);
    expect(await place.everything()).toEqual(after);
    await ok(['seed', 'destroy', 'gone.yaml', '--yes']);
  });

  it('refuses another type for what it created, before anything is sent', async () => {
    const file = (type: string): string =>
      `version: 1\nrecords:\n  - { name: new, type: note, set: { title: x, description: y } }\n  - { name: thing, ${type} }\n`;
    place.write('type.yaml', file('type: lead, set: { title: x, status: 1, category: 1 }').replace(/.*name: new.*\n/, ''));
    await ok(['seed', 'apply', 'type.yaml']);
    const before = await place.everything();
    place.write('type.yaml', file('type: note, set: { title: x, description: y }'));
    for (const more of [[], ['--dry-run']]) {
      const { status, stderr } = await place.crm(['seed', 'apply', 'type.yaml', ...more]);
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/nothing was sent\.\n {2}line 4, thing: This run created "thing" as a lead\./),
      ]);
    }
    expect(await place.everything()).toEqual(before);
    await ok(['seed', 'destroy', 'type.yaml', '--yes']);
  });

  it('finds a record by its key instead of creating it, and destroy leaves it', async () => {
    const file = `version: 1
records:
  - name: known
    type: contact
    key: email
    set: { first-name: Key, last-name: Holder, email: key@holder.example, client: 1 }
    then: [account-owner]
  - { name: note, type: note, set: { title: 'For \${known.name}', description: '\${known.first-name} \${known.client}' } }
`;
    place.write('key.yaml', file);
    const first = await okJson(['seed', 'apply', 'key.yaml', '--run', 'key-1']);
    place.write('key.yaml', file.replace('key@holder', 'Key@Holder'));
    const second = await okJson(['seed', 'apply', 'key.yaml', '--run', 'key-2']);
    expect(second.known).toBe(first.known);
    expect(second.note).not.toBe(first.note);
    expect(await okJson(['notes', 'get', String(second.note)])).toMatchObject({ title: 'For Key Holder', description: 'Key 1' });
    await ok(['seed', 'destroy', '--run', 'key-2', '--yes']);
    expect(await okJson(['contacts', 'get', String(first.known)])).toMatchObject({ email: 'key@holder.example', account_owner: 'yes' });
    await destroyed(['--run', 'key-1']);
    expect((await place.crm(['contacts', 'get', String(first.known)])).status).toBe(3);
  });

  it('looks for a key that comes after a reference to a member, with one request at once', async () => {
    place.write(
      'narrow.yaml',
      `version: 1
records:
  - { name: fair, type: lead, set: { title: Fair, status: 1, category: 1 } }
  - { name: guest, type: contact, key: email, set: { first-name: '\${fair.title}', last-name: Guest, email: guest@fair.example, client: 1 } }
`,
    );
    const { guest } = await okJson(['seed', 'apply', 'narrow.yaml', '--concurrency', '1']);
    expect(await okJson(['contacts', 'get', String(guest)])).toMatchObject({ first_name: 'Fair' });
    await destroyed(['narrow.yaml']);
  });

  it('finds by members as they are written with hyphens', async () => {
    place.write(
      'hyphens.yaml',
      `version: 1
records:
  - { name: owner, find: { type: contact, by: { client: 1, account-owner: yes } } }
  - { name: note, type: note, set: { title: Owner, description: '\${owner.account-owner} \${owner.client.company-name}' } }
`,
    );
    const { note } = await okJson(['seed', 'apply', 'hyphens.yaml']);
    expect(await okJson(['notes', 'get', String(note)])).toMatchObject({ description: 'yes Northgate Trading' });
    await ok(['seed', 'destroy', 'hyphens.yaml', '--yes']);
  });

  it.each([
    [
      'nobody',
      '{ type: contact, by: { email: nobody@nowhere.example } }',
      3,
      /There is no such record.*contact with email "nobody@nowhere.example"/,
    ],
    ['several', '{ type: lead, by: { active_state: active } }', 10, /There are \d+ such records/],
  ])('what can not be found ends it before anything is sent: %s', async (name, find, status, message) => {
    place.write(
      'find.yaml',
      `version: 1\nrecords:\n  - { name: ${name}, find: ${find} }\n  - { name: n, type: note, set: { title: x, description: y } }\n`,
    );
    const before = countsOf(await place.everything());
    const end = await place.crm(['seed', 'apply', 'find.yaml']);
    expect(end.status).toBe(status);
    expect(end.stderr).toMatch(message);
    const shown = await place.crm(['seed', 'apply', 'find.yaml', '--dry-run']);
    expect([shown.status, shown.stderr]).toEqual([status, expect.stringMatching(message)]);
    expect(countsOf(await place.everything())).toEqual(before);
  });

  const failing = (client: string): string => `version: 1
records:
  - { name: lead, type: lead, set: { title: Roll back, status: 1, category: 1 }, then: [tags: [x]] }
  - { name: offer, type: proposal, set: { title: Roll back, lead: '\${lead.id}', start: 2027-01-01, category: 4 } }
  - { name: person, type: contact, set: { first-name: A, last-name: B, email: roll@back.example, client: '${client}' } }
`;

  it('stops at what is refused, names it, and goes on once it is repaired', async () => {
    place.write('repair.yaml', failing('999999'));
    const before = await place.everything();
    const refused = await place.crm(['seed', 'apply', 'repair.yaml']);
    expect(refused.status).toBe(5);
    expect(refused.stderr).toMatch(
      /person: The given data was invalid\.\n {2}client: The selected clientid is invalid\.\n2 records are there\./,
    );
    expect(refused.stdout).toBe('');
    expect(await told(place, 'repair')).toMatchObject({ state: 'unfinished', left: 'unfinished: crm seed apply repair.yaml' });
    place.write('repair.yaml', failing('1'));
    await ok(['seed', 'apply', 'repair.yaml']);
    await ok(['seed', 'destroy', 'repair.yaml', '--yes']);
    expect(countsOf(await place.everything())).toEqual(countsOf(before));
  });

  it('a value that turns out invalid when something was sent is refused, not wrong usage', async () => {
    place.write(
      'late.yaml',
      `version: 1
records:
  - { name: known, find: { type: lead, by: { id: 1 } } }
  - { name: sent, type: lead, set: { title: Sent, status: 1, category: 1 } }
  - { name: bad, type: lead, set: { title: Bad, status: 1, category: 1, email: '\${known.title}' } }
`,
    );
    const { status, stderr } = await place.crm(['seed', 'apply', 'late.yaml', '--json']);
    expect(status).toBe(5);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/^line 5, bad\.set\.email: ".*" is not an email address\.$/),
      hint: expect.stringContaining('1 record is there.'),
    });
    await ok(['seed', 'destroy', 'late.yaml', '--yes']);
  });

  it('--dry-run shows the requests and sends none', async () => {
    const before = await place.everything();
    const plan = JSON.parse(await ok(['seed', 'apply', 'examples/ci-smoke.yaml', '--run', 'dry', '--dry-run', '--json']));
    // biome-ignore format: a table
    expect(plan.map(({ method, url }: { method: string; url: string }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /api/contacts', 'POST /api/leads', 'PUT /api/leads/$%7Blead.id%7D/tags', 'POST /api/leads/$%7Blead.id%7D/comments',
      'PUT /api/leads/$%7Blead.id%7D/status', 'PUT /api/leads/$%7Blead.id%7D/archive', 'POST /api/proposals',
      'PUT /api/proposals/$%7Bproposal.id%7D/status', 'POST /api/items', 'POST /api/notes', 'POST /api/notes',
      'PUT /api/notes/$%7Bnote[0].id%7D/tags', 'PUT /api/notes/$%7Bnote[1].id%7D/tags',
    ]);
    expect(plan[9].fields).toEqual({
      note_title: 'Note 1 of dry',
      note_description: 'On lead ${lead.id}, ${lead.title}',
      noteresource_type: 'lead',
      noteresource_id: '${lead.id}',
    });
    expect(await place.everything()).toEqual(before);
    expect(await told(place, 'dry')).toBeUndefined();
  });

  it('sends switches, custom fields, references and wire names', async () => {
    place.write(
      'values.yaml',
      `version: 1
records:
  - { name: note, type: note, set: { title: t, description: d, resource: { type: lead, id: 3 } }, then: [tags: []] }
  - name: person
    type: contacts
    set: { first_name: A, last-name: B, email: values@x.example, client: 1, send-email: true, phone: ~ }
    wire: { custom_7: 'note \${note.id}' }
  - { name: thing, type: item, set: { description: d, rate: 1.10, category: 6, default-tax: 1, unit: 1, custom-field: { 1: A, 3: B } } }
`,
    );
    const plan: { fields: unknown }[] = JSON.parse(await ok(['seed', 'apply', 'values.yaml', '--dry-run', '--json']));
    // biome-ignore format: a table
    expect(plan.map(({ fields }) => fields)).toEqual([
      { note_title: 't', note_description: 'd', noteresource_type: 'lead', noteresource_id: 3 }, { tags: [] },
      { first_name: 'A', last_name: 'B', email: 'values@x.example', clientid: 1, send_email: 'yes', custom_7: 'note ${note.id}' },
      { item_description: 'd', item_rate: '1.10', item_categoryid: 6, item_default_tax: 1, item_unit: 1, item_custom_field_1: 'A',
        item_custom_field_3: 'B' },
    ]);
  });

  it('refuses another random seed in the middle of a run', async () => {
    place.write(
      'seeded.yaml',
      'version: 1\nrecords:\n  - { name: n, type: note, set: { title: "${fake.company.name}", description: x } }\n',
    );
    await ok(['seed', 'apply', 'seeded.yaml', '--random-seed', '5']);
    await ok(['seed', 'apply', 'seeded.yaml', '--random-seed', '5']);
    await ok(['seed', 'apply', 'seeded.yaml']);
    const { status, stderr } = await place.crm(['seed', 'apply', 'seeded.yaml', '--random-seed', '6']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/run "seeded" was begun with 5/);
    await ok(['seed', 'destroy', 'seeded.yaml', '--yes']);
    await ok(['seed', 'apply', 'seeded.yaml', '--random-seed', '6']);
    await ok(['seed', 'destroy', 'seeded.yaml', '--yes']);
  });

  it('what somebody deleted stays gone, and what needs it waits: destroyed, then applied anew, it is there', async () => {
    const notes = 'version: 1\nrecords:\n  - { name: n, type: note, count: 2, set: { title: "Anew ${index}", description: x } }\n';
    const more =
      '  - { name: free, type: note, set: { title: Free, description: x } }\n' +
      "  - { name: about, type: note, set: { title: About, description: 'See ${n[0].title}' } }\n";
    place.write('anew.yaml', notes);
    const { n } = await okJson(['seed', 'apply', 'anew.yaml']);
    const [first, second] = n as number[];
    await ok(['notes', 'delete', String(first), '--yes']);
    const said =
      'Run "anew" is not complete: somebody deleted n[0]. Deleted records are not made again.\n' +
      'To make them again, destroy the run and apply the file anew: crm seed destroy --run anew --yes && crm seed apply anew.yaml --json\n';
    place.write('anew.yaml', notes + more);
    const shown = await place.crm(['seed', 'apply', 'anew.yaml', '--dry-run', '--json']);
    expect([shown.stderr, JSON.parse(shown.stdout)[0]?.fields.note_title]).toEqual([`${said.split('\n')[0]}\n`, 'Free']);
    const again = await place.crm(['seed', 'apply', 'anew.yaml', '-o', 'csv']);
    expect([again.status, again.stderr]).toEqual([8, `error: ${said}`]);
    expect(again.stdout.replaceAll('\r', '')).toMatch(
      new RegExp(`^n\\[0\\],note,,gone\\nn\\[1\\],note,${second},kept\\nfree,note,\\d+,created\\n$`, 'm'),
    );
    await ok(['seed', 'destroy', '--run', 'anew', '--yes']);
    expect(Object.keys(await okJson(['seed', 'apply', 'anew.yaml']))).toEqual(['n', 'free', 'about']);
    await ok(['seed', 'destroy', 'anew.yaml', '--yes']);
  });
});

describe('destroy', () => {
  it('tolerates what is gone, takes what was changed, and leaves what became another’s', async () => {
    place.write(
      'mixed.yaml',
      'version: 1\nrecords:\n  - { name: n, type: note, count: 3, set: { title: "Mixed ${index}", description: "Text ${index}" } }\n',
    );
    const { n } = await okJson(['seed', 'apply', 'mixed.yaml']);
    const [gone, other, changed] = n as [number, number, number];
    await ok(['notes', 'delete', String(gone), '--yes']);
    await ok(['notes', 'update', String(other), '--title', 'Mine', '--description', 'Mine too']);
    await ok(['notes', 'update', String(changed), '--title', 'Renamed']);
    const { status, stdout } = await place.crm(['seed', 'destroy', 'mixed.yaml', '--yes', '--json']);
    const ends = JSON.parse(stdout);
    expect(status).toBe(8);
    expect(ends.map(({ id, state }: { id: number; state: string }) => [id, state])).toEqual(
      expect.arrayContaining([
        [gone, 'gone'],
        [other, 'left'],
        [changed, 'deleted'],
      ]),
    );
    await ok(['notes', 'delete', String(other), '--yes']);
  });

  it('does not make account owners again of those that the run replaced, and says with which command', async () => {
    const contact = (name: string, refers: string): string => `  - name: ${name}
    type: contact
    set: { first-name: Own, last-name: '${refers}', email: ${name}@owners.example, client: 1 }
    then: [account-owner]
`;
    place.write('owners.yaml', `version: 1\nrecords:\n${contact('one', 'Er')}${contact('two', 'Er ${one.email}')}`);
    const before = await place.everything();
    const { one, two } = await okJson(['seed', 'apply', 'owners.yaml']);
    expect(await okJson(['contacts', 'get', String(two)])).toMatchObject({ account_owner: 'yes' });
    await ok(['contacts', 'delete', String(one), '--yes']);
    const [owner] = (before.contacts ?? []).filter(
      ({ client, account_owner }) => account_owner === 'yes' && (client as { id: 1 }).id === 1,
    );
    const { status, stderr } = await place.crm(['seed', 'destroy', 'owners.yaml', '--yes']);
    const command = `crm contacts account-owner ${owner?.id}`;
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(`Former account owners stay replaced. To make them owners again: ${command}.`),
    ]);
    await ok(command.split(' ').slice(1));
    expect(contentOf(await place.everything())).toEqual(contentOf(before));
  });

  it('keeps a lead that others commented on, and says with which flag it goes', async () => {
    place.write(
      'talk.yaml',
      'version: 1\nrecords:\n  - { name: l, type: lead, count: 2, set: { title: "Talk ${number}", status: 1, category: 1 }, then: [comment: Ours] }\n',
    );
    const { l } = await okJson(['seed', 'apply', 'talk.yaml']);
    const [first, second] = l as [number, number];
    await ok(['leads', 'comments', 'add', String(first), 'Ours']);
    const destroy = ['seed', 'destroy', 'talk.yaml', '--yes', '--json'];
    const kept = await place.crm(destroy);
    expect([kept.status, JSON.parse(kept.stdout)]).toEqual([
      8,
      [
        { name: 'l[0]', type: 'lead', id: first, state: 'left' },
        { name: 'l[1]', type: 'lead', id: second, state: 'deleted' },
      ],
    ]);
    expect(kept.stderr).toContain(
      `Deleting lead ${first} would also delete 1 comment, which the run did not make. --with-comments allows this.`,
    );
    // An undo keeps it, too, and has no such flag.
    const { run = '' } = (await told(place, 'talk')) ?? {};
    const undone = await place.crm(['undo', String(run), '--yes']);
    expect([undone.status, undone.stderr.includes('would also delete 1 comment'), undone.stderr.includes('--with')]).toEqual([
      8,
      true,
      false,
    ]);
    expect(JSON.parse(await ok([...destroy, '--with-comments']))).toMatchObject([{ name: 'l[0]', state: 'deleted' }]);
  });

  it("sends a comment again whose first request was lost, though a colleague's has the same words", async () => {
    const file = (acts: string): string =>
      `version: 1\nrecords:\n  - { name: lead, type: lead, set: { title: Words, status: 1, category: 1 }, then: [${acts}] }\n`;
    const proxy = await startFaultyProxy(place.server.baseUrl);
    const env = { CRM_BASE_URL: proxy.baseUrl, CRM_DATA_DIR: join(place.folder, 'words'), CRM_TEST_WAITS: '0.01' };
    const crm = (...args: string[]) => place.crm(args, { env });
    place.write('words.yaml', file('status: 2'));
    const { lead } = JSON.parse((await crm('seed', 'apply', 'words.yaml', '--json')).stdout);
    await ok(['leads', 'comments', 'add', String(lead), 'Called']);
    place.write('words.yaml', file('status: 2, comment: Called'));
    let lost = 0;
    proxy.change({ answer: ({ method }) => (method === 'POST' && lost++ === 0 ? 502 : undefined) });
    const { status, stderr } = await crm('seed', 'apply', 'words.yaml');
    expect([status, lost], stderr).toEqual([0, 2]);
    const { comments = [] } = await place.everything();
    expect(comments.find((one) => one.lead === lead)?.comments).toEqual(['Called', 'Called']);
    await crm('seed', 'destroy', 'words.yaml', '--yes', '--with-comments');
    await proxy.close();
  });

  it('keeps a lead with a note of others, whatever the flags say', async () => {
    place.write('noted.yaml', 'version: 1\nrecords:\n  - { name: l, type: lead, set: { title: Noted, status: 1, category: 1 } }\n');
    const { l } = await okJson(['seed', 'apply', 'noted.yaml']);
    const { id } = await okJson(['notes', 'create', '--title', 'Mine', '--description', 'x', '--resource', `lead:${l}`]);
    const kept = await place.crm(['seed', 'destroy', 'noted.yaml', '--yes', '--with-comments']);
    expect([kept.status, kept.stderr]).toEqual([8, expect.stringContaining(`Deleting lead ${l} would also delete note ${id}`)]);
    await ok(['notes', 'delete', String(id), '--yes']);
    await ok(['seed', 'destroy', 'noted.yaml', '--yes']);
  });

  it('reads the file also where --run says which run of it', async () => {
    const { status, stderr } = await place.crm(['seed', 'destroy', 'nope.yaml', '--run', 'said', '--yes']);
    expect([status, stderr]).toEqual([2, expect.stringContaining("Can't read nope.yaml")]);
  });

  it('asks first, and says what a conversion leaves behind', async () => {
    place.write(
      'convert.yaml',
      `version: 1
records:
  - name: lead
    type: lead
    set: { title: Convert me, status: 1, category: 1, first-name: Con, last-name: Vert, email: con@vert.example }
    then: [comment: before, convert: { company-name: Vert Ltd, invoice-due-days: 14 }]
  - { name: offer, type: proposal, set: { title: Of the client, client: '\${lead.converted.client_id}', start: 2027-01-01, category: 4 } }
`,
    );
    const before = await place.everything();
    const ids = await okJson(['seed', 'apply', 'convert.yaml']);
    const [client] = ((await place.everything()).clients ?? []).filter(({ company_name }) => company_name === 'Vert Ltd');
    expect(client).toMatchObject({ billing: { invoice_due_days: 14 } });
    expect(await okJson(['proposals', 'get', String(ids.offer)])).toMatchObject({ client: { id: client?.id } });
    const unasked = await place.crm(['seed', 'destroy', 'convert.yaml']);
    expect(unasked.status).toBe(9);
    expect(unasked.stderr).toMatch(/Delete the 3 records that run "convert" created\?/);
    const { status, stderr } = await place.crm(['seed', 'destroy', 'convert.yaml', '--yes']);
    expect(status, stderr).toBe(0);
    expect(stderr).toContain(`so this stays: client ${client?.id}.`);
    const { clients, ...rest } = countsOf(await place.everything());
    const { clients: clientsBefore = 0, ...restBefore } = countsOf(before);
    expect({ ...rest, clients: (clients ?? 0) - 1 }).toEqual({ ...restBefore, clients: clientsBefore });
  });

  it.each([
    [['seed', 'destroy'], 2, /Say which run/],
    [['seed', 'destroy', '--run', 'never', '--yes'], 3, /There is no run "never"/],
    [['seed', 'destroy', '--run', '../x', '--yes'], 2, /can't be the name of a run/],
    [['seed', 'apply', 'nope.yaml'], 2, /Can't read nope\.yaml \(no such file or directory\)/],
    [['seed', 'apply', '-'], 2, /A seed file has version and records/],
    [['seed', 'demo', '--leads', '0'], 2, /nothing to create/],
    [['seed', 'demo', '--random-seed', '99999999999999999999'], 2, /--random-seed: "9{20}" is not a whole number/],
  ])('%s', async (args, status, message) => {
    const end = await place.crm(args);
    expect(end.status).toBe(status);
    expect(end.stderr).toMatch(message);
  });
});

describe('the history', () => {
  it('tells of seeds by their name, and forgets all runs of a name', async () => {
    place.write('told.yaml', 'version: 1\nrecords:\n  - { name: n, type: note, set: { title: Told, description: x } }\n');
    await ok(['seed', 'apply', 'told.yaml']);
    const { run } = (await told(place, 'told')) ?? {};
    expect((await ok(['history'])).split('\n')[0]).toBe('RUN\tWHEN\tPROFILE\tSEED\tCOMMAND\tDID\tLEFT');
    expect(await ok(['history', 'told', '--json'])).toBe(await ok(['history', String(run), '--json']));
    await ok(['seed', 'destroy', 'told.yaml', '--yes']);
    await ok(['seed', 'apply', 'told.yaml']);
    const unasked = await place.crm(['history', 'forget', 'told']);
    expect([unasked.status, unasked.stderr]).toEqual([9, expect.stringContaining('They can no longer be resumed or undone.')]);
    expect((await place.crm(['history', 'forget', 'told', '--yes'])).stderr).toBe('Forgotten: run told.\n');
    expect(await told(place, 'told')).toBeUndefined();
    expect((await place.crm(['seed', 'destroy', '--run', 'told', '--yes'])).status).toBe(3);
    expect((await place.crm(['history', 'forget', 'told', '--yes'])).status).toBe(3);
    const [left] = ((await place.everything()).notes ?? []).filter(({ title }) => title === 'Told');
    expect(left?.id).toEqual(expect.any(Number));
    await ok(['notes', 'delete', String(left?.id), '--yes']);
  });

  it('a seed can be undone by its name, and forgotten by the id of its run', async () => {
    place.write('back.yaml', 'version: 1\nrecords:\n  - { name: n, type: note, set: { title: Back, description: x } }\n');
    await ok(['seed', 'apply', 'back.yaml']);
    await ok(['undo', 'back', '--yes']);
    const { run, left } = (await told(place, 'back')) ?? {};
    expect(left).toBe('destroyed');
    await ok(['history', 'forget', String(run), '--yes']);
    expect(await told(place, 'back')).toBeUndefined();
  });

  it('passes over what is no file', async () => {
    mkdirSync(join(place.folder, 'data/journals/folder.sqlite'), { recursive: true });
    expect((await place.crm(['history', 'none'])).status).toBe(3);
  });
});

describe('demo', () => {
  it('--print is the file that it applies', async () => {
    const counts = ['--leads', '4', '--contacts', '2', '--proposals', '3', '--items', '2', '--notes', '3'];
    const before = countsOf(await place.everything());
    const file = await ok(['seed', 'demo', ...counts, '--run', 'twins', '--random-seed', '11', '--print']);
    expect(countsOf(await place.everything())).toEqual(before);
    const ids = await okJson(['seed', 'apply', '-'], { stdin: file });
    const after = await place.everything();
    expect(countsOf(after)).toMatchObject({
      leads: (before.leads ?? 0) + 4,
      contacts: (before.contacts ?? 0) + 2,
      proposals: (before.proposals ?? 0) + 3,
      items: (before.items ?? 0) + 2,
      notes: (before.notes ?? 0) + 3,
    });
    expect(await okJson(['seed', 'demo', ...counts, '--run', 'twins', '--random-seed', '11'])).toEqual(ids);
    await ok(['seed', 'destroy', '--run', 'twins', '--yes']);
    await ok(['seed', 'demo', ...counts, '--run', 'twins', '--random-seed', '11']);
    expect(contentOf(await place.everything())).toEqual(contentOf(after));
    await ok(['seed', 'destroy', '--run', 'twins', '--yes']);
    await ok(['seed', 'demo', ...counts, '--run', 'twins', '--random-seed', '12']);
    expect(contentOf(await place.everything())).not.toEqual(contentOf(after));
    await ok(['seed', 'destroy', '--run', 'twins', '--yes']);
    expect(countsOf(await place.everything())).toEqual(before);
  });

  it('takes ids from flags', async () => {
    const plan = JSON.parse(await ok(['seed', 'demo', '--contacts', '3', '--client', '7', '--run', 'flags', '--dry-run', '--json']));
    expect(plan.map(({ fields }: { fields: { clientid: unknown } }) => String(fields.clientid))).toEqual(['7', '7', '7']);
  });
});

describe('a protected profile', () => {
  it('wants its name typed', async () => {
    const env = { CRM_BASE_URL: '', CRM_API_KEY: '' };
    const added = await place.crm(['profile', 'add', 'live', '--base-url', place.server.baseUrl, '--key-stdin', '--protected'], {
      env,
      stdin: place.server.key,
    });
    expect(added.status, added.stderr).toBe(0);
    const before = countsOf(await place.everything());
    for (const args of [
      ['apply', 'examples/ci-smoke.yaml'],
      ['apply', 'examples/ci-smoke.yaml', '--yes'],
      ['demo', '--items', '1'],
      ['demo', '--items', '1', '--confirm', 'other'],
      ['destroy', '--run', 'ci-smoke', '--yes'],
    ]) {
      const { status, stderr } = await place.crm(['seed', ...args], { env });
      expect([status, stderr], args.join(' ')).toEqual([
        9,
        expect.stringMatching(/protected|--confirm names "other", but the profile to confirm is/),
      ]);
    }
    expect(countsOf(await place.everything())).toEqual(before);
    await ok(['seed', 'apply', 'examples/ci-smoke.yaml', '--dry-run'], { env });
    await ok(['seed', 'apply', 'examples/ci-smoke.yaml', '--run', 'live', '--confirm', 'live'], { env });
    expect(await told(place, 'live')).toMatchObject({ profile: 'live', state: 'done' });
    await ok(['seed', 'destroy', '--run', 'live', '--confirm', 'live', '--yes'], { env });
    expect(countsOf(await place.everything())).toEqual(before);
  });

  it('is asked about as well where the environment leads to its service', async () => {
    const { baseUrl, key } = place.server;
    const env = { CRM_CONFIG_DIR: join(place.folder, 'guarded'), CRM_BASE_URL: '', CRM_API_KEY: '' };
    for (const name of ['live', 'main']) {
      const added = await place.crm(['profile', 'add', name, '--base-url', baseUrl, '--key-stdin', '--protected'], { env, stdin: key });
      expect(added.status, added.stderr).toBe(0);
    }
    const before = countsOf(await place.everything());
    const there = { env: { ...env, CRM_BASE_URL: baseUrl, CRM_API_KEY: key } };
    const refused = await place.crm(['seed', 'demo', '--items', '1'], there);
    expect([refused.status, refused.stderr]).toEqual([9, expect.stringContaining(`${baseUrl} belongs to the protected profile "live"`)]);
    const wrong = await place.crm(['seed', 'demo', '--items', '1', '--confirm', 'other'], there);
    expect([wrong.status, wrong.stderr]).toEqual([
      9,
      expect.stringContaining('--confirm names "other", but the profile to confirm is "live" or "main".'),
    ]);
    expect(countsOf(await place.everything())).toEqual(before);
    await ok(['seed', 'demo', '--items', '1', '--run', 'guarded', '--confirm', 'main'], there);
    await ok(['seed', 'destroy', '--run', 'guarded', '--confirm', 'live', '--yes'], there);
  });
});

it('killed before the look for a lead that the service confirmed without an id: the next apply finds the lead, and goes on with it', async () => {
  const place = await openWorkplace({ empty: true });
  place.write(
    'confirmed.yaml',
    'version: 1\nrecords:\n  - { name: one, type: lead, set: { title: One, status: 1, category: 1, first-name: A, last-name: B } }\n',
  );
  const confirms = { answer: ({ method }: SeenRequest) => (method === 'POST' ? { answer: { status: 201 } } : undefined) };
  const proxy = await startFaultyProxy(place.server.baseUrl, confirms);
  const env = { ...place.env, CRM_BASE_URL: proxy.baseUrl };
  const command = ['seed', 'apply', `${place.folder}/confirmed.yaml`, '--run', 'confirmed', '--json'];
  const looks = proxy.came(
    ({ method, family }) => method === 'GET' && family === 'leads' && proxy.seen.some((one) => one.method === 'POST'),
  );
  const cutOff = startCrm(command, env);
  await looks;
  cutOff.process.kill('SIGKILL');
  await cutOff.ended;
  proxy.change();
  const { status, stdout, stderr } = await startCrm(command, env).ended;
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('deleted')]);
  expect(JSON.parse(stdout)).toMatchObject({ one: 1 });
  expect((await place.everything()).leads).toHaveLength(1);
  await proxy.close();
  await place.close();
});
