// A text of a help page as spans: plain words, what is typed or printed as it stands, and commands and topics with a page of
// their own. Texts mark it with backticks where it can't be told by how it looks.

export type Span =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** The words of a page, without `crm` and `help`: `['leads', 'convert']`, `['settings']`. */
  | { readonly kind: 'page'; readonly text: string; readonly words: readonly string[] };

/** What stands as it is typed, in this order: marked, quoted, in braces, a flag, a variable, or a word with a sign that no sentence has. */
const codes = [
  '`[^`]+`',
  `\\w*=?'[^'\\s](?:[^']*[^'\\s])?'(?=$|[\\s.,;:)])`,
  '\\{(?:[^{}]|\\{[^{}]*\\})*\\}',
  '\\$\\([^)]*\\)',
  '--?[A-Za-z][\\w-]*(?:=\\S*[\\w\\]}/…])?(?: [A-Z]+\\b)?',
  '-(?=\\s(?:reads|for|or|where|takes|is)\\b|$)',
  '[A-Z]+_[A-Z_]+',
  '[a-z]+(?:_[a-z]+)+(?![\\w=!~])',
  '[a-z]\\w*(?:[.-]\\w+)*(?:!?=|~)[\\w.-]+(?:\\.\\.)?',
  '[a-z][a-z_]*(?:\\.[a-z_]+)+',
  '@{1,2}[a-z]+',
  '\\.?/[a-z][\\w/]*',
  '\\[\\]',
];

/** Finds the spans of a text; `pages` are the words of every page that `crm WORDS` or `crm help WORDS` leads to. */
export function spanFinder(pages: readonly (readonly string[])[]): (text: string) => Span[] {
  const wordsOf = new Map(pages.filter(({ length }) => length > 0).map((words) => [words.join(' '), words]));
  const longestFirst = [...wordsOf.keys()].sort((one, other) => other.length - one.length);
  const command = `crm (?:help )?(?:${longestFirst.join('|')})(?![\\w-])`;
  const begins = new RegExp(`^${command}`);
  const spanOf = (text: string): Span => {
    const words = wordsOf.get(begins.exec(text)?.[0].replace(/^crm (?:help )?/, '') ?? '');
    return words === undefined ? { kind: 'code', text } : { kind: 'page', text, words };
  };
  const pattern = new RegExp(`(?<![^\\s("'])(?:${[command, ...codes].join('|')})`, 'g');
  return (text) => {
    const spans: Span[] = [];
    let end = 0;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (index > end) spans.push({ kind: 'plain', text: text.slice(end, index) });
      spans.push(spanOf(found.replaceAll('`', '')));
      end = index + found.length;
    }
    return end < text.length ? [...spans, { kind: 'plain', text: text.slice(end) }] : spans;
  };
}
