// Screens of an import: what would be done, and what was done.

import type { Screen } from '../screen.ts';

const file = `printf 'id,title,category,status,phone,dates.updated\\n16,,,Negotiation,+44 20 555 01 90,\\n12,,,,0815,2026-01-01\\n33,,,,,\\n,Cellar,Inbound,New,,\\n99,Gone,Inbound,,,\\n' > f.csv`;
const words = 'crm leads import f.csv --mode upsert';

export const screens: readonly Screen[] = [
  { name: 'import-preview', lines: [file, `${words} --dry-run`], widths: [40, 80, 120, 200] },
  { name: 'import-preview-plain', lines: [file, `${words} --dry-run`], widths: [80], env: { NO_COLOR: '1', LANG: 'C', TERM: 'dumb' } },
  {
    name: 'import-left-out',
    lines: [
      'crm leads import f.csv',
      'crm leads import f.csv --skip-invalid --rejects r.csv --yes',
      'crm leads import f.csv --save-mapping f.yaml',
    ],
    files: {
      'f.csv':
        'title,status,category,email,value\nCellar,New,Inbound,nobody,100\nAttic,Won,Inbound,,"1,5"\nLoft,New,Inbound,,200\nShed,Lost,Inbound,,\n' +
        'Yard,Open,Inbound,,\n',
    },
    widths: [80],
  },
  {
    name: 'import-create',
    lines: ['crm leads import new.csv'],
    files: {
      'new.csv':
        'title,status,category,email,phone,value\nFarm shop till,New,Inbound,jo@farm.example,0171 555 01 90,4500\nBakery counter,Contacted,Inbound,jo+2@farm.example,,900\n' +
        'Spa and gym,New,Referral,f.siddiqui@meridian-clinics.example,,\nWine merchant,New,Referral,wine@intranet,,\n',
    },
    widths: [80],
    keys: [{ at: /y\/N/, press: ['y', 'Enter'] }],
  },
  {
    name: 'import-mapping',
    lines: ['crm leads import kunden.csv --save-mapping own.yaml', 'cat own.yaml'],
    files: { 'kunden.csv': 'Betreff;Firma;E-Mail;Phase;Wert;Intern\nKasse;Hof Lindenau;a@hof.example;gewonnen;1.250,00 EUR;x\n' },
    widths: [80],
  },
  {
    name: 'several-dry-run',
    lines: ['crm leads update 12,13,16 --status Negotiation --source Fair --dry-run', "crm leads tags 12,13 --add 'to call' --dry-run"],
    widths: [80],
  },
  { name: 'import-done', lines: [file, `${words} --yes --results results.csv`], widths: [80] },
];
