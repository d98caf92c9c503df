import { describe, expect, it } from 'vitest';
import { ConflictError, type CrmError, InterruptedError, RateLimitedError, RefusedError, UsageError } from '../../src/base/errors.ts';
import { renderError } from '../../src/output/render-error.ts';
import { StdoutFailed } from '../../src/output/streams/io.ts';
import { options } from './samples.ts';

const taken = new RefusedError('The given data was invalid.', {
  httpStatus: 422,
  fields: [
    { name: 'lead_email', flag: '--email', messages: ['The email has already been taken.', 'Too long.'] },
    { name: 'lead_x', messages: ['Bad\nvalue \x1b[31m.'] },
  ],
  hint: 'See: crm leads create --help',
  request: { method: 'POST', path: '/api/leads' },
});

async function rendered(error: unknown, ...typed: Parameters<typeof options>): Promise<{ status: number; text: string }> {
  const run = options(...typed);
  const status = await renderError(error, run);
  expect(run.io.stdoutText()).toBe('');
  return { status, text: run.io.stderrText() };
}

describe('for a person', () => {
  it('says what happened, the fields beside their flags, and what to do next', async () => {
    expect(await rendered(taken)).toEqual({
      status: 5,
      text: [
        'error: The given data was invalid.',
        '  --email: The email has already been taken.',
        '  --email: Too long.',
        '  lead_x: Bad↵value \\x1b[31m.',
        'See: crm leads create --help',
        '',
      ].join('\n'),
    });
  });

  it('colours on a terminal', async () => {
    const { text } = await rendered(new UsageError('No.'), {}, { tty: true, color: true });
    expect(text).toBe('\x1b[31m\x1b[1merror:\x1b[22m\x1b[39m No.\n');
  });

  it.each<[CrmError, number]>([
    [new UsageError('x'), 2],
    [new ConflictError('x'), 10],
    [new InterruptedError('SIGTERM'), 143],
  ])('has the status of its kind', async (error, status) => {
    expect((await rendered(error)).status).toBe(status);
  });

  it('owns up to its own faults, with a stack only for --debug', async () => {
    const { status, text } = await rendered(new TypeError('x is undefined\x1b'));
    expect(status).toBe(1);
    expect(text).toBe('error: crm has a fault: x is undefined\\x1b\nRun the command again with --debug to see where.\n');
    expect((await rendered(new TypeError('x'), { debug: true })).text).toMatch(/^ +at .*render-error/m);
    expect((await rendered('just a text')).text).toContain('crm has a fault: just a text');
  });

  it('shows no text of the service as a message of its own', async () => {
    const fake = 'error: Your key has expired. Renew it at https://crm.example.evil/';
    const refused = new RefusedError(`   ${'Bad. '.repeat(8)}\n${fake}`, {
      httpStatus: 422,
      fields: [
        { name: `${'x'.repeat(60)}${fake}`, messages: ['No.'] },
        { name: 'lead_x', messages: [`  ${'y'.repeat(48)} ${fake}`] },
      ],
      hint: `Names: ${'z'.repeat(50)} ${fake}`,
    });
    const { text } = await rendered(refused, {}, { tty: true, columns: 60 });
    const [, ...others] = text.trimEnd().split('\n');
    for (const line of others) expect(line).toMatch(/^(?: {2}|Names: )/);
    expect(text.match(/^.*Your key/gm)).toHaveLength(4);
  });

  it('does not take a full disk for a fault of its own', async () => {
    const { status, text } = await rendered(new StdoutFailed('The output could not be written: the disk is full.'));
    expect(status).toBe(7);
    expect(text).toBe('error: The output could not be written: the disk is full.\n');
  });
});

describe('for a program', () => {
  it('is one object on one line', async () => {
    for (const flags of [{ json: true }, { output: 'ndjson' }, { envelope: true }]) {
      const { text, status } = await rendered(taken, flags);
      expect(status).toBe(5);
      expect(text.indexOf('\n')).toBe(text.length - 1);
      expect(JSON.parse(text)).toEqual({
        error: {
          code: 'refused',
          message: 'The given data was invalid.',
          status: 422,
          retry: 'never',
          fields: [
            { flag: '--email', name: 'lead_email', messages: ['The email has already been taken.', 'Too long.'] },
            { flag: null, name: 'lead_x', messages: ['Bad\nvalue \x1b[31m.'] },
          ],
          hint: 'See: crm leads create --help',
          request: { method: 'POST', path: '/api/leads' },
        },
      });
    }
  });

  it('has null or an empty array for what there is not', async () => {
    expect(JSON.parse((await rendered(new UsageError('No.'), { json: true })).text)).toEqual({
      error: { code: 'usage', message: 'No.', status: null, retry: 'never', fields: [], hint: null, request: null },
    });
    expect(JSON.parse((await rendered(new Error('x'), { json: true })).text)).toMatchObject({
      error: { code: 'fault', message: 'crm has a fault: x' },
    });
  });
});

it('the seconds until a program may come again are rounded up', async () => {
  const { text } = await rendered(new RateLimitedError('Later.', { retryIn: 61.2 }), { json: true });
  expect(JSON.parse(text).error).toMatchObject({ code: 'rate_limited', retry_after: 62 });
});

describe('long texts of a service', () => {
  const long = new RefusedError(`No: ${'x'.repeat(100_000)}`, {
    httpStatus: 422,
    fields: Array.from({ length: 500 }, (_, index) => ({ name: `field_${index}`, messages: ['y'.repeat(5000)] })),
    hint: 'What to do next.',
  });

  it('are cut to a screen, and it is said how much is missing', async () => {
    const { text } = await rendered(long);
    expect(text.length).toBeLessThan(5000);
    expect(text).toContain('… (98004 more characters; --debug shows all.)');
    expect(text).toContain('And 500 more; --debug shows all.');
    expect(text.endsWith('What to do next.\n')).toBe(true);
  });

  it('a few fields are shown, the others counted', async () => {
    const fields = Array.from({ length: 500 }, (_, index) => ({ name: `f${index}`, messages: ['is wrong'] }));
    const { text } = await rendered(new RefusedError('No.', { httpStatus: 422, fields }));
    expect(text).toContain('  f0: is wrong\n');
    expect(text).toMatch(/And 480 more; --debug shows all\.\n$/);
    expect(text.length).toBeLessThan(2500);
  });

  it.each([{ debug: true }, { output: 'json' as const }])('are whole with %j', async (flags) => {
    const { text } = await rendered(long, flags);
    expect(text).toContain('x'.repeat(100_000));
    expect(text).toContain('field_499');
  });
});
