import { describe, expect, it } from 'vitest';
import { pagerCommand } from '../../../src/output/streams/pager.ts';
import { on } from '../../support/on-platform.ts';

describe('the pager that the environment asks for', () => {
  it.each([
    [{}, 'less -FRX'],
    [{ PAGER: 'less -S' }, 'less -S'],
    [{ CRM_PAGER: 'most', PAGER: 'less -S' }, 'most'],
    [{ CRM_PAGER: '', PAGER: 'less -S' }, undefined],
    [{ CRM_PAGER: 'cat', PAGER: 'less' }, undefined],
    [{ PAGER: '' }, undefined],
    [{ PAGER: 'less', TERM: 'dumb' }, undefined],
  ])('%j', (env: { [name: string]: string | undefined }, line) => {
    expect(pagerCommand(env)?.line).toBe(line);
  });

  it('is none on Windows, unless it is named', async () => {
    expect(await on('win32', () => pagerCommand({}))).toBeUndefined();
    expect(await on('win32', () => pagerCommand({ PAGER: 'more' })?.line)).toBe('more');
  });
});
