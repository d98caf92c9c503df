// The file that an editor opens: whatever a record holds, a file that is saved as it is changes nothing, and what is typed arrives to the
// letter.

import { describe, expect, it } from 'vitest';
import { bodyIn, type EditedFile, fileText, numberedOut, shownFields, yamlFile } from '../../src/changes/edit/edited-file.ts';
import type { FileRow } from '../../src/changes/file/target.ts';
import { items } from '../../src/model/resources/items.ts';
import { leads } from '../../src/model/resources/leads.ts';

// biome-ignore format: a table
const nasty = [
  '', ' ', 'null', '~', 'no', '0123', '1250.10', '12345678901234567890.10', '2026-01-01', '# no comment', 'a # b', 'a: b', '- a', '[x',
  '{x: 1}', '*a', '&a', '!a', '| a', '> a', '%a', '@a', '`a', '"a"', "'a'", "'=1+1", '=1+1', '+49 30', '-5', '---', '...', 'a,b;c\td',
  'a\nb', 'a\nb\n', 'a\n\n\n', '\na', '  a\n b', 'a \n b \n', 'a\r\nb', 'a\r\nb\r\n', 'a\rb\nc\r\n', '\tx\n\ty', '# a\n# b', 'a\n#b',
  'a\u001b[31mb', 'a\u202eb\nc', 'zero\u200bwidth', 'ü é 日本 👩‍🚀', '<p>Dear &amp; "all"</p>\n<ul><li>x</li></ul>',
  `${'long '.repeat(60)}end`,
];

const record = (title: string) => ({
  id: 7,
  title,
  status: { id: 3, title: 'Qualified' },
  description: title,
  contact: { first_name: title },
});
const shown = shownFields(leads, ['title', 'status', 'description', 'first-name']);
const open = (title: string) => ({ id: 7, record: record(title) });

/** What is to be different, and what was shown, by the names of the fields. */
const pairsIn = ({ changes }: FileRow) => changes.map((one) => [one.field, [one.new, one.old]] as const);

const reread = (file: EditedFile, body = file.body) => file.read(bodyIn(fileText(file, body, [{ line: 2, text: 'x' }, { text: 'y' }])));

describe('a file that is saved as it is changes nothing', () => {
  it.each(nasty)('YAML: %j', async (text) => {
    expect(await reread(await yamlFile(leads, open(text), shown))).toEqual({ rows: [], complaints: [] });
  });
});

describe('what is typed', () => {
  const yaml = async (typed: string) => {
    const file = await yamlFile(leads, open('Old'), shown);
    return file.read(typed);
  };
  const texts = async (typed: string) => Object.fromEntries((await yaml(typed)).rows.flatMap(pairsIn).map(([name, [now]]) => [name, now]));

  it('is taken to the letter', async () => {
    expect(await texts('title: 0123.10\nfirst-name: no\n')).toEqual({ title: '0123.10', 'first-name': 'no' });
    expect(await texts('Title: null\nFIRST_NAME:\n')).toEqual({ title: 'null', 'first-name': '' });
    expect(await texts('description: |\n  a\n  # b\n')).toEqual({ description: 'a\n# b\n' });
  });

  it.each([
    ['a member that is not there', 'titel: x\n', { line: 1, text: 'There is no "titel" to be edited here. Did you mean "title"?' }],
    ['a member that is there twice', 'title: a\ntitle: b\n', { line: 2, text: 'title is there twice.' }],
    ['a list', 'title: [a]\n', { line: 1, text: expect.stringMatching(/^title: give one text/) }],
    ['an alias', 'title: *a\n', { text: expect.any(String), line: 1 }],
    ['no names', 'just words\n', { line: 1, text: expect.stringMatching(/^Give the values by name: title/) }],
    ['broken YAML', 'title: "a\nstatus: b\n', { line: expect.any(Number), text: expect.any(String) }],
  ])('%s is told at its line', async (_name, typed, complaint) => {
    expect((await yaml(typed)).complaints[0]).toEqual(complaint);
  });

  it('nested without end is told, too', async () => {
    expect((await yaml(`title: ${'['.repeat(20_000)}`)).complaints).not.toEqual([]);
  });
});

describe('complaints', () => {
  it('stand above the text, name the lines as they are there, and are gone the next time', async () => {
    const file = await yamlFile(leads, open('Old'), shown);
    const text = fileText(file, 'a: 1\nb: 2\n', [{ line: 2, text: 'wrong' }, { text: 'worse' }]);
    const at = Number(/line (\d+): wrong/.exec(text)?.[1]);
    expect(text.split('\n')[at - 1]).toBe('b: 2');
    expect(bodyIn(text)).toBe('a: 1\nb: 2\n');
  });

  it('and titles can put nothing into the file', async () => {
    const file = await yamlFile(leads, open('x\nstatus: 9\u001b[2J'), shown);
    const above = fileText(file, '', [{ text: 'a\nb: c' }]);
    expect(
      above
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('#')),
    ).toEqual([]);
    expect(above).not.toContain('\u001b');
  });
});

describe('the rows of a change file', () => {
  it('hold what was changed beside what was shown, and say where it stands', async () => {
    const { rows } = await (await yamlFile(leads, open('Old'), shown)).read('title: New\nstatus: Qualified\n');
    expect(rows.map((row) => [row.id, ...pairsIn(row)])).toEqual([[7, ['title', ['New', 'Old']]]]);
    expect([rows[0]?.place(), rows[0]?.place('title')]).toEqual(['lead 7', 'title']);
  });

  it('name custom fields by their numbers', async () => {
    const item = { id: 8, custom_fields: [{ id: 2, name: 'Colour', value: null }] };
    const custom = numberedOut(shownFields(items, ['custom-field']), item);
    const { rows } = await (await yamlFile(items, { id: 8, record: item }, custom)).read('custom-field-2: red\n');
    expect(rows.flatMap(pairsIn)).toEqual([['custom-field-2', ['red', '']]]);
  });
});
