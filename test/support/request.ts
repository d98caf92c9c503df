// The notation for requests in tables of tests: fields as an object, the query after its path, and JSON by `json()`.

/** The fields of a form or a query; a name with several values makes a pair of each value. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A body that is sent as JSON. */
export class Json {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
export const json = (value: unknown): Json => new Json(value);

/** The body in the form of a case; no body without fields. */
export function bodyOf(body: Fields | Json): { json?: unknown; form?: [string, string][] } {
  if (body instanceof Json) return { json: body.value };
  return Object.keys(body).length === 0 ? {} : { form: pairs(body) };
}

export const pairs = (fields: Fields): [name: string, value: string][] =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));

/** The path, and the pairs of the query after `?`. The query is written without escapes. */
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
