// The encodings of text files: their names, byte order marks, decoders, and the likely readings of a file that tells no encoding.

import { invalidValue, UsageError } from '../../base/errors.ts';

/** The encoding that a name means, as the platform's decoder calls it: `cp1250` is windows-1250. Throws InvalidValues naming `where`. */
export function encodingNamed(name: string, where: string): string {
  try {
    return new TextDecoder(name.trim()).encoding;
  } catch {
    throw invalidValue(where, `"${name}" is no encoding that is known here. Known are names such as utf-8, windows-1250 and shift_jis.`);
  }
}

/** The encoding that a byte order mark tells, also UTF-32, which is not read; undefined without a mark. */
export function markedEncoding([a, b, c, d]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32' | undefined {
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32' : 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32';
  return a === 0xef && b === 0xbb && c === 0xbf ? 'utf-8' : undefined;
}

export const utf32Problem = 'the file is UTF-32, which is not read: save it as UTF-8.';

/** Returns a decoder of chunks; called without a chunk, the decoder ends the text. The decoder throws `problem` for a wrong chunk. */
export function strictDecoder(encoding: string, problem: (chunk?: Uint8Array) => Error): (chunk?: Uint8Array) => string {
  if (encoding === 'windows-1252')
    return (chunk = new Uint8Array()) =>
      Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        .toString('latin1')
        .replace(/[\x80-\x9f]/g, (letter) => letters1252[letter.charCodeAt(0) - 0x80] ?? letter);
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw problem(chunk);
    }
  };
}

/** The letters of Windows-1252 from 80 to 9F. Node 22.20 decodes them wrongly. */
const letters1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Control characters that no file has: a text with one was read in a wrong encoding. */
const wrong = /[\x80-\x9f]/;

/**
 * The text of a file in an encoding. Throws UsageError for bytes that are not in the encoding, and for control characters that come out
 * from 80 to 9F.
 */
export async function* decoded(name: string, bytes: () => AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const refuted = new UsageError('');
  const decode = strictDecoder(encoding, () => refuted);
  const refuse = async (): Promise<UsageError> =>
    new UsageError(`${name} is not ${encoding}: some of its bytes are no letters there.`, {
      hint: readingsText(await likelyReadings(bytes())),
    });
  const isUnicode = encoding.startsWith('utf-');
  try {
    for await (const some of bytes()) {
      const text = decode(some);
      if (!isUnicode && wrong.test(text)) throw refuted;
      yield text;
    }
    yield decode();
  } catch (error) {
    throw error === refuted ? await refuse() : error;
  }
}

/** A cell of a file as an encoding reads it. */
interface LikelyReading {
  readonly encoding: string;
  readonly cell: string;
}

/** The encodings that files without a mark often have. */
const likely = ['windows-1252', 'windows-1250', 'windows-1251'];

/**
 * Encodings whose letters have two bytes, in the order of certainty. A file is in one if all bytes are right there, and most letters are of
 * the language; KOI8 has its small letters where Windows-1251 has capitals.
 */
const wideEncodings = [
  { encoding: 'euc-jp', letters: /^(?=.*[\u3040-\u30ff])[^\uff61-\uff9f]*$/s },
  { encoding: 'shift_jis', letters: /[\u3040-\u30ff]/ },
  { encoding: 'euc-kr', letters: /^[^\u4e00-\u9fff]*[\uac00-\ud7a3]{2}[^\u4e00-\u9fff]*$/s },
  { encoding: 'big5', letters: /[\u4e00-\u9fff]{2}/ },
  { encoding: 'gb18030', letters: /[\u4e00-\u9fff]{2}/ },
  { encoding: 'koi8-r', letters: /^(?!.*[^\0-\x7f\u0400-\u04ff])(?=.*[\u0430-\u044f]{3})(?!.*[\u0430-\u044f][\u0410-\u042f])/s },
];

interface WideReading {
  readonly encoding: string;
  readonly letters: RegExp;
  /** Undefined once a byte is wrong. `text`: the beginning of the file. */
  decoded: { readonly decoder: TextDecoder; text: string } | undefined;
}

/** Reads on in an encoding; without bytes, to the end. */
function readOn(reading: WideReading, bytes?: Uint8Array): void {
  const { decoded } = reading;
  if (decoded === undefined) return;
  try {
    const text = bytes === undefined ? decoded.decoder.decode() : decoded.decoder.decode(bytes, { stream: true });
    if (decoded.text.length < 100_000) decoded.text += text;
  } catch {
    reading.decoded = undefined;
  }
}

/** The longest part of a cell that messages show, in bytes, and its part before the first letter that tells. */
const longestShown = 40;
const shownBefore = 15;

/**
 * A distinctive cell as the likely encodings read it: the first cell that reads differently in Windows-1252 and Windows-1250, else the first
 * cell with a letter beyond ASCII. Encodings in which the file would hold control characters are left out.
 */
export async function likelyReadings(bytes: AsyncIterable<Uint8Array>): Promise<LikelyReading[]> {
  const seen = new Set<number>();
  let distinctive: Uint8Array | undefined;
  let isSure = false;
  let cell: number[] = [];
  let first = -1;
  const readAs = (encoding: string, some: Uint8Array): string => strictDecoder(encoding, () => new Error(encoding))(some);
  const takeCell = (): void => {
    if (first >= 0 && !isSure) {
      const part = Uint8Array.from(cell.slice(Math.max(0, first - shownBefore), Math.max(0, first - shownBefore) + longestShown));
      isSure = readAs('windows-1252', part) !== readAs('windows-1250', part);
      if (isSure) distinctive = part;
      distinctive ??= part;
    }
    cell = [];
    first = -1;
  };
  const wide: WideReading[] = wideEncodings.map((one) => ({
    ...one,
    decoded: { decoder: new TextDecoder(one.encoding, { fatal: true }), text: '' },
  }));
  for await (const chunk of bytes) {
    for (const one of wide) readOn(one, chunk);
    for (const byte of chunk) {
      if (byte >= 0x80) seen.add(byte);
      if (isSure) continue;
      if (betweenCells.has(byte)) {
        takeCell();
        continue;
      }
      if (byte >= 0x80 && first < 0) first = cell.length;
      cell.push(byte);
    }
  }
  takeCell();
  for (const one of wide) readOn(one);
  const proved = wide.filter(({ decoded, letters }) => decoded !== undefined && letters.test(decoded.text)).map(({ encoding }) => encoding);
  const all = Uint8Array.from(seen);
  const fits = (encoding: string): boolean => !wrong.test(readAs(encoding, all));
  const fitting = [...likely, 'macintosh'].filter((encoding) => (encoding === 'macintosh' ? !fits('windows-1252') : fits(encoding)));
  const readings = fitting.map((encoding) => ({ encoding, cell: readAs(encoding, distinctive ?? all).trim() }));
  const others = proved.flatMap((encoding) => {
    const text = wide.find((one) => one.encoding === encoding)?.decoded?.text ?? '';
    return [
      {
        encoding,
        cell:
          text
            .split(/[\r\n",;\t|]/)
            .find((one) => /[^\0-\x7f]/.test(one))
            ?.trim()
            .slice(0, longestShown) ?? '',
      },
    ];
  });
  // Of readings that are alike, the first will do.
  return [...others, ...readings].filter(({ cell: own }, index, every) => every.findIndex((one) => one.cell === own) === index);
}

/** Line ends, quotes and separators. */
const betweenCells: ReadonlySet<number> = new Set([...'\r\n",;\t|'].map((letter) => letter.charCodeAt(0)));

/** The readings as one question, with the flag of each. `number`: a person chooses by it. */
export const readingsText = (readings: readonly (LikelyReading & { readonly number?: number })[]): string => {
  const texts = readings.map(
    ({ encoding, cell, number }) => `${number === undefined ? '' : `${number}: `}"${cell}" (--encoding ${encoding})`,
  );
  return `Which is right: ${texts.join(', ')}?`;
};
