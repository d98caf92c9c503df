// The help topics: the files in src/cli/topics/, as help shows them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorCodes, exitStatuses } from '../../src/base/errors.ts';
import { formats, globalFlags } from '../../src/base/global-flags.ts';
import { isTopic, topics } from '../../src/cli/command.ts';
import { topicPage } from '../../src/cli/topics.ts';
import { isNoDay } from '../../src/import/columns/notation.ts';
import { helpText } from '../../src/output/help-page.ts';

const folder = join(import.meta.dirname, '../../src/cli/topics');
const names = Object.keys(topics).filter(isTopic);
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const termsUnder = (topic: (typeof names)[number], heading: string): string[] =>
  (topicPage(topic).sections.find((one) => one.heading === heading)?.terms ?? []).map(([term]) => term);

it('every topic has its file, and every file is a topic', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  expect(files.sort()).toEqual(names.map((name) => `${name}.txt`).sort());
});

it.each(names)('%s: each section has a heading and something below it, and no word of the file is lost', (name) => {
  const { sections } = topicPage(name);
  const shown = sections.flatMap(({ heading, remark = '', words = [], terms = [], lines = [] }) => {
    expect(heading).not.toBe('');
    expect(terms.length + words.length + lines.length, heading).toBeGreaterThan(0);
    for (const [term, meaning] of terms) expect([term.trim(), meaning.trim()]).toEqual([term, meaning]);
    return [heading, remark, ...words, ...terms.flat(), ...lines];
  });
  const written = readFileSync(join(folder, `${name}.txt`), 'utf8').replace(/^# (.*?)(?: \((.*)\))?$|^\{\w+\}$/gm, '$1 $2');
  const among = new Set(wordsOf(shown.join(' ')));
  const isLimit = (word: string): boolean => /^\(?\{\w+\}\)?[.,]?$/.test(word);
  expect(wordsOf(written).filter((word) => !among.has(word) && !isLimit(word))).toEqual([]);
  expect([...among].filter(isLimit)).toEqual([]);
});

it.each(names)('%s: a terminal shows no marks of Markdown', (name) => {
  expect(helpText(topicPage(name), { width: 80, color: false })).not.toMatch(/\*\*|__|\]\(|`[^`\n]*`/);
});

it('privacy names the texts that an editor left, and its command removes them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-topics '));
  mkdirSync(join(folder, 'crm-edit-a1b2c3'));
  writeFileSync(join(folder, 'crm-edit-a1b2c3', 'lead-49.yaml'), 'title: Roof\n');
  expect(termsUnder('privacy', 'Where personal data lie')).toContain('TMPDIR/crm-edit-*');
  const [command = ''] = termsUnder('privacy', 'How to erase them').filter((term) => term.includes('crm-edit'));
  execFileSync('sh', ['-c', command], { env: { ...process.env, TMPDIR: folder } });
  expect(readdirSync(folder)).toEqual([]);
  rmdirSync(folder);
});

it('what they list of the code is all of it', () => {
  expect(termsUnder('output', 'Formats')).toEqual([...formats]);
  expect(termsUnder('exit-statuses', 'Statuses')).toEqual(Object.values(exitStatuses).map(({ status }) => String(status)));
  expect(termsUnder('exit-statuses', 'Codes, with their statuses and `retry`')).toEqual(Object.keys(errorCodes));
  const flags = termsUnder('flags', 'Flags').join('\n');
  for (const { name } of globalFlags) expect(flags).toContain(`--${name}`);
});

it('import lists the words for a blank cell and for no day that are known', () => {
  const words = topicPage('import').sections.find(({ heading }) => heading === 'Words for a blank cell')?.words ?? [];
  const [, blanks = '', days = ''] = /as (NULL.*), and no day as (.*?)\. /.exec(words.join(' ')) ?? [];
  const source = readFileSync(join(folder, '../../import/columns/text-care.ts'), 'utf8');
  const known = [...(/const blankWords = \[(.*)\];/.exec(source)?.[1] ?? '').matchAll(/'(.*?)'/g)].map(([, word = '']) => word);
  expect(blanks.split(/, | or /)).toEqual(known.map((word) => word.replace('\\\\', '\\')));
  expect(days.split(/, | or /)).toHaveLength(4);
  expect(days.split(/, | or /).every(isNoDay)).toBe(true);
});

it.each([
  ['output', 'jq', 'jq has 256 MiB of memory, so it takes 40,000 records as one array'],
  ['import', 'Files', '(an array of up to 64 MiB)'],
] as const)('%s says how much fits: %s', (topic, heading, sentence) => {
  expect(
    topicPage(topic)
      .sections.find((one) => one.heading === heading)
      ?.words?.join(' '),
  ).toContain(sentence);
});
