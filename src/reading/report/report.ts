// `crm report`: counts records and sums up their values, by a common key. Sums are exact. Only sums are kept, so 100,000 records take no
// more memory than 100.

import { invalidValue } from '../../base/errors.ts';
import type { Input } from '../../base/flag.ts';
import { decimalText, inGroups } from '../../base/values/decimal.ts';
import { checkChoice, together, togetherEach } from '../../base/values/parse.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { pluralOf } from '../../model/define.ts';
import { cellValue } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import { checkFields } from '../../output/fields.ts';
import type { Chart, ChartLine, Result, Shape } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import { favourMemory } from '../list/lean-memory.ts';
import { filtersAndConditions, listRequests } from '../list/list.ts';
import { checkConditions, matchingPages } from '../list/matching.ts';
import { type Counting, countingOf, type Figures, type ReportPlan, type RowKey, type RowTally } from './counting.ts';
import type { Grouping } from './groupings.ts';

/**
 * Counts a family's records over all pages. Throws UsageError, and UnavailableError when a record lacks a member that decides where it
 * counts.
 */
export async function report(plan: ReportPlan, context: Context, input: Input): Promise<Result> {
  const { resource } = plan;
  const { flags, conditions } = filtersAndConditions(resource, input.flags);
  const [requests, groupings] = together(
    () => listRequests(resource, flags),
    () => groupingsOf(plan, flags.by),
    () => checkConditions(resource, conditions, context.clock.now()),
    () => checkReportOutput(context),
  );
  const shape = rowShape(plan, groupings);
  if (context.flags.fields !== undefined) checkFields(context.flags.fields, shape);
  favourMemory('young', 'old');
  const counting = countingOf(plan, groupings, context.clock.now());
  for await (const { data } of matchingPages(resource, context, { conditions, requests, match: 'part', extent: { kind: 'all' } })) {
    for (const record of data as readonly unknown[]) counting.add(record);
  }
  const [grouping, second] = groupings;
  if (second !== undefined) return resultOfPairs(plan, groupings, shape, counting);
  return resultOfCounting(plan, grouping, shape, counting, flags.by === undefined);
}

/** One grouping, or two: `--by month,source`. */
function groupingsOf({ groupings }: ReportPlan, raw: Input['flags'][string]): readonly [Grouping, ...Grouping[]] {
  if (typeof raw !== 'string') return [groupings[0]];
  const names = groupings.map((one) => one.name);
  const meant = (word: string): string => groupings.find(({ also }) => also === word)?.name ?? word;
  const wanted = togetherEach(raw.split(','), (word) => checkChoice(meant(word.trim()), names, '--by'));
  if (wanted.length > 2) throw invalidValue('--by', 'a report has two groupings at most: --by month,source.');
  if (new Set(wanted).size < wanted.length) throw invalidValue('--by', `${wanted[0]} is given twice.`);
  const [first = groupings[0], ...others] = wanted.flatMap((name) => groupings.find((one) => one.name === name) ?? []);
  return [first, ...others];
}

function checkReportOutput({ flags }: Context): void {
  if (flags.envelope) throw invalidValue('--envelope', 'a report is counted by crm, not answered by the service.');
  if (flags.output === 'ids') throw invalidValue('--output', 'a report has no ids; json, csv and others show its rows.');
}

/** The shape of a row: the keys, then the figures. */
function rowShape(plan: ReportPlan, groupings: readonly Grouping[]): Shape {
  const figures = figureNames(plan);
  const apart = plan.apart.map(({ name }) => name);
  const sums = plan.value === undefined ? [] : [plan.value, ...apart.map((name) => `${name}.${plan.value}`)];
  return {
    name: `${plan.resource.name} by ${groupings.map(({ name }) => name).join(', ')}`,
    singular: 'row',
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

/** The names of the figures; the number of records is first. */
const figureNames = ({ resource, value }: ReportPlan): readonly string[] => [
  resource.name,
  ...(value === undefined ? [] : [value, `without_${value}`]),
];

function resultOfCounting(plan: ReportPlan, grouping: Grouping, shape: Shape, counting: Counting, isUsual: boolean): Result {
  const { resource, value, groupings } = plan;
  const { rows, total, scale } = counting;
  const others = groupings.filter((one) => one !== grouping).map(({ name }) => name);
  const beside = kindsBeside(plan, grouping, total);
  const labels = labelsOf(rows, grouping);
  const numbersOf = (tally: RowTally): Chart['total'] => chartNumbers(plan, tally, scale, beside);
  const chart: Chart = {
    columns: [
      grouping.name,
      resource.name,
      ...(value === undefined ? [] : [value]),
      ...beside.map((index) => plan.apart[index]?.name ?? ''),
    ],
    label: grouping.column.path,
    shape: resource,
    lines: rows.map((row) => ({ label: labels(row), ...numbersOf(row) })),
    total: numbersOf(total),
    notes: [asidesOf(plan, counting).join('; '), ...uncountedOf(plan, counting, inGroups)].filter((note) => note !== ''),
    ...(isUsual ? { hint: `Also: --by ${others.join('|')}` } : {}),
  };
  const sums = membersOfFigures(plan, total, scale);
  return {
    kind: 'rows',
    data: rows.map((row) => dataRow([grouping], plan, row, scale)),
    shape,
    sum: {
      total: sums,
      sheet: [...rows.map((row) => sheetRow([grouping], plan, row, scale)), { ...labelledKey(grouping, 'Total'), ...sums }],
    },
    ...(rows.length === 0 ? { notice: `No ${pluralOf(resource)} found.` } : { drawn: { chart }, notice: summaryOf(plan, counting) }),
  };
}

/** A row a pair of keys, without bars. */
function resultOfPairs(plan: ReportPlan, groupings: readonly [Grouping, ...Grouping[]], shape: Shape, counting: Counting): Result {
  const { rows, total, scale } = counting;
  const sums = membersOfFigures(plan, total, scale);
  const sheet = [...rows.map((row) => sheetRow(groupings, plan, row, scale)), { ...labelledKey(groupings[0], 'Total'), ...sums }];
  return {
    kind: 'rows',
    data: rows.map((row) => dataRow(groupings, plan, row, scale)),
    shape,
    sum: { total: sums, sheet, onTerminal: sheet.map((row) => grouped(row, plan)) },
    notice: rows.length === 0 ? `No ${pluralOf(plan.resource)} found.` : summaryOf(plan, counting),
  };
}

/** A row whose sums have groups of thousands. */
function grouped(row: Members, { resource, value = '', apart }: ReportPlan): Members {
  const sumOf = (members: Members): Members => (value in members ? { [value]: inGroups(String(members[value])) } : {});
  const kinds = apart.flatMap(({ name }) => (isMembers(row[name]) ? [[name, { ...row[name], ...sumOf(row[name]) }]] : []));
  return { ...row, [resource.name]: inGroups(String(row[resource.name])), ...sumOf(row), ...Object.fromEntries(kinds) };
}

const dataRow = (groupings: readonly Grouping[], plan: ReportPlan, row: RowTally, scale: number): Members => ({
  ...Object.fromEntries(groupings.map(({ name }, at) => [name, row.keys[at]?.value ?? null])),
  ...membersOfFigures(plan, row, scale),
});

/** The figures for JSON, with `scale` decimals in the sums. */
function membersOfFigures(plan: ReportPlan, { figures: [counted, ...apart] }: RowTally, scale: number): Members {
  const names = figureNames(plan);
  const one = ({ count, sum, without }: Figures): Members => {
    const values = [count, decimalText(sum, scale), without];
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  };
  return { ...one(counted), ...Object.fromEntries(plan.apart.map(({ name }, index) => [name, apart[index] && one(apart[index])])) };
}

/** A row for a sheet. A missing key is a word, such as `nobody`. */
const sheetRow = (groupings: readonly Grouping[], plan: ReportPlan, row: RowTally, scale: number): Members => {
  const keyOf = (grouping: Grouping, key: RowKey): Members =>
    key === undefined ? labelledKey(grouping, grouping.none) : { [grouping.name]: key.value };
  return { ...Object.assign({}, ...groupings.map((one, at) => keyOf(one, row.keys[at]))), ...membersOfFigures(plan, row, scale) };
};

/** The key of a row with only a label: `{ status: { title: 'Total' } }`. */
function labelledKey({ column: { path } }: Grouping, label: string): Members {
  const [head = path, below] = path.split('.');
  return { [head]: below === undefined ? label : { id: null, [below]: label } };
}

/** The indexes of the kinds that a chart shows beside each row. Without `tellsApart`, kinds are shown only if the row's main count is 0. */
function kindsBeside(plan: ReportPlan, { tellsApart }: Grouping, { figures: [counted, ...apart] }: RowTally): number[] {
  if (!tellsApart && counted.count > 0) return [];
  return [...plan.apart.keys()].filter((index) => apart[index]?.count !== 0);
}

/** The labels of rows: names, with the id when two names are equal; the id when there is no name. */
function labelsOf(rows: readonly RowTally[], { column, none }: Grouping): (row: RowTally) => ChartLine['label'] {
  const nameOf = ({ keys: [key] }: RowTally): string => (key === undefined ? '' : displayText(cellValue(key.sample, column.path)));
  const names = rows.map(nameOf);
  return (row) => {
    const [key] = row.keys;
    const name = nameOf(row);
    if (key === undefined) return { none };
    if (name === '') return { none: key.id };
    return names.indexOf(name) === names.lastIndexOf(name) ? { sample: key.sample } : { sample: key.sample, id: key.id };
  };
}

function chartNumbers(
  { value }: ReportPlan,
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
function asidesOf(plan: ReportPlan, { total, several }: Counting): string[] {
  const [{ without }] = total.figures;
  return [
    ...(plan.value !== undefined && without > 0 ? [`${without} without a ${plan.value}`] : []),
    ...(several > 0
      ? [`${howMany(several, `${plan.resource.singular} counts`, `${plan.resource.name} count`)} in several rows, once in the total`]
      : []),
  ];
}

/** The records outside the main figures: `Not counted: 5 converted (149200.00), 3 archived (0.00)`. */
function uncountedOf(plan: ReportPlan, { total, scale }: Counting, shown = (sum: string): string => sum): string[] {
  const [, ...apart] = total.figures;
  const sumOf = (figures: Figures): string => (plan.value === undefined ? '' : ` (${shown(decimalText(figures.sum, scale))})`);
  const kinds = apart.flatMap((one, index) => (one.count > 0 ? [`${one.count} ${plan.apart[index]?.name}${sumOf(one)}`] : []));
  return kinds.length > 0 ? [`Not counted: ${kinds.join(', ')}`] : [];
}

function summaryOf(plan: ReportPlan, counting: Counting): string {
  const { figures } = counting.total;
  const sum = plan.value === undefined ? [] : [`${plan.value} ${decimalText(figures[0].sum, counting.scale)}`];
  const numbers = [`${plan.resource.name} ${figures[0].count}`, ...sum].join(', ');
  const told = [numbers, ...asidesOf(plan, counting)].join('; ');
  return `Total: ${[told, ...uncountedOf(plan, counting)].join('. ')}.`;
}
