// With more than one profile, the sentence of a single write names its profile; names of profiles differ in more than case.

import { describe, expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop();
const env = { CRM_BASE_URL: '' };
const crm = (...argv: string[]) => shop.crm(argv, { env });
const init = (name: string, ...more: string[]) => crm('sandbox', 'init', '-p', name, ...more);

describe('the sentence of a single write', () => {
  it('names no profile while there is one', async () => {
    await init('de');
    const { stderr } = await crm('leads', 'update', '12', '--value', '5');
    expect(stderr).toMatch(/^Lead 12 changed: /);
  });

  it.each([
    [['leads', 'update', '12', '--value', '5'], 'Lead 12 changed (profile at): '],
    [['leads', 'archive', '12'], 'Lead 12 archived (profile at): '],
    [['leads', 'tags', '12', '--add', 'x'], 'Lead 12 changed (profile at): '],
    [['leads', 'contacted', '12', 'Called'], 'Lead 12 contacted (profile at): '],
    [['leads', 'delete', '12', '--yes'], 'Lead 12 deleted (profile at)'],
    [['leads', 'convert', '15'], 'converted to client'],
    [['notes', 'create', '--title', 'A', '--description', 'B'], 'created (profile at): A'],
  ])('names the profile where there are two: %s', async (argv, says) => {
    await init('de');
    await init('at');
    const { status, stderr } = await crm(...argv, '-p', 'at');
    expect(status, stderr).toBe(0);
    expect(stderr).toContain(says);
    expect(stderr).toContain('(profile at)');
    expect((await crm(...argv, '-p', 'at', '-q')).stderr).not.toContain('profile at)');
  });
});

describe('names that differ in case alone', () => {
  it('are refused by sandbox init, reset and serve, and the other file stays', async () => {
    await init('Reh2');
    for (const command of [['init'], ['init', '--force', '--yes'], ['reset', '--yes'], ['serve']]) {
      const { status, stderr } = await crm('sandbox', ...command, '-p', 'REH2');
      expect([status, stderr]).toEqual([10, expect.stringContaining('There is a profile "Reh2" already. Names that differ in case alone')]);
    }
    expect(await crm('leads', 'get', '12', '-p', 'Reh2')).toMatchObject({ status: 0 });
    expect(await init('Reh2', '--force', '--yes')).toMatchObject({ status: 0 });
  });

  it('are refused by profile add', async () => {
    await init('Reh2');
    const { status, stderr } = await crm(
      'profile',
      'add',
      'reh2',
      '--base-url',
      'https://crm.example',
      '--key-command',
      'echo k',
      '--no-verify',
    );
    expect([status, stderr]).toEqual([10, expect.stringContaining('"reh2" is refused')]);
  });
});

describe('an embedded CRM that is put back', () => {
  it('has no runs and no remembered names of the records before', async () => {
    await init('de');
    expect((await crm('leads', 'tags', '12,13', '--add', 'x', '--yes', '-q')).status).toBe(0);
    await crm('leads', 'list', '--all', '-q');
    expect((await crm('history', '--json')).json()).toHaveLength(1);
    for (const again of [
      ['reset', '--yes', '-p', 'de'],
      ['init', '--force', '--yes', '-p', 'de'],
    ]) {
      expect((await crm('sandbox', ...again)).status).toBe(0);
      expect((await crm('history', '--json')).json()).toEqual([]);
      expect((await crm('leads', 'tags', '12,13', '--add', 'x', '--yes', '-q')).status).toBe(0);
    }
  });

  it('under its usual name lies in the usual file, under another in a file of its own', async () => {
    const [usual, other] = [await init('sandbox', '--json', '--force', '--yes'), await init('other', '--json')];
    expect(usual.json()).toMatchObject({ profile: 'sandbox', file: expect.stringMatching(/[\\/]sandbox\.sqlite$/) });
    expect(other.json()).toMatchObject({ profile: 'other', file: expect.stringMatching(/[\\/]sandbox-other\.sqlite$/) });
    const profiles = (await crm('profile', 'list', '--json')).json() as { name: string; base_url: string }[];
    expect(profiles.map(({ name, base_url }) => [name, base_url.replace(/:.*[\\/]/, ':…/')])).toEqual([
      ['sandbox', 'sandbox:'],
      ['other', 'sandbox:…/sandbox-other.sqlite'],
    ]);
  });
});
