// The layout of a table that flags or a mapping give: its separator, and the line of its header.

import { invalidValue } from '../../base/errors.ts';
import { parseCount } from '../../base/values/parse.ts';
import type { Layout } from './raw-row.ts';

/** The separators that have names in flags and mappings. */
export const separatorNames = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/** The layout that flags or a mapping give; `lead` comes before their names in messages. Throws InvalidValues. */
export function layoutOf(
  { separator, 'header-line': line }: { readonly separator?: unknown; readonly 'header-line'?: unknown },
  lead = '--',
): Layout {
  return {
    ...(typeof separator === 'string' && separator !== '' ? { separator: separatorMeant(separator, `${lead}separator`) } : {}),
    ...(typeof line === 'string' && line !== '' ? { headerLine: parseCount(line, `${lead}header-line`) } : {}),
  };
}

function separatorMeant(word: string, where: string): string {
  const named = Object.entries(separatorNames).find(([name]) => name === word.toLowerCase())?.[1];
  if (named !== undefined || (word.length === 1 && !/["\r\n]/.test(word))) return named ?? word;
  throw invalidValue(where, `"${word}" is not comma, semicolon, tab, pipe or one character.`);
}
