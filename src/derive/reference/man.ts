// Pages of the reference as manual pages: commands in section 1, topics in section 7. man(7) macros only, which every man
// shows and which mandoc and groff take without a warning.

import { type HelpSection, wrap } from '../../output/help-page.ts';
import type { ExplainedMember } from '../explain.ts';
import { requestText } from '../explain-page.ts';
import { deedSentence, memberText, ownSections, printedAs, type ReferencePage, type Writing } from './pages.ts';

/** The file of a page below docs/man/. */
export function manFile(page: ReferencePage): string {
  return `${manName(page)}.${manSection(page)}`;
}

const manName = ({ words }: Pick<ReferencePage, 'words'>): string => ['crm', ...words].join('-');
const manSection = ({ kind }: Pick<ReferencePage, 'kind'>): string => (kind === 'topic' ? '7' : '1');

/** The text of a page; `version` stands in its last line. A date would change without the page. */
export function manPage(page: ReferencePage, writing: Writing, version: string): string {
  const { help, alsoCalled } = page;
  const text = (plain: string): string[] => wrapped(fonts(plain, writing));
  const lines = [
    `.\\" Written by "npm run generate", from what "crm help" says.`,
    `.TH ${typed(manName(page).toUpperCase())} ${manSection(page)} "" "crm ${version}" "crm"`,
    // The spaces between words stay as they are.
    '.ad l',
    '.SH NAME',
    `${typed(manName(page))} \\- ${proseOf(page.summary)}`,
    ...(help.usage === undefined ? [] : ['.SH SYNOPSIS', ...wrapped(synopsis(help.usage))]),
    ...alsoCalled.flatMap((line) => ['.br', `\\fB${typed(line)}\\fR`]),
    ...(page.kind === 'topic' ? [] : ['.SH DESCRIPTION', ...text(help.description)]),
    ...page.below.flatMap((below) => [
      `.SH ${title(below.heading)}`,
      ...below.pages.flatMap((words) => ['.TP', reference(writing.pageOf(words), ''), ...text(writing.pageOf(words).summary)]),
    ]),
    ...ownSections(page).flatMap((section) => [`.SH ${title(section.heading)}`, ...body(section, text)]),
    ...factLines(page, writing, text),
    ...seeAlso(page, writing),
  ];
  return `${lines.join('\n')}\n`;
}

function body({ remark, terms = [], words = [], lines = [] }: HelpSection, text: (plain: string) => string[]): string[] {
  const blocks = [
    ...(remark === undefined ? [] : [text(remark)]),
    ...terms.map(([term, meaning]) => ['.TP', guarded(synopsis(term)), ...text(meaning)]),
    ...(words.length === 0 ? [] : [text(words.join(' '))]),
    ...(lines.length === 0 ? [] : [['.EX', ...lines.map((line) => guarded(typed(line))), '.EE']]),
  ];
  return blocks.flatMap((block, at) => (at > 0 && block[0] !== '.TP' ? ['.PP', ...block] : block));
}

/** What a command sends, prints and ends with; what a family's records hold. */
function factLines(
  { facts, members, membersAt, ownErrors = [] }: ReferencePage,
  { pageOf }: Writing,
  text: (plain: string) => string[],
): string[] {
  if (facts === undefined) return members === undefined ? [] : ['.SH MEMBERS', ...memberLines(members)];
  const { requests, prints } = facts;
  const form = printedAs[prints.json];
  const listed = membersAt === undefined ? memberLines(prints.members) : ['Its members are in', reference(pageOf(membersAt), '.')];
  const codes = ownErrors.map(({ code, status }) => `\`${code}\` (${status})`).join(', ');
  return [
    '.SH REQUESTS',
    ...text(deedSentence(facts)),
    ...requests.flatMap((request) => ['.br', `\\fB${typed(requestText(request))}\\fR`]),
    ...(form === undefined ? [] : ['.SH JSON', ...text(form), ...listed]),
    ...(codes === ''
      ? []
      : ['.SH ERRORS', 'Codes beside those of all commands, which are in', reference(pageOf(['exit-statuses']), ':'), ...text(codes)]),
  ];
}

const memberLines = (members: readonly ExplainedMember[]): string[] =>
  members.flatMap((one) => ['.TP', `\\fB${typed(one.name)}\\fR`, proseOf(memberText(one))]);

function seeAlso(page: ReferencePage, { pageOf, spans }: Writing): string[] {
  const texts = [page.help.description, ...page.help.sections.flatMap(({ terms = [], words = [] }) => [...terms.flat(), words.join(' ')])];
  const named = texts.flatMap(spans).flatMap((span) => (span.kind === 'page' ? [span.words] : []));
  const all = new Map([...page.see, ...named].map((words) => [words.join(' '), words]));
  for (const own of [page.words, ...page.below.flatMap(({ pages }) => pages)]) all.delete(own.join(' '));
  const pages = [...all.values()].map(pageOf);
  return ['.SH SEE ALSO', ...pages.map((one, index) => reference(one, index < pages.length - 1 ? ',' : ''))];
}

/** `crm-leads(1)`, and what follows it. */
const reference = (page: ReferencePage, after: string): string => `.BR ${typed(manName(page))} (${manSection(page)})${after}`;

const title = (heading: string): string => proseOf(heading).toUpperCase();

/** A text with what is typed in bold. */
function fonts(text: string, { spans }: Writing): string {
  return spans(text)
    .map((span) => (span.kind === 'plain' ? proseOf(span.text) : `\\fB${whole(span.text)}\\fR`))
    .join('');
}

/** A usage line or a term: what is typed in bold, placeholders in italics. */
function synopsis(term: string): string {
  return term
    .split(/(<[^>]+>|\[[a-z.]+\])/)
    .map((part) => {
      if (/^<.*>$/.test(part)) return `\\fI${typed(part.slice(1, -1))}\\fR`;
      if (/^\[.*\]$/.test(part)) return `[\\fI${typed(part.slice(1, -1))}\\fR]`;
      return part.replace(/\S(?:.*\S)?/, (found) => `\\fB${typed(found)}\\fR`);
    })
    .join('');
}

/** What is typed, none of its words cut in two. */
const whole = (text: string): string => typed(text).replace(/\S+/g, '\\%$&');

/** What is typed, sign by sign: hyphens, quotes, tildes and circumflexes stay what they are. */
function typed(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/['`^~"]/g, (sign) => signs[sign] ?? sign)
    .replace(/[^\x00-\x7f]/gu, beyondAscii);
}

const signs: Readonly<Record<string, string>> = { "'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti', '"': '\\(dq' };

const proseOf = (text: string): string => text.replaceAll('\\', '\\e').replace(/[^\x00-\x7f]/gu, beyondAscii);

const beyondAscii = (sign: string): string => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** A line that begins with a control character is still text. */
const guarded = (line: string): string => (/^[.']/.test(line) ? `\\&${line}` : line);

const longest = 78;

/** Words in lines that anybody's editor shows whole. */
const wrapped = (text: string): string[] => wrap(text.split(' '), longest).map(guarded);
