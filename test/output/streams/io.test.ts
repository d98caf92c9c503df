import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { maskSecrets, type ProcessStreams, StdoutClosed, systemIo } from '../../../src/output/streams/io.ts';
import { wantsColor } from '../../../src/output/streams/terminal.ts';

const source = (path: string): string => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url));
const nodeFlags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e'];

/** A script that has `io` at hand, and says on standard error how its writes ended. */
function script(body: string): string[] {
  const text = `
    import { systemIo } from ${JSON.stringify(source('output/streams/io.ts'))};
    const io = systemIo(process);
    try { ${body} } catch (error) { io.err(error.constructor.name + ': ' + error.message + '\\n'); }
  `;
  return [...nodeFlags, text];
}

function fakeProcess(env: NodeJS.ProcessEnv = {}, terminal: { columns?: number } | undefined = undefined) {
  const make = () => Object.assign(new PassThrough(), { isTTY: terminal !== undefined, columns: terminal?.columns });
  const [stdin, stdout, stderr] = [make(), make(), make()];
  const written: string[] = [];
  stdout.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const errors: string[] = [];
  stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const streams = { stdin, stdout, stderr, env } as unknown as ProcessStreams;
  return { io: systemIo(streams), stdin, stdout, stderr, written, errors };
}

it('asks at the console of Windows behind a pipe', () => {
  const look = `
    const { default: fs } = await import('node:fs');
    const { syncBuiltinESMExports } = await import('node:module');
    Object.defineProperty(process, 'platform', { value: 'win32' });
    fs.openSync = (...args) => { io.err(args.join(' ')); throw new Error('There is none here.'); };
    syncBuiltinESMExports();
    io.err(' ' + (await io.stdin.keyboard()));`;
  expect(spawnSync(process.execPath, script(look), { encoding: 'utf8' }).stderr).toBe(String.raw`\\.\CONIN$ r+ undefined`);
});

describe('out', () => {
  it('collects small writes off a terminal until flush', async () => {
    const { io, written } = fakeProcess();
    await io.out('a');
    await io.out('b');
    expect(written).toEqual([]);
    await io.flush();
    expect(written).toEqual(['ab']);
    await io.flush();
    expect(written).toEqual(['ab']);
  });

  it('does not collect more than 64 KiB', async () => {
    const { io, written } = fakeProcess();
    await io.out('x'.repeat(40_000));
    await io.out('x'.repeat(40_000));
    expect(written.join('')).toHaveLength(80_000);
  });

  it('leaves the terminal to the reader of a pipe, from the first result on', async () => {
    const report = `await io.flush(); io.err(String(io.waits.isHeld)); await io.out('x'); await io.flush(); io.err(String(io.waits.isHeld));`;
    const piped = spawnSync(process.execPath, script(report), { encoding: 'utf8' });
    const out = openSync('/dev/null', 'w');
    const filed = spawnSync(process.execPath, script(report), { encoding: 'utf8', stdio: ['ignore', out, 'pipe'] });
    closeSync(out);
    expect([piped.stderr, filed.stderr]).toEqual(['falsetrue', 'falsefalse']);
  });

  it('writes at once on a terminal', async () => {
    const { io, written } = fakeProcess({}, { columns: 100 });
    await io.out('a');
    expect(written).toEqual(['a']);
  });

  it('throws StdoutClosed once the reader is gone, and again', async () => {
    const { io, stdout } = fakeProcess();
    stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(io.out('a')).rejects.toThrow(StdoutClosed);
    await expect(io.flush()).rejects.toThrow(StdoutClosed);
  });

  it('throws StdoutClosed for a pipe whose reader ended, without an unhandled error', () => {
    const loop = `for (let line = 0; line < 1e6; line += 1) await io.out('x'.repeat(99) + '\\n');`;
    const node = [process.execPath, ...script(loop)].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const { stdout, stderr } = spawnSync('sh', ['-c', `${node} | head -n 2`], { encoding: 'utf8' });
    expect(stdout).toBe(`${'x'.repeat(99)}\n`.repeat(2));
    expect(stderr).toBe('StdoutClosed: The reader of standard output went away.\n');
  });

  it.skipIf(!existsSync('/dev/full'))('says that the disk is full', () => {
    const full = openSync('/dev/full', 'w');
    const { stderr } = spawnSync(process.execPath, script(`await io.out('x'); await io.flush();`), {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect(stderr).toBe('StdoutFailed: The output could not be written: the disk is full.\n');
  });

  it('is complete before the process ends, however slowly it is read', async () => {
    const child = spawn(
      process.execPath,
      script(`for (let n = 0; n < 300; n += 1) await io.out('y'.repeat(9_999) + '\\n'); await io.flush();`),
    );
    let length = 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
    for await (const chunk of child.stdout) length += chunk.length;
    expect(length).toBe(3_000_000);
  });
});

describe('err', () => {
  it('masks secrets in whatever form they are written, longest first', () => {
    const { io, errors } = fakeProcess();
    io.keepSecret('key"1/2-3');
    io.keepSecret('');
    io.err('GET key"1/2-3 "key\\"1/2-3" key%221%2F2-3\n');
    expect(errors.join('')).toBe('GET *** "***" ***\n');
    expect(maskSecrets('long-secret-1 long-secret', ['long-secret', 'long-secret-1'])).toBe('*** ***');
    expect(maskSecrets('/a/longsecret/b longsecrets', ['longsecret'])).toBe('/a/***/b ***s');
  });

  it('leaves a secret of fewer than 8 characters: it may be a word like any other', () => {
    expect(maskSecrets('crm list, hidden12 or hidden1', ['crm', 'hidden1', 'hidden12'])).toBe('crm list, *** or hidden1');
  });

  it('survives a standard error that nobody reads', async () => {
    const { io, stderr } = fakeProcess();
    io.err('x\n');
    stderr.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => io.err('x\n')).not.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('what the streams are', () => {
  it('takes the width from the terminal, else from COLUMNS, else 80', () => {
    expect(fakeProcess({ COLUMNS: '120' }, { columns: 100 }).io.stdout.columns).toBe(100);
    expect(fakeProcess({ COLUMNS: '120' }).io.stdout.columns).toBe(120);
    expect(fakeProcess({ COLUMNS: 'wide' }).io.stderr.columns).toBe(80);
    expect(fakeProcess().io.stdout.columns).toBe(80);
  });

  it('knows a terminal', () => {
    expect(fakeProcess({}, { columns: 80 }).io.stdout.isTTY).toBe(true);
    expect(fakeProcess().io.stdin.isTTY).toBe(false);
  });

  it('lets --color decide', () => {
    const { io } = fakeProcess({ NO_COLOR: '1' }, { columns: 80 });
    expect(io.stdout.color).toBe(false);
    io.setColor('always');
    expect([io.stdout.color, io.stderr.color]).toEqual([true, true]);
    io.setColor('never');
    expect(io.stderr.color).toBe(false);
  });

  it.each([
    ['auto', true, {}, true],
    ['auto', false, {}, false],
    ['auto', true, { NO_COLOR: '1' }, false],
    ['auto', true, { NO_COLOR: '' }, true],
    ['auto', true, { TERM: 'dumb' }, false],
    ['auto', false, { FORCE_COLOR: '1' }, true],
    ['auto', true, { FORCE_COLOR: '0' }, false],
    ['auto', false, { CLICOLOR_FORCE: '1' }, true],
    ['auto', false, { CLICOLOR_FORCE: '0' }, false],
    ['auto', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['never', true, { FORCE_COLOR: '1' }, false],
    ['always', false, { NO_COLOR: '1' }, true],
  ] as const)('colour %s on a terminal %s with %j: %s', (mode, isTTY, env, wanted) => {
    expect(wantsColor(mode, isTTY, env)).toBe(wanted);
  });

  it('reads all of standard input', async () => {
    const { io, stdin } = fakeProcess();
    stdin.write('a');
    stdin.end('ß');
    expect(Buffer.from(await io.stdin.readAll(10, new AbortController().signal)).toString()).toBe('aß');
  });
});
