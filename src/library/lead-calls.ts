// The calls that only leads have: conversion, clones, comments.

import { recordsOf } from '../api/envelope.ts';
import { readRecord } from '../api/read-record.ts';
import type { ApiRequest } from '../api/types.ts';
import { checkGiven } from '../bodies/create-body.ts';
import { cloneBody, conversionBody, isWholeClone, isWholeConversion, textBody } from '../bodies/operations.ts';
import { leadClone, leadComment, leadConversion, leads } from '../resources/leads.ts';
import type { Id } from '../values/parse.ts';
import { getCall, make, newestCall, pathOf, type Service } from './family-calls.ts';
import { asMember, bodyFrom, idOf, plain, type Values } from './plain-values.ts';

/** Comments hold none. */
const noDecimals: ReadonlySet<string> = new Set();

/** What leads can do beside what every family can. */
export function leadCalls(service: Service) {
  const { api } = service;
  const commentsPath = (id: Id): string => `${pathOf(leads, id)}/${leadComment.path}`;
  const commentsCall = (id: Id): string => `client.leads.comments.list(${id})`;
  return {
    /** What isn't given is read from the lead's contact. */
    convert: async (id: Id, values: Values = {}): Promise<unknown> => {
      const given = bodyFrom(leadConversion, values);
      checkGiven(leadConversion, given, asMember);
      const lead = isWholeConversion(leadConversion, given) ? undefined : await readRecord(api, pathOf(leads, id));
      const body = conversionBody(leadConversion, lead, given, asMember);
      const path = `${pathOf(leads, id)}/${leadConversion.path}`;
      const { code: conflict } = leadConversion.conflict;
      return make(service, { method: 'POST', path, body, check: getCall(leads, id), conflict }, leadConversion);
    },
    /** Title and status come from the lead when not given; the service copies the rest. */
    clone: async (id: Id, values: Values = {}): Promise<unknown> => {
      const given = bodyFrom(leadClone, values);
      checkGiven(leadClone, given, asMember);
      const source = isWholeClone(leadClone, given) ? undefined : await readRecord(api, pathOf(leads, id));
      const body = cloneBody(leadClone, source, given, asMember);
      const path = `${pathOf(leads, id)}/${leadClone.path}`;
      return make(service, { method: 'POST', path, body, check: newestCall(leads) }, leadClone);
    },
    comments: {
      list: async (id: Id): Promise<unknown[]> => {
        const request: ApiRequest = { method: 'GET', path: commentsPath(id) };
        return recordsOf(await api.read(request), request).map((comment) => plain(comment, noDecimals));
      },
      add: async (id: Id, text: string): Promise<unknown> => {
        const body = textBody(leadComment, text, 'text');
        return make(service, { method: 'POST', path: commentsPath(id), body, check: commentsCall(id) }, leadComment);
      },
      delete: async (id: Id, comment: Id): Promise<void> => {
        const path = `${commentsPath(id)}/${idOf(comment, 'comment')}`;
        await api.write({ method: 'DELETE', path, check: commentsCall(id) });
      },
    },
  };
}
