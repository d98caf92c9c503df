// The encodings that a message offers for a file that is not UTF-8: what its bytes prove first, and no two that read alike.

import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

/** Makes bytes of texts, by what each one or two bytes read as. */
function encoderOf(encoding: string): (text: string) => Buffer {
  const bytes = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  const note = (...some: number[]): void => {
    const letter = decoder.decode(Uint8Array.from(some));
    if ([...letter].length === 1 && letter !== '\ufffd' && !bytes.has(letter)) bytes.set(letter, some);
  };
  for (let first = 0; first < 256; first += 1) note(first);
  if (bytes.size < 200)
    for (let first = 0x81; first < 0xff; first += 1) for (let second = 0x40; second < 0xff; second += 1) note(first, second);
  return (text) =>
    Buffer.from(
      [...text].flatMap((letter) => {
        const some = bytes.get(letter);
        if (some === undefined) throw new Error(`${encoding} has no ${letter}`);
        return some;
      }),
    );
}

// Files of contacts: rows of a last name, a company, a city, and a note.
// biome-ignore format: a table
const files: Readonly<Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>> = {
  Portuguese: { 'windows-1252': [
    ['João Gonçalves;Padaria São Bento;Brasília;Ligar amanhã', 'Conceição Araújo;Construções Leme;Maringá;'],
    ['Inês Simões;Óptica Estação;Évora;', 'Zé;Café Avó;Setúbal;Sr.ª Ana, 2.º andar'], ['Antônio;Bênçãos Ltda;Sao Paulo;não', 'ASSUNÇÃO;COMÉRCIO;BELÉM;'],
  ] },
  Spanish: { 'windows-1252': [
    ['Muñoz Pérez;Panadería Núñez;León;¿Llamar mañana?', 'Ibáñez;Diseños Güell;Cádiz;'], ['Peña;Muebles Ordóñez;La Coruña;Núñez'], ['GARCÍA;Señalización;Ávila;¡Ojo!'],
  ] },
  French: { 'windows-1252': [
    ['Lefèvre;Boulangerie Façade;Orléans;à rappeler après l’été', 'Noël Hervé;Garage du Chêne;Nîmes;'], ['Élodie Benoît;Œuvres & Cie;Besançon;'], ['Müller;Hôtel Français;Bâle;'], ['Hérédia;Générale;Créteil;intérêts'],
  ] },
  German: { 'windows-1252': [
    ['Jörg Müller;Straßenbau Süd;München;Rückruf „dringend“', 'Änne Groß;Bäckerei Groß;Köln;'], ['Öztürk;Höfer KG;Lübeck;'], ['Weiß;René Café;Fürth;5 € – später'],
  ] },
  Nordic: { 'windows-1252': [['Åse Bjørnstad;Sjømat Ålesund;Tromsø;', 'Bærum;Kjær;Århus;'], ['Söderström;Västerås Järn;Malmö;']] },
  'Mac French': { macintosh: [['Lefèvre;Café Façade;Orléans;été']] },
  Czech: { 'windows-1250': [
    ['Dvořák;Pekařství U Růže;Plzeň;zavolat příští týden', 'Jiří Němec;Stavby Říčany;Žďár;'], ['Šťastný;Květiny Hájek;Děčín;'], ['Kováč;Potraviny Ľubica;Košice;'],
  ] },
  Polish: { 'windows-1250': [['Wójcik;Zakład Górski;Łódź;już', 'Michał Pękała;Części;Gdańsk;'], ['Świątek;Müller i Syn;Poznań;']] },
  Hungarian: { 'windows-1250': [['Erdős László;Győri Kő;Győr;', 'Szűcs;Építő;Pécs;']] },
  'Czech, ISO': { 'iso-8859-2': [['Šťastný;Žižka;Děčín;zítra']] },
  Turkish: { 'windows-1254': [['Işık Yılmaz;Güneş Gıda;Muğla;', 'Çağrı;İnşaat;İzmir;']] },
  Greek: { 'windows-1253': [['Γιώργος Παπάς;Αρτοποιείο Ήλιος;Αθήνα;']] },
  Russian: {
    'windows-1251': [
      ['Иван Петров;ООО «Склад»;Тула;позвонить завтра', 'Семёнова;Подшипник;Орёл;'], ['ИВАНОВ;СТРОЙМАРКЕТ;Москва;'], ['Шевченко;Їжа;Київ;'],
    ],
    'koi8-r': [['Иван Петров;ООО Склад;Тула;позвонить завтра', 'Семёнова;Подшипник;Орёл;'], ['Кузнецов;Мебель;Пермь;'], ['Ли;Чай;Уфа;']],
    ibm866: [['Иван Петров;ООО Склад;Тула;позвонить завтра']],
  },
  Japanese: {
    shift_jis: [
      ['山田太郎;株式会社さくら;東京都港区;明日電話', '佐藤花子;ソフト開発;大阪市;'], ['鈴木一郎;北海道水産;札幌市;'], ['田中;ﾀﾅｶ商店;横浜市;カタログ表'],
    ],
    'euc-jp': [['山田太郎;株式会社さくら;東京都港区;'], ['佐藤花子;ソフト開発;大阪市;']],
  },
  Chinese: {
    gb18030: [
      ['张伟;北京科技有限公司;北京市朝阳区;下周联系', '王芳;上海贸易公司;上海市;'], ['李娜;深圳电子;深圳市;A座 12 层'], ['陈;茶;广州;'],
    ],
    big5: [
      ['陳志明;台北貿易有限公司;台北市信義區;下週聯絡', '林美玲;高雄科技;高雄市;'], ['黃;茶行;新竹;A棟'], ['許功蓋;餐廳;台南市;'],
    ],
  },
  Korean: { 'euc-kr': [['김민수;서울무역 주식회사;서울시 강남구;내일 전화', '이영희;한국전자;부산;'], ['박;차 가게;대구;'], ['최지우;(주)하늘;인천;']] },
};
const cases = Object.entries(files).flatMap(([language, byEncoding]) =>
  Object.entries(byEncoding).map(([encoding, tables]) => ({ language, encoding, tables })),
);

it.each(cases)('$language in $encoding: the message has the flag that reads the file first', async ({ encoding, tables }) => {
  const header = 'title;status;category;last-name;company-name;city;description\n';
  const encoded = encoderOf(encoding);
  for (const rows of tables) {
    shop.write('f.csv', encoded(header + rows.map((row) => `A;1;1;${row}\n`).join('')));
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv']);
    expect([status, /Which is right: "[^"]+" \(--encoding ([\w-]+)\)/.exec(stderr)?.[1], rows]).toEqual([2, encoding, rows]);
    const cells = [...stderr.matchAll(/"([^"]*)" \(--encoding/g)].map(([, cell]) => cell);
    expect(new Set(cells).size).toBe(cells.length);
  }
  expect((await shop.crm(['leads', 'import', 'f.csv', '--encoding', encoding, '--concurrency', '1'])).status).toBe(0);
  expect(await shop.held('contact.last_name', 'created')).toEqual((tables.at(-1) ?? []).map((row) => row.split(';')[0]));
});

it('with --mapping, the message names the file and the places to fill in; filled in, the file is imported', async () => {
  shop.write('m.yaml', 'columns: { Titel: title }');
  shop.write('f.csv', 'Titel,Sorte,status,category\nA,x,Gewonnen,1\n');
  const { stderr } = await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'm.yaml']);
  expect(stderr).toContain("Fill in the meaning in m.yaml: columns: { 'Sorte': … }, words: { status: { 'Gewonnen': … } }.");
  shop.write('m.yaml', "columns: { Titel: title, 'Sorte': source }\nwords: { status: { 'Gewonnen': New } }");
  expect((await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'm.yaml'])).status).toBe(0);
});

it('a row that an upsert can’t create says what it needs, and how to go on', async () => {
  shop.write('f.csv', 'email,city\nann@x.example,Bern\n');
  const words = ['leads', 'import', 'f.csv', '--match', 'email', '--mode'];
  const { status, stderr } = await shop.crm([...words, 'upsert']);
  expect([status, stderr]).toEqual([
    8,
    expect.stringContaining(
      'No lead is found for this row, and a new lead needs title, status and category. Fill in what is missing, give it with --constant, or leave the row out: --mode update changes records alone.',
    ),
  ]);
  const constants = ['title=A', 'status=1', 'category=1'].flatMap((one) => ['--constant', one]);
  expect((await shop.crm([...words, 'upsert', ...constants])).status).toBe(0);
});
