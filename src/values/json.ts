// JSON without loss: a number that a float would change is kept as its source text (JSON.rawJSON).

/**
 * A number that a float might change, and the character after it. A match inside a string costs time and does no harm. The
 * pattern begins at the number's last digit, which is quick to find: every answer is searched with it. It looks back at 16 digits at the
 * most, which are risky by themselves: a text of a million digits would fill the stack.
 */
const riskyNumber = /\d[\s,\]}](?<=(?:\d\.\d{1,15}|\d[eE][+-]?\d{1,15}|\d{16}|-0).)/s;

/**
 * Parses a JSON text. Numbers that `String(Number(source))` would not give back digit for digit become raw JSON
 * values, which JSON.stringify writes as they were. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const isNumber = /\d/.test(text.at(-1) ?? '');
  if (!isNumber && !riskyNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source ? JSON.rawJSON(context.source) : value,
  );
}

/** The text of a scalar as it was read: strings as they are, numbers digit for digit, null and undefined as ''. */
export function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (JSON.isRawJSON(value)) return value.rawJSON;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
