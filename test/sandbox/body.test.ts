// How much of a request's body is read: as much as may be sent, and no chunk more.

import { expect, it } from 'vitest';
import { bodyBytes, parseBody } from '../../src/sandbox/http/request.ts';

it('reading stops at the first chunk beyond the limit, and the body is refused', async () => {
  const chunk = new Uint8Array(1024 * 1024).fill(0x61);
  let read = 0;
  const chunks = async function* () {
    for (; read < 1000; read += 1) yield chunk;
  };
  const body = await bodyBytes(chunks());
  expect(read).toBeLessThan(100);
  expect(body.length).toBe((read + 1) * chunk.length);
  await expect(parseBody('application/json', body)).rejects.toMatchObject({ status: 413 });
});

it('a body of several chunks is whole', async () => {
  const chunks = async function* () {
    yield Buffer.from('a=1&');
    yield Buffer.from('b[]=2');
  };
  expect(await parseBody('', await bodyBytes(chunks()))).toEqual({ a: '1', b: ['2'] });
});
