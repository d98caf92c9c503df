// Measures, cuts and wraps texts in columns of a terminal, by grapheme, so that no emoji or accent breaks. The Unicode tables are loaded
// only for text beyond ASCII.

export interface TextMeasure {
  /** The width in columns. */
  width(text: string): number;
  /** The text cut to `width` columns, with an ellipsis of one column. */
  cut(text: string, width: number): string;
  /** Lines of at most `width` columns, broken between words and after each `↵`. A longer word is broken; URLs and paths stay whole. */
  wrap(text: string, width: number): string[];
}

interface Units {
  width(text: string): number;
  graphemes(text: string): Iterable<string>;
}

/** Matches ASCII, and the signs of crm that are one column wide. */
const plain = /^[\x20-\x7e●○✓…]*$/;
const plainUnits: Units = { width: (text) => text.length, graphemes: (text) => text };

/** A measure for `texts` and their parts. All must be safe lines, because control characters have no width. */
export async function measureFor(texts: Iterable<string>, { ellipsis } = { ellipsis: '…' }): Promise<TextMeasure> {
  for (const text of texts) if (!plain.test(text)) return measure(await unicodeUnits(), ellipsis);
  return measure(plainUnits, ellipsis);
}

async function unicodeUnits(): Promise<Units> {
  const { default: stringWidth } = await import('string-width');
  const segmenter = new Intl.Segmenter();
  return {
    width: (text) => (plain.test(text) ? text.length : stringWidth(text)),
    *graphemes(text) {
      if (plain.test(text)) yield* text;
      else for (const { segment } of segmenter.segment(text)) yield segment;
    },
  };
}

function measure(units: Units, ellipsis: string): TextMeasure {
  return {
    width: units.width,
    cut: (text, width) => (units.width(text) <= width ? text : `${splitAtWidth(text, width - 1, units)[0].trimEnd()}${ellipsis}`),
    wrap: (text, width) => text.split(/(?<=↵)/).flatMap((paragraph) => wrapParagraph(paragraph, width, units)),
  };
}

function splitAtWidth(text: string, width: number, units: Units): [start: string, rest: string] {
  let start = '';
  let taken = 0;
  for (const grapheme of units.graphemes(text)) {
    taken += units.width(grapheme);
    if (taken > width) break;
    start += grapheme;
  }
  return [start, text.slice(start.length)];
}

function wrapParagraph(paragraph: string, width: number, units: Units): string[] {
  const lines: string[] = [];
  let line = '';
  let taken = 0;
  for (const word of paragraph.split(/(?<= )(?! )/)) {
    const text = word.trimEnd();
    const wordWidth = units.width(text);
    const blanks = word.length - text.length;
    if (taken + wordWidth <= width) {
      line += word;
      taken += wordWidth + blanks;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    const pieces = wordWidth <= width ? [text] : breakWord(text, width, units);
    const last = pieces.pop() ?? '';
    line = last + word.slice(text.length);
    taken = units.width(last) + blanks;
    lines.push(...pieces);
  }
  return [...lines, line.trimEnd()];
}

const copied = /^["'(]*(?:[a-z][a-z\d+.-]*:\/\/|~?\/[^/]|[a-z]:\\)/i;
/** Blanks that aren't broken at. A word with such a blank could pose as a URL, and as a sentence where the terminal breaks it. */
const blankWithin = /[\p{Z}\u2800]/u;

/** URLs stay whole for clicking, file paths for copying. */
function breakWord(word: string, width: number, units: Units): string[] {
  if (copied.test(word) && !blankWithin.test(word)) return [word];
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const grapheme of units.graphemes(word)) {
    const own = units.width(grapheme);
    if (piece !== '' && taken + own > width) {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    piece += grapheme;
    taken += own;
  }
  return [...pieces, piece];
}
