// What `crm report leads` counts: active leads that were not converted, by whatever their records tell (interface: Lead).

import { leads } from '../../resources/leads.ts';
import type { ReportPlan } from '../../verbs/report/counting.ts';
import { byAge, byRelation, byText } from '../../verbs/report/groupings.ts';

export const leadReport: ReportPlan = {
  resource: leads,
  value: 'value',
  apart: (leads.standing?.words ?? []).flatMap(({ word, path, is }) =>
    path === undefined || is === undefined ? [] : { name: word, path, is },
  ),
  groupings: [
    // Nothing says in which order statuses follow each other.
    byRelation({ name: 'status', title: 'title', rank: 'id', none: 'no status' }),
    byRelation({ name: 'assigned', title: 'name', rank: 'name', none: 'nobody', tellsApart: true }),
    byText({ name: 'source', none: 'no source', tellsApart: true }),
    byRelation({ name: 'category', title: 'name', rank: 'name', none: 'no category', tellsApart: true }),
    byAge({ name: 'age', path: 'dates.created', none: 'no date' }),
  ],
};
