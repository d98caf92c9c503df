// The actions that `then` can do with a created record: the family's actions and replaced sets, and a few of their own kind.

import { UsageError } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { isSameText } from '../base/values/text/same-text.ts';
import { suggestion } from '../base/values/text/suggest.ts';
import type { ValueType } from '../base/values/value-type.ts';
import type { Api } from '../client/client.ts';
import { allRecords } from '../client/paging.ts';
import { plainAction, plainSet } from '../client/plain-change.ts';
import { readRecord } from '../client/read-record.ts';
import type { RecordWrite } from '../client/write-record.ts';
import type { Entry } from '../model/bodies/entries.ts';
import { asMember } from '../model/bodies/names.ts';
import { actionBody, setBody, setElement, textBody, wholeBody } from '../model/bodies/operations.ts';
import { changedElements, elementsOf } from '../model/bodies/replaced-set.ts';
import type { Action, Operation, ReplacedSet, Resource } from '../model/define.ts';
import { accountOwner, contacts } from '../model/resources/contacts.ts';
import { leadComment, leadConversion, leads } from '../model/resources/leads.ts';
import { proposalStatusChange, proposals } from '../model/resources/proposals.ts';
import { createdOf, idOf, recordAt } from '../runs/lost/newest.ts';
import type { MadeRecord } from '../runs/step.ts';
import type { Tree } from './language/file.ts';
import { fieldNamed, valueEntries } from './language/values.ts';

/** The record of an action. */
interface Subject {
  readonly api: Api;
  /** `/api/leads/12`. */
  readonly path: string;
}

export interface SeedAction {
  readonly verb: string;
  readonly aliases: readonly string[];
  /** The type of the action's value, or of each of its values. */
  readonly type?: ValueType;
  /** The body of the value in the file; undefined for an action without a body. Throws UsageError naming `where`. */
  readonly bodyOf: (value: Tree, where: string) => Body | undefined;
  /** True when the action sets a whole value and nothing else, so that it can be sent again after a crash. */
  readonly repeatable: boolean;
  /** Flags that the record must set, because the action reads them from there. */
  readonly needs?: (body: Body | undefined) => readonly string[];
  /** The write of the given body. `record`: undefined without `isRead`, and in a dry run, where the record doesn't exist yet. */
  readonly write: (given: Body | undefined, record: unknown) => RecordWrite;
  readonly isRead?: true;
  /**
   * Finds out whether an action took effect whose answer was lost: the records that it made, or undefined. `earlier`: how often the same
   * record had the same action before.
   */
  readonly look?: (subject: Subject, body: Body | undefined, earlier: number) => Promise<readonly MadeRecord[] | undefined>;
  /** The value that the action replaces, read first because the service doesn't keep it. */
  readonly before?: (subject: Subject) => Promise<unknown>;
  /** The records that the action made beside its own. `answered`: the service's answer, if there was one. */
  readonly made?: (subject: Subject, body: Body | undefined, answered: unknown) => Promise<readonly MadeRecord[]>;
}

/** The actions for a family's records. */
export function actionsOf(resource: Resource): readonly SeedAction[] {
  const own = unusual[resource.name] ?? [];
  const plain = [...(resource.actions ?? []).map((action) => stateAction(resource, action)), ...(resource.sets ?? []).map(setAction)];
  return [...plain.filter(({ verb }) => !own.some((one) => one.verb === verb)), ...own];
}

/** The action and value of one element of `then`: `archive`, `{ status: 3 }`. Throws UsageError. */
export function actionNamed(resource: Resource, element: Tree): { readonly action: SeedAction; readonly value: Tree } {
  const [verb, value] = typeof element === 'string' ? [element, null] : onlyMember(element);
  const actions = actionsOf(resource);
  const action = actions.find((one) => one.verb === verb || one.aliases.includes(verb));
  if (action !== undefined) return { action, value };
  const verbs = actions.map((one) => one.verb);
  throw new UsageError(`"${verb}" can't be done with ${resource.name}.${suggestion(verb, verbs)}`);
}

function onlyMember(element: Tree): readonly [string, Tree] {
  const members = typeof element === 'object' && element !== null && !Array.isArray(element) ? Object.entries(element) : [];
  const [only] = members;
  if (only === undefined || members.length > 1) throw new UsageError('Give one action: its name, or its name and value such as status: 3.');
  return only;
}

function stateAction(resource: Resource, action: Action): SeedAction {
  const { verb, repeatable = false, value } = action;
  return {
    verb,
    aliases: [],
    ...(value === undefined ? {} : { type: value.type }),
    bodyOf: (tree, where) => actionBody(action, tree, where),
    write: (given) => plainAction(resource, action, given).write(undefined),
    repeatable,
  };
}

function setAction(set: ReplacedSet): SeedAction {
  const { verb, aliases = [] } = set;
  return {
    verb,
    aliases,
    type: set.value.type,
    bodyOf: (tree, where) => {
      const elements = tree === null ? [] : Array.isArray(tree) ? tree : [tree];
      return setBody(
        set,
        elements.map((one: Tree) => setElement(set, one, where)),
      );
    },
    // Keeps the elements that others added since the record was made.
    write: (given, record) => {
      const add = [...(given?.values() ?? [])].flatMap((value) => (Array.isArray(value) ? value : []));
      const held = record === undefined ? [] : elementsOf(set, record, `${verb} below "set"`);
      return plainSet(set, () => changedElements(held, { add, remove: [] })).write(record);
    },
    isRead: true,
    repeatable: true,
  };
}

/** An operation with the flags of its command: `{ email: a@b.c }`. */
function operationAction(operation: Operation): SeedAction {
  const { verb, path, fields } = operation;
  const entries = (value: Tree, where: string): Entry[] => {
    if (value === null || value === true) return [];
    if (typeof value !== 'object' || Array.isArray(value)) throw new UsageError(`${where}: Give flags of ${verb}, or nothing.`);
    return Object.entries(value).flatMap(([name, one]) => valueEntries(operation, fieldNamed(fields, name), one, `${where}: ${name}`));
  };
  const write = (given: Body | undefined): RecordWrite => ({
    method: 'POST',
    below: path,
    ...(given === undefined ? {} : { body: given }),
  });
  return { verb, aliases: [], bodyOf: (value, where) => new Map(entries(value, where)), write, repeatable: false };
}

/** Makes a contact the account owner of its client. Notes the replaced owner: `seed destroy` prints the command that restores it. */
const takeAccount: SeedAction = {
  ...stateAction(contacts, accountOwner),
  // A second time changes nothing.
  repeatable: true,
  before: async ({ api, path }) => {
    const contact = await readRecord(api, path);
    const query = [['client_id', scalarText(valueAt(contact, 'client.id'))] as const, ['account_owner', 'yes'] as const];
    const { data } = await api.read({ method: 'GET', path: contacts.path, query });
    const owner = Array.isArray(data) ? idOf(data[0]) : undefined;
    return owner === undefined || scalarText(owner) === scalarText(idOf(contact)) ? undefined : { owner };
  },
};

/** Sets a proposal's status. Looks before it sends the status again, which would clear a newer signature. */
const setProposalStatus: SeedAction = {
  ...stateAction(proposals, proposalStatusChange),
  look: async ({ api, path }, body) =>
    plainAction(proposals, proposalStatusChange, body).holds(await readRecord(api, path)) ? [] : undefined,
};

const addComment: SeedAction = {
  ...operationAction(leadComment),
  bodyOf: (value, where) => textBody(leadComment, value, where),
  look: async ({ api, path }, body, earlier) => {
    const { data } = await api.read({ method: 'GET', path: `${path}/comments` });
    const sent = valueText(body?.get('comment') ?? '');
    const same = (Array.isArray(data) ? data : []).filter((one) => isSameText(scalarText(valueAt(one, 'text')), sent));
    return same.length > earlier ? [] : undefined;
  },
};

/**
 * A conversion takes missing fields from the lead (interface: Leads, convert body). `delete-lead` is left out: a run keeps the records that
 * it made.
 */
const conversion = operationAction({ ...leadConversion, fields: leadConversion.fields.filter(({ flag }) => flag !== 'delete-lead') });
const convert: SeedAction = {
  ...conversion,
  needs: (given) => leadConversion.fields.filter(({ required, wire }) => required && !given?.has(wire)).map(({ flag }) => flag),
  write: (given = new Map(), lead) =>
    conversion.write(lead === undefined ? given : wholeBody(leadConversion, lead, given, asMember, leads.singular), lead),
  isRead: true,
  look: async ({ api, path }, body) => {
    const lead = await recordAt(api, path);
    if (valueAt(lead, 'converted.is_converted') !== true) return undefined;
    // The record's path of the new client (interface: Lead).
    return conversionOf(api, body, scalarText(valueAt(lead, 'converted.client_id')) || undefined);
  },
  made: async ({ api }, body, answered) => conversionOf(api, body, idOf(answered)),
};

/** The word for a client made by a conversion: clients are no family, and can't be deleted over the interface. */
export const clientNoun = 'client';

/**
 * The client and primary user of a conversion, found by the user's email, which is unique (interface: Leads, convert body). Without an id
 * for the user when the list lags behind.
 */
export async function conversionOf(api: Api, body: Body | undefined, client: Id | undefined): Promise<readonly MadeRecord[]> {
  const email = valueText(body?.get('email') ?? '').toLowerCase();
  const request = { method: 'GET' as const, path: contacts.path, query: [['search', email] as const] };
  for await (const contact of allRecords(api, request, new AbortController().signal)) {
    if (scalarText(valueAt(contact, 'email')).toLowerCase() !== email) continue;
    const own = idOf(valueAt(contact, 'client'));
    if (client === undefined || scalarText(own) === scalarText(client))
      return [sideEffect(clientNoun, own), sideEffect(contacts.name, idOf(contact), createdOf(contact))];
  }
  return [sideEffect(clientNoun, client), sideEffect(contacts.name, undefined)];
}

const sideEffect = (family: string, id: Id | undefined, created?: string): MadeRecord => ({
  family,
  ...(id === undefined ? {} : { id }),
  ...(created === undefined ? {} : { created }),
  sure: id !== undefined,
  own: true,
});

/** Unusual actions, by family. */
const unusual: Readonly<Record<string, readonly SeedAction[]>> = {
  [contacts.name]: [takeAccount],
  [proposals.name]: [setProposalStatus],
  [leads.name]: [addComment, convert],
};
