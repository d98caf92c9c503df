// Reads JSON without loss: a number that a float would change keeps its source text (JSON.rawJSON).

/**
 * Finds a number that a float might change, with the character after it. A match inside a string only costs time. Every answer is
 * searched, so the pattern starts at the last digit, which is quick to find. The pattern looks back over 16 digits at most: a
 * number of a million digits would overflow the stack.
 */
const riskyNumber = /\d[\s,\]}](?<=(?:\d\.\d{1,15}|\d[eE][+-]?\d{1,15}|\d{16}|-0).)/s;

/**
 * Parses a JSON text. A number that `String(Number(source))` would change becomes a raw JSON value, which JSON.stringify
 * writes unchanged. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const isNumber = /\d/.test(text.at(-1) ?? '');
  if (!isNumber && !riskyNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source ? JSON.rawJSON(context.source) : value,
  );
}

/** A member that stands twice in one object of a valid JSON text; undefined without such a member. */
export function repeatedMember(text: string): string | undefined {
  // The names of each open object so far; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (isName && token !== ':') {
      const name = String(JSON.parse(token));
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
    isName = token === '{' || (token === ',' && open.at(-1) !== undefined);
  }
  return undefined;
}

/** The text of a scalar: a string unchanged, a number digit for digit, '' for null and undefined. Objects and arrays become JSON. */
export function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (JSON.isRawJSON(value)) return value.rawJSON;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
