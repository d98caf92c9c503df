// Turns HTML of the service (a proposal's body) into lines for a terminal. Paragraphs, lists and table rows keep their lines, links their
// addresses. htmlparser2's tokenizer builds no tree, so deep nesting costs nothing.

import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Elements with a blank line before and after. */
const apart = new Set(
  'address article blockquote dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(' '),
);
/** Elements that begin and end a line. */
const block = new Set([...apart, ...'body caption center dd div dt head html li option tbody tfoot thead title tr'.split(' ')]);
/** Elements whose content is skipped. */
const unread = new Set(['script', 'style', 'template']);
const listed = new Set(['ol', 'ul']);
/** Link targets that are not shown. */
const nowhere = /^(#|javascript:|data:|$)/i;
/** Names of elements; `<john@x>` is text. */
const elementName = /^[a-z][a-z\d:-]*$/;

/** The text of HTML, in lines. Decoded entities may be control characters: make the text safe for a terminal afterwards. */
export function htmlLines(text: string): string {
  const reader = new Reader(text);
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(text);
  tokenizer.end();
  return reader.text();
}

/** An address without `http://`, `https://` and the last slash. */
const bare = (address: string): string => address.replace(/^https?:\/\//i, '').replace(/\/$/, '');

class Reader implements TokenizerCallbacks {
  readonly #source: string;
  readonly #done: string[] = [];
  /** The pieces of the current line, joined at its end: a page may be one line of a million pieces. */
  #pieces: string[] = [];
  #hasText = false;
  #endsBlank = true;
  /** A blank line comes before the next text. */
  #gap = false;
  /** The open lists, innermost last: the last number of a numbered list, undefined for others. */
  readonly #lists: (number | undefined)[] = [];
  #preformatted = 0;
  /** The element whose content is being skipped. */
  #passed: string | undefined;
  #tag = '';
  #tagStart = 0;
  #attribute = '';
  #attributes: Record<string, string> = {};
  #link: { readonly address: string; text: string } | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  text(): string {
    this.#endLink();
    this.#break();
    return this.#done.join('\n');
  }

  ontext(start: number, end: number): void {
    this.#add(this.#source.slice(start, end));
  }

  ontextentity(code: number): void {
    this.#add(String.fromCodePoint(code));
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#source.slice(start, end).toLowerCase();
    this.#tagStart = start - 1;
    this.#attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#source.slice(start, end).toLowerCase();
    this.#attributes[this.#attribute] = '';
  }

  onattribdata(start: number, end: number): void {
    this.#attributes[this.#attribute] += this.#source.slice(start, end);
  }

  onattribentity(code: number): void {
    this.#attributes[this.#attribute] += String.fromCodePoint(code);
  }

  onattribend(): void {}

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onopentagend(end: number): void {
    const tag = this.#tag;
    if (!elementName.test(tag)) this.#add(this.#source.slice(this.#tagStart, end + 1));
    else if (unread.has(tag)) this.#passed ??= tag;
    else this.#open(tag);
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#source.slice(start, end).toLowerCase();
    if (this.#passed !== undefined) {
      if (this.#passed === tag) this.#passed = undefined;
    } else if (!elementName.test(tag)) this.#add(`</${tag}>`);
    else this.#close(tag);
  }

  oncomment(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #open(tag: string): void {
    if (block.has(tag)) this.#break(apart.has(tag) && !(listed.has(tag) && this.#lists.length > 0));
    if (tag === 'br') this.#endLine();
    else if (tag === 'pre') this.#preformatted += 1;
    else if (tag === 'hr') this.#add('---');
    else if (tag === 'li') this.#pieces = [this.#mark()];
    else if (tag === 'img') this.#add(this.#attributes.alt ? `[${this.#attributes.alt}]` : '');
    else if ((tag === 'td' || tag === 'th') && this.#hasText) this.#put('  ');
    else if (tag === 'a') this.#beginLink();
    if (listed.has(tag)) this.#lists.push(tag === 'ol' ? 0 : undefined);
    if (tag === 'hr') this.#break(true);
  }

  #close(tag: string): void {
    if (tag === 'a') this.#endLink();
    if (listed.has(tag)) this.#lists.pop();
    if (tag === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1);
    if (block.has(tag)) this.#break(apart.has(tag) && !(listed.has(tag) && this.#lists.length > 0));
  }

  /** The indentation and mark of the next list element: `- ` or `2. `. */
  #mark(): string {
    const depth = Math.min(Math.max(this.#lists.length - 1, 0), 8);
    const last = this.#lists.at(-1);
    if (last !== undefined) this.#lists[this.#lists.length - 1] = last + 1;
    return `${'  '.repeat(depth)}${last === undefined ? '- ' : `${last + 1}. `}`;
  }

  #beginLink(): void {
    this.#endLink();
    this.#link = { address: (this.#attributes.href ?? '').trim(), text: '' };
  }

  #endLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined || nowhere.test(link.address)) return;
    const [address, text] = [link.address.replace(/^mailto:/i, ''), link.text.trim()];
    if (bare(text) !== bare(address)) this.#add(text === '' ? address : ` (${address})`);
  }

  #add(text: string): void {
    if (this.#passed !== undefined || text === '') return;
    if (this.#link !== undefined) this.#link.text += text;
    if (this.#preformatted > 0) {
      const [first = '', ...others] = text.split(/\r\n?|\n/);
      this.#put(first);
      for (const line of others) {
        this.#endLine();
        this.#put(line);
      }
      return;
    }
    const flowing = text.replace(/\s+/g, ' ');
    this.#put(this.#endsBlank ? flowing.replace(/^ /, '') : flowing);
  }

  #put(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#hasText ||= text.trim() !== '';
    this.#endsBlank = text.endsWith(' ');
  }

  /** Ends the line if it has text. */
  #break(withGap = false): void {
    if (this.#hasText) this.#endLine();
    else this.#pieces = [];
    this.#gap ||= withGap;
  }

  #endLine(): void {
    const line = this.#pieces.join('').trimEnd();
    const isBlank = !this.#hasText;
    this.#pieces = [];
    this.#hasText = false;
    this.#endsBlank = true;
    if (isBlank) {
      this.#gap = true;
      return;
    }
    if (this.#gap && this.#done.length > 0) this.#done.push('');
    this.#gap = false;
    this.#done.push(line);
  }
}
