// The calls that only leads have: conversion, clones, comments.

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
import { getCall, make, newestCall, pathOf, type Service } from './family-calls.ts';
import { asMember, bodyFrom, idOf, plain, type Values } from './plain-values.ts';

/** Comments hold none. */
const noDecimals: ReadonlySet<string> = new Set();

/** What leads can do beside what every family can. */
export function leadCalls(service: Service) {
  const { api } = service;
  const commentsPath = (id: Id): string => `${pathOf(leads, id)}/${leadComment.path}`;
  const commentsCall = (id: Id): string => `client.leads.comments.list(${id})`;
  const commentsOf = async (id: Id): Promise<readonly unknown[]> => {
    const request: ApiRequest = { method: 'GET', path: commentsPath(id) };
    return recordsOf(await api.read(request), request);
  };
  return {
    /** What isn't given is read from the lead's contact. */
    convert: async (id: Id, values: Values = {}): Promise<unknown> => {
      const given = bodyFrom(leadConversion, values);
      checkGiven(leadConversion, given, asMember);
      const path = `${pathOf(leads, id)}/${leadConversion.path}`;
      const { code: conflict } = leadConversion.conflict;
      const request = async (): Promise<ApiRequest> => {
        const lead = isWholeConversion(leadConversion, given) ? undefined : await readRecord(api, pathOf(leads, id));
        const body = conversionBody(leadConversion, lead, given, asMember);
        return { method: 'POST', path, body, check: getCall(leads, id), conflict };
      };
      return make(service, request, leadConversion);
    },
    /** Title and status come from the lead when not given; the service copies the rest. */
    clone: async (id: Id, values: Values = {}): Promise<unknown> => {
      const given = bodyFrom(leadClone, values);
      checkGiven(leadClone, given, asMember);
      const path = `${pathOf(leads, id)}/${leadClone.path}`;
      const request = async (): Promise<ApiRequest> => {
        const source = isWholeClone(leadClone, given) ? undefined : await readRecord(api, pathOf(leads, id));
        return { method: 'POST', path, body: cloneBody(leadClone, source, given, asMember), check: newestCall(leads) };
      };
      return make(service, request, leadClone);
    },
    comments: {
      list: async (id: Id): Promise<unknown[]> => (await commentsOf(id)).map((comment) => plain(comment, noDecimals)),
      add: async (id: Id, text: string): Promise<unknown> => {
        const body = textBody(leadComment, text, 'text');
        return make(service, { method: 'POST', path: commentsPath(id), body, check: commentsCall(id) }, leadComment);
      },
      delete: async (id: Id, comment: Id): Promise<void> => {
        const own = idOf(comment, 'comment');
        const isThere = async (): Promise<boolean> => (await commentsOf(id)).some((one) => scalarText(valueAt(one, 'id')) === String(own));
        await deleteAt(api, `${commentsPath(id)}/${own}`, { check: commentsCall(id) }, isThere);
      },
    },
  };
}
