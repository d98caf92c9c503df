// The colours of a captured screen: its cells by style, and how well each can be read on a light and on a dark background.

/** A stretch of text in one style. Colours are `3` (of the sixteen), `i208` (of the 256) or `#rrggbb`; none is the terminal's own. */
export interface Run {
  readonly text: string;
  readonly color?: string;
  readonly background?: string;
  /** Of bold, dim, italic, underline, reverse, strike: those that are on. */
  readonly marks: readonly string[];
}

const sgr = /\x1b\[([\d;:]*)m/;
const marksOn: Readonly<Record<string, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'reverse', 9: 'strike' };
const marksOff: Readonly<Record<string, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['reverse'],
  29: ['strike'],
};

type Style = Omit<Run, 'text'>;

/** The runs of each line. Throws for an escape other than of colours: a screen that is captured has none. */
export function styledLines(captured: string): Run[][] {
  let style: Style = { marks: [] };
  return captured.split('\n').map((line) => {
    const runs: Run[] = [];
    // Every second part is the parameters of an escape.
    line.split(sgr).forEach((part, index) => {
      if (index % 2 === 1) style = changed(style, part);
      else if (part !== '') runs.push({ text: part, ...style });
    });
    const odd = runs.find(({ text }) => /[\x00-\x1f\x7f]/.test(text));
    if (odd !== undefined) throw new Error(`A control character on the screen: ${JSON.stringify(odd.text)}`);
    return runs;
  });
}

function changed(before: Style, parameters: string): Style {
  let style = before;
  const codes = parameters.split(/[;:]/);
  for (let code = codes.shift(); code !== undefined; code = codes.shift()) style = changedBy(style, Number(code), codes);
  return style;
}

function changedBy(style: Style, code: number, rest: string[]): Style {
  const { color: _none, ...uncolored } = style;
  const { background: _unset, ...bare } = style;
  if (code === 0) return { marks: [] };
  const mark = marksOn[code];
  if (mark !== undefined) return { ...style, marks: [...new Set([...style.marks, mark])] };
  const off = marksOff[code];
  if (off !== undefined) return { ...style, marks: style.marks.filter((one) => !off.includes(one)) };
  if (code === 39) return uncolored;
  if (code === 49) return bare;
  if (code === 38) return { ...style, color: extended(rest) };
  if (code === 48) return { ...style, background: extended(rest) };
  if (code >= 30 && code <= 37) return { ...style, color: String(code - 30) };
  if (code >= 90 && code <= 97) return { ...style, color: String(code - 90 + 8) };
  if (code >= 40 && code <= 47) return { ...style, background: String(code - 40) };
  if (code >= 100 && code <= 107) return { ...style, background: String(code - 100 + 8) };
  throw new Error(`Not a style: ${code}`);
}

function extended(rest: string[]): string {
  if (rest.shift() === '5') return `i${rest.shift()}`;
  const parts = rest.splice(0, 3).map((part) => Number(part).toString(16).padStart(2, '0'));
  return `#${parts.join('')}`;
}

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const nameOf = (color: string): string => {
  const index = Number(color);
  return Number.isNaN(index) ? color : index < 8 ? (names[index] ?? color) : `bright-${names[index - 8]}`;
};

/** The text alone, blanks at the ends of lines left out. */
export function plainText(captured: string): string {
  const lines = styledLines(captured).map((runs) => runs.map(({ text }) => text).join(''));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** What has a style, line by line: `3  cyan "33"  dim "3 days ago"`. Lines in the terminal's own colours are left out. */
export function styleText(captured: string): string {
  return styledLines(captured)
    .map((runs, index) => {
      const styled = runs.filter(
        ({ text, background, marks }) => text.trim() !== '' || background !== undefined || marks.includes('reverse'),
      );
      const told = styled.filter((run) => styleOf(run) !== '').map((run) => `${styleOf(run)} ${JSON.stringify(run.text.trim())}`);
      return told.length === 0 ? '' : `${String(index + 1).padStart(2)}  ${told.join('  ')}\n`;
    })
    .join('');
}

function styleOf({ color, background, marks }: Run): string {
  const parts = [
    ...marks,
    ...(color === undefined ? [] : [nameOf(color)]),
    ...(background === undefined ? [] : [`on-${nameOf(background)}`]),
  ];
  return parts.join('+');
}

type Rgb = readonly [number, number, number];

export interface Palette {
  readonly name: string;
  readonly foreground: string;
  readonly background: string;
  /** The sixteen colours. */
  readonly colors: readonly string[];
}

/** The colours of a run on a palette: of its text, and of what is behind it. Dim is half way to the background. */
export function colorsOn(palette: Palette, run: Run): { readonly text: string; readonly behind: string } {
  const named = (color: string | undefined, otherwise: string): string =>
    color === undefined ? otherwise : color.startsWith('#') ? color : (palette.colors[Number(color)] ?? otherwise);
  const [front, back] = [named(run.color, palette.foreground), named(run.background, palette.background)];
  const [text, behind] = run.marks.includes('reverse') ? [back, front] : [front, back];
  return { text: run.marks.includes('dim') ? between(text, behind) : text, behind };
}

const rgb = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;

function between(one: string, other: string): string {
  const [a, b] = [rgb(one), rgb(other)];
  return `#${a
    .map((part, index) =>
      Math.round((part + (b[index] ?? 0)) / 2)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** How far two colours are apart, from 1 to 21 (WCAG 2, contrast ratio). */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(rgb(one)), luminance(rgb(other))].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
