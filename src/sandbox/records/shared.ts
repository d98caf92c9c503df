// Members that several records share: relations, and arrays that are stored as JSON text.

/** `{ id, name }` of a related record; members null when there is none (interface: Proposal, `client`). */
export interface Relation {
  readonly id: number | null;
  readonly name: string | null;
}

export const relation = (id: number | null, name: string | null): Relation => ({ id, name });

/** The array in a JSON text that this program wrote. */
export function storedArray<T>(text: string): T[] {
  return text === '[]' ? [] : (JSON.parse(text) as T[]);
}

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
