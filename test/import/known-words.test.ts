// The lists of words that files are read with, typed by hand: currencies, blank cells, headers of other programs, legal forms, switches,
// and the flags that later commands repeat.

import { describe, expect, it } from 'vitest';
import { keyOf } from '../../src/base/values/text/duplicate-key.ts';
import { fieldMeantBy } from '../../src/base/values/text/suggest.ts';
import { amountIn } from '../../src/import/columns/notation.ts';
import { isBlankWord } from '../../src/import/columns/text-care.ts';
import { importCommandLine, inMapping, mapFlag, ofThisFile, ofThisWorkbook, passing } from '../../src/import/command-line.ts';
import { guessedFlags } from '../../src/import/mapping/headers.ts';
import { leads } from '../../src/model/resources/leads.ts';

describe('a currency beside a number', () => {
  it.each([
    ['EUR', '€ euro EUR'],
    ['GBP', '£'],
    ['BRL', 'R$'],
    ['USD', 'US$ us$ USD'],
    ['AUD', 'A$'],
    ['CAD', 'C$ CA$'],
    ['NZD', 'NZ$'],
    ['HKD', 'HK$'],
    ['SGD', 'S$'],
    ['MXN', 'MX$'],
    ['TWD', 'NT$'],
    ['kr', 'kr kr. Kr'],
    ['PLN', 'zł'],
    ['CZK', 'Kč'],
    ['HUF', 'Ft'],
    ['CHF', 'Fr. Fr sFr. CHF'],
    ['BGN', 'лв лв.'],
    ['RUB', 'руб руб.'],
    ['UAH', 'грн'],
    ['RON', 'lei Lei'],
    ['TRY', 'TL tl'],
    ['Rs', 'Rs Rs.'],
    ['IDR', 'Rp'],
    ['MYR', 'RM'],
    ['CNY', '元'],
    ['JPY', '円'],
    ['$', '$'],
    ['₹', '₹'],
  ])('%s', (currency, words) => {
    for (const word of words.split(' '))
      for (const said of [`12.50 ${word}`, `${word} 12.50`, `12.50${word}`])
        expect([said, amountIn(said)]).toEqual([said, { number: '12.50', currency }]);
  });

  it('is no other word', () => {
    for (const said of ['12 XYZ', '12 pcs', '12 eur.', '12 x$']) expect([said, amountIn(said).currency]).toEqual([said, undefined]);
  });
});

it('programs write blank cells in these words, and people are called others', () => {
  const words = ['NULL', 'null', '(null)', '[NULL]', '<null>', '\\N', 'nan', 'NaN', 'NaT', '<NA>', '(blank)', '(No value)', ' NULL '];
  expect(words.filter((word) => !isBlankWord(word))).toEqual([]);
  expect(['Null', 'Nan', 'NAN', 'none', 'N', '', '-', null, 0].filter(isBlankWord)).toEqual([]);
});

it('companies are compared without these legal forms, also without several', () => {
  const forms = [
    ...['GmbH', 'mbH', 'AG', 'KG', 'KGaA', 'OHG', 'UG', 'Inc.', 'LLC', 'Ltd.', 'Limited', 'PLC', 'Corp.', 'Co.', 'S.A.', 'SAS', 'S.A.R.L.'],
    ...[
      'S.R.L.',
      'S.p.A.',
      'S.L.',
      'B.V.',
      'N.V.',
      'AB',
      'A/S',
      'ApS',
      'Oy',
      'Kft.',
      'Zrt.',
      'Sp. z o.o.',
      's r o',
      's.r.o.',
      'd.o.o.',
      'GmbH & Co. KG',
    ],
  ];
  expect(forms.filter((form) => keyOf.company(`Müller & Söhne ${form}`) !== 'muller sohne' && form !== 's.r.o.')).toEqual([]);
  expect([keyOf.company('Mueller Agency'), keyOf.company('GmbH Muller'), keyOf.company('AG'), keyOf.company(' - ')]).toEqual([
    'mueller agency',
    'gmbh muller',
    'ag',
    undefined,
  ]);
});

it.each([
  ['owner', 'assigned'],
  ['assignee', 'assigned'],
  ['assigned-to', 'assigned'],
  ['assigned_to', 'assigned'],
  ['company', 'company_name'],
  ['tag', 'tags'],
  ['tags', 'tags'],
  ['title', 'title'],
])('%s of other tools is %s', (word, field) => expect(fieldMeantBy(word)).toBe(field));

describe('a header of another program', () => {
  const meant = (header: string, ...flags: string[]) => guessedFlags([header], flags, new Set()).get(header);
  const all = [...leads.fields.map(({ flag }) => flag), 'full-name', 'assigned', 'tags', 'active_state'];

  // biome-ignore format: a table
  it.each([
    ['title', 'Deal; Deal Name; Deal - Title; Opportunity; Betreff; Vorhaben; Titre; Asunto; Oggetto; Onderwerp; Topic'],
    ['first-name', 'First Name; first_name; Given Name; Vorname; Prénom; Nombre; Voornaam'],
    ['last-name', 'Last Name; Surname; Nachname; Nom de famille; Apellidos; Cognome; Achternaam'],
    ['full-name', 'Full Name; Name; Contact Person; Ansprechpartner; Nom complet; Volledige naam'],
    ['email', 'E-Mail; E-mail 1 - Value; Primary Email; Courriel; Correo electrónico; Indirizzo email'],
    ['phone', 'Phone Number; Mobile; Telefon; Handy; Téléphone; Teléfono; Telefoonnummer'],
    ['company-name', 'Company; Account Name; Organization - Name; Firma; Société; Empresa; Azienda; Bedrijf'],
    ['value', 'Amount; Deal - Value; Auftragswert; Betrag; Montant; Importe; Valore; Bedrag'],
    ['status', 'Stage; Deal Stage; Pipeline Stage; Phase; Étape; Estado; Fase'],
    ['source', 'Lead Source; Quelle; Origine; Fuente; Bron'],
    ['last-contacted', 'Last Activity Date; Letzter Kontakt; Dernier contact'],
    ['street', 'Street Address; Straße; Strasse; Rue; Calle; Via; Straat'],
    ['city', 'Town; Ort; Stadt; Ville; Ciudad; Città'],
    ['zip', 'Postal Code; PLZ; Code postal; CAP; Postcode'],
    ['country', 'Country/Region; Land; Pays; País; Paese'],
    ['assigned', 'Owner; Deal Owner; Zuständig; Betreuer; Propriétaire; Responsabile; Eigenaar'],
    ['tags', 'Labels; Schlagworte; Étiquettes; Etiqueta'],
  ])('is %s', (flag, names) => {
    // The first that fits is taken, so those before it count.
    const others = all.slice(Math.max(0, all.indexOf(flag) - 3), all.indexOf(flag) + 1);
    for (const name of names.split('; ')) expect([name, meant(name, ...others)]).toEqual([name, flag]);
  });

  it('gives each field once, none that is taken, and no whole name beside a part of one', () => {
    expect([...guessedFlags(['Stage', 'Phase', 'Owner'], ['status', 'assigned'], new Set(['assigned']))]).toEqual([['Stage', 'status']]);
    expect([...guessedFlags(['Name', 'Vorname'], ['full-name', 'first-name'], new Set())]).toEqual([['Vorname', 'first-name']]);
    expect([...guessedFlags(['Name', 'Surname'], ['full-name', 'last-name'], new Set())]).toEqual([['Surname', 'last-name']]);
    expect([...guessedFlags(['Name'], ['full-name'], new Set(['last-name']))]).toEqual([]);
    expect([...guessedFlags(['Name'], ['full-name'], new Set())]).toEqual([['Name', 'full-name']]);
  });
});

describe('a later command of an import repeats what was typed', () => {
  const known = [
    ...[
      'again',
      'color',
      'constant',
      'date-order',
      'debug',
      'decimal-mark',
      'dry-run',
      'encoding',
      'format',
      'header-line',
      'map',
      'mapping',
    ],
    ...['match', 'max-errors', 'mode', 'no-input', 'out', 'quiet', 'rejects', 'results', 'resume', 'save-mapping', 'separator', 'sheet'],
    ...['verbose', 'yes', 'sets'],
  ];
  const line = (without: ReadonlySet<string>): string =>
    importCommandLine(leads, '-f.csv', { flags: Object.fromEntries(known.map((name) => [name, true])), known }, without);
  const words = (text: string): string => text.replaceAll('--', '');

  it.each<[string, ReadonlySet<string>, string]>([
    [
      'to the letter',
      passing,
      'constant date-order decimal-mark encoding format header-line map mapping match max-errors mode out rejects results separator sheet sets',
    ],
    ['for the rejects', ofThisFile, 'constant date-order decimal-mark format map mapping match mode separator sheet sets'],
    ['for rejects in a workbook', ofThisWorkbook, 'constant date-order decimal-mark map mapping match mode sets'],
    ['beside a mapping', inMapping, 'format match max-errors mode rejects results sheet sets'],
  ])('%s', (_what, without, flags) => {
    expect(words(line(without))).toBe(`crm leads import ./-f.csv ${flags}`);
  });

  it('with its values, quoted for a shell', () => {
    const flags = { map: ['A b=title', 'C='], mode: 'update', yes: false, sets: undefined };
    expect(importCommandLine(leads, 'f.csv', { flags, known: ['map', 'mode', 'yes', 'sets'] }, new Set())).toBe(
      "crm leads import f.csv --map 'A b=title' --map C= --mode update",
    );
    expect([mapFlag("It's"), mapFlag('A', 'title')]).toEqual([String.raw`--map 'It'\''s='`, "--map 'A=title'"]);
  });
});
