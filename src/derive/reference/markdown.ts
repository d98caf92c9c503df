// Pages of the reference as Markdown for docs/reference/, with links between them that work on GitHub and in the package.

import { dirname, join, relative } from 'node:path/posix';
import { fieldNamesOf } from '../../output/field-names.ts';
import type { HelpSection } from '../../output/help-page.ts';
import type { AnswerFacts, ReferencePage } from './pages.ts';
import type { Span } from './spans.ts';

/** How a page is written: which page stands for which words, and how texts fall into spans. */
export interface Writing {
  readonly pageOf: (words: readonly string[]) => ReferencePage;
  readonly spans: (text: string) => readonly Span[];
}

/** The file of a page below docs/reference/. */
export function markdownFile({ kind, words }: ReferencePage): string {
  const [first = '', ...rest] = words;
  if (kind === 'program') return 'README.md';
  if (kind === 'topic') return `topics/${first}.md`;
  if (rest.length > 0) return `${first}/${rest.join('-')}.md`;
  return kind === 'level' ? `${first}/README.md` : `${first}.md`;
}

/** The text of a page. */
export function markdownPage(page: ReferencePage, writing: Writing): string {
  const { kind, help, alsoCalled } = page;
  const write = new Writer(page, writing);
  const blocks = [
    '<!-- Written by `npm run generate`, from what `crm help` says. -->',
    ...(kind === 'program' ? [] : [write.wayUp()]),
    `# ${write.title()}`,
    write.text(help.description),
    ...(help.usage === undefined ? [] : [fenced('', [help.usage])]),
    ...(alsoCalled.length === 0 ? [] : [`Also: ${alsoCalled.map(code).join(', ')}`]),
    ...page.below.map((below) => section(below.heading, write.pageTable(below.pages))),
    ...ownSections(page).map((one) => section(one.heading, write.body(one))),
    ...(page.answer === undefined ? [] : [section(kind === 'level' ? 'Members' : 'Answer', write.answer(page.answer))]),
    ...write.seeAlso(),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The sections of the help page but for those that the reference writes itself. */
export function ownSections({ help, below }: ReferencePage): HelpSection[] {
  return help.sections.filter(({ heading }) => heading !== 'See also' && !below.some((one) => one.heading === heading));
}

const section = (heading: string, body: string): string => `## ${heading}\n\n${body}`;

const fenced = (language: string, lines: readonly string[]): string => ['```' + language, ...lines, '```'].join('\n');

/** Text between backticks; they have none inside. */
const code = (text: string): string => `\`${text}\``;

/** A cell of a table, where a bar would end it even between backticks. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

const escaped = (text: string): string => text.replace(/[\\`*_[\]<>~]/g, '\\$&');

class Writer {
  readonly #page: ReferencePage;
  readonly #writing: Writing;

  constructor(page: ReferencePage, writing: Writing) {
    this.#page = page;
    this.#writing = writing;
  }

  title(): string {
    const { kind, words } = this.#page;
    if (kind === 'program') return 'Reference of crm';
    return [kind === 'topic' ? 'crm help' : 'crm', ...words].join(' ');
  }

  /** The pages above this one, as links. */
  wayUp(): string {
    const { words } = this.#page;
    const above = words.slice(0, -1).map((_word, index) => words.slice(0, index + 1));
    return ['[Reference](' + this.#path([]) + ')', ...above.map((one) => this.#link(['crm', ...one].join(' '), one))].join(' › ');
  }

  text(text: string): string {
    const spans = this.#writing.spans(text).map((span) => {
      if (span.kind === 'plain') return escaped(span.text);
      return span.kind === 'code' ? code(span.text) : this.#link(code(span.text), span.words);
    });
    return spans.join('');
  }

  body({ remark, terms = [], words = [], lines = [] }: HelpSection): string {
    const isFlags = terms.length > 0 && terms.every(([term]) => term.startsWith('-'));
    const blocks = [
      ...(remark === undefined ? [] : [this.text(remark)]),
      ...(terms.length === 0
        ? []
        : [
            table(
              isFlags ? ['Flag', 'Meaning'] : ['', ''],
              terms.map(([term, meaning]) => [this.#term(term), this.text(meaning)]),
            ),
          ]),
      ...(words.length === 0 ? [] : [this.text(words.join(' '))]),
      ...(lines.length === 0
        ? []
        : [
            fenced(
              'sh',
              lines.map((line) => line.replace(/^\$ /, '')),
            ),
          ]),
    ];
    return blocks.join('\n\n');
  }

  /** Pages with their summaries. */
  pageTable(pages: readonly (readonly string[])[]): string {
    return table(
      ['Command', 'What it does'],
      pages.map((words) => [this.#link(code(['crm', ...words].join(' ')), words), this.text(this.#writing.pageOf(words).summary)]),
    );
  }

  answer({ shape, listedAt }: AnswerFacts): string {
    const { kind } = this.#page;
    if (kind !== 'level' && listedAt !== undefined) {
      return `Records with the [members of ${listedAt.join(' ')}](${this.#path(listedAt)}#members).`;
    }
    const rows = fieldNamesOf(shape).map(({ name, flag, type, shown }) => [
      code(name),
      flag === null ? '' : code(flag),
      escaped(type ?? ''),
      shown,
    ]);
    return table(['Member', 'Flag', 'Type', 'Column of a list'], rows);
  }

  seeAlso(): string[] {
    const { see, kind } = this.#page;
    const topics = kind === 'program' ? see : [];
    if (topics.length > 0) {
      const rows = topics.map((words) => [this.#link(code(`crm help ${words[0]}`), words), this.text(this.#writing.pageOf(words).summary)]);
      return [section('Topics', table(['Topic', 'About'], rows))];
    }
    const links = see.filter(({ length }) => length > 0).map((words) => this.#link(this.#name(words), words));
    return links.length === 0 ? [] : [section('See also', links.join(' · '))];
  }

  #name(words: readonly string[]): string {
    return this.#writing.pageOf(words).kind === 'topic' ? code(`crm help ${words[0]}`) : code(['crm', ...words].join(' '));
  }

  #term(term: string): string {
    const [span] = this.#writing.spans(term);
    return span?.kind === 'page' && span.text === term ? this.#link(code(term), span.words) : code(term);
  }

  #link(text: string, words: readonly string[]): string {
    return `[${text}](${this.#path(words)})`;
  }

  /** From this page's file to another's. */
  #path(words: readonly string[]): string {
    const [from, to] = [this.#page, this.#writing.pageOf(words)].map(markdownFile) as [string, string];
    return relative(join('/', dirname(from)), join('/', to));
  }
}
