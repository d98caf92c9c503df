import { describe, expect, it } from 'vitest';
import { messageText } from '../../../src/output/streams/message.ts';

const terminal = (columns: number): { isTTY: boolean; columns: number } => ({ isTTY: true, columns });
const sentence = 'Finishing what was sent; a second Ctrl-C leaves at once.';

describe('a message', () => {
  it('breaks between words at the width of a terminal, with as much in front of each line as there should be', async () => {
    expect(await messageText(terminal(50), sentence)).toBe('Finishing what was sent; a second Ctrl-C leaves\n  at once.');
    expect(await messageText(terminal(50), sentence, { from: 2, hang: 2 })).toBe(
      'Finishing what was sent; a second Ctrl-C leaves\n  at once.',
    );
    expect(await messageText(terminal(20), '8 rows differ, and more.', { from: 7 })).toBe('8 rows\n  differ, and more.');
  });

  it('is one line off a terminal, and where it fits', async () => {
    expect(await messageText({ isTTY: false, columns: 20 }, sentence)).toBe(sentence);
    expect(await messageText(terminal(sentence.length), sentence)).toBe(sentence);
    expect(await messageText(terminal(8), '港倉庫')).toBe('港倉庫');
  });

  it('counts wide letters as two columns', async () => {
    expect(await messageText(terminal(12), '港倉庫 港倉庫')).toBe('港倉庫\n  港倉庫');
  });

  it('leaves a command to type, a URL and the path of a file whole', async () => {
    const command = 'crm leads delete --where source=Fair --where no:email';
    expect(await messageText(terminal(30), `Then run: ${command}`)).toBe(`Then run:\n  ${command}`);
    expect(await messageText(terminal(60), `They are still there, all of them: ${command}`)).toBe(
      `They are still there, all of them:\n  ${command}`,
    );
    expect(await messageText(terminal(30), 'See /home/somebody/a/long/path/to/leads.csv for it.')).toBe(
      'See\n  /home/somebody/a/long/path/to/leads.csv\n  for it.',
    );
  });

  it('goes on one step deeper than it begins', async () => {
    expect(await messageText(terminal(10), '  .[] | select(x)')).toBe('  .[] |\n    select(x)');
    expect(await messageText(terminal(30), '  crm leads delete --where source=Fair')).toBe('  crm leads delete --where source=Fair');
  });

  it.each([
    'Bad value. ↵error: Your key has expired. Renew it at https://crm.example.evil/',
    `   ${'x'.repeat(57)} error: Your key has expired.`,
    `https://crm.example/${'x'.repeat(40)}\u00a0error:\u00a0Your\u00a0key\u00a0has\u00a0expired.`,
    `https://crm.example/${'x'.repeat(40)}\u2800error:\u2800Your\u2800key\u2800has\u2800expired.`,
    `${'x'.repeat(60)}error: Your key has expired.`,
  ])('has no line but the first at the edge, whatever a service writes: %j', async (text) => {
    for (const from of [0, 7]) {
      const [, ...lines] = (await messageText(terminal(60), text, { from })).split('\n');
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toMatch(/^ {2}.{1,58}$/);
    }
  });
});
