// What is said of a file beside it: constants, and a mapping that holds columns, words and formats and can be written to be filled in.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop({ demo: true });

const importOf = (name: string, ...flags: string[]) => shop.crm(['leads', 'import', name, ...flags]);
/** The leads called Z-…, by their titles. */
const newest = async (count: number, fields: string) => {
  const words = ['--limit', String(count), '--sort', 'title', '--order', 'asc', '--search', 'Z-'];
  return (await shop.crm(['leads', 'list', ...words, '--json', '--fields', fields])).json();
};

describe('--constant', () => {
  it('is every row of it, by a name as well', async () => {
    shop.write('f.csv', 'title\nZ-A\nZ-B\n');
    const flags = ['--constant', 'status=Negotiation', '--constant', 'category=2', '--constant', 'description=a = b'];
    expect((await importOf('f.csv', ...flags)).status).toBe(0);
    const one = { status: { title: 'Negotiation' }, category: { id: 2 }, description: 'a = b' };
    expect(await newest(2, 'title,status.title,category.id,description')).toEqual([
      { title: 'Z-A', ...one },
      { title: 'Z-B', ...one },
    ]);
  });

  it.each([
    ['status', /^error: --constant: "status" is not flag-name=value\./],
    ['statsu=1', /^error: --constant statsu: there is no field "statsu"\. Did you mean "status"\?/],
    ['status=Unheard', /--constant status: none of the leads read so far has the lead status "Unheard"; you can give its id/],
    ['value=1,5', /--constant value: "1,5" is not a decimal number/],
    ['category=2', /--constant category: the column Category gives it, too\. Leave the column out with --map 'Category='\./],
    ['converted.date=x', /--constant converted\.date: an import can't write it\./],
    ['id=3', /--constant id: an import can't write it\./],
    ['status.title=New', /--constant status\.title: an import can't write it\. Use status\./],
  ])('%s is refused', async (constant, expected) => {
    shop.write('f.csv', 'title,Category\nA,1\n');
    const others = constant.startsWith('status') ? [] : ['--constant', 'status=1'];
    const { status, stderr } = await importOf('f.csv', ...others, '--constant', constant);
    expect([status, stderr]).toEqual([2, expect.stringMatching(expected)]);
  });

  it('twice for one field is refused', async () => {
    shop.write('f.csv', 'title,Category\nA,1\n');
    const { status, stderr } = await importOf('f.csv', '--constant', 'status=1', '--constant', 'lead_status=2');
    expect([status, stderr]).toEqual([2, 'error: --constant lead_status: it is given twice.\n']);
  });

  it('are never taken for a thousandth of what was meant', async () => {
    shop.write('f.csv', 'title,status,category\nA,1,1\n');
    shop.write('m.yaml', 'decimal-mark: comma\nconstants: { value: 12.000 }\n');
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'm.yaml']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('constant value: "12.000" could be thousands: write 12.00 or 12000.')]);
    shop.write('m.yaml', 'decimal-mark: comma\nconstants: { value: 12.00 }\n');
    expect((await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'm.yaml'])).status).toBe(0);
    expect((await shop.crm(['leads', 'list', '--json'])).json()).toContainEqual(expect.objectContaining({ title: 'A', value: '12.00' }));
  });

  it('custom fields have a number each', async () => {
    shop.write('f.csv', 'description,rate,category,default-tax,unit\nA,1,6,2,1\n');
    const typed = (...constants: string[]) => shop.crm(['items', 'import', 'f.csv', ...constants.flatMap((one) => ['--constant', one])]);
    const { status, stderr } = await typed('custom-field=1=a');
    expect([status, stderr]).toEqual([2, expect.stringContaining('give each number a constant of its own, such as custom-field-1.')]);
    expect((await typed('custom-field-1=a', 'custom-field-2=b=c')).status).toBe(0);
    const [item] = (await shop.crm(['items', 'list', '--limit', '1', '--sort', 'created', '--order', 'desc', '--json'])).json() as [
      { custom_fields: object[] },
    ];
    expect(item.custom_fields.slice(0, 2)).toMatchObject([
      { id: 1, value: 'a' },
      { id: 2, value: 'b=c' },
    ]);
  });
});

const german = '\uFEFFFirma;Titel ;Stufe;Wert;Kontakt;Notiz\r\nACME;Z-1;gewonnen;1.250,00;31.12.2026;x\r\nÖl & Co;Z-2;Verloren;7,5;;y\r\n';
const mapping = `# ours
columns: { firma: company-name, Titel: title, Stufe: status, Wert: value, Kontakt: last-contacted, Notiz: '' }
constants:
  category: Outbound
decimal-mark: comma
date-order: dmy
words:
  status:
    Gewonnen: Negotiation
    Verloren: 6
`;

describe('--mapping', () => {
  it('says what columns and words are, whatever their case', async () => {
    shop.write('f.csv', german);
    shop.write('m.yaml', mapping);
    const { status, stderr } = await importOf('f.csv', '--mapping', 'm.yaml');
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^Undo: crm undo \w{4}\n$/)]);
    // biome-ignore format: a table
    expect(await newest(2, 'title,contact.company_name,status.title,value,last_contacted,category.name,description')).toEqual([
      { title: 'Z-1', contact: { company_name: 'ACME' }, status: { title: 'Negotiation' }, value: '1250.00', last_contacted: '2026-12-31',
        category: { name: 'Outbound' }, description: null },
      { title: 'Z-2', contact: { company_name: 'Öl & Co' }, status: { title: 'Lost' }, value: '7.50', last_contacted: null,
        category: { name: 'Outbound' }, description: null },
    ]);
  });

  it('flags win over it', async () => {
    shop.write('f.csv', german.replaceAll('1.250,00', '1,250.00').replaceAll('7,5', '7.5'));
    shop.write('m.yaml', mapping);
    const { status } = await importOf(
      'f.csv',
      ...['--mapping', 'm.yaml', '--decimal-mark', 'point', '--constant', 'category=1', '--map', 'NOTIZ=description'],
    );
    expect(status).toBe(0);
    expect(await newest(2, 'title,value,category.id,description')).toMatchObject([
      { value: '1250.00', category: { id: 1 }, description: 'x' },
      { value: '7.50', category: { id: 1 }, description: 'y' },
    ]);
  });

  it('a blank right side says nothing, so that the flag counts', async () => {
    shop.write('f.csv', german);
    shop.write('m.yaml', `${mapping.replace('category: Outbound', 'category:').replace("Notiz: ''", 'Notiz:')}encoding:\n`);
    const flags = ['--mapping', 'm.yaml', '--constant', 'category=1', '--map', 'Notiz=description'];
    expect((await importOf('f.csv', ...flags)).status).toBe(0);
    expect(await newest(2, 'category.id,description')).toEqual([
      { category: { id: 1 }, description: 'x' },
      { category: { id: 1 }, description: 'y' },
    ]);
  });

  it.each([
    ['decimal-mark: semicolon\n', 'decimal-mark: give one of point, comma.'],
    ['\ndate-order: dym\n', 'date-order: give one of ymd, dmy, mdy.'],
    [
      'column: {}\n',
      'the mapping: give only columns, constants, decimal-mark, date-order, encoding, separator, header-line, others, words, by name.',
    ],
    ['columns: [a]\n', 'columns: give names with a text behind each.'],
    ['columns:\n  a: {b: c}\n', 'columns: a: give one text.'],
    ['words:\n  status: Won\n', 'words: status: give names with a text behind each.'],
    [
      '- a\n',
      'the mapping: give only columns, constants, decimal-mark, date-order, encoding, separator, header-line, others, words, by name.',
    ],
    ['columns: { a: title }\n---\nconstants: {}\n', 'line 2: A second document begins here: a file holds one.'],
  ])('%j is refused by the name that is wrong', async (text, expected) => {
    shop.write('f.csv', german);
    shop.write('m.yaml', text);
    const { status, stderr } = await importOf('f.csv', '--mapping', 'm.yaml');
    expect([status, stderr]).toEqual([2, `error: 1 problem in m.yaml; nothing was sent.\n  ${expected}\n`]);
  });

  it.each([
    ['columns:\n  Firma: company\n', /^error: m\.yaml, column Firma: there is no field "company"\. Did you mean "company-name"\?/],
    ['columns:\n  Frima: company-name\n', /m\.yaml, column Frima: there is no column "Frima"\./],
    ['\nconstants: {state_: 1}\n', /^error: m\.yaml, constant state_: there is no field "state_"\./],
    ['words:\n  stage: {a: b}\n', /^error: m\.yaml, words of stage: there is no field "stage"\./],
    ['a: b: c\n', /^error: \d problems? in m\.yaml; nothing was sent\.\n {2}line 1: /],
  ])('%j names what there isn’t', async (text, expected) => {
    shop.write('f.csv', german);
    shop.write('m.yaml', text);
    const { status, stderr } = await importOf('f.csv', '--mapping', 'm.yaml');
    expect([status, stderr]).toEqual([2, expect.stringMatching(expected)]);
  });

  it.each([
    ['columns:\n  Firma: company-name\n  firma: title\n', 'm.yaml: the columns "Firma" and "firma" are the same: case doesn\'t count.'],
    [
      'words:\n  status:\n    Won: New\n    WON: Lost\n',
      'm.yaml, words of status: "WON" and "Won" are the same word: case and accents don\'t count.',
    ],
    [
      'words:\n  status: {Won: New}\n  lead_status: {Won: Lost}\n',
      'm.yaml, words of lead_status: "Won" and "Won" are the same word: case and accents don\'t count.',
    ],
    ['constants:\n  status: New\n  lead_status: Lost\n', 'm.yaml, constant lead_status: it is given twice.'],
  ])('%j says two things of one', async (text, expected) => {
    shop.write('f.csv', german);
    shop.write('m.yaml', text);
    const { status, stderr } = await importOf('f.csv', '--mapping', 'm.yaml');
    expect([status, stderr]).toEqual([2, `error: ${expected}\n`]);
  });

  it('that is nested too deeply', async () => {
    shop.write('f.csv', german);
    shop.write('m.yaml', `columns: ${'['.repeat(50_000)}`);
    const { status, stderr } = await importOf('f.csv', '--mapping', 'm.yaml');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/nested too deeply|problems? in m\.yaml/)]);
  });

  it('that is not there', async () => {
    shop.write('f.csv', german);
    expect((await importOf('f.csv', '--mapping', 'm.yaml')).stderr).toBe(
      "error: --mapping: can't read m.yaml (no such file or directory).\n",
    );
  });
});

describe('--save-mapping', () => {
  it('writes what nobody has said yet, sends nothing, and is read again once it is filled in', async () => {
    shop.write('f.csv', german);
    const maps = ['Titel=title', 'Stufe=status', 'Wert=value', 'Kontakt=last-contacted'];
    const flags = [...maps.flatMap((one) => ['--map', one]), '--constant', 'category=Outbound'];
    const saved = await importOf('f.csv', ...flags, '--save-mapping', 'm.yaml', '--json');
    expect([saved.status, saved.json()]).toEqual([0, { mapping: 'm.yaml', blanks: 3, guessed: 2 }]);
    expect(saved.stderr).toBe(
      'm.yaml is written; nothing was sent. Fill in 3 blanks: date-order, gewonnen (status) and Verloren (status). 2 columns are guesses: look at them. Then: crm leads import f.csv --json --mapping m.yaml\n',
    );
    const written = shop.read('m.yaml');
    expect(written).toBe(
      'columns:\n  Titel: title\n  Stufe: status\n  Wert: value\n  Kontakt: last-contacted\n\n' +
        '  # Guesses: look at them\n  Firma: company-name\n  Notiz: description\n' +
        'constants:\n  category: Outbound\ndate-order:\nwords:\n  status:\n    gewonnen:\n    Verloren:\n',
    );
    expect(await newest(2, 'title')).toEqual([]);
    expect(existsSync(join(shop.folder, 'data', 'runs'))).toBe(false);
    const filled = written
      .replace('Notiz: description', "Notiz: ''")
      .replace('date-order:', 'date-order: dmy')
      .replace('gewonnen:', 'gewonnen: Negotiation')
      .replace('Verloren:', 'Verloren: Lost');
    shop.write('filled.yaml', filled);
    expect((await importOf('f.csv', '--mapping', 'filled.yaml')).status).toBe(0);
    expect(await newest(2, 'value,status.title')).toEqual([
      { value: '1250.00', status: { title: 'Negotiation' } },
      { value: '7.50', status: { title: 'Lost' } },
    ]);
  });

  it('counts only what is to be filled in', async () => {
    shop.write('f.csv', 'title,status,category,value\nA,Won,1,"1,5"\nB,1,1,"2,5"\n');
    const saved = await importOf('f.csv', '--save-mapping', 'm.yaml');
    expect(saved.stderr).toMatch(/; nothing was sent\. Fill in 2 blanks: decimal-mark and Won \(status\)\. Then: /);
    shop.write('g.csv', 'title,status,category\nA,1,1\n');
    expect((await importOf('g.csv', '--save-mapping', 'n.yaml')).stderr).toMatch(/^n\.yaml is written; nothing was sent\. Then: /);
  });

  it('guesses in six languages, and asks for the words of guessed columns and for what a new record needs in the same round', async () => {
    await shop.crm(['leads', 'create', '--title', 'X', '--status', 'Negotiation', '--category', 'Inbound', '-q']);
    shop.write(
      'f.csv',
      'Betreff,Phase,E-Mail,Téléphone,Empresa,Città,Postcode,Irgendwas,Land,Pays\nA,gewonnen,a@x.example,1,B,C,1,2,D,E\n',
    );
    const { stderr } = await importOf('f.csv', '--save-mapping', 'm.yaml');
    const written = shop.read('m.yaml');
    expect(written).toBe(
      [
        ...['columns:', '  # Guesses: look at them', '  Betreff: title', '  Phase: status', '  E-Mail: email'],
        ...['  Téléphone: phone', '  Empresa: company-name', '  Città: city'],
        ...['  Postcode: zip', '  Land: country', ''],
        "  # A flag such as title, or '' to leave the column out.",
        '  # `others: leave-out` at the end of this file leaves out all blank ones.',
        ...['  Irgendwas:', '  Pays:'],
        ...['constants:', '  category:', 'words:', '  status:', '    gewonnen:', ''],
      ].join('\n'),
    );
    expect(stderr).toContain('Fill in 4 blanks: Irgendwas, Pays, category and gewonnen (status). 8 columns are guesses: look at them.');
    const refused = await importOf('f.csv');
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining('10 columns have no field: "Betreff" (title?), "Phase" (status?)'),
    ]);
    const filled = written
      .replace('Irgendwas:', "Irgendwas: ''")
      .replace('Pays:', "Pays: ''")
      .replace('category:', 'category: Inbound')
      .replace('gewonnen:', 'gewonnen: Negotiation');
    shop.write('filled.yaml', filled);
    expect((await importOf('f.csv', '--mapping', 'filled.yaml')).status).toBe(0);
    const fields = 'title,status.title,contact.email,address.country';
    expect(JSON.parse((await shop.crm(['leads', 'list', '--where', 'title=A', '--json', '--fields', fields])).stdout)).toEqual([
      { title: 'A', status: { title: 'Negotiation' }, contact: { email: 'a@x.example' }, address: { country: 'D' } },
    ]);
  });

  it('writes over nothing', async () => {
    shop.write('f.csv', german);
    shop.write('m.yaml', 'mine');
    const { status, stderr } = await importOf('f.csv', '--save-mapping', 'm.yaml');
    expect([status, stderr]).toEqual([2, 'error: --save-mapping: m.yaml is there already; name a new file.\n']);
    expect(shop.read('m.yaml')).toBe('mine');
  });

  it('is not written of a file that breaks off', async () => {
    shop.write('f.csv', 'Titel,b\nA,"x\n');
    const { status, stderr } = await importOf('f.csv', '--save-mapping', 'm.yaml');
    expect([status, stderr]).toEqual([2, expect.stringContaining('the file ends within a quoted cell')]);
    expect(existsSync(join(shop.folder, 'm.yaml'))).toBe(false);
  });

  it('an export needs nothing but itself', async () => {
    shop.write('f.csv', (await shop.crm(['leads', 'list', '--all', '--csv'])).stdout);
    expect((await importOf('f.csv', '--mode', 'update', '--save-mapping', 'm.yaml', '--json')).json()).toMatchObject({ blanks: 0 });
    expect((await importOf('f.csv', '--mode', 'update', '--mapping', 'm.yaml', '--json')).json()).toMatchObject({ updated: 0, failed: 0 });
  });
});

describe('an import that was stopped', () => {
  const file = 'title,status,category\nZ-1,Gewonnen,1\nZ-2,New,1\nZ-3,New,99\nZ-4,New,1\n';
  const stopped = async (...flags: string[]) => {
    shop.write('f.csv', file);
    shop.write('m.yaml', 'words: {status: {Gewonnen: Negotiation}}\n');
    shop.write('other.yaml', 'words: {status: {Gewonnen: Lost}}\n');
    return importOf('f.csv', '--mapping', 'm.yaml', '--max-errors', '1', '--concurrency', '1', ...flags);
  };

  it('goes on with its mapping, by the command that it prints', async () => {
    const { status, stderr } = await stopped();
    expect([status, stderr]).toEqual([8, expect.stringMatching(/Go on with: crm leads import f\.csv --mapping m\.yaml .*--resume\n/)]);
    expect((await importOf('f.csv', '--mapping', 'm.yaml', '--resume', '--json')).json()).toMatchObject({ created: 3, failed: 1 });
    expect(await newest(9, 'title')).toHaveLength(3);
  });

  it('does not begin beside itself with another one, as far as rows come out alike', async () => {
    await stopped();
    const { status, stderr } = await importOf('f.csv', '--mapping', 'other.yaml');
    expect([status, stderr]).toEqual([
      10,
      expect.stringContaining('An import of f.csv is unfinished: 1 of 4 rows are done. Nothing was sent.'),
    ]);
    expect(await newest(9, 'title')).toHaveLength(2);
  });
});

it('a mapping with many aliases is refused, as a seed is', async () => {
  shop.write('f.csv', 'title\nA\n');
  const words = Array.from({ length: 120 }, (_, n) => `  w${n}: *a`).join('\n');
  shop.write('m.yaml', `words:\n  source: &a { x: y }\n${words.replaceAll(/^ {2}/gm, '  ')}\n`);
  const many = await importOf('f.csv', '--mapping', 'm.yaml');
  expect([many.status, many.stderr]).toEqual([
    2,
    expect.stringContaining('--mapping: m.yaml: One alias is used more than 99 times. Write the values out.'),
  ]);
  shop.write('n.yaml', 'columns: *nobody\n');
  const none = await importOf('f.csv', '--mapping', 'n.yaml');
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('n.yaml: Unresolved alias')]);
});
