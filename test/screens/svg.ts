// A captured screen as a picture: SVG whose texts stand exactly in their cells, whatever monospaced font there is.

import stringWidth from 'string-width';
import { colorsOn, type Palette, type Run, styledLines } from './styles.ts';

export interface Frame {
  /** A screen with its colours as escapes. */
  readonly captured: string;
  /** In the bar above. */
  readonly title: string;
  /** How long the frame stands, where there are several. */
  readonly seconds: number;
}

interface Look {
  /** What it shows, for those who can't see it. */
  readonly alt: string;
  /** Columns. */
  readonly width: number;
}

const cell = { width: 8.4, height: 20 };
const margin = { side: 18, top: 52, bottom: 16 };
const fonts = 'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, Liberation Mono, monospace';
const style = 'text{white-space:pre}.b{font-weight:bold}.i{font-style:italic}.u{text-decoration:underline}';

/** The screens on a palette, one after the other, over and over, without a script. The same screens give the same text, byte for byte. */
export function drawn(frames: readonly Frame[], { alt, width }: Look, palette: Palette): string {
  const screens = frames.map(({ captured, title }) => ({ title, lines: styledLines(captured) }));
  const most = Math.max(...screens.map(({ lines }) => lines.length));
  const size = { width: round(width * cell.width + 2 * margin.side), height: margin.top + most * cell.height + margin.bottom };
  const faint = colorsOn(palette, { text: '', marks: ['dim'] }).text;
  const dot = (x: number): string => `<circle cx="${x}" cy="17" r="5" fill="${faint}" fill-opacity=".45"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${escaped(alt)}</title>`,
    `<style>${style}${frames.length > 1 ? motion(frames) : ''}</style>`,
    `<g font-family="${fonts}" font-size="14" fill="${palette.foreground}">`,
    `<rect x=".5" y=".5" width="${size.width - 1}" height="${size.height - 1}" rx="8" fill="${palette.background}" stroke="${faint}" stroke-opacity=".5"/>`,
    `<path d="M1 34h${size.width - 2}" stroke="${faint}" stroke-opacity=".3"/>`,
    [20, 38, 56].map(dot).join(''),
    ...screens.flatMap(({ title, lines }, index) => [
      `<g id="f${index + 1}">`,
      `<text x="${size.width / 2}" y="22" text-anchor="middle" class="b">${escaped(title)}</text>`,
      ...lines.flatMap((runs, at) => line(runs, margin.top + at * cell.height, palette)),
      '</g>',
    ]),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Shows one frame at a time. Where nothing moves, the last one stands. */
function motion(frames: readonly Frame[]): string {
  const all = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const last = frames.length;
  let begun = 0;
  const rules = frames.map(({ seconds }, index) => {
    const [from, to] = [begun, begun + seconds].map((at) => `${round((100 * at) / all)}%`);
    begun += seconds;
    const before = index === 0 ? '' : '0%{visibility:hidden}';
    const after = index + 1 === last ? '' : `${to}{visibility:hidden}`;
    return `@keyframes f${index + 1}{${before}${from}{visibility:visible}${after}}#f${index + 1}{animation:f${index + 1} ${all}s step-end infinite}`;
  });
  const hidden = frames.slice(0, -1).map((_, index) => `#f${index + 1}`);
  return `${hidden.join()}{visibility:hidden}${rules.join('')}@media(prefers-reduced-motion:reduce){g{animation:none!important}}`;
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
