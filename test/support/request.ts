// How tables write requests by hand: fields as they read, a query behind its path, and JSON by its own word. Knows no service.

/** The fields of a form or a query; a name with several values stands for a pair of each. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A body that goes as JSON. */
export class Json {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
export const json = (value: unknown): Json => new Json(value);

/** A body as a case holds it. Without fields: none. */
export function bodyOf(body: Fields | Json): { json?: unknown; form?: [string, string][] } {
  if (body instanceof Json) return { json: body.value };
  return Object.keys(body).length === 0 ? {} : { form: pairs(body) };
}

export const pairs = (fields: Fields): [name: string, value: string][] =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));

/** A path and the pairs of the query behind its `?`, which stands there without escapes. */
export function pathAndQuery(target: string): { path: string; query: [name: string, value: string][] } {
  const [path = '', query = ''] = target.split('?', 2);
  const written = query
    .split('&')
    .filter(Boolean)
    .map((pair) => /^([^=]*)=(.*)$/s.exec(pair) ?? [pair, pair, '']);
  return { path, query: written.map(([, name = '', value = '']) => [name, value]) };
}

export const without = (fields: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
