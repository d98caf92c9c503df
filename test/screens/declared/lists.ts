import type { Screen } from '../screen.ts';

/** What a list tells of itself, which columns it keeps, and what --fields takes. */
export const screens: readonly Screen[] = [
  { name: 'list', lines: ['crm leads list --limit 8'] },
  { name: 'list-narrow', lines: ['crm leads list --limit 8'], widths: [40] },
  { name: 'list-plain', lines: ['crm leads list --limit 8'], widths: [80], env: { NO_COLOR: '1', LANG: 'C' } },
  { name: 'list-dumb', lines: ['crm leads list --limit 8'], widths: [80], env: { TERM: 'dumb' } },
  {
    name: 'list-filtered',
    lines: ['crm leads list --status negotiation', 'crm leads list --where status=negotiation --where value=50000..'],
  },
  {
    name: 'list-pages',
    lines: ['crm leads list --page 2 --limit 3', 'crm clients list --limit 20 --fields id,company-name,category'],
    widths: [80],
  },
  { name: 'list-pages-ascii', lines: ['crm leads list --page 2 --limit 3'], widths: [80], env: { LANG: 'C' } },
  {
    name: 'list-families',
    lines: ['crm proposals list --limit 4', 'crm items list --limit 4', 'crm projects list', 'crm notes list --limit 3'],
  },
  {
    name: 'list-duplicates',
    files: {
      'fair.csv':
        'title,status,category,first-name,last-name,email,phone,company-name\n' +
        'Allergen labels at the fair,New,Inbound,Zsófia,Nagy,zs.nagy@szent-anna.example,+36 1 555 0120,Szent Anna Kórház\n' +
        'Kitchen printers,New,Inbound,Zsófia,Nagy,zs.nagy+fair@szent-anna.example,+36 1 555 0120,Szent Anna Kft.\n' +
        'Second call,Contacted,Inbound,Ádám,Tóth,a.toth@szent-anna.example,+36 1 555 0120,Szent Anna Kórház\n',
    },
    before: ['crm leads import fair.csv --yes -q'],
    lines: ['crm leads duplicates', 'crm contacts duplicates --by phone'],
    widths: [80, 200],
  },
  {
    name: 'list-history',
    before: [
      'crm leads update 12,13 --source Fair --value 500 --yes -q',
      'crm leads archive --where status=New --yes -q',
      'crm undo "$(crm history --jq \'.[0].run\')" --yes -q',
    ],
    lines: ['crm history', 'crm history "$(crm history --jq \'.[2].run\')"'],
    widths: [80, 200],
  },
  { name: 'list-fields', lines: ['crm contacts list --fields help'], widths: [80] },
  { name: 'list-all-fields', lines: ['crm items list --limit 3 --all-fields'], widths: [200] },
  { name: 'list-nothing', lines: ['crm leads list --where value=9999999..', 'crm leads list --page 9 --limit 10'], widths: [80] },
  { name: 'list-pager', lines: ['crm leads list --all'], widths: [80], height: 12, until: /Space for more, q to quit/ },
];
