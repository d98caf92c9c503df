// `crm report`: counts records and sums up their values, by a common key. Sums are exact. Only sums are kept, so 100,000 records take no
// more memory than 100.

import { invalidValue } from '../../base/errors.ts';
import { decimalText, inGroups } from '../../base/values/decimal.ts';
import { checkChoice, together, togetherEach } from '../../base/values/parse.ts';
import type { Members } from '../../base/values/paths.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { pluralOf } from '../../model/define.ts';
import { cellValue } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import { checkFields } from '../../output/fields.ts';
import { checkHasIds } from '../../output/formats/ids.ts';
import type { Chart, ChartLine, Result, Shape } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import type { NarrowingFlags } from '../flags.ts';
import { favourMemory } from '../list/lean-memory.ts';
import { filtersAndConditions, listRequests } from '../list/list.ts';
import { checkConditions, matchingPages } from '../list/matching.ts';
import { type Counting, countingOf, type Figures, type ReportDefinition, type RowKey, type RowTally } from './counting.ts';
import type { Grouping } from './groupings.ts';

/**
 * Counts a family's records over all pages. Throws UsageError, and UnavailableError when a record lacks a member that decides where it
 * counts.
 */
export async function report(definition: ReportDefinition, context: Context, typed: NarrowingFlags, by?: string): Promise<Result> {
  const { resource } = definition;
  const { flags, conditions } = filtersAndConditions(resource, typed);
  const [requests, groupings] = together(
    () => listRequests(resource, flags),
    () => groupingsOf(definition, by),
    () => checkConditions(resource, conditions, context.clock.now()),
    () => checkReportOutput(definition, context),
  );
  const shape = rowShape(definition, groupings);
  if (context.flags.fields !== undefined) checkFields(context.flags.fields, shape);
  favourMemory('young', 'old');
  const counting = countingOf(definition, groupings, context.clock.now());
  for await (const { data } of matchingPages(resource, context, { conditions, requests, match: 'part', extent: { kind: 'all' } })) {
    for (const record of data as readonly unknown[]) counting.add(record);
  }
  return resultOfCounting(definition, groupings, shape, counting, by === undefined);
}

/** One grouping, or two: `--by month,source`. */
function groupingsOf({ groupings }: ReportDefinition, by: string | undefined): readonly [Grouping, ...Grouping[]] {
  if (by === undefined) return [groupings[0]];
  const names = groupings.map((one) => one.name);
  const meant = (word: string): string => groupings.find(({ also }) => also === word)?.name ?? word;
  const wanted = togetherEach(by.split(','), (word) => checkChoice(meant(word.trim()), names, '--by'));
  if (wanted.length > 2) throw invalidValue('--by', 'a report has two groupings at most: --by month,source.');
  if (new Set(wanted).size < wanted.length) throw invalidValue('--by', `${wanted[0]} is given twice.`);
  const [first = groupings[0], ...others] = wanted.flatMap((name) => groupings.find((one) => one.name === name) ?? []);
  return [first, ...others];
}

function checkReportOutput(definition: ReportDefinition, { flags }: Context): void {
  if (flags.envelope) throw invalidValue('--envelope', 'a report is counted by crm, not answered by the service.');
  checkHasIds(flags.output, { record: figureNames(definition) });
}

function rowShape(definition: ReportDefinition, groupings: readonly Grouping[]): Shape {
  const figures = figureNames(definition);
  const apart = definition.apart.map(({ name }) => name);
  const sums = definition.value === undefined ? [] : [definition.value, ...apart.map((name) => `${name}.${definition.value}`)];
  return {
    name: `${definition.resource.name} by ${groupings.map(({ name }) => name).join(', ')}`,
    singular: 'row',
    hasHeaders: true,
    types: Object.fromEntries(sums.map((path) => [path, { kind: 'decimal' }])),
    columns: [
      ...groupings.map(({ column }, at) => (at + 1 < groupings.length ? { ...column, once: true as const } : column)),
      ...figures.map((path) => ({ path, align: 'right' as const })),
      ...apart.map((name) => ({ path: `${name}.${figures[0]}`, header: name, align: 'right' as const })),
    ],
    record: [
      ...groupings.flatMap((one) => one.record),
      ...figures,
      ...apart.flatMap((name) => figures.map((figure) => `${name}.${figure}`)),
    ],
  };
}

const figureNames = ({ resource, value }: ReportDefinition): readonly string[] => [
  resource.name,
  ...(value === undefined ? [] : [value, `without_${value}`]),
];

function resultOfCounting(
  definition: ReportDefinition,
  groupings: readonly [Grouping, ...Grouping[]],
  shape: Shape,
  counting: Counting,
  isUsual: boolean,
): Result {
  const { resource, value } = definition;
  const { rows, total, scale } = counting;
  const others = definition.groupings.filter((one) => !groupings.includes(one)).map(({ name }) => name);
  const beside = kindsBeside(definition, groupings, total);
  const [first] = groupings;
  const last = groupings.at(-1) ?? first;
  const labels = labelsOf(rows, last, groupings.length - 1);
  const firstLabels = labelsOf(rows, first, 0);
  const numbersOf = (row: RowTally): Chart['total'] => chartNumbers(definition, row, scale, beside);
  const chart: Chart = {
    ...(groupings.length > 1 ? { group: { name: first.name, path: first.column.path } } : {}),
    columns: [
      last.name,
      resource.name,
      ...(value === undefined ? [] : [value]),
      ...beside.map((index) => definition.apart[index]?.name ?? ''),
    ],
    label: last.column.path,
    shape: resource,
    lines: rows.map((row) => ({ ...(groupings.length > 1 ? { group: firstLabels(row) } : {}), label: labels(row), ...numbersOf(row) })),
    total: numbersOf(total),
    notes: [asidesOf(definition, counting).join('; '), ...uncountedOf(definition, counting, inGroups)].filter((note) => note !== ''),
    ...(isUsual ? { hint: `Also: --by ${others.join('|')}` } : {}),
  };
  const sums = membersOfFigures(definition, total, scale);
  return {
    kind: 'rows',
    data: rows.map((row) => dataRow(groupings, definition, row, scale)),
    shape,
    sum: {
      total: sums,
      sheet: [...rows.map((row) => sheetRow(groupings, definition, row, scale)), { ...labelledKey(first, 'Total'), ...sums }],
    },
    ...(rows.length === 0 ? { notice: `No ${pluralOf(resource)} found.` } : { drawn: { chart }, notice: summaryOf(definition, counting) }),
  };
}

const dataRow = (groupings: readonly Grouping[], definition: ReportDefinition, row: RowTally, scale: number): Members => ({
  ...Object.fromEntries(groupings.map(({ name }, at) => [name, row.keys[at]?.value ?? null])),
  ...membersOfFigures(definition, row, scale),
});

/** The figures for JSON, with `scale` decimals in the sums. */
function membersOfFigures(definition: ReportDefinition, { figures: [counted, ...apart] }: RowTally, scale: number): Members {
  const names = figureNames(definition);
  const one = ({ count, sum, without }: Figures): Members => {
    const values = [count, decimalText(sum, scale), without];
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  };
  return { ...one(counted), ...Object.fromEntries(definition.apart.map(({ name }, index) => [name, apart[index] && one(apart[index])])) };
}

/** A row for a sheet. A missing key is a word, such as `nobody`. */
const sheetRow = (groupings: readonly Grouping[], definition: ReportDefinition, row: RowTally, scale: number): Members => {
  const keyOf = (grouping: Grouping, key: RowKey): Members =>
    key === undefined ? labelledKey(grouping, grouping.none) : { [grouping.name]: key.value };
  return { ...Object.assign({}, ...groupings.map((one, at) => keyOf(one, row.keys[at]))), ...membersOfFigures(definition, row, scale) };
};

/** The key of a row with only a label: `{ status: { title: 'Total' } }`. */
function labelledKey({ column: { path } }: Grouping, label: string): Members {
  const [head = path, below] = path.split('.');
  return { [head]: below === undefined ? label : { id: null, [below]: label } };
}

/** The indexes of the kinds that a chart shows beside each row. Without `tellsApart`, kinds are shown only if the row's main count is 0. */
function kindsBeside(definition: ReportDefinition, groupings: readonly Grouping[], { figures: [counted, ...apart] }: RowTally): number[] {
  if (!groupings.some(({ tellsApart }) => tellsApart) && counted.count > 0) return [];
  return [...definition.apart.keys()].filter((index) => apart[index]?.count !== 0);
}

/** The labels of rows: names, with the id when two names are equal; the id when there is no name. */
function labelsOf(rows: readonly RowTally[], { column, none }: Grouping, at: number): (row: RowTally) => ChartLine['label'] {
  const nameOf = (key: RowKey): string => (key === undefined ? '' : displayText(cellValue(key.sample, column.path)));
  const ids = Map.groupBy(
    rows.map(({ keys }) => keys[at]),
    nameOf,
  );
  return ({ keys }) => {
    const key = keys[at];
    const name = nameOf(key);
    if (key === undefined) return { none };
    if (name === '') return { none: key.id };
    const isOne = ids.get(name)?.every((other) => other?.id === key.id);
    return isOne ? { sample: key.sample } : { sample: key.sample, id: key.id };
  };
}

function chartNumbers(
  { value }: ReportDefinition,
  { figures: [counted, ...apart] }: RowTally,
  scale: number,
  beside: readonly number[],
): Chart['total'] {
  return {
    count: counted.count,
    ...(value === undefined ? {} : { sum: decimalText(counted.sum, scale) }),
    beside: beside.map((index) => apart[index]?.count ?? 0),
  };
}

/** Notes about the figures: `8 without a value`. */
function asidesOf(definition: ReportDefinition, { total, several }: Counting): string[] {
  const [{ without }] = total.figures;
  return [
    ...(definition.value !== undefined && without > 0 ? [`${without} without a ${definition.value}`] : []),
    ...(several > 0
      ? [
          `${howMany(several, `${definition.resource.singular} counts`, `${definition.resource.name} count`)} in several rows, once in the total`,
        ]
      : []),
  ];
}

/** The records outside the main figures: `Not counted: 5 converted (149200.00), 3 archived (0.00)`. */
function uncountedOf(definition: ReportDefinition, { total, scale }: Counting, shown = (sum: string): string => sum): string[] {
  const [, ...apart] = total.figures;
  const sumOf = (figures: Figures): string => (definition.value === undefined ? '' : ` (${shown(decimalText(figures.sum, scale))})`);
  const kinds = apart.flatMap((one, index) => (one.count > 0 ? [`${one.count} ${definition.apart[index]?.name}${sumOf(one)}`] : []));
  return kinds.length > 0 ? [`Not counted: ${kinds.join(', ')}`] : [];
}

function summaryOf(definition: ReportDefinition, counting: Counting): string {
  const { figures } = counting.total;
  const sum = definition.value === undefined ? [] : [`${definition.value} ${decimalText(figures[0].sum, counting.scale)}`];
  const numbers = [`${definition.resource.name} ${figures[0].count}`, ...sum].join(', ');
  const told = [numbers, ...asidesOf(definition, counting)].join('; ');
  return `Total: ${[told, ...uncountedOf(definition, counting)].join('. ')}.`;
}
