import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leads } from '../../../src/model/resources/leads.ts';
import { htmlPage, htmlWriter } from '../../../src/output/formats/html.ts';
import { escapeHtml, linked } from '../../../src/output/text/markup.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { runs } from '../../support/property-runs.ts';
import { kestrel, now, osprey, ships } from '../samples.ts';

const decoded = (markup: string): string =>
  markup.replaceAll(
    /&(amp|lt|gt|quot|#39|#96);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' })[name] ?? '',
  );

/** Texts in which markup is likely. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '`',
        '=',
        '/',
        ' ',
        '\n',
        '\0',
        '\u202e',
        '\ud800',
        'https://',
        'mailto:',
        'javascript:',
        'a@b.example',
        'script',
        'onload',
        '&lt;',
        '-->',
        ']]>',
        'x',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('a text in a page', () => {
  it('is never markup', () => {
    const isText = fc.property(texts, (text) => {
      const markup = escapeHtml(text);
      expect(markup).not.toMatch(/[<>"'`\p{Cc}\p{Cs}\u202e](?<!\n)/u);
      expect(markup.replaceAll(/&(amp|lt|gt|quot|#39|#96);/g, '')).not.toContain('&');
      // What a reader sees is the text, but for what nobody could see.
      if (/^[\x20-\x7e]*$/.test(text)) expect(decoded(markup)).toBe(text);
    });
    fc.assert(isText, runs(20_000, 1 / 20));
  });

  it('is a link only as a whole address of the web or of email', () => {
    const isSafe = fc.property(texts, (text) => {
      const [, href, shown = ''] = /^(?:<a href="([^"<>\n]*)" rel="noreferrer">)?([^<>]*)(?:<\/a>)?$/.exec(linked(text)) ?? [];
      expect(shown).toBe(escapeHtml(text));
      if (href !== undefined) expect(decoded(href)).toMatch(/^(https?:\/\/|mailto:[^?&:]+@[^?&:]+$)/i);
    });
    fc.assert(isSafe, runs(20_000, 1 / 20));
  });

  it.each([
    [
      'https://a.example/?a=1&b="2"',
      '<a href="https://a.example/?a=1&amp;b=&quot;2&quot;" rel="noreferrer">https://a.example/?a=1&amp;b=&quot;2&quot;</a>',
    ],
    ['ada@b.example', '<a href="mailto:ada@b.example" rel="noreferrer">ada@b.example</a>'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['data:text/html,x', 'data:text/html,x'],
    ['see https://a.example', 'see https://a.example'],
    ['a@b.example?bcc=c@d.example', 'a@b.example?bcc=c@d.example'],
    ['one\r\ntwo\u202e', 'one\ntwo\\u202e'],
  ])('%s', (text, markup) => {
    expect(linked(text)).toBe(markup);
  });
});

describe('a page', () => {
  const options = (fields?: readonly string[]) => {
    const io = fakeIo();
    return { io, shape: ships, now, place: 'profile <work>', flags: { csvRaw: false, ...(fields === undefined ? {} : { fields }) } };
  };

  it('has all records, whatever the pages, and the profile and the day in its foot', async () => {
    const given = options(['id', 'name']);
    const writer = htmlWriter(given, false);
    for (const page of [[kestrel], [osprey]]) await writer.page(page);
    await writer.end();
    const page = given.io.stdoutText();
    expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`);
    expect(page).toContain('<tbody>\n<tr><td dir="auto" class="number">7</td><td dir="auto">Kestrel</td></tr>\n<tr>');
    expect(page.match(/<tr>/g)).toHaveLength(3);
    expect(page).toMatch(/<footer dir="auto">.* · profile &lt;work&gt; · \d{4}-\d\d-\d\d<\/footer>\n<\/body>\n<\/html>\n$/);
  });

  it('prints each column: many share the width of the paper', async () => {
    for (const [columns, isShared] of [
      [14, false],
      [15, true],
    ] as const) {
      const given = options(Array.from({ length: columns }, () => 'name'));
      const writer = htmlWriter(given, false);
      await writer.page([kestrel]);
      await writer.end();
      expect(given.io.stdoutText().includes('@media print { table { table-layout: fixed')).toBe(isShared);
    }
  });

  it('without records says so', async () => {
    const given = options(['id']);
    const writer = htmlWriter(given, false);
    await writer.page([]);
    await writer.end();
    expect(given.io.stdoutText()).toContain('</table>\n<p>Nothing was found.</p>\n');
  });

  it('of a record has a row a member that is not empty; its HTML is text', async () => {
    const record = {
      id: 5,
      title: 'A <b>lead</b>',
      description: '<p>One</p><script>alert(1)</script><p>Two</p>',
      contact: { email: 'a@b.example', phone: null },
    };
    const page = await htmlPage(record, { ...options(), shape: leads });
    expect(page).toContain('<title>A &lt;b&gt;lead&lt;/b&gt;</title>');
    expect(page).toMatch(/<th scope="row" dir="auto">description<\/th><td dir="auto">One\n+Two<\/td>/);
    expect(page).toContain('<th scope="row" dir="auto">contact email</th><td dir="auto"><a href="mailto:a@b.example"');
    expect(page).not.toMatch(/contact phone|<script|<b>/);
  });
});
