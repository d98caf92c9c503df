// The commands that every family has, made from its declaration.

import { type ErrorCode, UsageError } from '../base/errors.ts';
import type { Flag } from '../base/flag.ts';
import { globalFlags } from '../base/global-flags.ts';
import { parseCount } from '../base/values/parse.ts';
import { headOf } from '../base/values/paths.ts';
import { listed, withArticle } from '../base/values/text/wording.ts';
import { act } from '../changes/action.ts';
import { create } from '../changes/create.ts';
import { deleteRecords, forgetFlag } from '../changes/delete.ts';
import { actionFlags, creationFlags, importFlags, planFlag, replaceSetFlags } from '../changes/flags.ts';
import { replaceSet } from '../changes/replace-set.ts';
import { update } from '../changes/update.ts';
import { type Command, command, type Endpoint, type Printed } from '../cli/command.ts';
import { paceFlags, paceOf } from '../cli/pace.ts';
import { newFlags, setsAtCreation, updateFlags, updateRefusals } from '../model/bodies/flags.ts';
import { type Action, archivedState, pluralOf, type ReplacedSet, type Resource } from '../model/define.ts';
import { updateShape } from '../model/shape.ts';
import { duplicateKeys, duplicateShape } from '../reading/duplicate-shape.ts';
import { gateFlags, getFlags, listFlags, writeSelectionFlags } from '../reading/flags.ts';
import { get } from '../reading/get.ts';
import { gateOf } from '../reading/list/gate.ts';
import { list } from '../reading/list/list.ts';
import {
  actionArguments,
  actionNeeds,
  aSelection,
  idArgument,
  readArgument,
  replaceSetArguments,
  selectionArgument,
  valueFlags,
} from './family-arguments.ts';

/** Other names of the commands that every family has. */
const aliases = { list: ['ls'], get: ['view'], delete: ['rm'] } as const;

/**
 * list and get; for a family that can be written also create, update, edit, duplicates, delete, import, its actions and replaced sets.
 * With the words of a command line, only the commands that a word names, or all if none does: to make all of them takes longer than to
 * run one.
 */
export function familyCommands(resource: Resource, words?: ReadonlySet<string>): Command[] {
  const all: readonly [names: readonly string[], make: () => Command][] = [
    [['list', ...aliases.list], () => listCommand(resource)],
    [['get', ...aliases.get], () => getCommand(resource)],
    ...(resource.readOnly ? [] : writingCommands(resource)),
  ];
  const named = all.filter(([names]) => names.some((name) => words?.has(name)));
  return (named.length > 0 ? named : all).map(([, make]) => make());
}

const writingCommands = (resource: Resource): [names: readonly string[], make: () => Command][] => [
  [['create'], () => createCommand(resource)],
  [['update'], () => updateCommand(resource)],
  [['edit'], () => editCommand(resource)],
  ...(duplicateKeys(resource).length === 0 ? [] : [[['duplicates'], () => duplicatesCommand(resource)] as [string[], () => Command]]),
  [['delete', ...aliases.delete], () => deleteCommand(resource)],
  [['import'], () => importCommand(resource)],
  ...(resource.actions ?? []).map((action): [string[], () => Command] => [
    [action.verb, ...(action.aliases ?? [])],
    () => actionCommand(resource, action),
  ]),
  ...(resource.sets ?? []).map((set): [string[], () => Command] => [
    [set.verb, ...(set.aliases ?? [])],
    () => replaceSetCommand(resource, set),
  ]),
];

function listCommand(resource: Resource): Command {
  return command({
    path: [resource.name, 'list'],
    aliases: aliases.list,
    summary: `List ${pluralOf(resource)}`,
    description:
      'A filter given twice means either value: records of the first value come first, and the service cannot sort them. With --where, ' +
      '--limit counts the records that match. By a field that the service does not sort by, crm reads the whole list and sorts it: ' +
      'ascending unless --order desc, empty values last.',
    args: [],
    flags: listFlags(resource),
    sends: [all(resource)],
    does: 'reads',
    shows: resource,
    prints: { json: 'array', of: resource },
    examples: examples(resource, 'list'),
    topics: ['output', 'flags'],
    run: async (context, input) => {
      const listed = await list(resource, context, input);
      if (!input.flags.was || listed.kind !== 'records') return listed;
      return (await import('../changes/file/list-was.ts')).asChangeFile(resource, context, listed);
    },
  });
}

function getCommand(resource: Resource): Command {
  return command({
    path: [resource.name, 'get'],
    aliases: aliases.get,
    summary: `Show one ${resource.singular}, or several`,
    args: [{ ...readArgument(resource), many: true }],
    flags: getFlags(resource),
    needs: [aSelection],
    sends: [one(resource, 'GET')],
    does: 'reads',
    shows: resource,
    prints: oneOrSeveral(resource),
    topics: ['output'],
    examples: resource.examples.get ?? [`crm ${resource.name} get 5`, `crm ${resource.name} get 5 6 --json`],
    run: async (context, input) => get(resource, context, input),
  });
}

function createCommand(resource: Resource): Command {
  const ids = examples(resource, 'ids');
  return command({
    path: [resource.name, 'create'],
    summary: `Create ${withArticle(resource.singular)}`,
    description: [
      'On a terminal, crm asks for required values that are missing.',
      ...(resource.answers?.create === undefined
        ? []
        : [`The service answers ${listed(resource.answers.create)}; --read reads the whole record afterwards.`]),
      ...(ids.length === 0 ? [] : [`The last ${ids.length === 1 ? 'example lists' : 'examples list'} the ids that the flags take.`]),
    ].join(' '),
    args: [],
    flags: creationFlags(resource),
    ...(resource.oneOf === undefined ? {} : { needs: [{ count: 'exactly one', of: resource.oneOf.flags }] }),
    ...(resource.offers === undefined ? {} : { offers: resource.offers }),
    sends: [{ method: 'POST', path: resource.path }, ...setsAtCreation(resource).map(({ path }) => one(resource, 'PUT', path))],
    does: 'writes',
    fails: uniqueCodes(resource),
    shows: resource,
    prints: { json: 'object', of: resource, ...answered(resource, 'create'), wholeWith: 'read' },
    examples: [...examples(resource, 'create'), ...ids],
    run: async (context, input) => create(resource, context, input),
  });
}

function updateCommand(resource: Resource): Command {
  const takesPercents = updateShape(resource).fields.some(({ type }) => type.kind === 'decimal');
  return command({
    path: [resource.name, 'update'],
    summary: `Change some values of ${withArticle(resource.singular)}`,
    description:
      'Reads the record, merges your flags and sends all of it back, so that nothing else changes. An empty value clears a field. Commands ' +
      'for one record on this machine wait for each other. A change that a colleague, another machine or a run makes between the read and ' +
      'the write is lost: the service has no way to prevent it.' +
      (takesPercents ? ' A percent (+3%) is always noted in the history, and names the command that undoes it.' : ''),
    args: [selectionArgument(resource)],
    flags: [...writeSelectionFlags(resource), planFlag, ...updateFlags(resource)],
    needs: [aSelection, { count: 'at least one', of: valueFlags(updateFlags(resource)) }],
    sends: [one(resource, 'GET'), one(resource, 'PATCH')],
    does: 'writes',
    fails: uniqueCodes(resource),
    shows: resource,
    prints: { ...oneOrSeveral(resource), ...answered(resource, 'update') },
    refusals: updateRefusals(resource),
    examples: examples(resource, 'update'),
    run: async (context, input) => update(resource, context, input),
  });
}

function editCommand(resource: Resource): Command {
  const { name, singular } = resource;
  return {
    path: [name, 'edit'],
    summary: `Change ${withArticle(singular)} in your editor`,
    description:
      'Opens the record as YAML in VISUAL, EDITOR or vi. Shows your changes, asks, and sends them unless somebody changed the same values ' +
      'meanwhile. An unchanged or empty file sends nothing. --fields chooses the fields in the file. ' +
      `To change several ${name}, use a change file: list --was writes the file, crm apply carries it out. ` +
      "An editor with its own window must wait until you close the file: EDITOR='code --wait'.",
    args: [idArgument(resource)],
    flags: newFlags(resource, 'Values'),
    refusals: {
      where: `edit opens one ${singular}. For several: crm ${name} list --where CONDITION --was --out ${name}.csv, and crm apply ${name}.csv`,
    },
    needsTerminal: true,
    sends: [one(resource, 'GET'), one(resource, 'PATCH')],
    does: 'writes',
    fails: uniqueCodes(resource),
    shows: resource,
    prints: { json: 'array', of: resource },
    topics: ['import'],
    examples: [`crm ${name} edit 5`, `crm ${name} edit 5 --fields ${resource.fields.find(({ only }) => only !== 'create')?.flag}`],
    run: async (context, { args, flags }) => {
      const [{ edit }, { fileWordsOf }] = await Promise.all([import('../changes/edit/edit.ts'), import('../session/names/file-words.ts')]);
      return edit(resource, context, args[0] ?? '', fileWordsOf(resource, flags));
    },
  };
}

function duplicatesCommand(resource: Resource): Command {
  const { name, singular, standing } = resource;
  const choices = duplicateKeys(resource);
  const shape = duplicateShape(resource);
  const compared =
    standing === undefined
      ? ''
      : ` Only ${standing.words.at(-1)?.word} ${name} are compared. A notice names ${name} that match a converted ${singular}.`;
  return command({
    path: [name, 'duplicates'],
    summary: `List ${name} that share an email or a phone`,
    description:
      'Lists groups. Compares emails without case and +tag, phones by their last nine digits' +
      `${choices.includes('company') ? ', companies without their legal form' : ''}.${compared} ` +
      'In a group that shares an email, keep is the id of the oldest.',
    args: [],
    flags: [
      {
        name: 'by',
        value: choices.join('|'),
        help: `The value that the ${name} share; without --by, email and phone; repeatable`,
        choices,
        repeatable: true,
      },
      ...(canMerge(resource) ? [mergePlanFlag] : []),
      { name: 'limit', value: 'n', help: 'At most n groups', least: 1 },
      ...gateFlags('groups'),
    ],
    sends: [all(resource)],
    does: 'reads',
    shows: shape,
    prints: { json: 'array', of: shape },
    topics: ['output'],
    examples: [
      `crm ${name} duplicates`,
      `crm ${name} duplicates --by email --out duplicates.csv`,
      ...(canMerge(resource) ? [`crm ${name} duplicates --plan merge.csv -q && crm apply merge.csv --dry-run`] : []),
    ],
    run: async (context, { flags }) => {
      const { duplicates } = await import('../reading/duplicates.ts');
      const { plan } = context.flags;
      const limit = flags.limit === undefined ? undefined : parseCount(flags.limit, '--limit');
      const asked = { by: flags.by, gate: gateOf(flags), limit, merges: canMerge(resource) };
      if (plan !== undefined && limit !== undefined) throw new UsageError('--plan holds every group: give it without --limit.');
      if (plan === undefined) return duplicates(resource, context, asked);
      const { writeMerges } = await import('../changes/merge/groups-file.ts');
      return duplicates(resource, context, asked, (groups) => writeMerges(resource, context, groups, { path: plan, by: flags.by }));
    },
  });
}

function deleteCommand(resource: Resource): Command {
  return command({
    path: [resource.name, 'delete'],
    aliases: aliases.delete,
    summary: `Delete ${resource.name}`,
    description:
      "Asks first, once for several; off a terminal it needs --yes. A failure doesn't stop the rest. The journal keeps the records for 90 " +
      'days: crm history show RUN --deleted. Of one id off a terminal it keeps nothing.',
    args: [{ ...selectionArgument(resource), many: true }],
    flags: [...writeSelectionFlags(resource), forgetFlag],
    needs: [aSelection],
    sends: [one(resource, 'DELETE')],
    does: 'destroys',
    shows: resource,
    prints: { ...oneOrSeveral(resource), only: ['id'] },
    examples: [`crm ${resource.name} delete 5 --yes`, `crm ${resource.name} delete 6 7 --dry-run`],
    run: async (context, input) => deleteRecords(resource, context, input),
  });
}

function importCommand(resource: Resource): Command {
  return command({
    path: [resource.name, 'import'],
    summary: `Create or change ${resource.name} from a file`,
    description:
      'Checks every row before anything is sent. A journal keeps the outcome of each row: an interrupted import goes on with --resume, and no ' +
      'row is lost or sent twice. Name the columns like the flags (company-name), or as list --csv does.',
    args: [{ name: 'file', help: 'CSV, NDJSON, JSON or .xlsx; - reads standard input', from: ['-'] }],
    flags: importFlags(resource, paceFlags('Flow')),
    sends: [all(resource), one(resource, 'GET'), { method: 'POST', path: resource.path }, one(resource, 'PATCH')],
    does: 'writes',
    onlyReads: ({ flags }) => flags['save-mapping'] !== undefined,
    asksWhen: 'with --again',
    fails: [...uniqueCodes(resource), 'already_imported', 'run_unfinished'],
    prints: { json: 'object', members: importCounts },
    topics: ['import'],
    examples: importExamples(resource),
    run: async (context, input) => {
      const known = [...importFlags(resource, paceFlags('Flow')), ...globalFlags].map(({ name }) => name);
      return (await import('../import/result.ts')).importFile(resource, context, input, {
        pace: paceOf(input.flags, context.env),
        known,
      });
    },
  });
}

function actionCommand(resource: Resource, action: Action): Command {
  return command({
    path: [resource.name, action.verb],
    ...(action.aliases === undefined ? {} : { aliases: action.aliases }),
    summary: action.summary,
    args: actionArguments(resource, action),
    flags: actionFlags(resource, action),
    needs: actionNeeds(action),
    sends: [one(resource, 'PUT', action.path)],
    does: 'writes',
    ...(action.conflict === undefined ? {} : { fails: [action.conflict.code] }),
    shows: resource,
    ...(action.many ? { prints: oneOrSeveral(resource) } : {}),
    examples: examples(resource, action.verb),
    run: async (context, input) => act(resource, action, context, input),
  });
}

function replaceSetCommand(resource: Resource, set: ReplacedSet): Command {
  return command({
    path: [resource.name, set.verb],
    ...(set.aliases === undefined ? {} : { aliases: set.aliases }),
    summary: set.summary,
    description:
      'Values behind the id become the whole set: all others are removed. --add and --remove change the set that a record has, also of several records.' +
      (set.element === undefined
        ? ''
        : ' If neither those to remove nor those to add are there, somebody else changed the set: a conflict.'),
    args: replaceSetArguments(resource, set),
    flags: replaceSetFlags(resource, set),
    needs: [
      aSelection,
      { count: 'at least one', of: [set.value.name, 'add', 'remove', 'clear', ...(set.element === undefined ? [] : ['to'])] },
    ],
    sends: [one(resource, 'PUT', set.path)],
    does: 'writes',
    shows: resource,
    prints: oneOrSeveral(resource),
    examples: examples(resource, set.verb),
    run: async (context, input) => replaceSet(resource, set, context, input),
  });
}

function importExamples(resource: Resource): string[] {
  const { name } = resource;
  return [
    ...examples(resource, 'import'),
    `crm ${name} list --out ${name}.csv && crm ${name} import ${name}.csv --mode update --dry-run`,
    `crm ${name} list -o ndjson | crm ${name} import - --mode update --rejects rejects.ndjson`,
  ];
}

const one = ({ path }: Resource, method: Endpoint['method'], below?: string): Endpoint => ({
  method,
  path: `${path}/{id}${below === undefined ? '' : `/${below}`}`,
});

const all = ({ path }: Resource): Endpoint => ({ method: 'GET', path });

const oneOrSeveral = (resource: Resource) => ({ json: 'object or array', of: resource }) as const satisfies Printed;

function answered({ answers, record }: Resource, verb: 'create' | 'update'): { readonly only?: readonly string[] } {
  const names = answers?.[verb];
  return names === undefined ? {} : { only: record.filter((path) => names.includes(headOf(path))) };
}

const uniqueCodes = ({ fields }: Resource): ErrorCode[] =>
  fields.some(({ unique, type }) => unique && type.kind === 'email') ? ['email_taken'] : [];

/** A merge tags records and archives them. */
const canMerge = (resource: Resource): boolean =>
  archivedState(resource) !== undefined && (resource.sets ?? []).some(({ element }) => element === undefined);

const mergePlanFlag: Flag = {
  name: 'plan',
  value: 'file',
  help: 'Write the changes that merge each group with a record to keep, as .csv or .xlsx, for crm apply',
};

const importCounts = {
  total: 'integer',
  updated: 'integer',
  unchanged: 'integer',
  failed: 'integer',
  left_out: 'integer',
  conflicts: 'integer',
  unknown: 'integer',
  created: 'integer',
  run: 'text|null',
  rejects: 'text|null',
};

const examples = (resource: Resource, verb: string): readonly string[] => resource.examples[verb] ?? [];
