// The reference: the committed files are what help prints, and no others. `npm run generate` writes them again. The library's page is written
// by hand, beside its types.

import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { clientTypes } from '../../build/client-types.ts';
import { referenceFiles, skillText } from '../../build/reference.ts';
import { isTopic, loadGroups, topics } from '../../src/cli/command.ts';
import { helpPage } from '../../src/cli/help.ts';
import { topicPage } from '../../src/cli/topics.ts';
import { openClient } from '../../src/client/library/client.ts';
import * as errors from '../../src/client/library/errors.ts';
import { openSandbox } from '../../src/client/library/sandbox.ts';
import { groups as declared } from '../../src/commands/index.ts';
import { referenceFamilies, resources } from '../../src/model/resources/index.ts';
import type { HelpPage } from '../../src/output/help-page.ts';

const folder = join(import.meta.dirname, '../../docs/reference');

const groups = await loadGroups(declared);
const levels = groups.flatMap(({ commands }) => commands.flatMap(({ path }) => path.map((_word, index) => path.slice(0, index + 1))));
const pages = new Map<string, HelpPage>();
for (const words of [[], ...levels]) pages.set(words.join(' '), pages.get(words.join(' ')) ?? helpPage(groups, words.join(' ')));

const files = new Map(
  referenceFiles({
    groups,
    pageFor: (words) => pages.get(words.join(' ')) ?? expect.unreachable(words.join(' ')),
    topics: Object.fromEntries(
      Object.keys(topics)
        .filter(isTopic)
        .map((name) => [name, topicPage(name)]),
    ),
  }),
);
files.set('client.d.ts', clientTypes([...resources, ...referenceFamilies], './types'));

describe('docs/reference, written by generate', () => {
  test('is what the commands say', async () => {
    for (const [name, text] of files) await expect(text).toMatchFileSnapshot(join(folder, name));
  });

  test('the skill names commands that there are', async () => {
    const { description } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8')) as { description: string };
    const skill = skillText(description);
    await expect(skill).toMatchFileSnapshot(join(folder, '../../skills/crm/SKILL.md'));
    const named = [...skill.matchAll(/`crm ([a-z ]+)/g)].map(([, words = '']) => words.trim());
    expect(named).toEqual(['help agents', 'explain', 'explain leads']);
    expect([isTopic('agents'), files.has('explain.md'), files.has('leads/update.md')]).toEqual([true, true, true]);
    expect(parseYaml(skill.split('---\n')[1] ?? '')).toEqual({ name: 'crm', description: expect.stringContaining(description) });
    expect(skill.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  });

  test('has no other files but the page of the library', () => {
    const others = globSync('**/*.*', { cwd: folder }).filter((name) => !files.has(name) && name !== 'library.md');
    const isUpdate = expect.getState().snapshotState.snapshotUpdateState === 'all';
    if (isUpdate) for (const name of others) rmSync(join(folder, name));
    else expect(others, 'pages in docs/reference that no command has').toEqual([]);
  });
});

describe('docs/reference', () => {
  test('a page links to what is above and below it, and to what it names', () => {
    const text = files.get('leads/convert.md') ?? '';
    expect(text).toContain('[`crm`](../README.md) › [`crm leads`](README.md)');
    expect(text).toContain('\n  $ crm leads convert 12\n');
    expect(text).toContain('[`crm help flags`](../topics/flags.md)');
    expect(files.get('leads/README.md')).toContain('[`crm leads comments`](comments.md)');
    expect(files.get('README.md')).toContain('## Topics\n\n[`crm help output`](topics/output.md)');
  });
});

describe('the page of the library', () => {
  const text = readFileSync(join(folder, 'library.md'), 'utf8');
  const code = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block).join('\n');

  test('names every class of errors, and no other', () => {
    const classes = Object.entries(errors).flatMap(([name, one]) =>
      typeof one === 'function' && one.prototype instanceof Error ? [name] : [],
    );
    const told = [...text.matchAll(/^\| `(\w+(?:Error|Values))` \|/gm)].map(([, name]) => name);
    expect([...told, 'CrmError'].sort()).toEqual(classes.sort());
  });

  test('calls what there is', async () => {
    const sandbox = await openSandbox();
    const client = await openClient({ sandbox });
    const calls = [...code.matchAll(/\bclient\.([\w.]+)\(/g)].map(([, path = '']) => path);
    expect(calls.length).toBeGreaterThan(10);
    const found = (path: string): unknown =>
      path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], client);
    expect(calls.filter((path) => typeof found(path) !== 'function')).toEqual([]);
    for (const name of ['reset', 'fetch', 'listen', 'close'] as const) expect(sandbox[name], name).toBeTypeOf('function');
    await client.close();
    await sandbox.close();
  });

  test('its options are those of the types', () => {
    const types = readFileSync(join(import.meta.dirname, '../../src/client/library/calls.ts'), 'utf8');
    const rows = text.slice(text.indexOf('| option |'), text.indexOf('## Reading')).matchAll(/^\| (`.*?`) \|/gm);
    const options = [...rows].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
    expect(options.length).toBeGreaterThan(8);
    expect(options.filter((name) => !types.includes(`readonly ${name}`))).toEqual([]);
  });
});
