// The actions of a seed's `then`, done to a created record: the family's actions and replaced sets, and three that are written here.

import { UsageError } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { suggestion } from '../base/values/text/suggest.ts';
import type { ValueType } from '../base/values/value-type.ts';
import { commentChange } from '../changes/leads/comments.ts';
import type { RecordChange } from '../changes/record-change.ts';
import { preparedChange } from '../changes/write.ts';
import type { Api } from '../client/client.ts';
import { allRecords } from '../client/paging.ts';
import { elementsSent, plainAction, plainSet } from '../client/plain-change.ts';
import { readRecord, recordAt, unlessGone } from '../client/read-record.ts';
import { asMember } from '../model/bodies/names.ts';
import { actionBody, setBody, setElement, textBody, wholeBody } from '../model/bodies/operations.ts';
import { changedElements, elementsOf } from '../model/bodies/replaced-set.ts';
import type { Action, ReplacedSet, Resource } from '../model/define.ts';
import { createdOf, idOf } from '../model/identity.ts';
import { accountOwner, contacts } from '../model/resources/contacts.ts';
import { leadComment, leadConversion, leads } from '../model/resources/leads.ts';
import { type Look, type MadeRecord, type PreparedRequest, type SentRequest, unknowable } from '../runs/step.ts';
import { isStandIn } from '../session/dry-writes.ts';
import type { Tree } from './language/file.ts';
import { fieldNamed, valueEntries } from './language/values.ts';

/** The change that an action makes to its record. Without `read` the record is not read. */
type SeedChange = Pick<RecordChange, 'read' | 'write' | 'tells' | 'valuesIn' | 'added'>;

export interface SeedAction {
  readonly verb: string;
  readonly aliases?: readonly string[];
  /** The type of the action's value, or of each of its values. */
  readonly type?: ValueType;
  /** The body of the value in the file; undefined for an action without a body. Throws UsageError naming `where`. */
  readonly bodyOf: (value: Tree, where: string) => Body | undefined;
  /** True when the action only sets a whole value: after a crash, the action can be sent again. */
  readonly isRepeatable: boolean;
  /** Flags that must be in the record's `set`, because the action takes their values from the record. */
  readonly needs?: (body: Body | undefined) => readonly string[];
  /** The change of the record, for the body of the action's value. */
  readonly changeOf: (given: Body | undefined) => SeedChange;
  /**
   * Further records that the action made: a conversion makes a client and its user. `shown`: the service's answer, or the record read
   * after a lost answer.
   */
  readonly made?: (api: Api, body: Body | undefined, shown: unknown) => Promise<readonly MadeRecord[]>;
}

/** The actions for a family's records. */
export function actionsOf(resource: Resource): readonly SeedAction[] {
  const own = unusual[resource.name] ?? [];
  const { actions = [], guarded = [], sets = [] } = resource;
  const plain = [
    ...[...actions, ...guarded].map((action) => stateAction(resource, action)),
    ...sets.map((set) => setAction(resource, set)),
  ];
  return [...plain.filter(({ verb }) => !own.some((one) => one.verb === verb)), ...own];
}

/** The action and value of one element of `then`: `archive`, `{ status: 3 }`. Throws UsageError. */
export function actionNamed(resource: Resource, element: Tree): { readonly action: SeedAction; readonly value: Tree } {
  const [verb, value] = typeof element === 'string' ? [element, null] : onlyMember(element);
  const actions = actionsOf(resource);
  const action = actions.find((one) => one.verb === verb || one.aliases?.includes(verb));
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
    ...(value === undefined ? {} : { type: value.type }),
    bodyOf: (tree, where) => actionBody(action, tree, where),
    isRepeatable: repeatable,
    changeOf: (given) => plainAction(resource, action, given),
  };
}

/** Adds to a set. Elements that others added since the record was made stay. */
function setAction(resource: Resource, set: ReplacedSet): SeedAction {
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
    isRepeatable: true,
    changeOf: (given = new Map()) => {
      const add = elementsSent(set, { method: 'PUT', body: given });
      const elementsHeld = (record: unknown) => (record === undefined ? [] : elementsOf(set, record, `${verb} below "set"`));
      return { ...plainSet(set, (record) => changedElements(elementsHeld(record), { add, remove: [] })), read: readOf(resource) };
    },
  };
}

const readOf =
  ({ path }: Resource): NonNullable<SeedChange['read']> =>
  (api, { id }) =>
    readRecord(api, `${path}/${id}`);

/** Repeatable, since making the same contact the owner again changes nothing. */
const takingAccount: Action = { ...accountOwner, repeatable: true };

/**
 * Makes a contact the account owner of its client. Notes the replaced owner: `seed destroy` prints the command that makes the replaced
 * contact the owner again.
 */
const takeAccount: SeedAction = {
  ...stateAction(contacts, takingAccount),
  changeOf: () => ({
    ...plainAction(contacts, takingAccount, undefined),
    read: async (api, one) => {
      const contact = await readOf(contacts)(api, one);
      const query = [['client_id', scalarText(valueAt(contact, 'client.id'))] as const, ['account_owner', 'yes'] as const];
      const { data } = await api.read({ method: 'GET', path: contacts.path, query });
      const owner = Array.isArray(data) ? idOf(data[0]) : undefined;
      return owner === undefined || scalarText(owner) === scalarText(one.id) ? {} : { owner };
    },
    valuesIn: (read) => read,
  }),
};

const addComment: SeedAction = {
  verb: leadComment.verb,
  bodyOf: (value, where) => textBody(leadComment, value, where),
  isRepeatable: false,
  changeOf: (body = new Map()) => commentChange({ text: valueText(body.get('comment') ?? ''), body }, () => ''),
};

/** The flags of a conversion. `delete-lead` is left out: a run keeps the records that it made. */
const conversionFields = leadConversion.fields.filter(({ flag }) => flag !== 'delete-lead');

/** A conversion takes missing fields from the lead (interface: Leads, convert body). */
const convert: SeedAction = {
  verb: leadConversion.verb,
  bodyOf: (value, where) => {
    if (value === null || value === true) return new Map();
    if (typeof value !== 'object' || Array.isArray(value)) throw new UsageError(`${where}: Give flags of convert, or nothing.`);
    const entries = Object.entries(value).flatMap(([name, one]) =>
      valueEntries(leadConversion, fieldNamed(conversionFields, name), one, `${where}: ${name}`),
    );
    return new Map(entries);
  },
  needs: (given) => leadConversion.fields.filter(({ required, wire }) => required && !given?.has(wire)).map(({ flag }) => flag),
  isRepeatable: false,
  changeOf: (given = new Map()) => ({
    read: readOf(leads),
    write: (lead) => ({
      method: 'POST',
      below: leadConversion.path,
      body: lead === undefined ? given : wholeBody(leadConversion, lead, given, asMember, leads.singular),
    }),
    tells: (lead) => valueAt(lead, 'converted.is_converted') === true,
    valuesIn: () => undefined,
  }),
  made: (api, body, shown) => {
    // The answer is the new client. A lead that is read again holds the client's id (interface: Lead).
    const converted = valueAt(shown, 'converted');
    return conversionOf(api, body, idOf(converted === undefined ? shown : { id: valueAt(converted, 'client_id') }));
  },
};

/** The write of an action, ready to send. `given`: the value's body; undefined in a dry run while the value is unknown. */
export async function preparedAction(
  resource: Resource,
  { verb, changeOf, made }: SeedAction,
  id: Id,
  given: Body | undefined,
  api: Api,
): Promise<PreparedRequest> {
  const change = changeOf(given);
  const isToCome = isStandIn(id);
  const record = isToCome ? undefined : await change.read?.(api, { id });
  const sending = { ...change, write: (now: unknown) => change.write(now, { id }) };
  const prepared = preparedChange(sending, { resource, id, record, kind: verb, did: verb });
  if (made === undefined || isToCome) return prepared;
  const { body } = prepared.request;
  return {
    ...prepared,
    factsOf: async (answer, read) => ({ ...(await prepared.factsOf(answer, read)), made: await made(api, body, answer.data) }),
  };
}

/** Finds out, after a lost answer, whether an action took effect. */
export function actionLook({ path }: Resource, action: SeedAction, { target, body = new Map(), before }: SentRequest): Look {
  const { isRepeatable, changeOf, made, verb: did } = action;
  if (isRepeatable) return { kind: 'repeatable' };
  if (target === undefined) return unknowable;
  const { added, read, tells } = changeOf(body);
  return {
    kind: 'target',
    adds: added !== undefined || made !== undefined,
    read: async (api) => {
      const own = `${path}/${target}`;
      const now = await (added === undefined ? recordAt(api, own) : unlessGone(api, own, async () => read?.(api, { id: target })));
      const isThere = added === undefined ? tells(now, { method: 'PUT', body }) : added(before, now);
      if (isThere === 'maybe') return { end: 'unknown', candidates: [target] };
      if (isThere === undefined || isThere === false) return { end: 'absent' };
      return { end: 'found', made: (await made?.(api, body, now)) ?? [], did };
    },
  };
}

/** The journal's word for a client made by a conversion. Clients are a read-only family, so a client can't be deleted. */
export const clientNoun = 'client';

/**
 * The client and primary user of a conversion, found by the user's email, which is unique (interface: Leads, convert body). The user
 * has no id while the list lags behind.
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

const sideEffect = (family: string, id: Id | undefined, created?: string): MadeRecord => ({ family, id, created, own: true });

/** Unusual actions, by family. */
const unusual: Readonly<Record<string, readonly SeedAction[]>> = {
  [contacts.name]: [takeAccount],
  [leads.name]: [addComment, convert],
};
