import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { UnavailableError } from '../../../src/base/errors.ts';
import { parseJson } from '../../../src/base/values/json.ts';
import { csvWriter } from '../../../src/output/formats/csv.ts';
import { unguard } from '../../../src/output/formats/formula-guard.ts';
import { idsWriter } from '../../../src/output/formats/ids.ts';
import { envelopeDocument, envelopeWriter, jsonDocument, jsonWriter, ndjsonWriter } from '../../../src/output/formats/json.ts';
import { markdownWriter } from '../../../src/output/formats/markdown.ts';
import type { RecordWriter, WriterOptions } from '../../../src/output/formats/writer.ts';
import { yamlDocument, yamlWriter } from '../../../src/output/formats/yaml.ts';
import type { Shape } from '../../../src/output/result.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { runs } from '../../support/property-runs.ts';
import { runHere } from '../../support/run-here.ts';
import { kestrel, now, osprey, shapeless, ships } from '../samples.ts';

interface Writing {
  readonly shape?: Shape;
  readonly fields?: readonly string[];
  readonly csvRaw?: boolean;
  readonly tty?: boolean;
}

async function write(
  make: (options: WriterOptions) => RecordWriter,
  pages: readonly (readonly unknown[])[],
  writing: Writing = {},
): Promise<string> {
  const { shape = shapeless, fields, csvRaw = false, tty = false } = writing;
  const io = fakeIo({ tty });
  const writer = make({ io, shape, now, flags: { csvRaw, ...(fields === undefined ? {} : { fields }) } });
  for (const [index, page] of pages.entries()) await writer.page(page, { message: 'OK', data: page, meta: { current_page: index + 1 } });
  await writer.end();
  return io.stdoutText();
}

const evil = 'a\x1b[31m\x7f\x9b\u202e\u2028b';
const pagesOfJson = fc.array(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }), { maxLength: 3 });

describe('markdown', () => {
  const markdown = (options: WriterOptions) => markdownWriter(options, false);

  it('is a table as GitHub shows it, with the columns of a table', async () => {
    expect(await write(markdown, [[kestrel], [osprey]], { shape: ships, fields: ['id', 'name'] })).toBe(
      '| id | name |\n| ---: | --- |\n| 7 | Kestrel |\n| 12 | Osprey |\n',
    );
    expect(await write(markdown, [], { shape: ships, fields: ['id'] })).toBe('| id |\n| ---: |\n');
  });

  it('shows texts as they are, on one line', async () => {
    const name = 'a|b *c* _d_ `e` [f](g) <b>h</b> & i\\j\nk\u202el';
    expect(await write(markdown, [[{ name }]])).toBe(
      '| name |\n| --- |\n| a\\|b \\*c\\* \\_d\\_ \\`e\\` \\[f\\](g) &lt;b>h&lt;/b> &amp; i\\\\j↵k\\\\u202el |\n',
    );
  });
});

describe('json', () => {
  it('is the document that JSON.stringify would write, however the records were paged', async () => {
    const same = fc.asyncProperty(pagesOfJson, async (pages) => {
      expect(await write(jsonWriter, pages)).toBe(`${JSON.stringify(pages.flat(), null, 2)}\n`);
    });
    await fc.assert(same, runs(1000, 1 / 20));
  });

  it('keeps numbers digit for digit', async () => {
    const records = parseJson('[{"value": 12345678901234567890.10, "n": 1.0, "e": 1e400}]') as unknown[];
    expect(await write(jsonWriter, [records])).toBe(
      '[\n  {\n    "value": 12345678901234567890.10,\n    "n": 1.0,\n    "e": 1e400\n  }\n]\n',
    );
  });

  it('selects fields', async () => {
    expect(await write(jsonWriter, [[kestrel]], { fields: ['port.city', 'id'] })).toBe(
      '[\n  {\n    "port": {\n      "city": "Bergen"\n    },\n    "id": 7\n  }\n]\n',
    );
  });

  it('escapes controls in names and values', () => {
    expect(jsonDocument({ [evil]: evil })).not.toMatch(/[\x1b\x7f\x9b\u202e\u2028]/);
    expect(JSON.parse(jsonDocument({ [evil]: evil }))).toEqual({ [evil]: evil });
  });

  it('is null for nothing', () => expect(jsonDocument(undefined)).toBe('null\n'));
});

describe('ndjson', () => {
  it('is one compact record a line', async () => {
    expect(await write(ndjsonWriter, [[{ id: 1, a: 'x\ny' }], [{ id: 2 }]])).toBe('{"id":1,"a":"x\\ny"}\n{"id":2}\n');
    expect(await write(ndjsonWriter, [])).toBe('');
  });
});

describe('envelope', () => {
  it('is the last answer with the records of all', async () => {
    const text = await write(envelopeWriter, [[{ id: 1 }], [{ id: 2 }]]);
    expect(JSON.parse(text)).toEqual({ data: [{ id: 1 }, { id: 2 }], message: 'OK', meta: { current_page: 2 } });
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it('is whole without records', async () => {
    expect(JSON.parse(await write(envelopeWriter, [[]]))).toEqual({ data: [], message: 'OK', meta: { current_page: 1 } });
    expect(await write(envelopeWriter, [])).toBe('[]\n');
  });

  it('is an array where the service answers arrays', async () => {
    const io = fakeIo();
    const writer = envelopeWriter({ io, shape: shapeless, now, flags: { csvRaw: false } });
    await writer.page([{ id: 1 }], [{ id: 1 }]);
    await writer.end();
    expect(JSON.parse(io.stdoutText())).toEqual([{ id: 1 }]);
  });

  it('of one record has --fields applied to its data', () => {
    expect(JSON.parse(envelopeDocument({ data: kestrel, message: 'OK' }, ['id']))).toEqual({ data: { id: 7 }, message: 'OK' });
    expect(envelopeDocument(undefined, ['id'])).toBe('null\n');
  });
});

describe('csv', () => {
  it('has the documented columns in their order, then the others, with CRLF', async () => {
    expect(await write(csvWriter, [[{ score: 3, ...kestrel }], [osprey]], { shape: ships })).toBe(
      [
        'id,name,port.id,port.city,price,afloat,crew,crew.id,flags,dates.built,score',
        '7,Kestrel,2,Bergen,1200.50,true,Tom Okafor; Priya Raman,2; 3,fast; old,1999-05-06,3',
        '12,Osprey,,,,false,,,,,',
        '',
      ].join('\r\n'),
    );
  });

  it('has a header for no records', async () => {
    expect(await write(csvWriter, [], { shape: ships })).toBe('id,name,port.id,port.city,price,afloat,crew,crew.id,flags,dates.built\r\n');
    expect(await write(csvWriter, [[]], { fields: ['id', 'name'] })).toBe('id,name\r\n');
    expect(await write(csvWriter, [])).toBe('');
  });

  it('quotes as RFC 4180 says', async () => {
    expect(await write(csvWriter, [[{ a: 'x,y', b: 'say "hi"', c: 'l1\nl2', d: 'l1\rl2', e: ' pad ' }]])).toBe(
      'a,b,c,d,e\r\n"x,y","say ""hi""","l1\nl2","l1\rl2", pad \r\n',
    );
  });

  it('says once that it has no half characters', async () => {
    const io = fakeIo();
    const writer = csvWriter({ io, shape: shapeless, now, flags: { csvRaw: false } });
    for (const title of ['Cut \ud83d', 'Whole \ud83d\ude00', 'Cut \ude00'])
      await writer.page([{ title }], { message: 'OK', data: [], meta: { current_page: 1 } });
    await writer.end();
    expect(io.stderrText()).toBe(
      'A text holds half a character. CSV has U+FFFD in its place; --json keeps it. An import leaves such a value as it is.\n',
    );
  });

  it('shows an empty cell of a single column as a row', async () => {
    expect(await write(csvWriter, [[{ a: null }, { a: 'x' }]], { fields: ['a'] })).toBe('a\r\n""\r\nx\r\n');
  });

  it('guards formulas unless told not to, in the header as well', async () => {
    const records = [{ '=a': '=1+1', b: '-5.00', c: '+49 30', d: '+a' }];
    expect(await write(csvWriter, [records])).toBe("'=a,b,c,d\r\n'=1+1,-5.00,+49 30,'+a\r\n");
    expect(await write(csvWriter, [records], { csvRaw: true })).toBe('=a,b,c,d\r\n=1+1,-5.00,+49 30,+a\r\n');
  });

  it('reads back as it was, for any texts', async () => {
    const row = fc.record({
      a: fc.string({ unit: 'binary' }),
      b: fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', "'", '=', 'x') }),
    });
    const readBack = fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
      const text = await write(csvWriter, [rows], { fields: ['a', 'b'] });
      const read: string[][] = parseCsv(text, { from_line: 1, record_delimiter: '\r\n' });
      expect(read.slice(1).map((cells) => cells.map(unguard))).toEqual(rows.map(({ a, b }) => [a, b]));
    });
    await fc.assert(readBack, runs(1000, 1 / 20));
  });

  it('is exact off a terminal, and safe on one', async () => {
    expect(await write(csvWriter, [[{ a: evil, b: 'x\ny' }]])).toBe(`a,b\r\n${evil},"x\ny"\r\n`);
    expect(await write(csvWriter, [[{ a: evil, b: 'x\ny' }]], { tty: true })).toBe('a,b\r\na\\x1b[31m\\x7f\\x9b\\u202e↵b,x↵y\r\n');
  });
});

describe('yaml', () => {
  it('reads back as it was, however the records were paged', async () => {
    const readBack = fc.asyncProperty(pagesOfJson, async (some) => {
      // As they come out of JSON text, which makes a zero of a negative one.
      const pages: typeof some = JSON.parse(JSON.stringify(some));
      expect(parseYaml(await write(yamlWriter, pages))).toEqual(pages.flat());
    });
    await fc.assert(readBack, runs(1000, 1 / 20));
  });

  it('reads back any text, and shows none that a terminal acts upon', async () => {
    const readBack = fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\x1b', '\x9b', '\u202e', '\n', '\u2028', 'a', ' ', ':', '#') }),
      async (one, two) => {
        const text = yamlDocument({ one, two, [two]: 1 });
        expect(text.replaceAll('\n', '')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e\u2028]/);
        expect(parseYaml(text)).toEqual({ one, two, [two]: 1 });
      },
    );
    await fc.assert(readBack, runs(1000, 1 / 20));
  });

  it('is read alike by YAML 1.1', () => {
    const odd = 'y|No|NULL|~|1_000|e1|E+5|0o7|0x1f|1:30|.inf|-.5|2026-01-02|=|<<|| a|a |a: b|a #b|- a|? a|a:|&a|*a|!a|@a|%a'.split('|');
    const texts = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: fc.constantFrom(...'yn1.:-+#"\'\\ e_é') }));
    fc.assert(
      fc.property(texts, (text) => {
        const record = { a: text, b: [text, [text], {}, []], c: { [text]: [{ d: text }] } };
        for (const version of ['1.1', '1.2'] as const) expect(parseYaml(yamlDocument(record), { version, merge: false })).toEqual(record);
      }),
    );
  });

  it('keeps a text on its line', async () => {
    expect(yamlDocument({ note: `${'one '.repeat(40)}two\nkey: forged` })).toBe(`note: "${'one '.repeat(40)}two\\nkey: forged"\n`);
  });

  it('keeps numbers digit for digit, and quotes what older readers mistake', async () => {
    const record = parseJson(
      '{"amount": 12345678901234567890.10, "value": "12.00", "owner": "yes", "date": "2026-01-02", "none": null, "on": true}',
    );
    expect(yamlDocument(record)).toBe(
      'amount: 12345678901234567890.10\nvalue: "12.00"\nowner: "yes"\ndate: "2026-01-02"\nnone: null\n"on": true\n',
    );
  });

  it('is an empty sequence for no records, and null for nothing', async () => {
    expect(await write(yamlWriter, [[]])).toBe('[]\n');
    expect(yamlDocument(undefined)).toBe('null\n');
  });

  it('selects fields', async () => {
    expect(await write(yamlWriter, [[kestrel], [osprey]], { fields: ['id', 'port.city'] })).toBe(
      '- id: 7\n  port:\n    city: Bergen\n- id: 12\n  port:\n    city: null\n',
    );
  });
});

describe('ids', () => {
  const wrong = [null, '', '5 7', '5,7', [5, 7], 'a\nb', '5\x1b', 'b-2', '../clients/1', -1];
  const odd = [{ name: 'x' }, ...wrong.map((id) => ({ id })), 'text'];

  it('is one id a line', async () => {
    expect(await write((options) => idsWriter(options, true), [[{ id: 1 }, { id: '2' }], [parseJson('{"id": 90071992547409930}')]])).toBe(
      '1\n2\n90071992547409930\n',
    );
  });

  it.each(odd)('of what was read, %j is an error', async (record) => {
    await expect(async () => write((options) => idsWriter(options, true), [[{ id: 1 }, record]])).rejects.toThrow(UnavailableError);
  });

  it('of what was written, records without an id are left out', async () => {
    expect(await write((options) => idsWriter(options, false), [[{ id: 1 }, ...odd]])).toBe('1\n');
  });

  it.each([['history'], ['names'], ['names', 'tags'], ['profile', 'list'], ['doctor']])(
    'of what has no ids is refused: %s %s',
    async (...args) => {
      const service = { CRM_BASE_URL: 'http://127.0.0.1:9', CRM_API_KEY: 'key' };
      const env = { ...service, CRM_CONFIG_DIR: '/nonexistent', CRM_DATA_DIR: '/nonexistent' };
      const { status, stdout, stderr } = await runHere([...args, '-o', 'ids'], { env });
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: --output: a (run|name|profile|check) has no id of the service; json, csv and others show it\.\n/);
    },
  );
});
