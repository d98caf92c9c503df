// Screens of an edit: the file, the question, and what was done. sed plays the editor.

import type { Screen } from '../screen.ts';

const one = `export EDITOR="sed -i 's/^status: .*/status: Negotiation/;s/^value: .*/value: 91000.00/;s/January/February/'"`;
const several = `export EDITOR="sed -i 's/,New,/,Qualified,/;/^13,/d;s/41750.00/42000.00/'"`;

export const screens: readonly Screen[] = [
  { name: 'edit-question', before: [one], lines: ['crm leads edit 12'], widths: [40, 80, 120], until: /y\/N/ },
  {
    name: 'edit-several',
    before: [several],
    lines: ['crm leads edit 12,13,14,15 --fields title,status,value'],
    widths: [80],
    keys: [{ at: /y\/N/, press: ['y', 'Enter'] }],
  },
  { name: 'edit-file', before: ['export EDITOR=cat'], lines: ['crm leads edit 12'], widths: [120] },
  {
    name: 'edit-plain',
    before: [one],
    lines: ['crm leads edit 12 --yes'],
    widths: [80],
    env: { NO_COLOR: '1', LANG: 'C', TERM: 'dumb' },
  },
];
