// The surface: all facts that scripts may rely on, one a line (commands, flags, values, printed members, codes). docs/surface.txt holds the
// surface, so that a change shows in the diff. A line may disappear only when docs/surface-removed.txt gives the reason.

import { exitStatuses } from '../../src/base/errors.ts';
import { formats, globalFlags } from '../../src/base/global-flags.ts';
import { conditionForms } from '../../src/base/values/where.ts';
import { type LoadedGroup, topics } from '../../src/cli/command.ts';
import {
  type ExplainedCommand,
  type ExplainedFlag,
  everyCode,
  explainCode,
  explainFlag,
  explainGroups,
} from '../../src/cli/derive/explain.ts';
import { effectText, requestText } from '../../src/cli/derive/explain-page.ts';
import type { Resource } from '../../src/model/define.ts';
import { errorMembers } from '../../src/output/render-error.ts';

/** The variables of the environment that crm reads. */
export const variables = [
  'CRM_PROFILE',
  'CRM_BASE_URL',
  'CRM_API_KEY',
  'CRM_CONFIG_DIR',
  'CRM_DATA_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'CI',
  'CRM_NO_INPUT',
  'CRM_READ_ONLY',
  'CRM_WAIT',
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
  'NO_COLOR',
  'CRM_PAGER',
  'PAGER',
  'BASH_COMPLETION_USER_DIR',
  'VISUAL',
  'EDITOR',
] as const;

/** The JSON that several commands print: the writes of --dry-run, the rows of an import's --dry-run, and --count. */
const otherDocuments = {
  'with --dry-run, a write': { method: 'text', url: 'text', fields: 'object' },
  'with --dry-run, an import': {
    'rows[].line': 'integer',
    'rows[].id': 'id|null',
    'rows[].title': 'text|null',
    'rows[].outcome': 'would_create|would_change|unchanged|conflict|invalid',
    'rows[].changes': 'array',
    'rows[].error': 'text|null',
    'counts.would_create': 'integer',
    'counts.would_change': 'integer',
    'counts.unchanged': 'integer',
    'counts.conflict': 'integer',
    'counts.invalid': 'integer',
  },
  'with --count': { '': 'integer' },
} as const;

/** The surface, in lines. */
export function surface(groups: readonly LoadedGroup[], families: readonly Resource[]): string {
  const explained = explainGroups(groups, families);
  const records = new Map<string, string>();
  const commands = explained.flatMap(({ commands }) => commands.flatMap((command) => commandLines(command, records)));
  const lines = [
    ...explained.flatMap(({ name, aliases }) => aliases.map((alias) => `alias ${alias} = ${name}`)),
    ...commands,
    ...globalFlags.map((flag) => `flag of every command ${flagText(explainFlag(flag))}`),
    ...formats.map((format) => `format ${format}`),
    ...conditionForms.map((form) => `condition ${form}`),
    ...Object.keys(topics).map((topic) => `topic ${topic}`),
    ...variables.map((name) => `variable ${name}`),
    ...Object.values(exitStatuses).map(({ status }) => `exit status ${status}`),
    ...everyCode.map((code) => `error code ${code} ${explainCode(code).status}`),
    ...memberLines('error object', Object.entries(errorMembers)),
    ...Object.entries(otherDocuments).flatMap(([name, members]) => memberLines(`prints ${name}`, Object.entries(members))),
  ];
  return `${lines.join('\n')}\n`;
}

const memberLines = (what: string, members: readonly (readonly [name: string, type: string])[]): string[] =>
  members.map(([name, type]) => `${what} ${name} ${type}`.replace('  ', ' '));

/** `printed`: the first command that prints certain members, by these members. */
function commandLines(command: ExplainedCommand, printed: Map<string, string>): string[] {
  const { command: name, aliases, arguments: args, flags, needs, prints, errors } = command;
  return [
    `command ${name}`,
    `does ${name} ${effectText(command)}`,
    ...command.requests.map((request) => `request ${name} ${requestText(request)}`),
    ...aliases.map((alias) => `alias ${name} ${alias}`),
    ...args.map(
      (one) => `argument ${name} ${one.required ? `<${one.name}>` : `[${one.name}]`}${one.repeatable ? '...' : ''} ${valueText(one)}`,
    ),
    ...flags.map((flag) => `flag ${name} ${flagText(flag)}`),
    ...needs.flatMap(({ count, of }) => of.map((one) => `${count === 'exactly one' ? 'one' : 'some'} of ${name} ${one}`)),
    `prints ${name} ${prints.json}`,
    ...printedLines(name, prints.members, printed),
    ...(prints.whole === null ? [] : printedLines(`${name} ${prints.whole.flag}`, prints.whole.members, printed)),
    ...errors.map(({ code }) => `error ${name} ${code}`),
  ];
}

/** The lines for the members that a command prints. If an earlier command prints the same members, one line names this command. */
function printedLines(name: string, members: ExplainedCommand['prints']['members'], printed: Map<string, string>): string[] {
  const said = members.map((one) => [one.name, `${valueText(one)}${one.nullable ? '|null' : ''}${one.optional ? '?' : ''}`] as const);
  const key = JSON.stringify(said);
  const before = said.length < 4 ? undefined : printed.get(key);
  if (before !== undefined) return [`prints ${name} as ${before}`];
  printed.set(key, name);
  return memberLines(`prints ${name}`, said);
}

const flagText = (flag: ExplainedFlag): string =>
  [flag.name, flag.short, valueText(flag), flag.required ? 'required' : null, flag.repeatable ? 'repeatable' : null]
    .filter((part) => part !== null)
    .join(' ');

const valueText = ({ type, of, choices }: Pick<ExplainedFlag, 'type' | 'of' | 'choices'>): string =>
  choices !== null ? choices.join('|') : of === null ? type : `${type} of ${of}`;

export interface SurfaceProblem {
  readonly line: string;
  readonly problem: 'gone and not acknowledged' | 'acknowledged without a reason' | 'acknowledged, and there again';
}

/**
 * The problems that forbid to replace the surface `before` by the surface `now`. `removed`: the acknowledged lines, each followed by an
 * indented line with the reason; lines that begin with # are comments.
 */
export function surfaceProblems({ before, now, removed }: Readonly<Record<'before' | 'now' | 'removed', string>>): SurfaceProblem[] {
  const present = new Set(linesOf(now));
  const lines = linesOf(removed).filter((line) => !line.startsWith('#'));
  const acknowledged = lines.filter((line) => !line.startsWith(' '));
  const unexplained = acknowledged.filter((line) => !lines[lines.indexOf(line) + 1]?.startsWith(' '));
  const goesOn = (line: string): boolean => present.has(line) || [...present].some((other) => isWider(other, line));
  const gone = linesOf(before).filter((line) => !acknowledged.includes(line) && !goesOn(line));
  return [
    ...gone.map((line) => ({ line, problem: 'gone and not acknowledged' as const })),
    ...unexplained.map((line) => ({ line, problem: 'acknowledged without a reason' as const })),
    ...acknowledged.filter((line) => present.has(line)).map((line) => ({ line, problem: 'acknowledged, and there again' as const })),
  ];
}

/** True if a line has the same flag or argument as the earlier line, with choices added. */
function isWider(line: string, before: string): boolean {
  const [words, old] = [line.split(' '), before.split(' ')];
  if (words.length !== old.length || !/^(flag|argument)$/.test(words[0] ?? '')) return false;
  return old.every((word, at) => {
    const choices = words[at]?.split('|') ?? [];
    return words[at] === word || (word.includes('|') && word.split('|').every((choice) => choices.includes(choice)));
  });
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
