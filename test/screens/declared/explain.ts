// Screens of explain: one command, a family, all commands.

import type { Screen } from '../screen.ts';

export const screens: readonly Screen[] = [
  { name: 'explain-command', lines: ['crm explain proposals status'], widths: [80, 200], height: 100 },
  { name: 'explain-family', lines: ['crm explain leads'], widths: [80], height: 110 },
  { name: 'explain-all', lines: ['crm explain'], widths: [80], height: 140 },
];
