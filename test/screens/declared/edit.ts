// Screens of an edit: the file, the question, and what was done. sed plays the editor.

import type { Screen } from '../screen.ts';

const EDITOR = "sed -i 's/^status: .*/status: Negotiation/;s/^value: .*/value: 91000.00/;s/January/February/'";

export const screens: readonly Screen[] = [
  { name: 'edit-question', lines: ['crm leads edit 12'], widths: [40, 80, 120], env: { EDITOR }, until: /y\/N/ },
  { name: 'edit-file', lines: ['crm leads edit 12'], widths: [120], env: { EDITOR: 'cat' } },
  { name: 'edit-plain', lines: ['crm leads edit 12 --yes'], widths: [80], env: { EDITOR, NO_COLOR: '1', LANG: 'C', TERM: 'dumb' } },
];
