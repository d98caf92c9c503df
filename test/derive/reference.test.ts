// The reference: the committed files are what the commands and topics say, and no others. `npm run generate` writes them again.

import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isTopic, loadGroups, topics } from '../../src/command.ts';
import { groups as declared } from '../../src/commands/index.ts';
import { referenceFiles } from '../../src/derive/reference/files.ts';
import { libraryPage } from '../../src/derive/reference/library-page.ts';
import type { HelpPage } from '../../src/output/help-page.ts';
import { pageFor } from '../../src/program/program.ts';
import { topicPage } from '../../src/program/topics.ts';
import { referenceFamilies, resources } from '../../src/resources/index.ts';

const folder = join(import.meta.dirname, '../../docs/reference');

const groups = await loadGroups(declared);
const levels = groups.flatMap(({ commands }) => commands.flatMap(({ path }) => path.map((_word, index) => path.slice(0, index + 1))));
const pages = new Map<string, HelpPage>();
for (const words of [[], ...levels]) pages.set(words.join(' '), pages.get(words.join(' ')) ?? (await pageFor(declared, words)));
const page = (words: readonly string[]): HelpPage => pages.get(words.join(' ')) ?? expect.unreachable(words.join(' '));

const textOf = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const families = [...resources, ...referenceFamilies];

const files = new Map(
  referenceFiles({
    groups,
    families,
    program: page([]),
    pageFor: page,
    topics: Object.keys(topics)
      .filter(isTopic)
      .map((name) => ({ name, summary: topics[name], help: topicPage(name) })),
  }),
);
files.set(
  'library.md',
  libraryPage(families, {
    calls: textOf('src/library/calls.ts'),
    errors: textOf('src/library/errors.ts'),
    sandbox: textOf('src/library/sandbox.ts'),
    example: textOf('examples/client.ts'),
  }),
);

describe('docs/reference', () => {
  test('is what the commands say', async () => {
    for (const [name, text] of files) await expect(text).toMatchFileSnapshot(join(folder, name));
  });

  test('has no other files', () => {
    const others = globSync('**/*.*', { cwd: folder }).filter((name) => !files.has(name));
    const isUpdate = expect.getState().snapshotState.snapshotUpdateState === 'all';
    if (isUpdate) for (const name of others) rmSync(join(folder, name));
    else expect(others).toEqual([]);
  });
});

const odd = '.start \'quoted\' \\fBback\\slash ~tilde ^hat a-b "both" | <bar> * _x_ [y] …';
const oddHelp: HelpPage = {
  description: odd,
  sections: [
    { heading: 'Odd', terms: [["'-x <a|b>", odd]], words: odd.split(' ') },
    { heading: 'Examples', lines: [".crm 'x'", `$ ${odd}`] },
  ],
};
const oddFiles = referenceFiles({
  groups: [],
  families: [],
  program: oddHelp,
  pageFor: page,
  topics: [{ name: 'flags', summary: odd, help: oddHelp }],
});

test('an odd text breaks no Markdown', () => {
  const text = oddFiles.get('topics/flags.md') ?? '';
  const escaped = '.start `\'quoted\'` \\\\fBback\\\\slash \\~tilde ^hat a-b "both" | \\<bar\\> \\* \\_x\\_ \\[y\\] …';
  expect(text).toContain(`\n${escaped}\n`);
  expect(text).toContain(`| \`'-x <a\\|b>\` | ${escaped.replace('|', '\\|')} |`);
  expect(text).toContain(`\`\`\`sh\n.crm 'x'\n${odd}\n\`\`\``);
});
