// `crm report`: counts a family's records and sums up their values. Each report is a ReportDefinition and the command made from it.

import type { Flag } from '../base/flag.ts';
import { type Command, command } from '../cli/command.ts';
import { leads } from '../model/resources/leads.ts';
import { proposalStatuses, proposals } from '../model/resources/proposals.ts';
import { narrowingFlags } from '../reading/flags.ts';
import type { ReportDefinition } from '../reading/report/counting.ts';
import { byAge, byElement, byMonth, byRelation, byText } from '../reading/report/groupings.ts';

/** Counts active leads, with converted and archived leads apart (interface: Lead). */
const leadReport: ReportDefinition = {
  resource: leads,
  value: 'value',
  apart: (leads.standing?.words ?? []).flatMap(({ word, path, is }) =>
    path === undefined || is === undefined ? [] : { name: word, path, is },
  ),
  groupings: [
    // Ranked by id, because the order of statuses is not documented.
    byRelation({ name: 'status', title: 'title', rank: 'id', none: 'no status' }),
    byRelation({ name: 'assigned', also: 'owner', title: 'name', rank: 'name', none: 'nobody', tellsApart: true }),
    byText({ name: 'source', none: 'no source', tellsApart: true }),
    byRelation({ name: 'category', title: 'name', rank: 'name', none: 'no category', tellsApart: true }),
    byElement({ name: 'tag', path: 'tags', none: 'no tag', tellsApart: true }),
    byAge({ name: 'age', path: 'dates.created', none: 'no date' }),
    byMonth({ name: 'month', also: 'created', path: 'dates.created', none: 'no date' }),
  ],
};

/** Counts all proposals. They have no value to sum up (interface: Proposal). */
const proposalReport: ReportDefinition = {
  resource: proposals,
  apart: [],
  groupings: [
    byText({ name: 'status', none: 'no status', order: proposalStatuses }),
    byMonth({ name: 'month', path: 'dates.start', none: 'no date' }),
  ],
};

const everyPage = 'a report counts every record, over all pages.';

/** `?`: only if --by names the member. */
function membersOf({ resource, value, apart, groupings }: ReportDefinition): Record<string, string> {
  const figures = (at: string): Record<string, string> => ({
    [`${at}${resource.name}`]: 'integer',
    ...(value === undefined ? {} : { [`${at}${value}`]: 'decimal', [`${at}without_${value}`]: 'integer' }),
  });
  const places = ['rows[].', 'total.'].flatMap((at) => [at, ...apart.map(({ name }) => `${at}${name}.`)]);
  return Object.assign({}, ...groupings.map(({ name }) => ({ [`rows[].${name}`]: 'any?' })), ...places.map(figures));
}

/** `refusals`: filters of the list that a report doesn't take, each with the reason. */
function reportCommand(
  definition: ReportDefinition,
  { refusals = {}, ...texts }: Pick<Command, 'summary' | 'description' | 'examples' | 'refusals'>,
): Command {
  const { name, singular } = definition.resource;
  const choices = definition.groupings.map((one) => one.name);
  const by = {
    name: 'by',
    value: choices.join('|'),
    help: `The grouping (default ${choices[0]}), or two as in month,${choices.find((one) => one !== 'month')}`,
    choices,
    isListed: true,
    once: true,
    standard: choices[0] ?? '',
  } as const satisfies Flag;
  return command({
    ...texts,
    summary: `${texts.summary}: --by ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    path: ['report', name],
    sends: [{ method: 'GET', path: definition.resource.path }],
    does: 'reads',
    topics: ['output'],
    prints: { json: 'object', members: membersOf(definition) },
    aliases: [singular],
    args: [],
    flags: [by, ...narrowingFlags(definition.resource, Object.keys(refusals))],
    refusals: { ...refusals, all: everyPage, limit: everyPage, page: everyPage },
    run: async (context, { flags }) => (await import('../reading/report/report.ts')).report(definition, context, flags, flags.by),
  });
}

export const reportCommands: readonly Command[] = [
  reportCommand(leadReport, {
    summary: 'Count leads and sum up their values',
    description:
      'Counts active leads that were not converted; converted and archived leads have figures of their own. Sums are exact. A lead ' +
      'with two assignees or tags counts in the rows of both, and once in the total. Statuses are sorted by id, because their order is not ' +
      'known. Ages and months are counted by the creation of a lead. Two groupings make a row for each pair that has leads. JSON is {"rows": […], "total": {…}}, with sums as text; csv and ' +
      'ndjson are the rows.',
    refusals: {
      'active-state': 'archived leads have figures of their own in every report.',
      state: 'converted and archived leads have figures of their own in every report.',
    },
    examples: [
      'crm report leads',
      'crm report leads --by assigned --where last_contacted=..-30d',
      'crm report leads --by month,source',
      'crm report leads --by source --out sources.csv',
    ],
  }),
  reportCommand(proposalReport, {
    summary: 'Count proposals',
    description:
      'Months are counted by the start date; months without a proposal are left out. JSON is {"rows": […], "total": {…}}; csv and ' +
      'ndjson are the rows.',
    examples: ['crm report proposals', 'crm report proposals --by month --status accepted --json'],
  }),
];
