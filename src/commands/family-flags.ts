// The arguments and flags of each verb, made from a family's declaration. Pure and small, because help loads this file.

import type { Argument, Flag } from '../base/flag.ts';
import { placeholder } from '../base/values/parse.ts';
import type { Need } from '../cli/command.ts';
import { paceFlags } from '../cli/pace.ts';
import { newFlags } from '../model/bodies/flags.ts';
import { type Action, type Filter, idType, pluralOf, type ReplacedSet, type Resource } from '../model/define.ts';

/** The flags that narrow a list. */
function filterFlags(filters: readonly Filter[]): Flag[] {
  return filters.map((filter) => ({
    name: filter.flag,
    value: filter.type.kind === 'reference' ? 'type[:id]' : (placeholder(filter.type) ?? 'value'),
    help: filter.takesNone ? `${filter.help}; none: nobody` : filter.help,
    ...(filter.type.kind === 'choice' ? { choices: filter.type.values } : {}),
    wire: filter.wire,
    type: filter.type,
    ...(filter.takesNone ? { takesNone: true } : {}),
    ...(filter.listedBy === undefined ? {} : { listedBy: filter.listedBy }),
    isFilter: true,
    repeatable: true,
    group: 'Filters',
  }));
}

/** The flag that filters by standing, such as --state. */
function standingFlags({ standing }: Resource): Flag[] {
  if (standing === undefined) return [];
  const words = standing.words.map(({ word }) => word);
  const choices = [...words.slice(-1), ...words.slice(0, -1)];
  return [{ name: standing.name, value: choices.join('|'), help: standing.help, choices, group: 'Filters' }];
}

const whereFlag: Flag = {
  name: 'where',
  value: 'condition',
  help: 'Only records with field=value, field!=value, field~text, field=1..5, no:field or has:field; repeatable: all must hold',
  repeatable: true,
  group: 'Filters',
};

const extentFlags: readonly Flag[] = [
  {
    name: 'limit',
    value: 'n',
    help: 'At most n records, over all pages; with --page, the size of the page (at most 100)',
    least: 1,
    group: 'Extent',
  },
  { name: 'page', value: 'n', help: 'Only this page, from 1', least: 1, group: 'Extent' },
  { name: 'all', help: 'Every record, over all pages', group: 'Extent' },
  { name: 'count', help: 'Print only the number of records', group: 'Extent' },
];

/** The flags --at-most and --at-least. `counted`: the word for what is counted. */
export const gateFlags = (counted: string, group = 'Gate'): Flag[] => [
  { name: 'at-most', value: 'n', help: `End with status 11 when there are more ${counted}`, least: 0, group },
  { name: 'at-least', value: 'n', help: `End with status 11 when there are fewer ${counted}`, least: 0, group },
];

/** The flags that narrow a list, without the filters named in `but`. */
export const narrowingFlags = (resource: Resource, but: readonly string[] = []): Flag[] => [
  ...[...filterFlags(resource.filters), ...standingFlags(resource)].filter(({ name }) => !but.includes(name)),
  whereFlag,
];

const wasFlag: Flag = {
  name: 'was',
  help: 'Write a change file (csv or xlsx): edit the values beside their was. columns, then crm apply',
  group: 'Extent',
};

/** The flags of a family's list. */
export function listFlags(resource: Resource): Flag[] {
  const sorts = Object.keys(resource.sort);
  const standard = resource.defaultOrder === undefined ? '' : ` (default ${resource.defaultOrder})`;
  return [
    ...narrowingFlags(resource),
    { name: 'sort', value: 'field', help: `What to sort by: ${sorts.join(', ')}, or any other field`, group: 'Order', wire: 'sort' },
    {
      name: 'order',
      value: 'asc|desc',
      help: `Direction${standard}`,
      choices: ['asc', 'desc'],
      ...(resource.defaultOrder === undefined ? {} : { standard: resource.defaultOrder }),
      group: 'Order',
      wire: 'order',
    },
    ...extentFlags,
    ...(resource.readOnly ? [] : [wasFlag]),
    ...gateFlags(`${pluralOf(resource)}, with --count`, 'Extent'),
  ];
}

const notationFlags: readonly Flag[] = [
  {
    name: 'decimal-mark',
    value: 'point|comma',
    help: 'How the file writes decimals: 1,250.00 or 1.250,00',
    choices: ['point', 'comma'],
    group: 'File',
  },
  {
    name: 'date-order',
    value: 'ymd|dmy|mdy',
    help: 'How the file writes days: dmy is 31.12.2026',
    choices: ['ymd', 'dmy', 'mdy'],
    group: 'File',
  },
];

const encodingFlag: Flag = {
  name: 'encoding',
  value: 'name',
  help: "The file's encoding, such as windows-1252, cp1251 or shift_jis (default utf-8)",
  standard: 'utf-8',
  group: 'File',
};

const sheetFlag: Flag = {
  name: 'sheet',
  value: 'name',
  help: 'The sheet to read, by name or number, if an .xlsx file has several sheets',
  group: 'File',
};

const separatorFlag: Flag = {
  name: 'separator',
  value: 'comma|semicolon|tab|pipe',
  help: 'What separates the cells of CSV (default: guessed); any character works',
  group: 'File',
};

/** The flags that say how a change file is written. */
export const changeFileFlags: readonly Flag[] = [sheetFlag, separatorFlag, ...notationFlags, encodingFlag];

/** The flags of a family's import. */
export function importFlags(resource: Resource): Flag[] {
  const { name, singular, guarded = [] } = resource;
  const sets = (resource.sets ?? []).map(({ read }) => read);
  const flag = (group: string, one: string, value: string | undefined, help: string, more: Partial<Flag> = {}): Flag => ({
    name: one,
    ...(value === undefined ? {} : { value }),
    help,
    group,
    ...more,
  });
  return [
    flag('File', 'format', 'csv|ndjson|json|xlsx', 'How the file is written (default: from its name)', {
      choices: ['csv', 'ndjson', 'json', 'xlsx'],
    }),
    sheetFlag,
    flag('File', 'header-line', 'n', 'The line with the names of the columns, if it is not the first', { least: 1 }),
    separatorFlag,
    flag('File', 'map', 'column=flag-name', 'The field of a column; an empty name leaves the column out; repeatable', {
      repeatable: true,
    }),
    flag('File', 'mapping', 'file', 'A YAML file with columns, words, constants and formats; flags win over it'),
    flag('File', 'save-mapping', 'file', 'Write a mapping file for you to fill in; send nothing'),
    flag('File', 'constant', 'flag-name=value', 'A value that every row has; repeatable', { repeatable: true }),
    ...notationFlags,
    encodingFlag,
    flag('File', 'blank', 'skip|clear', 'What a blank cell does: nothing (default), or clear the value', {
      choices: ['skip', 'clear'],
      standard: 'skip',
    }),
    flag(
      'Records',
      'mode',
      'create|update|upsert',
      `Create ${name} (default), change existing ${name}, or change existing ${name} and create the others`,
      {
        choices: ['create', 'update', 'upsert'],
        standard: 'create',
      },
    ),
    flag('Records', 'match', 'field', `How a row finds its ${singular}: by id (default) or a field, such as ${matchExample(resource)}`, {
      standard: 'id',
    }),
    ...(sets.length === 0
      ? []
      : [
          flag('Records', 'sets', 'add|replace', `For existing ${name}: add the file's ${sets.join(' and ')}, or replace the old ones`, {
            choices: ['add', 'replace'],
          }),
        ]),
    ...(guarded.length === 0
      ? []
      : [flag('Records', 'clear-signatures', undefined, `Also set the status of signed ${name}, which clears the signature`)]),
    flag('Records', 'overwrite-newer', undefined, `Also change ${name} that were changed since the file's dates.updated`),
    ...newFlags(resource, 'Records'),
    ...paceFlags('Flow'),
    flag('Flow', 'max-errors', 'n', "Stop after n failed rows; rows that --skip-invalid leaves out don't count", { least: 1 }),
    flag('Safety', 'rejects', 'file', 'Write the failed and unknown rows to a file, with the reasons; the file can be imported again'),
    flag('Safety', 'skip-invalid', undefined, 'Leave out wrong rows, and send the other rows'),
    flag('Safety', 'results', 'file', 'Write every row to a file at the end, with id, outcome and error'),
    flag(
      'Safety',
      'resume',
      undefined,
      'Go on with an interrupted import, also with new rows of the file; look for unknown rows once more',
    ),
    flag('Safety', 'again', undefined, 'Create all rows, also those that an earlier import created'),
  ];
}

const matchExample = ({ fields }: Resource): string => (fields.find(({ type }) => type.kind === 'email') ?? fields[0])?.flag ?? 'title';

/** Records are selected either by ids or by --where. */
export const aSelection: Need = { count: 'exactly one', of: ['id', 'where'] };

/** The names of the flags that give a value. */
export const valueFlags = (flags: readonly Flag[]): string[] =>
  flags.filter(({ wire, name }) => wire !== undefined || name === 'set' || name === 'data').map(({ name }) => name);

/** The argument for one or several ids. */
export const selectionArgument = (resource: Resource): Argument => ({
  ...idArgument(resource),
  isListed: true,
  from: ['-'],
  help: `${idArgument(resource).help}; or ids as in 12,13, or - for ids from standard input`,
  optional: true,
});

/** The argument for one record: its id, or its email in a family with unique emails. */
export const idArgument = ({ name, singular, emailIn }: Resource): Argument => ({
  name: 'id',
  listedBy: `${name} list`,
  help: `The ${singular}'s id${emailIn === undefined ? '' : ' or email'}`,
  ...(emailIn === undefined ? {} : { takesEmail: true }),
});

/** The argument of get: ids, or a name if the records of the family have names. */
export function readArgument(resource: Resource): Argument {
  const { singular, namedAs } = resource;
  if (namedAs === undefined) return selectionArgument(resource);
  const help = `The ${singular}'s id or name; or ids as in 12,13, or - for ids from standard input`;
  return { ...selectionArgument(resource), help, type: idType(namedAs), isFilter: true };
}

/** The flag --where of commands that otherwise take ids. */
export const selectionFlag = ({ name, title = 'title' }: Resource): Flag => ({
  name: 'where',
  value: 'condition',
  help: `In place of ids: a condition on the ${name}, such as ${title}~harbour; repeatable`,
  repeatable: true,
  group: 'Selection',
});

/** Wants exactly one record of --where. */
export const oneFlag: Flag = {
  name: 'one',
  help: 'With --where: exactly one record, as an object; none is status 3, several are 2',
  group: 'Selection',
};

/** The flags that select the records of a write. */
export const writeSelectionFlags = (resource: Resource): Flag[] => [
  selectionFlag(resource),
  { name: 'at-most', value: 'n', help: 'Send nothing when more records than this are selected', least: 1, group: 'Selection' },
];

/** Writes a change file in place of sending the changes. */
export const planFlag: Flag = {
  name: 'plan',
  value: 'file',
  help: 'Write the changes to a file, .csv or .xlsx, for crm apply; send nothing',
  group: 'Selection',
};

/** The flag --with, which also reads attached records. Empty for a family without such records. */
export function withFlags({ attached = [], singular }: Resource): Flag[] {
  if (attached.length === 0) return [];
  const choices = attached.map(({ name }) => name);
  const help = `Also show these lists of the ${singular}, separated by commas`;
  return [{ name: 'with', value: 'lists', help, choices, isListed: true, repeatable: true, group: 'Also read' }];
}

/** The flag --read of create: the service may answer only a part of the new record. */
export const readFlag = ({ singular }: Resource): Flag => ({
  name: 'read',
  help: `Read the new ${singular} afterwards, and show all of it`,
  group: 'Also read',
});

/** The arguments of an action: records, then its value if it has one. */
export function actionArguments(resource: Resource, { many, value }: Action): Argument[] {
  const id: Argument = many ? selectionArgument(resource) : idArgument(resource);
  if (value === undefined) return [many ? { ...id, many } : id];
  const { name, help, wire, type } = value;
  const choices = type.kind === 'choice' ? { choices: type.values } : {};
  return [id, { name, help, wire, type, ...choices, ...(many ? { optional: true as const } : {}) }];
}

/** The flags of an action that takes several records: the selection, and --to for the value. */
export function actionFlags(resource: Resource, { many, value }: Action): Flag[] {
  if (!many) return [];
  if (value === undefined) return [...writeSelectionFlags(resource), planFlag];
  const { name, help, type } = value;
  const choices = type.kind === 'choice' ? { choices: type.values } : {};
  return [
    ...writeSelectionFlags(resource),
    planFlag,
    { name: 'to', value: name, help: `${help}, for several ${resource.name}`, type, ...choices, group: 'Change' },
  ];
}

/** The required parts of an action: its records, and its value as an argument or by --to. */
export const actionNeeds = ({ many, value }: Action): Need[] =>
  many ? [aSelection, ...(value === undefined ? [] : [{ count: 'exactly one', of: [value.name, 'to'] } as const])] : [];

/** The arguments of a replaced set: records, then the values of the new set. */
export function replaceSetArguments(resource: Resource, set: ReplacedSet): Argument[] {
  return [
    selectionArgument(resource),
    { name: set.value.name, help: 'The whole new set, for a single id', optional: true, many: true, wire: set.wire, type: set.value.type },
  ];
}

/** The flags of a replaced set: the selection, and the changes. */
export function replaceSetFlags(resource: Resource, set: ReplacedSet): Flag[] {
  const { name: value, type } = set.value;
  return [
    ...writeSelectionFlags(resource),
    planFlag,
    {
      name: 'add',
      value,
      help: 'Add to the set; repeatable. What a colleague adds at the same moment may be lost',
      repeatable: true,
      type,
      group: 'Change',
    },
    { name: 'remove', value, help: 'Remove from the set; repeatable', repeatable: true, type, group: 'Change' },
    { name: 'clear', help: 'Remove everything; with --add, only the added elements stay', group: 'Change' },
  ];
}
