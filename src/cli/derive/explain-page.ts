// The output of `crm explain`: a page for a terminal, or rows with a fact each for a pipe.

import type { HelpPage, HelpSection } from '../../output/help-page.ts';
import type { Endpoint } from '../command.ts';
import type { Explained, ExplainedCommand, ExplainedFlag, ExplainedGroup, ExplainedMember } from './explain.ts';

/** The page of the explained command or family. */
export function explainPage(found: Explained): HelpPage {
  switch (found.kind) {
    case 'all':
      return {
        description: 'The requests of each command, and whether it reads, writes or destroys. More: crm explain leads.create',
        sections: overview(found.groups),
      };
    case 'group':
      return {
        description: `${found.group.summary}. More: crm explain ${found.group.commands[0]?.name}`,
        sections: [{ heading: 'Commands', rows: found.group.commands.map(commandRow) }, ...familySections(found.group)],
      };
    case 'command':
      return explainedCommandPage(found.command);
  }
}

/** `PUT /api/leads/{id}/archive` */
export const requestText = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** `reads`; `writes, destroys with --delete-lead`. */
export const effectText = ({ does, destroys_when }: ExplainedCommand): string =>
  destroys_when === null ? does : `${does}, destroys ${destroys_when}`;

/** The sections of all commands: each family by itself, the other commands under their headings. */
function overview(groups: readonly ExplainedGroup[]): HelpSection[] {
  const sections = Map.groupBy(groups, ({ name, heading }) => (heading === 'Records' ? name : heading));
  return [...sections].map(([heading, some]) => ({ heading, rows: some.flatMap(({ commands }) => commands.map(commandRow)) }));
}

/** The row of a command: its effect, and its requests (for a command that writes, only the writes). */
function commandRow({ command, does, destroys_when: when, requests }: ExplainedCommand): string[] {
  const writes = requests.filter(({ method }) => method !== 'GET');
  const told = (writes.length > 0 ? writes : requests).map(requestText).join(', ');
  return [command, does, when === null ? told : `${told}${told === '' ? '' : '; '}destroys ${when}`];
}

/** The sections of a family: its states, and the filters and sorts of its list. */
function familySections({ commands, states }: ExplainedGroup): HelpSection[] {
  const list = commands.find(({ prints, flags }) => prints.json === 'array' && flags.some(({ filter }) => filter));
  if (list === undefined) return [];
  return [
    { heading: 'Members', rows: explainedMemberRows(list.prints.members) },
    { heading: 'Filters', rows: list.flags.filter(({ filter }) => filter).map(flagRow) },
    { heading: 'Sort names', rows: Object.entries(list.sort).map(([name, wire]) => [name, wire]) },
    ...stateSections(states),
  ];
}

function explainedCommandPage(command: ExplainedCommand): HelpPage {
  const { flags, requests, prints, sort, description } = command;
  const required = flags.filter((flag) => flag.required);
  const others = flags.filter((flag) => !flag.required);
  return {
    usage: usageText(command),
    description: [`${command.summary}.`, description].filter((text) => text !== null).join(' '),
    sections: [
      { heading: 'Sends', remark: effectText(command), lines: requests.length === 0 ? ['nothing'] : requests.map(requestText) },
      ...some({ heading: 'Arguments', rows: command.arguments.map((one) => [one.name, one.wire ?? '', typeText(one), helpOfValue(one)]) }),
      ...some({ heading: 'Required', rows: required.map(flagRow) }),
      ...some({ heading: 'Flags', rows: others.map(flagRow) }),
      ...some({ heading: 'Needs', rows: needRows(command) }),
      ...some({ heading: 'Sort names', rows: Object.entries(sort).map(([name, wire]) => [name, wire]) }),
      { heading: 'Prints with --json', remark: formWords[prints.json] ?? prints.json, rows: explainedMemberRows(prints.members) },
      ...(prints.whole === null
        ? []
        : [{ heading: `Prints with ${prints.whole.flag} --json`, remark: 'an object', rows: explainedMemberRows(prints.whole.members) }]),
      ...some({
        heading: 'Errors',
        remark: 'in addition to those of every command (crm help exit-statuses)',
        rows: command.errors.map(({ code, status, meaning }) => [code, String(status), meaning]),
      }),
    ],
  };
}

/** The rows of further needs: groups of flags, the cases that need --yes, and a terminal. */
function needRows({ needs, yes_when: when, refused_read_only: refused, needs_terminal: terminal }: ExplainedCommand): string[][] {
  const needed = needs.map(({ count, of, unless }) => [`${count} of`, `${of.join(', ')}${unless === null ? '' : `; not ${unless}`}`]);
  const asked = when.length === 0 ? [] : [['--yes', `off a terminal: ${when.join(', ')}`]];
  const writes = refused ? [['a service', 'that is not read only']] : [];
  return [...needed, ...asked, ...writes, ...(terminal ? [['a terminal', 'a person has to answer']] : [])];
}

const formWords: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array; each element has',
  'object or array': 'an object; for several records an array',
};

function usageText({ command, arguments: args }: ExplainedCommand): string {
  const terms = args.map(({ name, required, repeatable }) => {
    const term = `${name}${repeatable ? '...' : ''}`;
    return required ? `<${term}>` : `[${term}]`;
  });
  const tail = args.at(-1)?.behind_dashes ? ['[flags]', '--', ...terms] : [...terms, '[flags]'];
  return ['crm', command, ...tail].join(' ');
}

const some = (section: HelpSection): HelpSection[] => (section.rows?.length === 0 ? [] : [section]);

const flagRow = (flag: ExplainedFlag): string[] => [flag.name, flag.wire ?? '', typeText(flag), helpOfValue(flag)];

const explainedMemberRows = (members: readonly ExplainedMember[]): string[][] =>
  members.map((one) => [one.name, one.flag ?? '', memberType(one), choicesText(one)]);

/** Choices with at most this many characters stand in place of the type. */
const mostChoices = 24;

type Typed = Pick<ExplainedMember, 'type' | 'of' | 'choices'>;

const fits = ({ choices }: Typed): boolean => choices !== null && choices.join('|').length <= mostChoices;

/** The type of a value: `text`, `id`, or its choices when they fit. */
function typeText(value: Typed): string {
  if (fits(value)) return value.choices?.join('|') ?? '';
  if (value.of === null) return value.type;
  return value.type === 'array' ? `array of ${value.of}` : `${value.of} id`;
}

/** `text or null, not always there`. */
const memberType = (member: ExplainedMember, type = typeText(member)): string =>
  `${type}${member.nullable ? ' or null' : ''}${member.optional ? ', not always there' : ''}`;

/** Choices that the type doesn't list. */
const choicesText = (value: Typed): string => (value.choices === null || fits(value) ? '' : value.choices.join(', '));

const helpOfValue = (value: Typed & { readonly help: string }): string =>
  choicesText(value) === '' ? value.help : `${value.help}: ${choicesText(value)}`;

function stateSections(states: ExplainedGroup['states']): HelpSection[] {
  const rows = states.flatMap(({ member, values }) =>
    values.map(({ value, command }, at) => [at === 0 ? member : '', value, command === null ? '' : `crm ${command}`]),
  );
  return some({ heading: 'States', rows });
}

interface Fact {
  readonly part: string;
  readonly name: string;
  readonly wire: string;
  readonly type: string;
  readonly required: string;
  readonly help: string;
}

/** The rows for a pipe: a row for each fact of a single command, else a row for each command. */
export function explainedRows(found: Explained): readonly object[] {
  if (found.kind === 'command') return rowsOfFacts(found.command);
  const commands = found.kind === 'all' ? found.groups.flatMap((group) => group.commands) : found.group.commands;
  return commands.map((command) => ({
    command: command.command,
    does: command.does,
    destroys_when: command.destroys_when ?? '',
    requests: command.requests.map(requestText).join(', '),
    summary: command.summary,
  }));
}

function rowsOfFacts(command: ExplainedCommand): Fact[] {
  const fact = (part: string, name: string, rest: Partial<Fact> = {}): Fact => ({
    part,
    name,
    wire: '',
    type: '',
    required: '',
    help: '',
    ...rest,
  });
  const value = (part: string, one: ExplainedCommand['arguments'][number]): Fact =>
    fact(part, one.name, { wire: one.wire ?? '', type: typeText(one), required: one.required ? 'yes' : '', help: helpOfValue(one) });
  return [
    fact('command', command.command, { type: effectText(command), help: command.summary }),
    ...command.requests.map((request) => fact('request', requestText(request))),
    ...command.arguments.map((one) => value('argument', one)),
    ...command.flags.map((one) => value('flag', one)),
    ...needRows(command).map(([name = '', help = '']) => fact('need', name, { help })),
    ...Object.entries(command.sort).map(([name, wire]) => fact('sort', name, { wire })),
    ...command.prints.members.map((one) => fact('member', one.name, { type: memberType(one), help: choicesText(one) })),
    ...command.errors.map(({ code, status, meaning }) => fact('error', code, { type: String(status), help: meaning })),
  ];
}
