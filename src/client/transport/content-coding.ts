// Decodes compressed answers. Some gateways compress without being asked.

import { promisify } from 'node:util';
import type { BrotliOptions, InputType, ZlibOptions, ZstdOptions } from 'node:zlib';
import { maxAnswerBytes, tooLarge, UnusableAnswer, type WireResponse } from './wire.ts';

/** The codings that `unpackedAnswer` knows, as the value of Accept-Encoding. */
export const acceptedCodings = 'gzip, br, zstd';

/** More codings than these on one answer are an attack. */
const mostCodings = 4;

type Decode = (body: Uint8Array, options: ZlibOptions & BrotliOptions & ZstdOptions) => Promise<Buffer>;

/**
 * The answer with its body decoded. A 2xx answer: throws UnusableAnswer for an unknown coding, a broken body, and too many decoded bytes.
 * The body of any other answer only explains the status: then the body is left out.
 */
export async function unpackedAnswer(response: WireResponse): Promise<WireResponse> {
  const codings = codingsOf(response);
  if (codings.length === 0 || response.body.length === 0) return response;
  try {
    return { ...response, body: await decodedBody(response, codings) };
  } catch (error) {
    if (response.status >= 200 && response.status <= 299) throw error;
    return { ...response, body: new Uint8Array() };
  }
}

/** In the order in which they were applied. */
function codingsOf({ headers }: WireResponse): string[] {
  const value = headers['content-encoding'];
  if (value === undefined) return [];
  const names = [value].flat().join(',').toLowerCase().split(',');
  return names.map((name) => name.trim().replace(/^x-gzip$/, 'gzip')).filter((name) => name !== '' && name !== 'identity');
}

async function decodedBody({ status, body }: WireResponse, codings: readonly string[]): Promise<Uint8Array> {
  const decoders = await loadDecoders();
  let bytes = body;
  for (const coding of codings.toReversed()) {
    const decode = codings.length > mostCodings ? undefined : decoders.get(coding);
    if (decode === undefined) {
      const name = codings.length > mostCodings ? codings.join(', ') : coding;
      throw new UnusableAnswer(status, `in a content coding that crm can't decode: ${name.slice(0, 40)}`);
    }
    try {
      bytes = await decode(bytes, { maxOutputLength: maxAnswerBytes });
    } catch (error) {
      if (error instanceof RangeError) throw tooLarge(status);
      throw new UnusableAnswer(status, `its answer is no whole ${coding}`, error);
    }
  }
  return bytes;
}

/** True for zlib's format, which `deflate` means. Some servers send the bare deflate data. */
const isWrapped = (body: Uint8Array): boolean => ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0;

async function loadDecoders(): Promise<ReadonlyMap<string, Decode>> {
  const zlib = await import('node:zlib');
  return new Map<string, Decode>([
    ['gzip', promisify<InputType, ZlibOptions, Buffer>(zlib.gunzip)],
    [
      'deflate',
      (body, options) =>
        (isWrapped(body)
          ? promisify<InputType, ZlibOptions, Buffer>(zlib.inflate)
          : promisify<InputType, ZlibOptions, Buffer>(zlib.inflateRaw))(body, options),
    ],
    ['br', promisify<InputType, BrotliOptions, Buffer>(zlib.brotliDecompress)],
    ['zstd', promisify<InputType, ZstdOptions, Buffer>(zlib.zstdDecompress)],
  ]);
}
