// The sandbox in this process, and what its requests may carry.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetSandbox } from '../../../src/sandbox/create.ts';
import { type Handler, openHandler } from '../../../src/sandbox/http/answer.ts';
import { makeSandbox } from '../../support/make-sandbox.ts';

const directory = mkdtempSync(join(tmpdir(), 'crm-handler-'));
const path = join(directory, 'sandbox.db');
let handler: Handler;
beforeAll(() => {
  makeSandbox(path, { demo: false });
  handler = openHandler(path);
});
beforeEach(() => resetSandbox(path));
afterAll(() => {
  handler.close();
  rmSync(directory, { recursive: true, force: true });
});

const form = 'application/x-www-form-urlencoded';
const send = async (method: string, at: string, body?: string, contentType?: string) => {
  const answer = await handler.answer({
    method,
    path: at,
    headers: { 'content-type': contentType },
    ...(body === undefined ? {} : { body }),
  });
  return { ...answer, json: answer.body === '' ? undefined : JSON.parse(answer.body) };
};
const lead = 'lead_title=One&lead_status=1&lead_categoryid=1';

describe('the handler', () => {
  it('needs no key', async () => {
    expect((await send('POST', '/api/leads', lead, form)).status).toBe(201);
    const { status, headers, json } = await send('GET', '/api/leads/1?unused=1');
    expect([status, headers, json.data.title]).toEqual([200, { 'Content-Type': 'application/json' }, 'One']);
  });

  it.each([
    ['GET', '/', 404],
    ['GET', '/api', 404],
    ['GET', '/api/leads/-1', 404],
    ['GET', '/api/leads/99999999999999999999', 404],
    ['GET', '/api/nothing/1/', 404],
    ['GET', '/api/leads/', 200],
    ['GET', '/api/clients/1/', 200],
    ['GET', '/api/leads//1', 404],
    ['GET', '/api/leads/1/2', 404],
    ['HEAD', '/api/clients/1', 200],
    ['OPTIONS', '/api/leads/1', 405],
  ])('%s %s is %i in JSON', async (method, at, status) => {
    const answer = await send(method, at);
    expect(answer.status).toBe(status);
    expect(typeof answer.json.message).toBe('string');
  });

  it('names the methods that a path has', async () => {
    expect((await send('POST', '/api/leads/1')).headers).toMatchObject({ Allow: 'GET, PATCH, DELETE' });
  });
});

describe('a body', () => {
  it('may be a form, JSON, or nothing', async () => {
    const json = '{"lead_title":"One","lead_status":1,"lead_categoryid":"1"}';
    for (const [body, type] of [
      [lead, form],
      [lead, undefined],
      [json, 'application/json; charset=utf-8'],
      [json, 'application/vnd.x+json'],
    ]) {
      expect((await send('POST', '/api/leads', body, type)).status, type ?? 'no type').toBe(201);
    }
    expect((await send('PUT', '/api/leads/1/archive')).status).toBe(200);
  });

  it('is refused when it is broken, unknown or too long', async () => {
    expect((await send('POST', '/api/leads', '{"lead_title":', 'application/json')).status).toBe(400);
    expect((await send('POST', '/api/leads', '<lead/>', 'application/xml')).status).toBe(415);
    expect((await send('POST', '/api/leads', `lead_title=${'x'.repeat(11_000_000)}`, form)).status).toBe(413);
    expect((await send('POST', '/api/leads', '[1]', 'application/json')).status).toBe(422);
    expect((await send('POST', '/api/leads', 'null', 'application/json')).status).toBe(422);
  });

  it('keeps the digits of JSON numbers', async () => {
    const body = '{"lead_title":"One","lead_status":1,"lead_categoryid":1,"lead_value":12345678901234567890.10}';
    await send('POST', '/api/leads', body, 'application/json');
    expect((await send('GET', '/api/leads/1')).json.data.value).toBe('12345678901234567890.10');
    const unsafe = await send('PUT', '/api/leads/1/status', '{"status":1.0}', 'application/json');
    expect(unsafe.json.errors).toEqual({ status: ['The status must be an integer.'] });
  });

  it('carries arrays the PHP way', async () => {
    await send('POST', '/api/leads', lead, form);
    const tags = async (body: string) => {
      const { json } = await send('PUT', '/api/leads/1/tags', body, form);
      return json.data?.tags ?? Object.keys(json.errors);
    };
    expect(await tags('tags[]=b&tags[]=a&tags[]=b')).toEqual(['b', 'a']);
    expect(await tags('tags%5B1%5D=x&tags%5B0%5D=y&tags%5B%5D=z')).toEqual(['x', 'y', 'z']);
    expect(await tags('tags[]=')).toEqual(['tags.0']);
    expect(await tags('tags=a')).toEqual(['tags']);
    expect(await tags('tags[a]=x')).toEqual(['tags']);
    expect(await tags('')).toEqual(['tags']);
    expect(await tags(Array.from({ length: 50_000 }, (_, index) => `tags[]=${index}`).join('&'))).toHaveLength(50_000);
  });

  it('cannot reach beyond its own fields', async () => {
    const body = '{"__proto__":{"lead_title":"x"},"constructor":1,"lead_status":1,"lead_categoryid":1}';
    expect((await send('POST', '/api/leads', body, 'application/json')).json.errors).toHaveProperty('lead_title');
    expect((await send('POST', '/api/leads', `${lead}&__proto__[x]=1&[]=2&=3`, form)).status).toBe(201);
    expect((await send('GET', '/api/leads?sort=constructor')).status).toBe(422);
  });
});

describe('sets', () => {
  it('say which element is wrong', async () => {
    await send('POST', '/api/leads', lead, form);
    const assign = async (assigned: unknown) => {
      const { json } = await send('PUT', '/api/leads/1/assigned', JSON.stringify({ assigned }), 'application/json');
      return json.data?.assigned.map(({ id }: { id: number }) => id) ?? json.errors;
    };
    expect(await assign([3, '1', 3])).toEqual([3, 1]);
    expect(await assign([1, 77, 'x', ''])).toEqual({
      'assigned.1': ['The selected assigned.1 is invalid.'],
      'assigned.2': ['The assigned.2 must be an integer.'],
      'assigned.3': ['The assigned.3 field is required.'],
    });
    expect(await assign(3)).toEqual({ assigned: ['The assigned must be an array.'] });
    expect(await assign([])).toEqual([]);
  });
});
