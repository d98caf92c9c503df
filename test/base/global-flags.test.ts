// The output format as a command line names it, before anything is parsed.

import { describe, expect, it } from 'vitest';
import { outputInArgv } from '../../src/base/global-flags.ts';

describe('the output format in argv', () => {
  it.each([
    ['leads list', undefined],
    ['leads list --json', 'json'],
    ['--csv leads list', 'csv'],
    ['leads list --envelope', 'json'],
    ['leads list -o json', 'json'],
    ['-o ndjson leads list', 'ndjson'],
    ['leads list -ojson', 'json'],
    ['leads list -qo json', 'json'],
    ['leads list -qyojson', 'json'],
    ['leads list --output json', 'json'],
    ['leads list --output=json', 'json'],
    ['leads list --output=yaml --limit 3', 'yaml'],
    ['leads list -o ids -o table', 'table'],
    ['leads list -o table -o ids', 'ids'],
    ['leads list --csv -o json', 'json'],
    ['leads list --json --csv', 'json'],
    ['leads list -o', undefined],
    ['leads list --output', undefined],
    ['leads list --output=', undefined],
    ['leads list -o xml', undefined],
    ['leads list --jsons', undefined],
    ['leads list -p json', undefined],
    ['leads list -- --json', undefined],
    ['leads list -o -- json', undefined],
  ])('%s', (line, format) => {
    expect(outputInArgv(line.split(' '))).toBe(format);
  });
});
