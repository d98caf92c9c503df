// The reference: the committed files are what the commands and topics say, and no others. `npm run generate` writes them again.

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isTopic, loadGroups, topics } from '../../src/command.ts';
import { groups as declared } from '../../src/commands/index.ts';
import { referenceFiles } from '../../src/derive/reference/files.ts';
import type { HelpPage } from '../../src/output/help-page.ts';
import { pageFor } from '../../src/program/program.ts';
import { topicPage } from '../../src/program/topics.ts';
import { referenceFamilies, resources } from '../../src/resources/index.ts';
import { version } from '../../src/version.ts';
import { describeWith } from '../support/tools.ts';

const docs = join(import.meta.dirname, '../../docs');

const groups = await loadGroups(declared);
const levels = groups.flatMap(({ commands }) => commands.flatMap(({ path }) => path.map((_word, index) => path.slice(0, index + 1))));
const pages = new Map<string, HelpPage>();
for (const words of [[], ...levels]) pages.set(words.join(' '), pages.get(words.join(' ')) ?? (await pageFor(declared, words)));
const page = (words: readonly string[]): HelpPage => pages.get(words.join(' ')) ?? expect.unreachable(words.join(' '));

const { markdown, man } = referenceFiles(
  {
    groups,
    families: [...resources, ...referenceFamilies],
    program: page([]),
    pageFor: page,
    topics: Object.keys(topics)
      .filter(isTopic)
      .map((name) => ({ name, summary: topics[name], help: topicPage(name) })),
  },
  version,
);

describe.each([
  ['reference', markdown],
  ['man', man],
])('docs/%s', (folder, files) => {
  test('is what the commands say', async () => {
    for (const [name, text] of files) await expect(text).toMatchFileSnapshot(join(docs, folder, name));
  });

  test('has no other files', () => {
    const others = globSync('**/*.*', { cwd: join(docs, folder) }).filter((name) => !files.has(name));
    const isUpdate = expect.getState().snapshotState.snapshotUpdateState === 'all';
    if (isUpdate) for (const name of others) rmSync(join(docs, folder, name));
    else expect(others).toEqual([]);
  });
});

// npm links what this list names, and nothing that only directories.man does.
test('package.json names every man page', async () => {
  const path = join(import.meta.dirname, '../../package.json');
  const { man: _named, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const pages = [...man.keys()].sort().map((name) => `./docs/man/${name}`);
  const members = Object.entries(manifest).flatMap(([name, value]) =>
    name === 'exports'
      ? [
          ['man', pages],
          [name, value],
        ]
      : [[name, value]],
  );
  await expect(`${JSON.stringify(Object.fromEntries(members), null, 2)}\n`).toMatchFileSnapshot(path);
});

const odd = '.start \'quoted\' \\fBback\\slash ~tilde ^hat a-b "both" | <bar> * _x_ [y] …';
const oddHelp: HelpPage = {
  description: odd,
  sections: [
    { heading: 'Odd', terms: [["'-x <a|b>", odd]], words: odd.split(' ') },
    { heading: 'Examples', lines: [".crm 'x'", `$ ${odd}`] },
  ],
};
const oddFiles = referenceFiles(
  { groups: [], families: [], program: oddHelp, pageFor: page, topics: [{ name: 'flags', summary: odd, help: oddHelp }] },
  version,
);

test('an odd text breaks no Markdown', () => {
  const text = oddFiles.markdown.get('topics/flags.md') ?? '';
  const escaped = '.start `\'quoted\'` \\\\fBback\\\\slash \\~tilde ^hat a-b "both" | \\<bar\\> \\* \\_x\\_ \\[y\\] …';
  expect(text).toContain(`\n${escaped}\n`);
  expect(text).toContain(`| \`'-x <a\\|b>\` | ${escaped.replace('|', '\\|')} |`);
  expect(text).toContain(`\`\`\`sh\n.crm 'x'\n${odd}\n\`\`\``);
});

describeWith(['mandoc'], 'man pages', {}, () => {
  test('show an odd text as it is', () => {
    const input = oddFiles.man.get('crm-flags.7') ?? '';
    const { stdout } = spawnSync('mandoc', ['-T', 'utf8', '-O', 'width=200'], { input, encoding: 'utf8' });
    // A terminal's bold and underlined letters are written twice, with a backspace between.
    const shown = stdout.replace(/.\u{8}/gu, '');
    expect(shown).toContain(`crm-flags - ${odd}`);
    expect(shown).toMatch(/^ +'-x a\|b\n/m);
    expect(shown).toContain(` .crm 'x'\n       $ ${odd}\n`);
    expect(shown.split(odd).length - 1).toBe(4);
  });

  test('are as mandoc wants them', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'crm-man-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    for (const [name, text] of man) writeFileSync(join(cwd, name), text);
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'style', ...man.keys()], { cwd, encoding: 'utf8' });
    // A date would change without the page.
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date, using ""'))).toEqual([]);
  });
});
