import type { Screen } from '../screen.ts';

/** Each kind of message, where it is longer than a line. */
export const screens: readonly Screen[] = [
  { name: 'message-help', lines: ['crm leads convert --help'], widths: [80] },
  { name: 'message-help-piped', lines: ['crm leads assign --help | cat'], widths: [200] },
  { name: 'message-help-all', lines: ['crm --help'], widths: [80] },
  {
    name: 'message-error',
    lines: [
      'crm leads list --count --limit 3',
      'crm leads list --where nothing=1',
      'crm leads create --title Till --status 1 --category 1 --email nix --value 12,0 --no-input',
    ],
    widths: [40, 80],
  },
  { name: 'message-notice', lines: ["crm leads list --where 'title~nowhere' --where value=100000.."], widths: [40] },
  {
    name: 'message-failed',
    lines: [
      'crm leads archive 998,999 --yes',
      'crm leads comments list 999',
      'crm leads update 998,41 --email f.siddiqui@meridian-clinics.example --value 99999999999999999999 --yes',
      'crm proposals status 8,9,13 --to draft --yes',
    ],
    widths: [40, 80],
  },
  { name: 'message-question', lines: ['crm leads archive 38,41,35'], widths: [40, 80], until: /y\/N/ },
  {
    name: 'message-answered',
    lines: ['crm leads archive 38,41,35'],
    widths: [60],
    keys: [
      { at: /y\/N/, press: ['x', 'Enter'] },
      { at: /Answer y or n/, press: ['n', 'Enter'] },
    ],
  },
  { name: 'message-convert', lines: ['crm leads convert 42'], widths: [80], until: /y\/N/ },
  { name: 'message-profile', lines: ['crm profile set sandbox --me Priya', 'crm profile use sandbox', 'crm profile show'], widths: [80] },
  { name: 'message-guided', lines: ['crm leads create --title Till'], widths: [40], until: /\(--status\)/ },
];
