// A captured screen as a picture: SVG whose texts stand exactly in their cells, whatever monospaced font there is.

import stringWidth from 'string-width';
import { colorsOn, type Palette, type Run, styledLines } from './styles.ts';

export interface Frame {
  /** In the bar above. */
  readonly title: string;
  /** What it shows, for those who can't see it. */
  readonly alt: string;
  /** Columns. */
  readonly width: number;
}

const cell = { width: 8.4, height: 20 };
const margin = { side: 18, top: 52, bottom: 16 };
const fonts = 'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, Liberation Mono, monospace';

/** The screen on a palette. The same screen gives the same text, byte for byte. */
export function drawn(captured: string, { title, alt, width }: Frame, palette: Palette): string {
  const lines = styledLines(captured);
  const size = { width: round(width * cell.width + 2 * margin.side), height: margin.top + lines.length * cell.height + margin.bottom };
  const faint = colorsOn(palette, { text: '', marks: ['dim'] }).text;
  const dot = (x: number): string => `<circle cx="${x}" cy="17" r="5" fill="${faint}" fill-opacity=".45"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${escaped(alt)}</title>`,
    '<style>text{white-space:pre}.b{font-weight:bold}.i{font-style:italic}.u{text-decoration:underline}</style>',
    `<g font-family="${fonts}" font-size="14" fill="${palette.foreground}">`,
    `<rect x=".5" y=".5" width="${size.width - 1}" height="${size.height - 1}" rx="8" fill="${palette.background}" stroke="${faint}" stroke-opacity=".5"/>`,
    `<path d="M1 34h${size.width - 2}" stroke="${faint}" stroke-opacity=".3"/>`,
    [20, 38, 56].map(dot).join(''),
    `<text x="${size.width / 2}" y="22" text-anchor="middle" style="fill:${faint}">${escaped(title)}</text>`,
    ...lines.flatMap((runs, index) => line(runs, margin.top + index * cell.height, palette)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const baseline = 14;

function line(runs: readonly Run[], top: number, palette: Palette): string[] {
  const behind: string[] = [];
  const parts: string[] = [];
  let column = 0;
  for (const run of runs) {
    const colors = colorsOn(palette, run);
    if (colors.behind !== palette.background) {
      const box = `x="${xOf(column)}" y="${top}" width="${round(stringWidth(run.text) * cell.width)}" height="${cell.height}"`;
      behind.push(`<rect ${box} fill="${colors.behind}"/>`);
    }
    // Words far from each other are placed each by itself; the blanks between stay, for whoever copies the text.
    for (const piece of run.text.split(/( {2,})/)) {
      const columns = stringWidth(piece);
      parts.push(
        piece.trim() === '' ? piece : span(piece, column, columns, colors.text === palette.foreground ? undefined : colors.text, run),
      );
      column += columns;
    }
  }
  const text = parts.join('').trimEnd();
  if (text === '') return behind;
  return [...behind, `<text x="${margin.side}" y="${top + baseline}" xml:space="preserve">${text}</text>`];
}

function span(text: string, column: number, columns: number, color: string | undefined, { marks }: Run): string {
  const classes = [
    ['bold', 'b'],
    ['italic', 'i'],
    ['underline', 'u'],
  ].flatMap(([mark = '', name = '']) => (marks.includes(mark) ? [name] : []));
  const look = `${classes.length === 0 ? '' : ` class="${classes.join(' ')}"`}${color === undefined ? '' : ` style="fill:${color}"`}`;
  const place = `x="${xOf(column)}" textLength="${round(columns * cell.width)}" lengthAdjust="spacingAndGlyphs"`;
  return `<tspan ${place}${look}>${escaped(text)}</tspan>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
const xOf = (column: number): number => round(margin.side + column * cell.width);

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
