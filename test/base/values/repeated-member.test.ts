// A member that stands twice: JSON.parse keeps the last one silently.

import { expect, it } from 'vitest';
import { repeatedMember } from '../../../src/base/values/json.ts';

it.each<[string, string | undefined]>([
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":1,"c":[{"d":1},{"d":2}]},"b":{"a":1}}', undefined],
  ['[{"a":1},{"a":1,"b":[],"a":3}]', 'a'],
  ['{"a":"a","b":["a","a"]}', undefined],
  ['{"a":"\\"a\\":1","\\u0061":2}', 'a'],
  ['{"x":{},"y":1 , "x" : 2}', 'x'],
  ['"text"', undefined],
  [`{"a":"${'\\n'.repeat(500_000)}","a":1}`, 'a'],
])('%.60s', (text, expected) => expect(repeatedMember(text)).toBe(expected));
