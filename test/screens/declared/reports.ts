import type { Screen } from '../screen.ts';

/** Counts and sums. */
export const screens: readonly Screen[] = [
  { name: 'report', lines: ['crm report leads'] },
  { name: 'report-narrow', lines: ['crm report leads', 'crm report leads --by source'], widths: [40] },
  { name: 'report-plain', lines: ['crm report leads'], widths: [80], env: { NO_COLOR: '1', LANG: 'C' } },
  { name: 'report-people', lines: ['crm report leads --by assigned', 'crm report leads --by age'] },
  { name: 'report-proposals', lines: ['crm report proposals', 'crm report proposals --by month'], widths: [80] },
];
