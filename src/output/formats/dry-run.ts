// Draws the requests that --dry-run held back, without the API key.

import { scalarText } from '../../base/values/json.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import type { UnsentRequest } from '../../client/types.ts';
import { displayText } from '../../model/records/display.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import type { Theme } from '../streams/theme.ts';

/**
 * A request as text: the method and URL, then one `name=value` a line, `name[]=` for each element of an array. If any array is empty,
 * all fields are shown as JSON.
 */
export function unsentText({ method, url, fields }: UnsentRequest, theme: Theme): string {
  const lines = isMembers(fields) ? fieldLines(fields) : [displayText(fields)];
  return [`${theme.header(method)} ${safeLine(url)}`, ...lines.map((line) => `  ${line}`)].map((line) => `${line}\n`).join('');
}

function fieldLines(fields: Members): string[] {
  if (Object.values(fields).some(isEmptyArray)) return [safeLine(JSON.stringify(fields))];
  return Object.entries(fields).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((element) => safeLine(`${name}[]=${scalarText(element)}`))
      : [safeLine(`${name}=${scalarText(value)}`)],
  );
}

const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
