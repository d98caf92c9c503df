// Makes the calls of a family from its declaration: reads, writes, actions and sets. A call is one read, one write, or a read and a write.

import { InvalidValues, invalidValue, PartialError, UnavailableError, UsageError } from '../../base/errors.ts';
import { type Id, parseCount, togetherEach } from '../../base/values/parse.ts';
import { camelCase } from '../../base/values/text/wording.ts';
import { checkGiven, createBody } from '../../model/bodies/create-body.ts';
import { actionBody, setElement } from '../../model/bodies/operations.ts';
import { absentFields } from '../../model/bodies/read-back.ts';
import { changedElements, elementsOf } from '../../model/bodies/replaced-set.ts';
import type { Action, Operation, ReplacedSet, Resource } from '../../model/define.ts';
import { underscored } from '../../model/members.ts';
import { type BodyShape, createShape, updateShape } from '../../model/shape.ts';
import { type AskedValue, keepsAny, takingOf } from '../../model/taken.ts';
import { recordsOf } from '../envelope.ts';
import { type Extent, largestPage, listPages } from '../paging.ts';
import { type PlainChange, plainAction, plainSet, plainUpdate } from '../plain-change.ts';
import { notTaken } from '../problem.ts';
import { readRecord } from '../read-record.ts';
import type { Answer, ApiRequest } from '../types.ts';
import { deleteAt, makeFrom, makeRecord, type RecordWrite, writeRecord } from '../write-record.ts';
import { membersFrom, optionsFrom } from './arguments.ts';
import { afterEarlierChanges, type Caller, callOf, during, readOptions } from './call.ts';
import type { List, SetChange, UpdateOptions } from './calls.ts';
import { asProperty, bodyFrom, checkedId, type Kinds, kindsOf, plainAnswer, queryFrom, type Values, withMembers } from './plain-values.ts';

/** In hints the client's `command`, `await`, stands in front. */
const callName = (resource: Resource, rest: string): string => `client.${resource.name}.${rest}`;

/** The call that reads one record. */
export const getCall = (resource: Resource, id: Id): string => callName(resource, `get(${id})`);

/** The call that reads the newest records. */
export const newestCall = (resource: Resource): string =>
  callName(resource, `list(${'created' in resource.sort ? "{ sort: 'created', order: 'desc' }" : ''}).page()`);

/** The calls of a family that can only be read. */
export function readCalls(service: Caller, resource: Resource) {
  return {
    list: (filters?: unknown, options?: unknown) => lazyList(service, resource, filters, options),
    get: callOf(service, callName(resource, 'get'), ['id'], (own, _options, id: Id) => getOne(own, resource, id)),
  };
}

/** The calls of a family that can be written: reads, create, update, delete, plain actions and sets. */
export function familyCalls(service: Caller, resource: Resource) {
  const { actions = [], sets = [] } = resource;
  return {
    ...readCalls(service, resource),
    create: callOf(
      service,
      callName(resource, 'create'),
      ['values'],
      (own, { read }, values: Values) => createOne(own, resource, values, read === true),
      ['read'],
    ),
    update: callOf(
      service,
      callName(resource, 'update'),
      ['id', 'values'],
      (own, options: UpdateOptions, id: Id, changes: Values) => updateOne(own, resource, id, changes, options),
      ['replace'],
    ),
    delete: callOf(service, callName(resource, 'delete'), ['id'], async ({ api }, _options, id: Id): Promise<void> => {
      await deleteAt(api, recordPath(resource, id), { check: getCall(resource, checkedId(id)) });
    }),
    ...Object.fromEntries(actions.map((action) => [camelCase(action.verb), actionCall(service, resource, action)])),
    ...Object.fromEntries(sets.map((set) => [camelCase(set.verb), setCall(service, resource, set)])),
  };
}

function actionCall(service: Caller, resource: Resource, action: Action) {
  const name = callName(resource, camelCase(action.verb));
  if (action.value === undefined)
    return callOf(service, name, ['id'], (own, _options, id: Id) => actOn(own, resource, action, id, undefined));
  return callOf(service, name, ['id', 'value'], (own, _options, id: Id, value: unknown) => actOn(own, resource, action, id, value));
}

function setCall(service: Caller, resource: Resource, set: ReplacedSet) {
  const name = callName(resource, camelCase(set.verb));
  return callOf(service, name, ['id', 'value'], (own, _options, id: Id, change: SetChange<unknown>) => {
    if (!Array.isArray(change)) checkDifference(change, name);
    return replaceSetOf(own, resource, set, id, change);
  });
}

function checkDifference(change: unknown, name: string): void {
  const parts = optionsFrom(membersFrom(change, `${name} takes the whole new set as an array, or { add, remove }`), name, [
    'add',
    'remove',
  ]);
  for (const [part, elements] of Object.entries(parts)) {
    if (elements !== undefined && !Array.isArray(elements)) throw new TypeError(`${name}: ${part} is an array.`);
  }
}

const getOne = async ({ api }: Caller, resource: Resource, id: Id): Promise<unknown> =>
  plainAnswer(await readRecord(api, recordPath(resource, id)), kindsOf(resource));

/** A record's path. Throws InvalidValues for an invalid id. */
export const recordPath = ({ path }: Resource, id: Id): string => `${path}/${checkedId(id)}`;

/**
 * The call of an operation (a clone, a conversion). `check`: the call that shows whether the operation took effect. `made`: the family of
 * the new record, if the body has its values.
 */
export function operationCall(service: Caller, resource: Resource, operation: Operation, check: (id: Id) => string, made?: Resource) {
  return callOf(service, callName(resource, operation.verb), ['id', 'values?'], async ({ api }, _options, id: Id, values: Values = {}) => {
    const given = bodyFrom(operation, values);
    checkGiven(operation, given, asProperty);
    const family = made === undefined ? undefined : { resource: made };
    const sent = makeFrom(api, resource, checkedId(id), operation, { given, named: asProperty, check: check(id), family });
    return plainMade(
      sent.then(({ answer }) => answer),
      operation,
      resource,
    );
  });
}

/** The record that a write made. `shape`: of the request body. `family`: of the record. */
export async function plainMade(sent: Promise<Answer>, shape: BodyShape, family: Parameters<typeof kindsOf>[0]): Promise<unknown> {
  const { data } = await sent.catch((error: unknown) => {
    throw withMembers(error, shape);
  });
  return plainAnswer(Array.isArray(data) ? data[0] : data, kindsOf(family));
}

function lazyList(service: Caller, resource: Resource, filters: unknown = {}, raw?: unknown): List<unknown> {
  const name = callName(resource, 'list');
  const options = readOptions(raw, name, ['limit']);
  const { limit: most = options.limit, ...narrowing } = membersFrom(filters, `${name} takes an object of filters`);
  const request: ApiRequest = { method: 'GET', path: resource.path, query: queryFrom(resource, narrowing) };
  const limit = most === undefined ? undefined : parseCount(String(most), 'limit');
  const kinds = kindsOf(resource);
  const records = async function* (): AsyncGenerator<unknown> {
    const own = service.of(options);
    const extent: Extent = limit === undefined ? { kind: 'all', complete: true } : { kind: 'count', count: limit };
    try {
      for await (const { data } of listPages(own.api, request, extent, own.signal)) {
        for (const record of data as readonly unknown[]) {
          own.signal.throwIfAborted();
          yield plainAnswer(record, kinds);
        }
      }
    } finally {
      own.end();
    }
  };
  return {
    [Symbol.asyncIterator]: records,
    toArray: () => Array.fromAsync(records()),
    page: (number, size) =>
      during(service, options, async ({ api, signal }) => {
        const [answer] = await Array.fromAsync(listPages(api, request, extentOf(number, size), signal));
        return listPage(answer, request, kinds);
      }),
  };
}

function extentOf(number: number | undefined, size: number | undefined): Parameters<typeof listPages>[2] {
  if (size !== undefined && parseCount(String(size), 'size') > largestPage)
    throw invalidValue('size', `${size} is more than ${largestPage}.`);
  if (number === undefined && size === undefined) return { kind: 'first' };
  return { kind: 'page', page: parseCount(String(number ?? 1), 'page'), ...(size === undefined ? {} : { size }) };
}

function listPage(answer: Answer | undefined, request: ApiRequest, kinds: Kinds) {
  const { total, current_page: page, last_page: lastPage } = answer?.meta ?? {};
  return {
    records: answer === undefined ? [] : recordsOf(answer, request).map((record) => plainAnswer(record, kinds)),
    ...(total === undefined ? {} : { total }),
    ...(page === undefined ? {} : { page }),
    ...(lastPage === undefined ? {} : { lastPage }),
  };
}

async function createOne(service: Caller, resource: Resource, values: Values, isRead: boolean): Promise<unknown> {
  const shape = createShape(resource);
  const body = createBody(shape, bodyFrom(shape, values), asProperty);
  const record = await plainMade(
    makeRecord(service.api, { method: 'POST', path: resource.path, body, check: newestCall(resource) }, { resource }),
    shape,
    resource,
  );
  if (!isRead) return record;
  const id = (record as { readonly id: Id }).id;
  return getOne(service, resource, id).catch((error: unknown) => {
    throw unreadError(resource, id, 'created', error);
  });
}

function unreadError(resource: Resource, id: Id, did: 'created' | 'changed', cause: unknown): PartialError {
  // The error of the read may say that nothing was sent, although the write was sent.
  const why = (cause instanceof Error ? cause.message : String(cause)).replace(/ Nothing was sent\.$/, '');
  return new PartialError(`The ${resource.singular} ${id} was ${did}, but could not be read: ${why}`, {
    id,
    hint: `${did === 'created' ? "Don't create it again. " : ''}See it with: await ${getCall(resource, id)}`,
    cause,
  });
}

async function updateOne(
  service: Caller,
  resource: Resource,
  id: Id,
  changes: Values,
  { replace = false }: UpdateOptions,
): Promise<unknown> {
  const shape = updateShape(resource);
  const given = bodyFrom(shape, changes);
  if (given.size === 0) throw new UsageError('Nothing to change: give at least one value.');
  checkGiven(shape, given, asProperty);
  if (replace) {
    const whole: RecordWrite = { method: 'PATCH', body: createBody(shape, given, asProperty) };
    return writeChange(
      service,
      resource,
      id,
      { ...plainUpdate(resource, given, asProperty), write: () => whole },
      { shape, isReplaced: true },
    );
  }
  const plain = plainUpdate(resource, given, asProperty);
  let before: object = {};
  const write = (record: unknown): RecordWrite => {
    const absent = absentFields(shape.fields, record, given).map(asProperty);
    if (absent.length > 0) {
      const message = `The service answered ${recordPath(resource, id)} without ${absent.join(', ')}; nothing was changed.`;
      throw new UnavailableError(message, {
        hint: 'Give these values, too, or { replace: true }: the service may clear values that an update does not send.',
      });
    }
    before = Object(record);
    return plain.write(record);
  };
  const after = await writeChange(service, resource, id, { ...plain, write }, { shape, isRead: true });
  if (Object.keys(before).every((name) => name in after)) return after;
  return getOne(service, resource, id).catch((error: unknown) => {
    throw unreadError(resource, checkedId(id), 'changed', error);
  });
}

async function actOn(service: Caller, resource: Resource, action: Action, id: Id, value: unknown): Promise<unknown> {
  const body = actionBody(action, value, underscored(action.value?.name ?? action.verb));
  return writeChange(service, resource, id, plainAction(resource, action, body));
}

async function replaceSetOf(service: Caller, resource: Resource, set: ReplacedSet, id: Id, wanted: SetChange<unknown>): Promise<unknown> {
  const elementsFrom = (elements: readonly unknown[], where: string) => togetherEach(elements, (one) => setElement(set, one, where));
  if (isWholeSet(wanted)) {
    const whole = elementsFrom(wanted, set.read);
    return writeChange(
      service,
      resource,
      id,
      plainSet(set, () => whole),
    );
  }
  const changed = { add: elementsFrom(wanted.add ?? [], 'add'), remove: elementsFrom(wanted.remove ?? [], 'remove') };
  if (changed.add.length + changed.remove.length === 0) throw new UsageError(`Give the whole new set as an array, or add or remove.`);
  const both = changed.add.find((element) => changed.remove.includes(element));
  if (both !== undefined) throw new InvalidValues([{ where: 'add', problem: `remove names ${both}, too.` }]);
  const plain = plainSet(set, (record) => changedElements(elementsOf(set, record, 'an array.'), changed));
  return writeChange(service, resource, id, plain, { isRead: true });
}

const isWholeSet = (wanted: SetChange<unknown>): wanted is readonly unknown[] => Array.isArray(wanted);

/** `shape`: of the request body. `isRead`: the record is read right before the write. `isReplaced`: no other value is read or sent back. */
interface WriteForm {
  readonly shape: BodyShape;
  readonly isRead: boolean;
  readonly isReplaced: boolean;
}

/**
 * Changes one record. Returns the record as answered, or only its id. After a lost answer, returns the record as read if the record shows
 * the change. Throws UnavailableError (`not_taken`) when the service kept a value as it was.
 */
export async function writeChange(
  service: Caller,
  resource: Resource,
  id: Id,
  { write, tells, holds, asks }: PlainChange,
  { shape = { fields: [] }, isRead = false, isReplaced = false }: Partial<WriteForm> = {},
): Promise<object> {
  const { api } = service;
  const checked = checkedId(id);
  const state: { sent?: RecordWrite; before?: unknown } = {};
  const makeWrite = async (): Promise<RecordWrite> => {
    state.before = isRead ? await readRecord(api, recordPath(resource, id)) : undefined;
    const sent = write(state.before);
    state.sent = sent;
    return { ...sent, check: getCall(resource, checked) };
  };
  // An answer with the id but without the values counts as proof: the caller sees the answer.
  const proof = {
    tells: (record: unknown): boolean => (state.sent === undefined ? undefined : tells(record, state.sent)) ?? true,
    keeps: (record: unknown): boolean => keepsAny(asked(), state.before, record),
    look: isReplaced
      ? undefined
      : { holds: (record: unknown): boolean => holds(record) || (state.sent !== undefined && tells(record, state.sent) === true) },
  };
  const asked = (): readonly AskedValue[] => (isReplaced || state.sent === undefined ? [] : (asks?.(state.sent) ?? []));
  const change = afterEarlierChanges(service, recordPath(resource, id), () => writeRecord(api, resource, checked, makeWrite, proof));
  const { answer, after } = await change.catch((error: unknown) => {
    throw withMembers(error, shape);
  });
  const { notTaken: kept } = takingOf(asked(), state.before, after);
  const { method = 'PUT' } = state.sent ?? {};
  if (kept.length > 0) throw notTaken({ method, path: recordPath(resource, id) }, answer.status, kept);
  return { id: checked, ...(plainAnswer(after, kindsOf(resource)) as object | undefined) };
}
