// Draws a report, on a terminal or as SVG in a page. On a terminal: a line with a bar for each row, and the total under a rule. A narrow terminal first loses the bars, then
// the extra counts (`beside`), which the notes repeat. A very narrow one has the numbers below the labels. Counts and sums are never cut.

import { inGroups } from '../base/values/decimal.ts';
import { cellValue } from '../model/records/columns.ts';
import { displayText } from '../model/records/display.ts';
import { safeLine } from '../model/records/safe-text.ts';
import type { WriterOptions } from './formats/writer.ts';
import type { Chart, ChartLabel, ChartLine } from './result.ts';
import type { Symbols } from './streams/symbols.ts';
import { loadTheme, type Paint } from './streams/theme.ts';
import { escapeHtml } from './text/markup.ts';
import { cutStyled, painted, type StyledText, styledMember, unstyled } from './text/styled-text.ts';
import { measureFor, type TextMeasure } from './text/text-width.ts';

const gap = 2;
const longestBar = 40;
/** The shortest bar worth drawing, in columns. */
const shortestBar = 8;
/** Labels up to this many columns are not cut to make room for a bar. */
const readableLabel = 18;
/** Labels are not cut below this many columns to make room for the extra counts. */
const shortestLabel = 10;
const totalLabel = 'Total';

/** The width of each part, in columns. A bar of width 0 is not drawn. */
interface ChartLayout {
  readonly label: number;
  /** The numbers stand on a line below the label. */
  readonly isStacked: boolean;
  readonly bar: number;
  /** The count, the sum if there is one, and the extra counts that fit. */
  readonly numbers: readonly number[];
}

/** A line ready to be drawn: its numbers are texts in the order of the columns. */
interface DrawnLine {
  readonly label: StyledText;
  readonly numbers: readonly string[];
  readonly bar: string;
  readonly paint?: Paint;
  /** The colour of the bar: the colour of the label, such as a status. Default: `paint`. */
  readonly barPaint?: Paint | undefined;
}

/** Writes a chart to standard output, at most as wide as the terminal. */
export async function writeChart(chart: Chart, { io, now }: WriterOptions): Promise<void> {
  const { symbols, stdout } = io;
  const theme = await loadTheme(stdout.color, stdout.depth);
  const lines = shownLines(chart);
  const styledAt = (path: string) => {
    const sampled = styledMember(path, { shape: chart.shape, theme, symbols, now });
    return (label: ChartLabel): StyledText => {
      if ('none' in label) return [{ text: safeLine(label.none), paint: theme.aside }];
      const styled = sampled(label.sample);
      return label.id === undefined ? styled : [...styled, { text: ` (${safeLine(label.id)})`, paint: theme.aside }];
    };
  };
  const [last = '', ...names] = chart.columns.map((name) => name.toUpperCase());
  const own = lines.map(({ label }) => label).map(styledAt(chart.label));
  const groups = await groupCells(chart, lines, styledAt, symbols);
  const header = `${groups?.header ?? ''}${last}`;
  const labels = own.map((label, index) => [...(groups?.cells[index] ?? []), ...label]);
  const total: DrawnLine = { label: [{ text: totalLabel }], numbers: numbersOf(chart.total), bar: '', paint: theme.title };
  const measure = await measureFor([...labels.map(unstyled), ...chart.notes], symbols);
  const barOf = barsOf(lines, symbols);
  const widest = (texts: readonly string[]): number => Math.max(...texts.map(measure.width));
  const layout = layoutOf(stdout.columns, {
    label: widest([header, totalLabel, ...labels.map(unstyled)]),
    numbers: names.map((name, index) => widest([name, ...[...lines, chart.total].map((line) => numbersOf(line)[index] ?? '')])),
    hasBars: barOf !== undefined,
  });
  const rows = lines.map((line, index) => ({
    label: labels[index] ?? [],
    numbers: numbersOf(line),
    bar: barOf?.(line, layout.bar) ?? '',
    barPaint: 'none' in line.label ? undefined : own[index]?.[0]?.paint,
  }));
  const draw = (row: DrawnLine): string => lineText(row, layout, measure);
  const texts = [
    draw({ label: [{ text: header }], numbers: names, bar: barName(chart, lines, layout.bar), paint: theme.aside }),
    ...rows.map(draw),
    theme.aside(symbols.rule.repeat(chartWidth(layout))),
    draw(total),
    ...chart.notes.flatMap((note) => measure.wrap(note, stdout.columns)).map((note) => theme.aside(note)),
  ];
  await io.out(texts.map((text) => `${text}\n`).join(''));
}

/** The first words of the lines, as wide as the widest: empty where the line above has the same. Undefined for a report by one word. */
async function groupCells(
  { group }: Chart,
  lines: readonly ChartLine[],
  styledAt: (path: string) => (label: ChartLabel) => StyledText,
  symbols: Symbols,
): Promise<{ readonly header: string; readonly cells: readonly StyledText[] } | undefined> {
  if (group === undefined) return undefined;
  const name = group.name.toUpperCase();
  const styled = lines.map(({ group: label }) => label ?? { none: '' }).map(styledAt(group.path));
  const texts = styled.map(unstyled);
  const measure = await measureFor([name, ...texts], symbols);
  const most = Math.max(...[name, ...texts].map(measure.width));
  const padded = (text: string): string => ' '.repeat(most - measure.width(text) + gap);
  const cells = styled.map((one, index) => {
    const text = texts[index] ?? '';
    return text === texts[index - 1] ? [{ text: ' '.repeat(most + gap) }] : [...one, { text: padded(text) }];
  });
  return { header: `${name}${padded(name)}`, cells };
}

const numbersOf = ({ count, sum, beside }: Chart['total']): string[] => [
  inGroups(String(count)),
  ...(sum === undefined ? [] : [inGroups(sum)]),
  ...beside.map((one) => inGroups(String(one))),
];

const chartWidth = ({ label, bar, numbers, isStacked }: ChartLayout): number =>
  isStacked ? Math.max(label, widthOfNumbers(numbers)) : label + (bar === 0 ? 0 : gap + bar) + widthOfNumbers(numbers);

const widthOfNumbers = (numbers: readonly number[]): number => numbers.reduce((sum, width) => sum + gap + width, 0);

function layoutOf(
  columns: number,
  wanted: { readonly label: number; readonly numbers: readonly number[]; readonly hasBars: boolean },
): ChartLayout {
  const least = Math.min(wanted.label, shortestLabel);
  const numbers = [...wanted.numbers];
  while (numbers.length > 2 && least + widthOfNumbers(numbers) > columns) numbers.pop();
  const room = columns - widthOfNumbers(numbers);
  if (room < least) return { label: Math.min(wanted.label, columns), bar: 0, numbers, isStacked: true };
  const bar = Math.min(longestBar, room - gap - Math.min(wanted.label, Math.max(readableLabel, Math.floor(room / 2))));
  if (!wanted.hasBars || bar < shortestBar) return { label: Math.min(wanted.label, room), bar: 0, numbers, isStacked: false };
  return { label: Math.min(wanted.label, room - gap - bar), bar, numbers, isStacked: false };
}

/** The lines of a chart that have anything to show. */
const shownLines = ({ lines }: Chart): ChartLine[] => lines.filter(({ count, beside }) => [count, ...beside].some((number) => number > 0));

/** The height of a line, and the widths of label, bar and number in a page, in CSS pixels. */
const drawing = { line: 26, label: 230, bar: 340, number: 150 };
/** The most characters of a label beside its bar. */
const mostOfLabel = 30;

/** The bars of a chart as SVG, as long as on a terminal. Empty for a chart without bars. */
export function chartSvg(chart: Chart): string {
  const lines = shownLines(chart);
  const shareOf = sharesOf(lines);
  if (shareOf === undefined) return '';
  const { line: height, label: labels, bar, number } = drawing;
  const textOf = (label: ChartLabel, path: string): string =>
    'none' in label ? label.none : `${displayText(cellValue(label.sample, path))}${label.id === undefined ? '' : ` (${label.id})`}`;
  const rows = lines.map((line, index) => {
    const first = chart.group === undefined || line.group === undefined ? [] : [textOf(line.group, chart.group.path)];
    const label = [...first, textOf(line.label, chart.label)].join(' · ');
    const [shown, y] = [[...label].length > mostOfLabel ? `${[...label].slice(0, mostOfLabel - 1).join('')}…` : label, index * height];
    const { part, most } = shareOf(line);
    const width = part <= 0n ? 0 : Math.max(1, Number((part * BigInt(bar * 100)) / most) / 100);
    const [count = '', sum = count] = numbersOf(line);
    return (
      `<g><title>${escapeHtml(label)}</title><text x="0" y="${y + 17}">${escapeHtml(shown)}</text>` +
      `<rect x="${labels}" y="${y + 4}" width="${width}" height="${height - 9}" rx="2"/>` +
      `<text x="${labels + bar + number}" y="${y + 17}" text-anchor="end">${escapeHtml(sum)}</text></g>\n`
    );
  });
  const name = barName(chart, lines, Number.POSITIVE_INFINITY).toLowerCase();
  const size = `0 0 ${labels + bar + number} ${lines.length * height}`;
  return `<svg viewBox="${size}" role="img" aria-label="${escapeHtml(name)}">\n${rows.join('')}</svg>\n`;
}

/** The value of a line's bar, beside the longest bar's: the sum, or the count if all sums are 0. Undefined if all counts are 0 too. */
function sharesOf(lines: readonly ChartLine[]): ((line: ChartLine) => { readonly part: bigint; readonly most: bigint }) | undefined {
  const hasSums = lines.some(({ sum = '0' }) => unscaled(sum) > 0n);
  const measureOf = ({ sum = '0', count }: ChartLine): bigint => (hasSums ? unscaled(sum) : BigInt(count));
  let most = 0n;
  for (const line of lines) if (measureOf(line) > most) most = measureOf(line);
  return most === 0n ? undefined : (line) => ({ part: measureOf(line), most });
}

/** Draws the bar of a line in at most `width` columns. Undefined where there are no bars. */
function barsOf(lines: readonly ChartLine[], { bar: pieces }: Symbols): ((line: ChartLine, width: number) => string) | undefined {
  const shareOf = sharesOf(lines);
  if (shareOf === undefined) return undefined;
  return (line, width) => {
    const { part, most } = shareOf(line);
    if (part <= 0n || width === 0) return '';
    const steps = Math.max(1, Number((2n * part * BigInt(width * pieces.length) + most) / (2n * most)));
    const whole = pieces.at(-1)?.repeat(Math.floor(steps / pieces.length)) ?? '';
    return `${whole}${pieces[(steps % pieces.length) - 1] ?? ''}`;
  };
}

/** `BY VALUE` */
function barName({ columns: [, counted = '', summed = counted] }: Chart, lines: readonly ChartLine[], width: number): string {
  const isOfSums = lines.some(({ sum = '0' }) => unscaled(sum) > 0n);
  const name = `by ${isOfSums ? summed : counted}`.toUpperCase();
  return name.length <= width ? name : '';
}

/** All sums have the same number of decimals, so sums without their point compare as whole numbers. */
const unscaled = (sum: string): bigint => BigInt(sum.replace('.', ''));

function lineText(
  { label, numbers, bar, paint = (text) => text, barPaint = paint }: DrawnLine,
  layout: ChartLayout,
  measure: TextMeasure,
): string {
  const styled = cutStyled(label, layout.label, measure);
  const [count = '', ...others] = layout.numbers.map((width, index) => ' '.repeat(gap) + (numbers[index] ?? '').padStart(width));
  if (layout.isStacked) return `${paint(painted(styled))}\n${paint(`${count}${others.join('')}`)}`;
  const text = paint(painted(styled)) + ' '.repeat(layout.label - measure.width(unstyled(styled))) + paint(count);
  const drawn = layout.bar === 0 ? '' : ' '.repeat(gap) + barPaint(bar) + ' '.repeat(layout.bar - bar.length);
  return `${text}${drawn}${paint(others.join(''))}`.trimEnd();
}
