// HTML as text: what stays, what is left out, and that no page can hang it or reach the terminal.

import { describe, expect, it } from 'vitest';
import { htmlLines } from '../../src/output/text/html-lines.ts';
import { holdsHtml, textReader } from '../../src/output/text/html-text.ts';

describe('what is HTML', () => {
  it.each(['<p>Hello</p>', 'a<br>b', '<BR/>', 'x <a href=y>z</a>', '</div>', '<font color="red">'])('%s is', (text) =>
    expect(holdsHtml(text)).toBe(true),
  );

  it.each([
    'a < b and c > d',
    '<john@x.example>',
    'Ann <a@b.c>',
    'if a <b and c> d',
    '<<<>>>',
    '<unit>',
    'Fish &amp; chips',
    'List<P extends X>',
  ])('%s is not, and stays as it is', async (text) => {
    expect(holdsHtml(text)).toBe(false);
    expect((await textReader(['<p>x', text]))(text)).toBe(text);
  });

  it('the parser is loaded for HTML alone', async () => {
    expect((await textReader(['a < b', '<p>x</p>']))('<p>x</p>')).toBe('x');
    expect((await textReader(['a < b']))('<p>x</p>')).toBe('<p>x</p>');
  });
});

describe('what is shown of it', () => {
  it.each([
    ['paragraphs stand apart', '<p>One\n  two</p>\n<p>three</p>', 'One two\n\nthree'],
    ['line breaks stay', 'a<br>b<br/>c<br><br><br>d', 'a\nb\nc\n\nd'],
    ['lists', '<p>We offer:</p><ul><li>One</li><li>Two<ul><li>in</li></ul></li></ul>', 'We offer:\n\n- One\n- Two\n  - in'],
    ['numbered lists', '<ol><li>a<li>b</ol>c', '1. a\n2. b\n\nc'],
    [
      'rows of a table',
      '<table><tr><th>What</th><th>Price</th></tr><tr><td>Desk</td><td>12.00</td></tr></table>',
      'What  Price\nDesk  12.00',
    ],
    ['what is preformatted', '<pre>a\n  b</pre>', 'a\n  b'],
    ['headings and rules', '<h1>Offer</h1>text<hr>end', 'Offer\n\ntext\n\n---\n\nend'],
    [
      'the address of a link',
      'See <a href="https://x.example/a?b=1&amp;c=2">our <b>site</b></a>.',
      'See our site (https://x.example/a?b=1&c=2).',
    ],
    [
      'an address that is its own text, once',
      '<a href="https://x.example/">https://x.example</a> <a href="mailto:a@b.c">a@b.c</a>',
      'https://x.example a@b.c',
    ],
    ['no address that leads nowhere', '<a href="#top">up</a><a href="javascript:alert(1)">!</a>', 'up!'],
    ['pictures by what they say', '<img src="data:image/png;base64,AAAA" alt="Logo"><img src=x>', '[Logo]'],
    ['no scripts, styles or comments', '<p>a<script>if (a<b) x()</script><style>p{}</style><!-- <p>c -->b</p>', 'ab'],
    ['entities, once', '<p>&lt;b&gt; &amp;amp; &euro;&nbsp;5</p>', '<b> &amp; € 5'],
    ['addresses in angle brackets', '<p>Ann <ann@x.example> wrote</p>', 'Ann <ann@x.example> wrote'],
    ['what is never closed', '<p>a<b>b<i>c', 'abc'],
  ])('%s', (_name, html, text) => expect(htmlLines(html)).toBe(text));
});

it.each([
  ['nested elements', '<div>'.repeat(200_000) + 'x', 'x'],
  ['nested lists', '<ul><li>'.repeat(50_000) + 'x', undefined],
  ['elements in a line', '<b>x</b>'.repeat(120_000), 'x'.repeat(120_000)],
  ['entities', `<p>${'&amp;'.repeat(200_000)}`, '&'.repeat(200_000)],
  ['cells', `<table><tr>${'<td>x'.repeat(200_000)}`, undefined],
  ['blank cells', `<table><tr>${'<td> '.repeat(200_000)}`, ''],
  ['open tags', `<p>${'<'.repeat(1_000_000)}`, undefined],
  ['open attributes', `<p ${'x='.repeat(500_000)}`, undefined],
  ['an attribute of many entities', `<a href="${'&amp;'.repeat(200_000)}">x</a>`, undefined],
  ['tags that are none', `<p>${'<p x'.repeat(250_000)}`, undefined],
  // Its square would be many minutes.
])('a megabyte of %s is read before the test is over', (_name, html, text) => {
  const read = htmlLines(html);
  if (text === undefined) expect(read).toBeTypeOf('string');
  else expect(read).toBe(text);
});
