// The flags of commands that change records. Pure and small, because help loads this file.

import type { Flag, FlagValues } from '../base/flag.ts';
import { createFlags, newFlags, setFlagsAtCreation } from '../model/bodies/flags.ts';
import { type Action, date, idType, type ReplacedSet, type Resource, text } from '../model/define.ts';
import { writeSelectionFlags } from '../reading/flags.ts';

/** The flags of a family's create. `--read`: the service may answer only a part of the new record. */
export const creationFlags = (resource: Resource) =>
  [
    ...createFlags(resource),
    ...setFlagsAtCreation(resource),
    { name: 'read', help: `Read the new ${resource.singular} afterwards, and show all of it`, group: 'Also read' },
  ] as const satisfies readonly Flag[];
export type CreationFlags = FlagValues<ReturnType<typeof creationFlags>>;

/** Writes a change file in place of sending the changes. */
export const planFlag = {
  name: 'plan',
  value: 'file',
  help: 'Write the changes to a file, .csv or .xlsx, for crm apply; send nothing',
  group: 'Selection',
} as const satisfies Flag;

/** The flags of an action that takes several records: the selection, and --to for the value. */
export function actionFlags(resource: Resource, { many, value }: Action) {
  if (!many) return [];
  if (value === undefined) return [...writeSelectionFlags(resource), planFlag] as const;
  const { name, help, type } = value;
  const choices = type.kind === 'choice' ? { choices: type.values } : {};
  return [
    ...writeSelectionFlags(resource),
    planFlag,
    { name: 'to', value: name, help: `${help}, for several ${resource.name}`, type, ...choices, group: 'Change' },
  ] as const satisfies readonly Flag[];
}
export type ActionFlags = FlagValues<ReturnType<typeof actionFlags>>;

/** The flags of a replaced set: the selection, and the changes. */
export function replaceSetFlags(resource: Resource, set: ReplacedSet) {
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
    ...(set.element === undefined
      ? []
      : [
          {
            name: 'to',
            value,
            help: 'The whole new set, also for several records; repeatable',
            repeatable: true,
            type,
            group: 'Change',
          } as const,
        ]),
  ] as const satisfies readonly Flag[];
}
export type SetFlags = FlagValues<ReturnType<typeof replaceSetFlags>>;

const textFlag = {
  name: 'text',
  value: 'comment',
  help: 'The comment, for several leads; or @file, or - for standard input',
  wire: 'comment',
  from: ['@file', '-'],
  group: 'Change',
} as const satisfies Flag;

/** The flags of the status of proposals. */
export const signedStatusFlags = (resource: Resource, action: Action) =>
  [
    ...actionFlags(resource, action),
    { name: 'clear-signatures', help: 'With several proposals: also change signed proposals; asks first', group: 'Change' },
  ] as const satisfies readonly Flag[];
export type SignedStatusFlags = FlagValues<ReturnType<typeof signedStatusFlags>>;

/** The flags of a comment on leads. */
export const commentFlags = (leads: Resource) => [...writeSelectionFlags(leads), textFlag] as const satisfies readonly Flag[];
export type CommentFlags = FlagValues<ReturnType<typeof commentFlags>>;

/** The flags of a contact. */
export const contactFlags = (leads: Resource) =>
  [
    ...commentFlags(leads),
    {
      name: 'on',
      value: 'date',
      help: 'The day of the contact (default today)',
      standard: 'today',
      type: date,
      wire: 'lead_last_contacted',
      group: 'Change',
    },
    { name: 'status', value: 'lead-status', help: 'Also set the status', type: idType('lead-status'), wire: 'status', group: 'Change' },
    { name: 'add-tag', value: 'tag', help: 'Also add a tag; repeatable', repeatable: true, type: text, wire: 'tags', group: 'Change' },
  ] as const satisfies readonly Flag[];
export type ContactFlags = FlagValues<ReturnType<typeof contactFlags>>;

const notationFlags = [
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
] as const satisfies readonly Flag[];

const encodingFlag = {
  name: 'encoding',
  value: 'name',
  help: "The file's encoding, such as windows-1252, cp1251 or shift_jis (default utf-8)",
  standard: 'utf-8',
  group: 'File',
} as const satisfies Flag;

const sheetFlag = {
  name: 'sheet',
  value: 'name',
  help: 'The sheet to read, by name or number, if an .xlsx file has several sheets',
  group: 'File',
} as const satisfies Flag;

const separatorFlag = {
  name: 'separator',
  value: 'comma|semicolon|tab|pipe',
  help: 'What separates the cells of CSV (default: guessed); any character works',
  group: 'File',
} as const satisfies Flag;

/** The flags that say how a change file is written. */
export const changeFileFlags = [sheetFlag, separatorFlag, ...notationFlags, encodingFlag] as const satisfies readonly Flag[];
export type ChangeFileFlags = FlagValues<typeof changeFileFlags>;

/** The flags of a family's import. `pace`: the flags for the pace of the requests. */
export function importFlags(resource: Resource, pace: readonly Flag[]) {
  const { name, singular, guarded = [] } = resource;
  const sets = (resource.sets ?? []).map(({ read }) => read);
  return [
    {
      name: 'format',
      value: 'csv|ndjson|json|xlsx',
      help: 'How the file is written (default: from its name)',
      choices: ['csv', 'ndjson', 'json', 'xlsx'],
      group: 'File',
    },
    sheetFlag,
    { name: 'header-line', value: 'n', help: 'The line with the names of the columns, if it is not the first', least: 1, group: 'File' },
    separatorFlag,
    {
      name: 'map',
      value: 'column=flag-name',
      help: 'The field of a column; an empty name leaves the column out; repeatable',
      repeatable: true,
      group: 'File',
    },
    { name: 'mapping', value: 'file', help: 'A YAML file with columns, words, constants and formats; flags win over it', group: 'File' },
    { name: 'save-mapping', value: 'file', help: 'Write a mapping file for you to fill in; send nothing', group: 'File' },
    { name: 'constant', value: 'flag-name=value', help: 'A value that every row has; repeatable', repeatable: true, group: 'File' },
    ...notationFlags,
    encodingFlag,
    {
      name: 'blank',
      value: 'skip|clear',
      help: 'What a blank cell does: nothing (default), or clear the value',
      choices: ['skip', 'clear'],
      standard: 'skip',
      group: 'File',
    },
    {
      name: 'mode',
      value: 'create|update|upsert',
      help: `Create ${name} (default), change existing ${name}, or change existing ${name} and create the others`,
      choices: ['create', 'update', 'upsert'],
      standard: 'create',
      group: 'Records',
    },
    {
      name: 'match',
      value: 'field',
      help: `How a row finds its ${singular}: by id (default) or a field, such as ${matchExample(resource)}`,
      standard: 'id',
      group: 'Records',
    },
    ...(sets.length === 0
      ? []
      : ([
          {
            name: 'sets',
            value: 'add|replace',
            help: `Add the file's ${sets.join(' and ')} to those that a ${singular} has, or replace these`,
            choices: ['add', 'replace'],
            group: 'Records',
          },
        ] as const)),
    ...(guarded.length === 0
      ? []
      : ([
          { name: 'clear-signatures', help: `Also set the status of signed ${name}, which clears the signature`, group: 'Records' },
        ] as const)),
    { name: 'overwrite-newer', help: `Also change ${name} that were changed since the file's dates.updated`, group: 'Records' },
    ...newFlags(resource, 'Records'),
    ...pace,
    {
      name: 'max-errors',
      value: 'n',
      help: "Stop after n failed rows; rows that --skip-invalid leaves out don't count",
      least: 1,
      group: 'Flow',
    },
    {
      name: 'rejects',
      value: 'file',
      help: 'Write the failed and unknown rows to a file, with the reasons; the file can be imported again',
      group: 'Safety',
    },
    { name: 'skip-invalid', help: 'Leave out wrong rows, and send the other rows', group: 'Safety' },
    { name: 'results', value: 'file', help: 'Write every row to a file at the end, with id, outcome and error', group: 'Safety' },
    {
      name: 'resume',
      help: 'Go on with an interrupted import, also with new rows of the file; look for unknown rows once more',
      group: 'Safety',
    },
    { name: 'again', help: 'Create all rows, also those that an earlier import created', group: 'Safety' },
  ] as const satisfies readonly Flag[];
}
export type ImportFlags = FlagValues<ReturnType<typeof importFlags>>;

const matchExample = ({ fields }: Resource): string => (fields.find(({ type }) => type.kind === 'email') ?? fields[0])?.flag ?? 'title';
