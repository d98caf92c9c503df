// Pages of the reference as Markdown for docs/reference/, with links between them that work on GitHub and in the package.

import { dirname, join, relative } from 'node:path/posix';
import type { HelpSection } from '../../output/help-page.ts';
import type { ExplainedCommand, ExplainedGroup, ExplainedMember } from '../explain.ts';
import { requestText } from '../explain-page.ts';
import { deedSentence, memberText, ownSections, printedAs, type ReferencePage, type Writing } from './pages.ts';

type Words = readonly string[];

/** The file of a page below docs/reference/. */
export function markdownFile({ kind, words }: Pick<ReferencePage, 'kind' | 'words'>): string {
  const [first = '', ...rest] = words;
  if (kind === 'program') return 'README.md';
  if (kind === 'topic') return `topics/${first}.md`;
  if (rest.length > 0) return `${first}/${rest.join('-')}.md`;
  return kind === 'level' ? `${first}/README.md` : `${first}.md`;
}

/** The text of a page. */
export function markdownPage(page: ReferencePage, writing: Writing): string {
  const links = linksFrom(page, writing);
  const { help, alsoCalled, below, facts, members, states = [] } = page;
  const blocks = [
    '<!-- Written by `npm run generate`, from what `crm help` and `crm explain` say. -->',
    ...(page.kind === 'program' ? [] : [wayUp(page, links)]),
    `# ${titleOf(page)}`,
    links.text(help.description),
    ...(help.usage === undefined ? [] : [fenced('', [help.usage])]),
    ...(alsoCalled.length === 0 ? [] : [`Also: ${alsoCalled.map(code).join(', ')}`]),
    ...below.map(({ heading, pages }) => section(heading, pageTable(pages, links, writing))),
    ...ownSections(page).map((one) => section(one.heading, sectionBody(one, facts, links))),
    ...(facts === undefined ? [] : factSections(page, facts, links)),
    ...(members === undefined ? [] : [section('Members', memberTable(members))]),
    ...(states.length === 0 ? [] : [section('States', stateTable(states))]),
    ...seeAlso(page, links, writing),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const section = (heading: string, body: string): string => `## ${heading}\n\n${body}`;

const fenced = (language: string, lines: readonly string[]): string => ['```' + language, ...lines, '```'].join('\n');

/** Text between backticks; it has none inside. */
const code = (text: string): string => `\`${text}\``;

const escaped = (text: string): string => text.replace(/[\\`*_[\]<>~]/g, '\\$&');

/** A bar would end a cell, even between backticks. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** What a page writes to refer to others. */
interface Links {
  /** From its file to that of another page. */
  readonly path: (words: Words) => string;
  readonly link: (text: string, words: Words) => string;
  /** A text of help, with links to the pages that it names. */
  readonly text: (text: string) => string;
}

function linksFrom(page: ReferencePage, { pageOf, spans }: Writing): Links {
  const here = join('/', dirname(markdownFile(page)));
  const path = (words: Words): string => relative(here, join('/', markdownFile(pageOf(words))));
  const link = (text: string, words: Words): string => `[${text}](${path(words)})`;
  const text = (plain: string): string =>
    spans(plain)
      .map((span) => {
        if (span.kind === 'plain') return escaped(span.text);
        return span.kind === 'code' ? code(span.text) : link(code(span.text), span.words);
      })
      .join('');
  return { path, link, text };
}

const titleOf = ({ kind, words }: ReferencePage): string =>
  kind === 'program' ? 'Reference of crm' : [kind === 'topic' ? 'crm help' : 'crm', ...words].join(' ');

/** The pages above this one. */
function wayUp({ words }: ReferencePage, { link }: Links): string {
  const above = words.slice(0, -1).map((_word, index) => words.slice(0, index + 1));
  return [link('Reference', []), ...above.map((one) => link(['crm', ...one].join(' '), one))].join(' › ');
}

function pageTable(pages: readonly Words[], { link, text }: Links, { pageOf }: Writing): string {
  const rows = pages.map((words) => [link(code(['crm', ...words].join(' ')), words), text(pageOf(words).summary)]);
  return table(['Command', 'What it does'], rows);
}

function sectionBody(
  { remark, terms = [], words = [], lines = [] }: HelpSection,
  facts: ExplainedCommand | undefined,
  links: Links,
): string {
  const blocks = [
    ...(remark === undefined ? [] : [links.text(remark)]),
    ...(terms.length === 0 ? [] : [termTable(terms, facts, links)]),
    ...(words.length === 0 ? [] : [links.text(words.join(' '))]),
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

/** Terms with their meanings; those of flags and arguments with their names in the request, where they have one. */
function termTable(terms: NonNullable<HelpSection['terms']>, facts: ExplainedCommand | undefined, { text }: Links): string {
  const sent = new Map([...(facts?.arguments ?? []), ...(facts?.flags ?? [])].map(({ name, wire }) => [name, wire]));
  const wireOf = (term: string): string => sent.get(/--[\w-]+|^\w[\w-]*$/.exec(term)?.[0] ?? '') ?? '';
  const isFlags = terms.every(([term]) => term.startsWith('-'));
  const first = isFlags ? 'Flag' : facts === undefined ? '' : 'Argument';
  const rows = terms.map(([term, meaning]) => [code(term), text(meaning)]);
  if (terms.every(([term]) => wireOf(term) === '')) return table([first, first === '' ? '' : 'Meaning'], rows);
  return table(
    [first, 'Meaning', 'In the request'],
    terms.map(([term], index) => [...(rows[index] ?? []), wireOf(term) === '' ? '' : code(wireOf(term))]),
  );
}

/** What a command sends, prints and ends with. */
function factSections({ membersAt, wholeAt }: ReferencePage, facts: ExplainedCommand, { path }: Links): string[] {
  const { requests, prints, errors } = facts;
  const sent = requests.length === 0 ? [] : [fenced('', requests.map(requestText))];
  const listed = (words: Words): string => `[${words.join(' ')}](${path(words)}#members)`;
  const members = membersAt === undefined ? memberTable(prints.members) : `Members: ${listed(membersAt)}`;
  const whole = wholeAt === undefined || prints.whole === null ? '' : `With ${code(prints.whole.flag)}: ${listed(wholeAt)}`;
  const printed = [printedAs[prints.json] ?? '', members, whole].filter((text) => text !== '');
  const codes = errors.map((error) => `${code(error.code)} (${error.status})`).join(', ');
  return [
    section('Requests', [escaped(deedSentence(facts)), ...sent].join('\n\n')),
    ...(printed.length === 0 ? [] : [section('JSON', printed.join('\n\n'))]),
    ...(codes === '' ? [] : [section('Errors', `Codes beside [those of all commands](${path(['exit-statuses'])}): ${codes}`)]),
  ];
}

function memberTable(members: readonly ExplainedMember[]): string {
  if (members.length === 0) return '';
  const isSet = members.some(({ flag }) => flag !== null);
  const rows = members.map((one) => [
    code(one.name),
    escaped(memberText(one)),
    ...(isSet ? [one.flag === null ? '' : code(one.flag)] : []),
  ]);
  return table(['Member', 'Type', ...(isSet ? ['Flag'] : [])], rows);
}

/** Members that hold one of a few words, and what leads to each. */
function stateTable(states: ExplainedGroup['states']): string {
  const rows = states.flatMap(({ member, values }) =>
    values.map(({ value, command }) => [code(member), code(value), command === null ? '' : code(`crm ${command}`)]),
  );
  return table(['Member', 'Value', 'Command'], rows);
}

function seeAlso({ kind, see }: ReferencePage, { link, text }: Links, { pageOf }: Writing): string[] {
  if (kind === 'program') {
    const rows = see.map((words) => [link(code(`crm help ${words[0]}`), words), text(pageOf(words).summary)]);
    return [section('Topics', table(['Topic', 'About'], rows))];
  }
  const named = see.filter(({ length }) => length > 0);
  if (named.length === 0) return [];
  const nameOf = (words: Words): string => [pageOf(words).kind === 'topic' ? 'crm help' : 'crm', ...words].join(' ');
  return [section('See also', named.map((words) => link(code(nameOf(words)), words)).join(' · '))];
}
