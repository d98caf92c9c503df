import { describe, expect, it } from 'vitest';
import { RefusedError, UnconfirmedError } from '../../src/base/errors.ts';
import { formatFacts, formats } from '../../src/base/global-flags.ts';
import { render } from '../../src/output/render.ts';
import type { Effect, Outcome, Result } from '../../src/output/result.ts';
import { StdoutClosed } from '../../src/output/streams/io.ts';
import { answer, kestrel, options, osprey, pagesOf, shapeless, ships } from './samples.ts';

const list = (...pages: Parameters<typeof pagesOf>): Extract<Result, { kind: 'records' }> => ({
  kind: 'records',
  pages: pagesOf(...pages),
  shape: ships,
  empty: () => 'No ships found.',
});

async function* outcomesOf(...outcomes: (Outcome | Error)[]): AsyncGenerator<Outcome> {
  for (const outcome of outcomes) {
    if (outcome instanceof Error) throw outcome;
    yield outcome;
  }
}

const sunk: Outcome = { id: 7, name: 'ship 7', answer: answer({ id: 7 }), effect: { subject: 'Ship 7', done: 'sunk', title: 'Kestrel' } };
const gone: Outcome = { id: 8, name: 'ship 8', answer: answer({ id: 8 }), effect: { subject: 'Ship 8', done: 'sunk' } };
const refused = {
  id: 9,
  name: 'ship 9',
  error: new RefusedError('No such pier.', {
    httpStatus: 422,
    hint: 'Choose another.',
    fields: [{ name: 'ship_pier', flag: '--pier', messages: ['Bad.'] }],
  }),
};

it.each(formats.filter((format) => formatFacts[format].isText))('%s shows the id of each record once', async (output) => {
  const run = options({ output });
  expect(await render(list([{ id: 7719 }, { id: 4812 }]), run)).toBe(0);
  expect(run.io.stdoutText().match(/7719|4812/g)).toEqual(['7719', '4812']);
});

describe('the pager', () => {
  const read: Result = { kind: 'record', answer: answer({ id: 7, name: 'Kestrel' }), shape: ships };
  const effect: Effect = { subject: 'Ship 7', done: 'sunk' };
  const rows = { kind: 'rows', data: [{ id: 7 }], shape: ships } as const;

  it.each<[string, Result, boolean, object?]>([
    ['gets a list', list([{ id: 7 }]), true],
    ['gets a record that was read', read, true],
    ['gets rows that were read', { ...rows, notice: 'One.', isRead: true }, true],
    ['gets no list under --no-pager', list([{ id: 7 }]), false, { 'no-pager': true }],
    ['gets nothing of a write', { ...read, effect }, false],
    ['gets no rows of writes', { ...rows, notice: 'Sunk.' }, false],
  ])('%s', async (_what, result, isPaged, flags = {}) => {
    const run = options(flags, { tty: true });
    const signals: AbortSignal[] = [];
    const during = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
      expect(run.io.stdoutText()).toBe('');
      signals.push(signal);
      return work();
    };
    expect(await render(result, { ...run, io: Object.assign(run.io, { pager: { during, isOpen: () => false } }) })).toBe(0);
    expect(signals).toEqual(isPaged ? [run.signal] : []);
  });
});

describe('record', () => {
  const launched: Effect = {
    subject: 'Ship 7',
    done: 'changed',
    title: 'Kestrel, of Bergen',
    changes: [
      { field: 'price', old: '1250.00', new: '1300.00' },
      { field: 'home-port', old: '', new: 'Oslo', isUnread: true },
      { field: 'flags', old: 'old', new: 'fast', told: '+fast -old' },
    ],
    next: { what: 'sunk', command: 'ships sink 7' },
  };
  const written: Result = { kind: 'record', answer: answer({ id: 7, name: 'Kestrel' }), shape: ships, effect: launched };
  const told = 'Ship 7 changed: Kestrel, of Bergen. price 1250.00 -> 1300.00, home-port set to Oslo, flags +fast -old\n';

  it('of a write is left to what it made different, on a terminal', async () => {
    const run = options({}, { tty: true });
    expect(await render(written, run)).toBe(0);
    expect(run.io.log()).toEqual([
      {
        stream: 'stderr',
        text:
          '✓ Ship 7 changed: Kestrel, of Bergen  (sunk with: crm ships sink 7)\n' +
          '  price      1250.00 → 1300.00\n  home-port  set to Oslo\n  flags      +fast -old\n',
      },
    ]);
  });

  it('of a write goes on with the profile that was named', async () => {
    const run = options({ profile: 'old fleet' }, { tty: true });
    await render(written, run);
    expect(run.io.stderrText()).toContain("(sunk with: crm -p 'old fleet' ships sink 7)");
  });

  it.each([[{ output: 'table' }], [{ fields: 'id,name' }], [{ 'all-fields': true }]])(
    'of a write is shown there with %j',
    async (flags) => {
      const run = options(flags, { tty: true });
      await render(written, run);
      expect(run.io.stdoutText()).toMatch(/7[\s\S]*Kestrel\n/);
      expect(run.io.stderrText()).toMatch(/^✓ Ship 7 changed/);
    },
  );

  it('of a write is one line on standard error where that is no terminal, after the record', async () => {
    const run = options();
    await render(written, run);
    expect(run.io.log()).toEqual([
      { stream: 'stdout', text: 'id\t7\nname\tKestrel\n' },
      { stream: 'stderr', text: told },
    ]);
    const quiet = options({ quiet: true });
    await render(written, quiet);
    expect(quiet.io.stderrText()).toBe('');
  });

  it('of a write stays within a narrow terminal, and no value of the service draws there', async () => {
    const run = options({}, { tty: true, columns: 30 });
    const long = { field: 'description', old: 'Old and\nlong enough to be cut off', new: '\x1b[31mNew and long enough, too' };
    await render({ ...written, effect: { ...launched, changes: [long] } }, run);
    expect(run.io.stderrText()).toBe(
      '✓ Ship 7 changed: Kestrel, of\n  Bergen\n  description    Old and↵long…\n               → \\x1b[31mNew…\n  (sunk with: crm ships sink 7)\n',
    );
  });

  it.each([
    [{ json: true }, '{\n  "id": 7,\n  "name": "Kestrel"\n}\n'],
    [{ output: 'ndjson' }, '{"id":7,"name":"Kestrel"}\n'],
    [{ output: 'yaml' }, 'id: 7\nname: Kestrel\n'],
    [{ output: 'ids' }, '7\n'],
    [{ csv: true, fields: 'name,id' }, 'name,id\r\nKestrel,7\r\n'],
    [{ json: true, fields: 'name' }, '{\n  "name": "Kestrel"\n}\n'],
    [{ envelope: true }, '{\n  "data": {\n    "id": 7,\n    "name": "Kestrel"\n  },\n  "message": "OK"\n}\n'],
  ])('with %j', async (flags, text) => {
    const run = options(flags);
    await render({ kind: 'record', answer: answer({ id: 7, name: 'Kestrel' }, { message: 'OK' }), shape: ships }, run);
    expect(run.io.flushedText()).toBe(text);
    expect(run.io.stderrText()).toBe('');
  });

  it.each([
    [{}, ''],
    [{ json: true }, 'null\n'],
    [{ json: true, fields: 'id' }, 'null\n'],
    [{ envelope: true }, 'null\n'],
    [{ output: 'ndjson' }, ''],
    [{ output: 'yaml' }, 'null\n'],
    [{ output: 'ids' }, ''],
  ])('of an empty answer with %j', async (flags, text) => {
    const run = options(flags);
    await render({ kind: 'record', answer: { status: 204, data: undefined, envelope: undefined }, shape: ships }, run);
    expect(run.io.flushedText()).toBe(text);
  });

  it('is a table where the service answered an array, and the text where it answered one', async () => {
    const run = options();
    await render({ kind: 'record', answer: answer([{ id: 7 }, { id: 8 }]), shape: shapeless }, run);
    await render({ kind: 'record', answer: answer('a\nb'), shape: shapeless }, run);
    expect(run.io.flushedText()).toBe('ID\n7\n8\na↵b\n');
  });

  it('is in the command’s own format unless the user named one', async () => {
    const result: Result = { kind: 'record', answer: answer({ id: 7 }), shape: shapeless, format: 'json' };
    const unnamed = options();
    await render(result, unnamed);
    expect(unnamed.io.flushedText()).toBe('{\n  "id": 7\n}\n');
    const named = options({ output: 'table' });
    await render(result, named);
    expect(named.io.flushedText()).toBe('id\t7\n');
  });

  it('of a read with fields that nobody knows is an error', async () => {
    const run = options({ fields: 'id,nam,port.zip' });
    await expect(render({ kind: 'record', answer: answer(kestrel), shape: ships }, run)).rejects.toMatchObject({
      exitStatus: 2,
      values: [
        { where: '--fields', problem: 'unknown field "nam", did you mean name?' },
        { where: '--fields', problem: expect.stringMatching(/^unknown field "port\.zip", did you mean port/) },
      ],
    });
    expect(run.io.stdoutText()).toBe('');
  });

  it('of a write is printed, and what it lacks is said', async () => {
    const run = options({ fields: 'id,nam' });
    await render({ kind: 'record', answer: answer(kestrel), shape: ships, effect: { subject: 'Ship 7', done: 'launched' } }, run);
    expect(run.io.stdoutText()).toBe('id\t7\nnam\t\n');
    expect(run.io.stderrText()).toBe('--fields: unknown field "nam", did you mean name?\nShip 7 launched\n');
  });
});

describe('records', () => {
  it('come page by page: each is out before the next is asked for', async () => {
    const pages = pagesOf([kestrel], [osprey]);
    const run = options({ output: 'ndjson' });
    const seen: string[] = [];
    const watched = {
      async *[Symbol.asyncIterator]() {
        for await (const page of pages) {
          seen.push(run.io.flushedText());
          yield page;
        }
        seen.push(run.io.flushedText());
      },
    };
    await render({ kind: 'records', pages: watched, shape: ships, empty: () => '' }, run);
    expect(seen.map((text) => text.split('\n').length - 1)).toEqual([0, 1, 2]);
  });

  it.each([
    [{ json: true }, '[]\n', ''],
    [{ output: 'ndjson' }, '', ''],
    [{ output: 'yaml' }, '[]\n', ''],
    [{ output: 'ids' }, '', ''],
    [{ csv: true, fields: 'id' }, 'id\r\n', ''],
    [{ fields: 'id' }, 'ID\n', 'No ships found.\n'],
    [{ fields: 'id', quiet: true }, 'ID\n', ''],
  ])('of which there are none with %j', async (flags, stdout, stderr) => {
    const run = options(flags);
    expect(await render(list([]), run)).toBe(0);
    expect(run.io.flushedText()).toBe(stdout);
    expect(run.io.stderrText()).toBe(stderr);
  });

  it('that fail on the first page leave standard output empty', async () => {
    for (const flags of [{ json: true }, { envelope: true }, { csv: true }, { output: 'yaml' }, {}]) {
      const run = options(flags);
      await expect(render(list(new RefusedError('No.')), run)).rejects.toThrow('No.');
      expect(run.io.stdoutText()).toBe('');
    }
  });

  it('that fail later leave standard output empty while the document is small', async () => {
    for (const flags of [{ json: true }, { envelope: true }]) {
      const run = options(flags);
      await expect(render(list([{ id: 1 }], new RefusedError('No.')), run)).rejects.toThrow('No.');
      expect(run.io.flushedText()).toBe('');
    }
  });

  it('that fail once a long document is on its way leave it unfinished', async () => {
    for (const flags of [{ json: true }, { envelope: true }]) {
      const run = options(flags);
      await expect(render(list([{ id: 1, text: 'x'.repeat(2 ** 21) }], new RefusedError('No.')), run)).rejects.toThrow('No.');
      expect(run.io.flushedText()).toContain('xxx');
      expect(() => JSON.parse(run.io.flushedText())).toThrow(SyntaxError);
    }
  });

  it('stop when the reader goes away', async () => {
    const pages = pagesOf([kestrel], [osprey], [kestrel]);
    const run = options({ output: 'ndjson' }, { closesAfter: 1 });
    await expect(render({ kind: 'records', pages, shape: ships, empty: () => '' }, run)).rejects.toThrow(StdoutClosed);
    expect(pages.pulled).toBe(2);
  });

  it('stop at a signal', async () => {
    const stop = new AbortController();
    const pages = {
      async *[Symbol.asyncIterator]() {
        yield answer([{ id: 1 }]);
        stop.abort(new Error('Interrupted.'));
        yield answer([{ id: 2 }]);
      },
    };
    const run = options({ json: true });
    await expect(render({ kind: 'records', pages, shape: ships, empty: () => '' }, { ...run, signal: stop.signal })).rejects.toThrow(
      'Interrupted.',
    );
    expect(run.io.flushedText()).toBe('');
  });

  it('take an object for a list of one, and null for none', async () => {
    const run = options({ output: 'ids' });
    const pages = {
      async *[Symbol.asyncIterator]() {
        yield answer({ id: 1 });
        yield answer(null);
      },
    };
    await render({ kind: 'records', pages, shape: shapeless, empty: () => '' }, run);
    expect(run.io.flushedText()).toBe('1\n');
  });
});

describe('outcomes of several ids', () => {
  const several = (...outcomes: (Outcome | Error)[]): Result => ({
    kind: 'outcomes',
    ids: outcomes.flatMap((one) => ('id' in one ? [one.id] : [])),
    outcomes: outcomesOf(...outcomes),
    shape: ships,
    empty: 'No ships found.',
  });

  it('are 0 when all went well', async () => {
    const run = options();
    expect(await render(several(sunk, gone), run)).toBe(0);
    expect(run.io.flushedText()).toBe('ID\n7\n8\n');
    expect(run.io.stderrText()).toBe('Ship 7 sunk: Kestrel\nShip 8 sunk\n');
  });

  it('are 8 when some failed, each told as it happens', async () => {
    const run = options();
    expect(await render(several(refused, sunk), run)).toBe(8);
    expect(run.io.flushedText()).toBe('ID\n7\n');
    expect(run.io.stderrText()).toBe(
      'ship 9: No such pier.\n  --pier: Bad.\nChoose another.\nShip 7 sunk: Kestrel\nerror: 1 of 2 failed.\n',
    );
  });

  it('are rows on a terminal, failures among them, and the sum', async () => {
    const run = options({}, { tty: true });
    const changed: Outcome = {
      id: 12,
      name: 'ship 12',
      answer: answer(osprey),
      effect: { subject: 'Ship 12', done: 'changed', title: 'Osprey', changes: [{ field: 'price', old: '', new: '5' }] },
    };
    expect(await render(several(refused, changed, { ...gone, id: 8 }), run)).toBe(8);
    expect(run.io.log().map(({ stream, text }) => [stream, text])).toEqual([
      ['stderr', '✗  9  No such pier.\n        --pier: Bad.\n      Choose another.\n'],
      ['stderr', `✓ 12  Osprey${' '.repeat(31)}  price  (empty) → 5\n`],
      ['stderr', '✓  8  sunk\n'],
      ['stderr', '1 of 3 changed, 1 sunk, 1 failed\n'],
    ]);
    const quiet = options({ quiet: true }, { tty: true });
    await render(several(refused, changed), quiet);
    expect(quiet.io.stderrText()).toBe(' 9  No such pier.\n      --pier: Bad.\n    Choose another.\n1 of 2 changed, 1 failed\n');
  });

  it('of a single record on a terminal are told as one', async () => {
    const run = options({}, { tty: true });
    await render(several(sunk), run);
    expect(run.io.log()).toEqual([{ stream: 'stderr', text: '✓ Ship 7 sunk: Kestrel\n' }]);
  });

  it('are an array of what was answered in JSON, the failures one object', async () => {
    const run = options({ json: true });
    expect(await render(several(sunk, refused), run)).toBe(8);
    expect(JSON.parse(run.io.flushedText())).toEqual([{ id: 7 }]);
    expect(JSON.parse(run.io.stderrText())).toMatchObject({
      error: {
        code: 'partial',
        message: '1 of 2 failed.',
        failures: [{ id: 9, code: 'refused', status: 422, fields: [{ flag: '--pier' }] }],
      },
    });
  });

  it('are an array when there are none, or all failed', async () => {
    const none = options({ json: true });
    expect(await render(several(), none)).toBe(0);
    expect([none.io.flushedText(), none.io.stderrText()]).toEqual(['[]\n', '']);
    const told = options();
    await render(several(), told);
    expect([told.io.flushedText(), told.io.stderrText()]).toEqual(['', 'No ships found.\n']);
    const failed = options({ json: true });
    expect(await render(several({ ...refused, id: '9007199254740993' }), failed)).toBe(8);
    expect(failed.io.flushedText()).toBe('[]\n');
    expect(JSON.parse(failed.io.stderrText()).error.failures).toMatchObject([{ id: '9007199254740993' }]);
  });

  it('count what was left out beside what failed', async () => {
    const run = options();
    const leftOut: Outcome = { id: 3, name: 'ship 3', error: new UnconfirmedError('It is chartered.') };
    expect(await render(several(refused, sunk, leftOut), run)).toBe(8);
    expect(run.io.stderrText()).toContain('ship 3: It is chartered.\nerror: 1 of 3 failed, 1 of 3 left out.\n');
  });

  it('keep what was done when something ends them early', async () => {
    const run = options({ json: true });
    await expect(render(several(sunk, new Error('Interrupted.')), run)).rejects.toThrow('Interrupted.');
    expect(JSON.parse(run.io.flushedText())).toEqual([{ id: 7 }]);
  });

  it('are whole answers with --envelope', async () => {
    const run = options({ envelope: true });
    await render(several(sunk, gone), run);
    expect(JSON.parse(run.io.flushedText())).toEqual([{ data: { id: 7 } }, { data: { id: 8 } }]);
  });

  it('show the columns that were answered', async () => {
    const run = options();
    await render(several({ ...sunk, answer: answer(kestrel) }, { ...gone, answer: answer({ id: 12, name: 'Osprey' }) }), run);
    expect(run.io.flushedText()).toBe(
      'ID\tNAME\tPORT\tPRICE\tCREW\tFLAGS\n7\tKestrel\tBergen\t1200.50\tTom Okafor, Priya Raman\tfast, old\n12\tOsprey\t\t\t\t\n',
    );
  });
});

describe('plan', () => {
  const patch = {
    method: 'PATCH',
    url: 'https://crm.example/api/ships/5',
    fields: { ship_name: 'a\nb', tags: ['x', 'y'] },
  } as const;
  const put = { method: 'PUT', url: 'https://crm.example/api/ships/5/sink', fields: {} } as const;

  it('is requests with their fields', async () => {
    const run = options({ 'dry-run': true });
    await render({ kind: 'unsent', requests: [patch, put] }, run);
    expect(run.io.flushedText()).toBe(
      'PATCH https://crm.example/api/ships/5\n  ship_name=a↵b\n  tags[]=x\n  tags[]=y\nPUT https://crm.example/api/ships/5/sink\n',
    );
  });

  it('shows the JSON where an empty array keeps fields from being a form', async () => {
    const run = options({ 'dry-run': true });
    const clear = { ...put, fields: { name: 'a\nb', tags: [] } };
    await render({ kind: 'unsent', requests: [clear] }, run);
    expect(run.io.flushedText()).toBe('PUT https://crm.example/api/ships/5/sink\n  {"name":"a\\nb","tags":[]}\n');
  });

  it('is an array in JSON, also of one', async () => {
    const one = options({ json: true, fields: 'id' });
    await render({ kind: 'unsent', requests: [patch] }, one);
    expect(JSON.parse(one.io.flushedText())).toEqual([patch]);
    const two = options({ envelope: true });
    await render({ kind: 'unsent', requests: [patch, put] }, two);
    expect(JSON.parse(two.io.flushedText())).toEqual([patch, put]);
    const changed = { id: 5, name: 'ship 5', answer: { status: 200, data: {}, envelope: {} } };
    const several = options({ json: true });
    expect(await render({ kind: 'unsent', requests: [patch], several: [refused, changed] }, several)).toBe(8);
    expect(JSON.parse(several.io.flushedText())).toEqual([patch]);
    expect(JSON.parse(several.io.stderrText()).error).toMatchObject({ message: '1 of 2 failed.', failures: [{ id: 9 }] });
  });

  it('takes a document that is no object', async () => {
    const run = options();
    await render({ kind: 'unsent', requests: [{ ...put, fields: [1, 2] }] }, run);
    expect(run.io.flushedText()).toBe(`PUT ${put.url}\n  1, 2\n`);
  });

  it('keeps standard output free of it where ids are expected', async () => {
    const run = options({ output: 'ids' });
    await render({ kind: 'unsent', requests: [patch] }, run);
    expect(run.io.stdoutText()).toBe('');
    expect(run.io.stderrText()).toContain('PATCH');
  });
});

describe('the other kinds', () => {
  it('local data is shown like records', async () => {
    const run = options();
    const shape = { columns: [{ path: 'name' }, { path: 'url' }], record: [] };
    await render({ kind: 'rows', data: [{ name: 'main', url: 'https://x' }], shape }, run);
    await render({ kind: 'rows', data: { name: 'main' }, shape, notice: 'Done.' }, run);
    await render({ kind: 'rows', data: [], shape: shapeless, notice: 'No profiles.' }, run);
    expect(run.io.flushedText()).toBe('NAME\tURL\nmain\thttps://x\nname\tmain\n');
    expect(run.io.stderrText()).toBe('Done.\nNo profiles.\n');
  });

  it.each([
    [{}, 'Ships sail.'],
    [{ 'all-fields': true }, 'Ships sail.'],
    [{ fields: 'name' }, 'main'],
  ])('a page is read on a terminal with %j', async (flags, text) => {
    const run = options(flags, { tty: true });
    const shape = { columns: [{ path: 'name' }], record: ['name'] };
    const page = { description: 'Ships sail.', sections: [] };
    await render({ kind: 'rows', data: [{ name: 'main' }], shape, drawn: { page } }, run);
    expect(run.io.stdoutText()).toContain(text);
    expect(run.io.stdoutText()).not.toContain(text === 'main' ? 'Ships' : 'main');
  });

  it('text is printed as it stands', async () => {
    const run = options({ json: true });
    await render({ kind: 'text', text: '#compdef crm\n\x1b' }, run);
    expect(run.io.flushedText()).toBe('#compdef crm\n\x1b');
  });

  it('nothing is nothing but its notice', async () => {
    const run = options({}, { tty: true });
    await render({ kind: 'text', notice: 'Removed.' }, run);
    await render({ kind: 'text' }, run);
    expect(run.io.log()).toEqual([{ stream: 'stderr', text: '✓ Removed.\n' }]);
  });
});
