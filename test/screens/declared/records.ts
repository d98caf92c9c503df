import type { Screen } from '../screen.ts';

/** Lists and records. */
export const screens: readonly Screen[] = [
  { name: 'list', lines: ['crm leads list --limit 8'] },
  { name: 'list-narrow', lines: ['crm leads list --limit 8'], widths: [40] },
  { name: 'list-plain', lines: ['crm leads list --limit 8'], widths: [80], env: { NO_COLOR: '1', LANG: 'C' } },
  { name: 'list-dumb', lines: ['crm leads list --limit 8'], widths: [80], env: { TERM: 'dumb' } },
  { name: 'record', lines: ['crm leads get 33'] },
];
