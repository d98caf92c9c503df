import type { Screen } from '../screen.ts';

const one = ["crm leads update 33 --value 61000 --status 'Proposal Sent' --description 'Aisle 7 only.'", 'crm leads archive 31'];

/** After a write. */
export const screens: readonly Screen[] = [
  { name: 'write-many', lines: ['crm leads tags --where id=1..30 --add vip --yes'], widths: [80] },
  { name: 'write', lines: [...one, 'crm leads update 33 --value 61000', "crm leads contacted 33 'Called, they want a second aisle'"] },
  { name: 'write-narrow', lines: one, widths: [40], env: { NO_COLOR: '1', LANG: 'C' } },
  { name: 'write-several', lines: ['crm leads update 17,999,19 --value 100 --source Fair --yes', 'crm leads archive 20,21 --yes -q'] },
  {
    name: 'write-unchanged',
    lines: [
      'crm leads archive 31',
      'crm leads archive 31',
      'crm leads status 30 Qualified',
      'crm leads status 30 New',
      'crm leads status 30,29 --to New',
    ],
    widths: [80],
    keys: [{ at: /y\/N/, press: ['y', 'Enter'] }],
  },
  { name: 'write-signed', lines: ['crm proposals status 13 revised'], widths: [100], keys: [{ at: /y\/N/, press: ['y', 'Enter'] }] },
];
