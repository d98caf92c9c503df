import { describe, expect, it } from 'vitest';
import { cellText } from '../../src/model/records/cells.ts';

describe('a list in a cell', () => {
  it.each([
    [['hot', 'fair'], 'hot; fair'],
    [['hot'], 'hot'],
    [[], ''],
    [[3, 12], '3; 12'],
    [['a, b', 'c'], '["a, b","c"]'],
    [['a,b'], '["a,b"]'],
    [['a;b', 'c'], '["a;b","c"]'],
    [['[x]'], '["[x]"]'],
    [[' edged'], '[" edged"]'],
    [[''], '[""]'],
    [[{ x: 1 }], '[{"x":1}]'],
  ])('%j is %s', (tags, text) => expect(cellText({ tags }, 'tags')).toBe(text));
});
