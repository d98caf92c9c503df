// Where a list's page stands, of answers that tell it in other forms than numbers in `meta`.

import { expect, it } from 'vitest';
import { readEnvelope } from '../../src/client/envelope.ts';

const metaOf = (document: object) => readEnvelope(200, JSON.stringify(document)).meta;

it.each<[object, object | undefined]>([
  [
    { data: [], meta: { current_page: 2, per_page: 25, total: 44, last_page: 2 } },
    { current_page: 2, per_page: 25, total: 44, last_page: 2 },
  ],
  [
    { data: [], current_page: '2', per_page: '25', total: '44', last_page: '2' },
    { current_page: 2, per_page: 25, total: 44, last_page: 2 },
  ],
  [{ data: [], meta: { total: 0 } }, { total: 0 }],
  [{ data: [], meta: { total: '' } }, undefined],
  [{ data: [], meta: { total: '1e3' } }, undefined],
  [{ data: [], meta: { total: ' 7' } }, undefined],
  [{ data: [], meta: { total: null } }, undefined],
  [{ data: [], meta: { total: 1.5 } }, undefined],
  [{ data: [], meta: { total: true, last_page: 3 } }, { last_page: 3 }],
  [{ data: [], meta: { total: '90071992547409930' } }, undefined],
  [{ data: [], meta: {}, total: 44 }, undefined],
  [{ data: [], meta: [], total: 44 }, { total: 44 }],
  [{ data: [] }, undefined],
])('%j', (document, meta) => {
  expect(metaOf(document)).toEqual(meta);
});
