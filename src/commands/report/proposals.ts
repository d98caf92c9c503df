// What `crm report proposals` counts: all of them. Proposals have no value that could be summed up (interface: Proposal).

import { proposalStatuses, proposals } from '../../resources/proposals.ts';
import type { ReportPlan } from '../../verbs/report/counting.ts';
import { byMonth, byText } from '../../verbs/report/groupings.ts';

export const proposalReport: ReportPlan = {
  resource: proposals,
  apart: [],
  groupings: [
    byText({ name: 'status', none: 'no status', order: proposalStatuses }),
    byMonth({ name: 'month', path: 'dates.start', none: 'no date' }),
  ],
};
