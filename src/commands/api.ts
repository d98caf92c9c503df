// `crm api METHOD PATH`: sends a request to any endpoint of the service, with the profile's key.

import { servicePath } from '../base/base-url.ts';
import { invalidValue, UsageError } from '../base/errors.ts';
import type { Flag, FlagValues } from '../base/flag.ts';
import { command } from '../cli/command.ts';
import { everyPage } from '../client/paging.ts';
import { type Answer, type ApiRequest, type Method, methods } from '../client/types.ts';
import { type Result, shapeless } from '../output/result.ts';
import { confirmWrite } from '../session/ask/confirm.ts';
import type { Context } from '../session/context.ts';
import { parseDataText, readText } from '../session/texts.ts';

const requestFlags = [
  { name: 'field', short: 'f', value: 'name=value', help: 'A query or body field; repeatable', repeatable: true, group: 'Request' },
  { name: 'data', value: 'json|@file|-', help: 'The body, as JSON', from: ['@file', '-'], group: 'Request' },
  { name: 'paginate', help: 'Every page of a list', group: 'Request' },
] as const satisfies readonly Flag[];

export const apiCommand = command({
  path: ['api'],
  sends: methods.map((method) => ({ method, path: '/{path}' })),
  does: 'writes',
  onlyReads: ({ args: [method = ''] }) => method.toUpperCase() === 'GET',
  destroysWhen: 'with DELETE',
  prints: { json: 'anything' },
  summary: "Send any request with the profile's key",
  description:
    'With GET, -f goes into the query, otherwise into the body. -f name[]=a -f name[]=b sends an array. Only a DELETE asks first. Other ' +
    "requests don't ask, even a conversion that deletes its lead, or the status of a signed proposal.",
  args: [
    { name: 'method', help: 'HTTP method', choices: methods },
    { name: 'path', help: 'Path below the base URL: /api/clients, or clients alone' },
  ],
  flags: requestFlags,
  topics: ['scripting'],
  examples: ['crm api GET clients -f search=trading', `crm api PUT /api/leads/12/tags --data '{"tags":["hot"]}'`],
  run: async (context, input) => {
    const [typed = ''] = input.args;
    const method = methods.find((one) => one === typed.toUpperCase());
    if (method === undefined) throw invalidValue('method', `"${typed}" is not one of ${methods.join(', ')}.`);
    const path = servicePath(input.args[1] ?? '');
    const request = await readRequest(context, method, path, input.flags);
    if (input.flags.paginate && method !== 'GET') throw new UsageError('--paginate is for GET.');
    if (method === 'DELETE') await confirmWrite(context, `DELETE ${path}? This can't be undone.`);
    const api = await context.api();
    if (method !== 'GET') return record(await api.write(request));
    if (!input.flags.paginate) return { ...record(await api.read(request)), isRead: true };
    return { kind: 'records', pages: everyPage(api, request), shape: shapeless, empty: () => 'Nothing found.', format: 'json' };
  },
});

function record(answer: Answer): Extract<Result, { kind: 'record' }> {
  return { kind: 'record', answer, shape: shapeless, format: 'json' };
}

async function readRequest(
  context: Context,
  method: Method,
  path: string,
  { field, data }: FlagValues<typeof requestFlags>,
): Promise<ApiRequest> {
  const pairs = readPairs(field ?? []);
  if (data !== undefined) {
    if (method === 'GET') throw invalidValue('--data', 'a GET has no body.');
    if (pairs.length > 0) throw new UsageError('Give either -f or --data.');
    const json = await readText(context, data, '--data');
    parseDataText(json, '--data');
    return { method, path, json };
  }
  if (method === 'GET') return { method, path, query: pairs };
  return pairs.length === 0 ? { method, path } : { method, path, body: bodyOfPairs(pairs) };
}

function readPairs(raw: readonly string[]): [string, string][] {
  return raw.map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 1) throw invalidValue('-f', `"${pair}" is not name=value.`);
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

function bodyOfPairs(pairs: readonly [string, string][]): Map<string, string | string[]> {
  const body = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    if (!name.endsWith('[]')) {
      if (body.has(name)) throw invalidValue('-f', `"${name}" is given twice.`);
      body.set(name, value);
    } else {
      const key = name.slice(0, -2);
      const there = body.get(key);
      body.set(key, Array.isArray(there) ? [...there, value] : [value]);
    }
  }
  return body;
}
