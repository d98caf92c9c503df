// How records become JSON. SQLite builds a record's JSON in one statement, in the order of the interface document, so that a
// read costs this process one text. Rules read plain columns instead.

/** The members of a record: SQL expressions by name, nested as in the document. */
export interface Expressions {
  readonly [name: string]: string | Expressions;
}

/** An SQL expression that gives the members as a JSON object. */
export function jsonObject(members: Expressions): string {
  const pairs = Object.entries(members).map(([name, value]) => `'${name}', ${typeof value === 'string' ? value : jsonObject(value)}`);
  return `json_object(${pairs.join(', ')})`;
}

/** A user's name in SQL; `alias` is the users table's. */
export const userName = (alias: string): string => `${alias}.first_name || ' ' || ${alias}.last_name`;

/**
 * What a search looks through: the texts in lower case, one behind the other. The separator keeps a search from
 * finding the end of one beside the start of the next.
 */
export function searchText(...texts: (string | null)[]): string {
  return texts
    .filter((text) => text !== null)
    .join('\u001f')
    .toLowerCase();
}
