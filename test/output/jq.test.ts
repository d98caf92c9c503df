// --jq: what an expression makes of a result, what is wrong with one, and that no expression outlives its command.

import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/base/errors.ts';
import { readGlobalFlags } from '../../src/base/global-flags.ts';
import { parseJson } from '../../src/base/values/json.ts';
import { topicText } from '../../src/cli/topics/texts.ts';
import { openJq } from '../../src/output/jq/jq.ts';
import { render } from '../../src/output/render.ts';
import type { Result } from '../../src/output/result.ts';
import { type FakeIoOptions, fakeIo } from '../support/fake-io.ts';

const aboutMemory =
  '--jq: the expression takes more memory than jq has here (256 MiB). Ask for less with --fields, or for one record at a time with -o ndjson.';

const shape = { columns: [], record: [] };
const answer = (data: unknown) => ({ status: 200, data, envelope: { data, message: 'OK' } });

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Renders a result with --jq and more flags. Throws what render throws. */
async function run(result: Result, jq: string, flags: Record<string, string | true> = {}, streams: FakeIoOptions = {}): Promise<Ran> {
  const read = readGlobalFlags({ jq, ...flags });
  const { signal } = new AbortController();
  const io = fakeIo(streams);
  const opened = await openJq(jq, { perRecord: read.output === 'ndjson', signal });
  try {
    const status = await render(result, { io, flags: read, signal, now: new Date(0), jq: opened });
    return { status, stdout: io.stdoutText(), stderr: io.stderrText() };
  } finally {
    await opened.close();
  }
}

const read = (data: unknown): Result => ({ kind: 'rows', isRead: true, data, shape });
const written = (data: unknown): Result => ({ kind: 'rows', data, shape });
const valuesOf = async (json: string, jq: string): Promise<string> => (await run(read(parseJson(json)), jq)).stdout;

async function* pagesOf(...pages: readonly (readonly unknown[])[]) {
  for (const page of pages) yield answer(page);
}
const list = (...pages: readonly (readonly unknown[])[]): Result => ({
  kind: 'records',
  pages: pagesOf(...pages),
  shape,
  empty: () => 'None.',
});

it('is the jq that the help names', async () => {
  const { version } = await import('jq-wasm');
  expect(topicText('output')).toContain(`${(await version()).replace('-', ' ')} is inside.`);
});

describe('the values', () => {
  it('keep their digits', async () => {
    const cases = [
      [
        '[12345678901234567890.10, 9007199254740993, 1.10, -0, 0.000001]',
        '.',
        '[12345678901234567890.10,9007199254740993,1.10,-0,0.000001]\n',
      ],
      ['[12345678901234567890.10, 9007199254740993, 1.10, -0]', '.[]', '12345678901234567890.10\n9007199254740993\n1.10\n-0\n'],
      ['[{"v":9007199254740993},{"v":9007199254740992}]', 'sort_by(.v)', '[{"v":9007199254740992},{"v":9007199254740993}]\n'],
      ['[{"v":1.10},{"v":1.10}]', 'group_by(.v)', '[[{"v":1.10},{"v":1.10}]]\n'],
      ['{"v":[1.10]}', '[..]', '[{"v":[1.10]},[1.10],1.10]\n'],
      ['{"v":12345678901234567890.10}', '"\\(.v)"', '12345678901234567890.10\n'],
      // The same value, written as jq writes it.
      ['[1e400]', '.', '[1E+400]\n'],
    ] as const;
    // jq starts once for all.
    const json = `[${cases.map(([input]) => input).join()}]`;
    const jq = cases.map(([, one], index) => `(.[${index}] | ${one})`).join();
    expect(await valuesOf(json, jq)).toBe(cases.map(([, , values]) => values).join(''));
  });

  it.each([
    [{ text: 'a\0b\nc\td\u001b[31m\u009b' }, '.text', 'a\0b\nc\td\u001b[31m\u009b\n'],
    [{ text: 'half \ud83d and \\ud83d whole \ud83d\udd2d' }, '.text', 'half \ufffd and \\ud83d whole 🔭\n'],
    [{ text: 'a\0b' }, '.', '{"text":"a\\u0000b"}\n'],
  ])('are raw texts in a pipe: %j', async (data, jq, text) => {
    expect((await run(read(data), jq)).stdout).toBe(text);
  });

  it('that are texts do nothing to a terminal, but for lines and columns', async () => {
    const data = { text: 'a\0b\nc\td\u001b[31m\u009b\r\u202e' };
    expect((await run(read(data), '.text, .', {}, { tty: true, color: true })).stdout).toBe(
      'a\\u0000b\nc\td\\u001b[31m\\u009b\\u000d\\u202e\n{"text":"a\\u0000b\\nc\\td\\u001b[31m\\u009b\\r\\u202e"}\n',
    );
  });

  it('of expressions', async () => {
    const cases = [
      ['empty', ''],
      ['.[1:][]', '2\n'],
      ['[inputs]', '[]\n'],
      ['input_filename', '/dev/stdin\n'],
      // jq 1.7 counted bytes.
      ['"aéb" | index("b"), .[2:]', '2\nb\n'],
      ['add(.[]), (" a " | trim), ("abc" | trimstr("a")), have_decnum', '3\na\nbc\ntrue\n'],
      ['$ENV.PATH, env.CRM_API_KEY', '/\nnull\n'],
      ['[limit(2; repeat(7))]', '[7,7]\n'],
      ['"a b" | @sh', "'a b'\n"],
      ['-1', '-1\n'],
    ] as const;
    const jq = cases.map(([one]) => `(${one})`).join();
    expect(await valuesOf('[1,2]', jq)).toBe(cases.map(([, values]) => values).join(''));
  });
});

describe('what it works on', () => {
  const pages = [[{ id: 1 }, { id: 2 }], [{ id: 3 }]];

  it.each([
    ['a list', list(...pages), 'map(.id)', {}, '[1,2,3]\n'],
    ['an empty list', list(), 'length', {}, '0\n'],
    ['each record with -o ndjson', list(...pages), '.id + 1', { output: 'ndjson' }, '2\n3\n4\n'],
    ['the envelope', list(...pages), '.message, (.data | length)', { envelope: true as const }, 'OK\n3\n'],
    ['what --fields leaves', list(...pages), '.[0] | keys', { fields: 'name' }, '["name"]\n'],
    ['a record', { kind: 'record', answer: answer({ id: 7 }), shape } as Result, '.id', {}, '7\n'],
    ['no answer', { kind: 'text' } as Result, '.', {}, '[]\n'],
    ['a plan', { kind: 'unsent', requests: [{ method: 'PUT', url: 'u', fields: { a: '1' } }] } as Result, '.[0].fields.a', {}, '1\n'],
  ])('%s', async (_what, result, jq, flags, values) => {
    expect(await run(result, jq, flags as Record<string, string>)).toEqual({ status: 0, stdout: values, stderr: '' });
  });

  it('gives record by record as the pages arrive', async () => {
    const { signal } = new AbortController();
    const io = fakeIo();
    const jq = await openJq('.id', { perRecord: true, signal });
    const between: string[] = [];
    const pages = async function* () {
      yield answer([{ id: 1 }, { id: 2 }]);
      await expect.poll(() => io.flushedText()).toBe('1\n2\n');
      between.push(io.flushedText());
      yield answer([{ id: 3 }]);
    };
    const flags = readGlobalFlags({ output: 'ndjson', jq: '.id' });
    await render({ kind: 'records', pages: pages(), shape, empty: () => '' }, { io, flags, signal, now: new Date(0), jq });
    await jq.close();
    expect([...between, io.flushedText()]).toEqual(['1\n2\n', '1\n2\n3\n']);
  });

  it('says what input lacks', async () => {
    const { signal } = new AbortController();
    const jq = await openJq('input', { perRecord: false, signal });
    const flags = readGlobalFlags({ jq: 'input' });
    const result: Result = { kind: 'rows', data: [{ id: 1 }], shape, isRead: true };
    await expect(render(result, { io: fakeIo(), flags, signal, now: new Date(0), jq })).rejects.toThrow(
      '--jq: input finds no further value',
    );
    await jq.close();
  });

  it('is nothing of a list that breaks off, but for the records so far with -o ndjson', async () => {
    const broken = (): Result => ({
      kind: 'records',
      shape,
      empty: () => '',
      pages: (async function* () {
        yield answer([{ id: 1 }]);
        throw new Error('gone');
      })(),
    });
    const io = fakeIo();
    const { signal } = new AbortController();
    for (const output of ['json', 'ndjson']) {
      const jq = await openJq('.', { perRecord: output === 'ndjson', signal });
      const flags = readGlobalFlags({ output, jq: '.' });
      await expect(render(broken(), { io, flags, signal, now: new Date(0), jq })).rejects.toThrow('gone');
      await jq.close();
    }
    expect(io.stdoutText()).toBe('{"id":1}\n');
  });
});

describe('an expression that is no good', () => {
  const { signal } = new AbortController();
  it.each([
    ['.a |', '--jq: syntax error, unexpected end of file, at column 4.', '  .a |\n     ^'],
    ['"é🔭" | $x', '--jq: $x is not defined, at column 8.', '  "é🔭" | $x\n         ^'],
    ['"a" * 1e9', aboutMemory, undefined],
    ['.ä | foo', '--jq: syntax error, unexpected INVALID_CHARACTER, at column 2.', '  .ä | foo\n   ^'],
    ['.a\n| b(', '--jq: syntax error, unexpected end of file, at line 2, column 4.', '  | b(\n     ^'],
    ['.[] | $x', '--jq: $x is not defined, at column 7.', '  .[] | $x\n        ^'],
    ['', '--jq: Top-level program not given (try ".").', undefined],
    ['import "a" as a; .', '--jq: module not found: a.', undefined],
    ['include "/etc/passwd"; .', '--jq: module not found: /etc/passwd.', undefined],
  ])('%s', async (jq, message, hint) => {
    const error = await openJq(jq, { perRecord: false, signal }).catch((one: unknown) => one);
    expect(error).toMatchObject({ message, exitStatus: 2 });
    expect((error as { details: { hint?: string } }).details.hint).toBe(hint);
  });

  it('shows the part of a long line in which it went wrong', async () => {
    const error = await openJq(`${'.|'.repeat(500)}}${'|.'.repeat(500)}`, { perRecord: false, signal }).catch((one: unknown) => one);
    expect(error).toMatchObject({ message: '--jq: syntax error, unexpected INVALID_CHARACTER, at column 1001.' });
    expect((error as { details: { hint: string } }).details.hint.split('\n').map((line) => line.indexOf('}') + line.indexOf('^'))).toEqual([
      51, 51,
    ]);
  });
});

describe('an expression that fails on the result', () => {
  // What takes jq a second is for CI.
  const long =
    process.env.CRM_SLOW === '1'
      ? [
          ['def f: 1 + f; f', aboutMemory],
          ['"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" | test("(a+)+$")', '--jq: Regex failure: retry-limit-in-match over.'],
        ]
      : [];
  it.each([
    ['.[0].a.b', '--jq: Cannot index number with string ("b").'],
    ['error("no such luck")', '--jq: no such luck.'],
    ['.[0].a, error', '--jq: [{"a":1}].'],
    ['"over" | halt_error', '--jq: over.'],
    // The module itself breaks off, with an error of JavaScript.
    [
      '[1e18] | mktime',
      '--jq: jq itself stopped at this expression (The number NaN cannot be converted to a BigInt because it is not an integer). Write the expression another way.',
    ],
    ['reduce range(9000) as $i (null; [.]) | tojson', '--jq: the expression makes values that are nested too deeply for jq.'],
    ['"x" * (.[0].a * 280000000)', aboutMemory],
    ...long,
  ])('is wrong usage of a read, and standard output stays empty: %s', async (jq, message) => {
    const io = fakeIo();
    const { signal } = new AbortController();
    const opened = await openJq(jq, { perRecord: false, signal });
    const error = await render(read([{ a: 1 }]), { io, flags: readGlobalFlags({ jq }), signal, now: new Date(0), jq: opened }).catch(
      (one: unknown) => one,
    );
    await opened.close();
    expect(error).toMatchObject({ message, exitStatus: 2 });
    expect(io.stdoutText()).toBe('');
  });

  it('is a notice where something was written: the whole result stands, and the status is its own', async () => {
    expect(await run(written({ id: 7 }), '.id, .id.x')).toEqual({
      status: 0,
      stdout: '{\n  "id": 7\n}\n',
      stderr: '--jq: Cannot index number with string ("x"). The whole result is printed instead.\n',
    });
  });

  it('is told by the first of several records', async () => {
    await expect(run(list([{ id: 1 }, { id: 2 }]), '.id | error', { output: 'ndjson' })).rejects.toThrow('--jq: 1.');
  });

  it('of one of several records is told, though the others have values', async () => {
    const jq = 'if .id == 2 then error("no") else .id end';
    const records = [{ id: 1 }, { id: 2 }, { id: 3 }];
    await expect(run(list(records), jq, { output: 'ndjson' })).rejects.toMatchObject({ message: '--jq: no.', exitStatus: 2 });
    const outcomes = async function* () {
      for (const { id } of records) yield { id, name: `lead ${id}`, answer: answer({ id }) };
    };
    const result: Result = { kind: 'outcomes', ids: [1, 2, 3], outcomes: outcomes(), shape, empty: 'None.' };
    expect(await run(result, jq, { output: 'ndjson' })).toEqual({ status: 0, stdout: '1\n3\n', stderr: '--jq: no.\n' });
  });

  it('says by the way what debug says, and --quiet doesn’t', async () => {
    expect(await run(read(1), 'debug')).toEqual({ status: 0, stdout: '1\n', stderr: '["DEBUG:",1]\n' });
    expect((await run(read(1), 'debug', { quiet: true })).stderr).toBe('');
  });
});

// Without values, and with very many.
it.each(['until(false; .)', 'repeat(1)'])('a signal ends %s', async (jq) => {
  const abort = new AbortController();
  const opened = await openJq(jq, { perRecord: false, signal: abort.signal });
  const io = { ...fakeIo(), out: async () => {} };
  const rendered = render(read(1), { io, flags: readGlobalFlags({ jq }), signal: abort.signal, now: new Date(0), jq: opened });
  setTimeout(() => abort.abort(new InterruptedError('SIGINT')), 100);
  await expect(rendered).rejects.toThrow('Interrupted.');
  await opened.close();
});

it.each([
  [{ output: 'table' }, '-o table'],
  [{ output: 'csv' }, '-o csv'],
  [{ csv: true }, '--csv'],
  [{ output: 'yaml' }, '-o yaml'],
  [{ output: 'ids' }, '-o ids'],
  [{ output: 'xlsx' }, '-o xlsx'],
] as const)('is for JSON: not with %j', (flags, named) => {
  expect(() => readGlobalFlags({ jq: '.', ...flags })).toThrow(`--jq is for JSON output: leave out ${named}.`);
});
