// The calls that only leads have: conversion, clones, comments.

import type { Api } from '../api/client.ts';
import { recordsOf } from '../api/envelope.ts';
import { readRecord } from '../api/read-record.ts';
import type { ApiRequest } from '../api/types.ts';
import { deleteAt } from '../api/write-record.ts';
import { checkGiven } from '../bodies/create-body.ts';
import { cloneBody, conversionBody, isWholeClone, isWholeConversion, textBody } from '../bodies/operations.ts';
import { leadClone, leadComment, leadConversion, leads } from '../resources/leads.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { callOf, type Service } from './call.ts';
import { getCall, make, newestCall, pathOf } from './family-calls.ts';
import { asMember, bodyFrom, idOf, plain, type Values } from './plain-values.ts';

/** Comments hold none. */
const noDecimals: ReadonlySet<string> = new Set();

const commentsPath = (id: Id): string => `${pathOf(leads, id)}/${leadComment.path}`;
const commentsCall = (id: Id): string => `client.leads.comments.list(${id})`;

/** What leads can do beside what every family can. */
export function leadCalls(service: Service) {
  return {
    convert: callOf(service, 'client.leads.convert', ['id', 'values?'], (own, _options, id: Id, values: Values = {}) =>
      convert(own, id, values),
    ),
    clone: callOf(service, 'client.leads.clone', ['id', 'values?'], (own, _options, id: Id, values: Values = {}) => clone(own, id, values)),
    comments: {
      list: callOf(service, 'client.leads.comments.list', ['id'], async ({ api }, _options, id: Id) =>
        (await commentsOf(api, id)).map((comment) => plain(comment, noDecimals)),
      ),
      add: callOf(service, 'client.leads.comments.add', ['id', 'value'], async (own, _options, id: Id, text: unknown) => {
        const body = textBody(leadComment, text, 'text');
        return make(own, { method: 'POST', path: commentsPath(id), body, check: commentsCall(id) }, leadComment);
      }),
      delete: callOf(
        service,
        'client.leads.comments.delete',
        ['id', 'id'],
        async ({ api }, _options, id: Id, comment: Id): Promise<void> => {
          const own = idOf(comment, 'comment');
          const isThere = async (): Promise<boolean> =>
            (await commentsOf(api, id)).some((one) => scalarText(valueAt(one, 'id')) === String(own));
          await deleteAt(api, `${commentsPath(id)}/${own}`, { check: commentsCall(id) }, isThere);
        },
      ),
    },
  };
}

async function commentsOf(api: Api, id: Id): Promise<readonly unknown[]> {
  const request: ApiRequest = { method: 'GET', path: commentsPath(id) };
  return recordsOf(await api.read(request), request);
}

/** What isn't given is read from the lead's contact. */
async function convert(service: Service, id: Id, values: Values): Promise<unknown> {
  const given = bodyFrom(leadConversion, values);
  checkGiven(leadConversion, given, asMember);
  const path = `${pathOf(leads, id)}/${leadConversion.path}`;
  const { code: conflict } = leadConversion.conflict;
  const request = async (): Promise<ApiRequest> => {
    const lead = isWholeConversion(leadConversion, given) ? undefined : await readRecord(service.api, pathOf(leads, id));
    const body = conversionBody(leadConversion, lead, given, asMember);
    return { method: 'POST', path, body, check: getCall(leads, id), conflict };
  };
  return make(service, request, leadConversion);
}

/** Title and status come from the lead when not given; the service copies the rest. */
async function clone(service: Service, id: Id, values: Values): Promise<unknown> {
  const given = bodyFrom(leadClone, values);
  checkGiven(leadClone, given, asMember);
  const path = `${pathOf(leads, id)}/${leadClone.path}`;
  const request = async (): Promise<ApiRequest> => {
    const source = isWholeClone(leadClone, given) ? undefined : await readRecord(service.api, pathOf(leads, id));
    return { method: 'POST', path, body: cloneBody(leadClone, source, given, asMember), check: newestCall(leads) };
  };
  return make(service, request, leadClone);
}
