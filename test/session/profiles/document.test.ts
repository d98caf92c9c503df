// The shape of the profiles' file is checked by hand, because every command reads it. Here zod checks the same documents.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { UnauthorizedError } from '../../../src/base/errors.ts';
import { readProfiles } from '../../../src/session/profiles/store.ts';
import { runs } from '../../support/property-runs.ts';
import { temporaryFolder } from './support.ts';

const text = z.string().optional();
const flag = z.boolean().optional();
const profile = z
  .looseObject({ baseUrl: z.string(), key: text, keyCommand: text, me: text, insecureHttp: flag, protected: flag })
  .and(z.looseObject({ encoding: z.enum(['form', 'json']).optional() }))
  .refine(({ key, keyCommand }) => key === undefined || keyCommand === undefined);
const shape = z.looseObject({ version: z.literal(1), current: text, profiles: z.record(z.string(), profile) });

const odd = fc.constantFrom<unknown>(null, 1, true, 'text', 'form', [], {});
const mostly = (good: unknown) => fc.oneof({ weight: 40, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: odd });
const entry = fc.record(
  {
    baseUrl: mostly('https://crm.example'),
    key: mostly('key'),
    keyCommand: mostly('pass crm'),
    encoding: fc.oneof(mostly('form'), mostly('json')),
    insecureHttp: mostly(false),
    protected: mostly(true),
    me: mostly('5'),
    future: odd,
  },
  { requiredKeys: ['baseUrl'] },
);
const document = fc.record(
  {
    version: mostly(1),
    current: mostly('a'),
    profiles: fc.oneof(
      { weight: 20, arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof({ weight: 40, arbitrary: entry }, odd)) },
      odd,
    ),
    future: odd,
  },
  { requiredKeys: ['version', 'profiles'] },
);

it('a file is refused when zod refuses it, and the message says where it is wrong', async () => {
  const folder = await temporaryFolder();
  const counts = { taken: 0, refused: 0 };
  const alike = fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: document }, fc.jsonValue()), async (value) => {
    await writeFile(join(folder, 'config.json'), JSON.stringify(value));
    const outcome = await readProfiles(folder).catch((error: unknown) => error);
    const isShaped = shape.safeParse(value).success;
    counts[isShaped ? 'taken' : 'refused'] += 1;
    expect(outcome instanceof UnauthorizedError).toBe(!isShaped);
    if (!isShaped) expect((outcome as Error).message).toMatch(/does not have the shape of a profiles file: (?!undefined\.).*\w/);
  });
  const { numRuns } = runs(2000);
  await fc.assert(alike, { numRuns, seed: 719 });
  expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(numRuns / 10);
});
