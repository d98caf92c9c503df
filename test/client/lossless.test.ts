// Nothing is lost on the way: numbers keep their digits, texts their characters, sets their emptiness.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Body, BodyValue } from '../../src/base/values/body.ts';
import { IdSet } from '../../src/base/values/id-set.ts';
import { parseJson, scalarText } from '../../src/base/values/json.ts';
import { encodeBody, encodeTarget } from '../../src/client/encoding.ts';
import { readEnvelope } from '../../src/client/envelope.ts';
import { runs } from '../support/property-runs.ts';

const digits = (min: number, max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });

/** Any number that JSON's grammar allows. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom(...'123456789'), digits(0, 30)).map((parts) => parts.join('')),
    ),
    fc.oneof(
      fc.constant(''),
      digits(1, 30).map((text) => `.${text}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(1, 3)).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

/** A text that a UTF-8 document can hold. */
const text = fc.string({ unit: 'grapheme', maxLength: 20 });

/** The source of a document, as JSON.stringify would space it. */
const { document } = fc.letrec<{ document: string }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small' },
    numberText,
    text.map((value) => JSON.stringify(value)),
    fc.constantFrom('true', 'false', 'null', '"12345678901234567890.10"', '"[1.0, -0]"'),
    fc.array(tie('document'), { maxLength: 4 }).map((elements) => `[${elements.join(',')}]`),
    fc.array(fc.tuple(text, tie('document')), { maxLength: 4 }).map((pairs) => {
      // A name that looks like an index would be moved to the front, and one that comes twice would be dropped.
      const named = new Map(pairs.map(([name, value]) => [`_${name}`, value]));
      return `{${[...named].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
    }),
  ),
}));

describe('JSON', () => {
  it('comes out as it went in', () => {
    fc.assert(
      fc.property(document, (source) => {
        expect(JSON.stringify(parseJson(source))).toBe(source);
      }),
      runs(2_000),
    );
  });

  it('a number is its digits', () => {
    fc.assert(
      fc.property(numberText, fc.constantFrom(' ', '\n', '\t', ''), (source, space) => {
        const [bare] = [parseJson(`${space}${source}${space}`)];
        expect(scalarText(bare)).toBe(source);
        const { data } = readEnvelope(200, `{"data":${space}{"value"${space}:${space}${source}${space}}${space}}`) as {
          data: { value: unknown };
        };
        expect(scalarText(data.value)).toBe(source);
      }),
      runs(2_000),
    );
  });

  it.each(['-0', '0', '1.0', '1e5', '1E400', '12345678901234567890.10', '0.1', '9007199254740993', '1.10', '-1.5e-7', '123456789012345'])(
    '%s',
    (source) => {
      expect(scalarText(parseJson(source))).toBe(source);
      expect(JSON.stringify(parseJson(`{"a":[${source}]}`))).toBe(`{"a":[${source}]}`);
    },
  );

  it('small whole numbers stay numbers', () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(parseJson(`{"id": ${value}, "value": 1.10}`)).toMatchObject({ id: value });
      }),
    );
  });

  it('what is no document is refused', () => {
    for (const source of ['', '{', '01', '1.', '.5', '+1', '1e', 'NaN', '[1,]', '{"a":1.0,}', '1.0 2.0', "{'a': 1.0}"]) {
      expect(() => parseJson(source)).toThrow(SyntaxError);
    }
  });

  it('names that an object has by nature are members like any other', () => {
    const source = '{"__proto__":{"a":1.0},"constructor":2.0,"toString":null}';
    expect(JSON.stringify(parseJson(source))).toBe(source);
    expect(readEnvelope(200, '{"__proto__": {"data": [1]}}').data).not.toEqual([1]);
  });
});

const name = fc.string({ unit: fc.constantFrom(...'abcxyz_019'), minLength: 1, maxLength: 8 });
const scalar = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat());
const field: fc.Arbitrary<BodyValue> = fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 4 })) as fc.Arbitrary<BodyValue>;
const fields = fc.array(fc.tuple(name, field), { maxLength: 6 }).map((pairs): Body => new Map(pairs));

describe('form bodies', () => {
  it('read back as they were', () => {
    fc.assert(
      fc.property(fields, (body) => {
        const encoded = encodeBody({ method: 'POST', path: '/x', body }, 'form');
        expect(encoded?.type).toBe('application/x-www-form-urlencoded');
        const expected = [...body].flatMap(([key, value]) =>
          typeof value === 'object' ? value.map((one) => [`${key}[]`, String(one)]) : [[key, String(value)]],
        );
        expect([...new URLSearchParams(encoded?.text)]).toEqual(expected);
        expect(encoded?.text).toMatch(/^[\x21-\x7e]*$/);
      }),
    );
  });

  it('an empty array makes the whole body JSON', () => {
    fc.assert(
      fc.property(fields, name, (body, empty) => {
        body.set(empty, []);
        const encoded = encodeBody({ method: 'PUT', path: '/x', body }, 'form');
        expect(encoded?.type).toBe('application/json');
        expect(JSON.parse(encoded?.text ?? '')).toEqual(Object.fromEntries(body));
      }),
    );
  });

  it.each<[string, BodyValue]>([
    ['text', 'cut \ud83d'],
    ['element', ['whole 🎉', '\ude00 cut']],
  ])('half a character in a %s makes the whole body JSON, and stays', (name, value) => {
    const encoded = encodeBody(
      {
        method: 'PATCH',
        path: '/x',
        body: new Map([
          ['title', 'T'],
          [name, value],
        ]),
      },
      'form',
    );
    expect(encoded?.type).toBe('application/json');
    expect(encoded?.text).toMatch(/\\ud83d|\\ude00/);
    expect(JSON.parse(encoded?.text ?? '')).toEqual({ title: 'T', [name]: value });
  });

  it('--encoding json sends JSON, and no body is no body', () => {
    fc.assert(
      fc.property(fields, (body) => {
        expect(JSON.parse(encodeBody({ method: 'POST', path: '/x', body }, 'json')?.text ?? '')).toEqual(Object.fromEntries(body));
      }),
    );
    expect(encodeBody({ method: 'PUT', path: '/x' }, 'json')).toBeUndefined();
    expect(encodeBody({ method: 'PUT', path: '/x' }, 'form')).toBeUndefined();
  });

  it('a JSON text goes out as it is', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('form' as const, 'json' as const), (json, encoding) => {
        expect(encodeBody({ method: 'POST', path: '/x', json }, encoding)).toEqual({ type: 'application/json', text: json });
      }),
    );
  });
});

describe('targets', () => {
  it('a query reads back as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'binary', maxLength: 20 })), { minLength: 1, maxLength: 5 }), (query) => {
        const target = encodeTarget('/base', { method: 'GET', path: '/api/leads', query });
        expect(target).toMatch(/^\/base\/api\/leads\?[\x21-\x7e]*$/);
        expect([...new URLSearchParams(target.slice(target.indexOf('?')))]).toEqual(query);
      }),
    );
  });

  it('a path of any characters is one that can be sent, and one with none of them stays', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (path) => {
        expect(encodeTarget('', { method: 'GET', path: `/${path}` })).toMatch(/^\/[\x21-\x7e]*$/);
      }),
    );
    expect(encodeTarget('', { method: 'GET', path: '/api/a%20b?c=%C3%A9', query: [['d', 'é']] })).toBe('/api/a%20b?c=%C3%A9&d=%C3%A9');
  });
});

describe('ids seen', () => {
  it('is a set, whatever the ids', () => {
    const id = fc.oneof(
      fc.nat(10_000),
      fc.integer(),
      fc.double(),
      fc.string({ maxLength: 3 }),
      fc.bigInt({ min: 10n ** 16n, max: 10n ** 16n + 5n }),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 50 }), (ids) => {
        const set = new IdSet();
        const read = ids.map((one) => (typeof one === 'bigint' ? parseJson(String(one)) : one));
        const fresh = read.filter((one) => set.add(one)).length;
        // "5" is 5.
        const meant = (one: unknown): unknown => (typeof one === 'string' && /^(0|[1-9]\d*)$/.test(one) ? Number(one) : one);
        expect(fresh).toBe(new Set(ids.map((one) => (typeof one === 'bigint' ? String(one) : meant(one)))).size);
      }),
    );
  });
});
