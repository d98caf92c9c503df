// How records are written. SQLite puts a record's JSON together, in one statement and in the document's order, so that
// a read costs this process one text. What rules need to know of a record they read as plain columns.

/** The members of a record: SQL expressions by name, nested as in the document. */
export interface Members {
  readonly [name: string]: string | Members;
}

/** An SQL expression that gives the members as a JSON object. */
export function jsonObject(members: Members): string {
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
