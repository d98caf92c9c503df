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
      hint: readingsText((await likelyReadings(bytes())).filter((one) => one.encoding !== encoding)),
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
const usual = ['windows-1252', 'windows-1250', 'windows-1251', 'macintosh'];

/**
 * The letters beyond ASCII of languages, as parts of a regular expression in small letters, with the encodings in which they are written:
 * the likelier ones come first.
 */
const alphabets: readonly (readonly [encodings: readonly string[], languages: readonly string[]])[] = [
  [
    ['windows-1252', 'macintosh'],
    // German, Portuguese, Spanish, French, Catalan, Italian, Dutch, and the north.
    ['[äöüßé]', '[ãáàâçéêíóôúü]|õ(?=e)', '[áéíñóúü]', '[àâçéèêëîïôœùûüÿ]', '[àçèéíïòóúü]', '[àèéìòù]', '[èéëïöü]', '[åäæéöøü]'],
  ],
  // Czech and Slovak, Polish, Hungarian, the languages of the former Yugoslavia, Romanian.
  [
    ['windows-1250', 'iso-8859-2'],
    ['[áäčďéěíĺľňóôöŕřšťúůüýž]', '[äąćéęłńóöśüźż]', '[áäéíóöőúüű]', '[äčćđöšüž]', '[äăâéîöşţü]'],
  ],
  [['windows-1254'], ['[âçğıîöşûüİ]']],
  [['windows-1251', 'koi8-r', 'ibm866'], ['[а-яёєіїґў]']],
  [['windows-1253'], ['[α-ωάέήίόύώϊϋΐΰ]']],
];

/** Whether a text is one that its language would have: no other letters and signs, and no capital behind a small letter. */
function isWrittenIn(letters: string, text: string): boolean {
  const right = `[\\0-\\x7f]|${letters}|${letters.toUpperCase()}|(?<!\\p{L})[¿¡]|[ªº](?!\\p{L})|[‘’“”„–—…€№°«»·§®™\\xa0]`;
  const capital = '(?<=\\p{Ll})(?![A-Z])\\p{Lu}';
  const amongLatin = '(?<=[A-Za-z])(?=\\p{L})\\P{Script=Latin}';
  return !new RegExp(`(?!${right})[^]|${capital}|${amongLatin}`, 'u').test(text);
}

/**
 * The encodings in which a letter has two bytes, with their pairs and with those pairs that common letters have: Korean syllables, kana,
 * the frequent thousands of characters. Texts in another encoding have few of these pairs.
 */
const paired = [
  { encoding: 'euc-kr', pair: /[\x80-\xff]./gs, common: /^[\xa1\xb0-\xc8][\xa1-\xfe]/, least: 0.9 },
  { encoding: 'euc-jp', pair: /[\x80-\xff]./gs, common: /^[\xa1\xa4\xa5\xb0-\xcf][\xa1-\xfe]/, least: 0.8, needed: /^[\xa4\xa5]/ },
  { encoding: 'shift_jis', pair: /[\x81-\x9f\xe0-\xfc]./gs, common: /^[\x81-\x83\x88-\x97]/, least: 0.8 },
  { encoding: 'gb18030', pair: /[\x80-\xff]./gs, common: /^[\xa1\xa3\xb0-\xd7][\xa1-\xfe]/, least: 0.8 },
  { encoding: 'big5', pair: /[\x80-\xff]./gs, common: /^[\xa1\xa4-\xc6]/, least: 0.8 },
];

/** The longest part of a cell that messages show, in letters, and its part before the first letter that tells. */
const longestShown = 40;
const shownBefore = 15;

/** How much of a file is looked at to find its encoding: its first lines with bytes beyond ASCII, in bytes. */
const sampled = 1_000_000;

/**
 * A cell of a file as the likely encodings read it, what its bytes prove first: the first cell that reads differently in Windows-1252 and
 * Windows-1250, else the first cell with a letter beyond ASCII. Encodings that lack a byte of the file are left out, and so are encodings
 * that read the cell as an earlier one does.
 */
export async function likelyReadings(bytes: AsyncIterable<Uint8Array>): Promise<LikelyReading[]> {
  let sample = '';
  let rest = '';
  const seen = new Set<string>();
  for await (const chunk of bytes) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split(/[\r\n]+/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
    if (rest.length < sampled) continue;
    take(rest);
    rest = '';
  }
  take(rest);
  function take(line: string): void {
    const beyond = line.match(/[\x80-\xff]/g);
    for (const byte of beyond ?? []) seen.add(byte);
    if (beyond !== null && sample.length < sampled) sample += `${line}\n`;
  }

  const readAs = (encoding: string, some = sample): string | undefined => {
    try {
      const text = strictDecoder(encoding, () => new Error(encoding))(Buffer.from(some, 'latin1'));
      return wrong.test(text) ? undefined : text;
    } catch {
      return;
    }
  };
  const isInPairs = ({ pair, common, least, needed = common }: (typeof paired)[number]): boolean => {
    const pairs = sample.match(pair) ?? [];
    return pairs.some((one) => needed.test(one)) && pairs.filter((one) => common.test(one)).length >= least * pairs.length;
  };
  const proven = [
    ...alphabets.flatMap(([encodings, languages]) =>
      encodings.filter((encoding) => {
        const text = readAs(encoding);
        return text !== undefined && languages.some((letters) => isWrittenIn(letters, text));
      }),
    ),
    ...paired.filter(isInPairs).map(({ encoding }) => encoding),
  ];
  const cells = sample.split(betweenCells).filter((cell) => /[\x80-\xff]/.test(cell));
  const telling = cells.find((cell) => readAs('windows-1252', cell) !== readAs('windows-1250', cell)) ?? cells[0] ?? '';
  const shown = (cell: string): string => {
    const from = Math.max(0, cell.search(/[^\0-\x7f]/) - shownBefore);
    return cell.slice(from, from + longestShown).trim();
  };
  const all = [...seen].join('');
  const readings = [...new Set([...proven, ...usual])].flatMap((encoding): LikelyReading[] => {
    // A separator may be the second byte of a letter, so a cell is cut out of the text that was read.
    const isPaired = paired.some((one) => one.encoding === encoding);
    if (!isPaired && readAs(encoding, all) === undefined) return [];
    const text = readAs(encoding, isPaired ? sample : telling);
    const cell = text?.split(betweenCells).find((one) => /[^\0-\x7f]/.test(one));
    return cell === undefined ? [] : [{ encoding, cell: shown(cell) }];
  });
  return readings
    .filter(({ encoding }) => encoding !== 'macintosh' || proven.includes(encoding) || readAs('windows-1252', all) === undefined)
    .filter(({ cell: own }, index, every) => every.findIndex((one) => one.cell === own) === index);
}

/** Line ends, quotes and separators. */
const betweenCells = /[\r\n",;\t|]/;

/** The readings as one question, with the flag of each. `number`: a person chooses by it. */
export const readingsText = (readings: readonly (LikelyReading & { readonly number?: number })[]): string => {
  const texts = readings.map(
    ({ encoding, cell, number }) => `${number === undefined ? '' : `${number}: `}"${cell}" (--encoding ${encoding})`,
  );
  return `Which is right: ${texts.join(', ')}?`;
};
