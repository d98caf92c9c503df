import type { Screen } from '../screen.ts';

/** One record by itself, and what hangs on it. */
export const screens: readonly Screen[] = [
  { name: 'record', lines: ['crm leads get 33'] },
  { name: 'record-with', lines: ['crm leads get 33 --with comments,proposals,notes'], widths: [40, 100], height: 120 },
  {
    name: 'record-with-plain',
    lines: ['crm clients get 2 --with contacts,projects,notes'],
    widths: [80],
    env: { NO_COLOR: '1', LANG: 'C' },
  },
  {
    name: 'record-families',
    lines: ['crm contacts get 5', 'crm items get 28', 'crm notes get 24', 'crm team get 4', 'crm categories get 9', 'crm tasks get 8'],
    widths: [80],
  },
  { name: 'record-html', lines: ['crm proposals get 2'], widths: [40, 80] },
  {
    name: 'record-fields',
    lines: ['crm items get 1 --all-fields', 'crm leads get 5 --fields status,last_contacted,assigned'],
    widths: [80],
  },
];
