// What a value looks like to a person, in tables and record views: one safe line, lists joined, `2 Tom Okafor` for
// a pair of id and name.

import { scalarText } from '../values/json.ts';
import { isMembers, type Members } from '../values/paths.ts';
import { safeLine } from './streams/safe-text.ts';

/** A value as one safe line. Null and undefined are empty. */
export function displayText(value: unknown): string {
  return safeLine(rawText(value));
}

function rawText(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(rawText)
      .filter((element) => element !== '')
      .join(', ');
  if (isMembers(value)) return isLabel(value) ? labelText(value) : JSON.stringify(value);
  return scalarText(value);
}

const labelMembers = new Set(['id', 'name', 'title']);

/** `{ id, name }` and the like: the service's references to other records. */
function isLabel(members: Members): boolean {
  const names = Object.keys(members);
  return names.length > 0 && names.every((name) => labelMembers.has(name) && !isMembers(members[name]));
}

function labelText(members: Members): string {
  return Object.values(members)
    .map(scalarText)
    .filter((text) => text !== '')
    .join(' ');
}

/** The elements that texts of the service are made of: anything else between `<` and `>` is no HTML. */
const tags =
  /<\/?(?:a|abbr|article|b|big|blockquote|body|br|caption|center|cite|code|dd|del|div|dl|dt|em|figure|font|footer|form|h[1-6]|head|header|hr|html|i|img|ins|li|main|ol|p|pre|q|s|section|small|span|strike|strong|style|sub|sup|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul)(\s[^<>]*)?\/?>/gi;

/** Whether a text holds elements of HTML: `a < b` and `<john@x>` do not. */
export function holdsHtml(text: string): boolean {
  if (!text.includes('<')) return false;
  for (const [, inside = ''] of text.matchAll(tags)) if (/^\s*\/?$|=/.test(inside)) return true;
  return false;
}

/** What reads texts: HTML as plain lines, any other text as it is. The parser is loaded only when one of them holds HTML. */
export async function textReader(texts: Iterable<string>): Promise<(text: string) => string> {
  for (const text of texts) if (holdsHtml(text)) return (await import('./html-text.ts')).plainText;
  return (text) => text;
}
