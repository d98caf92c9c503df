// The kinds of values that flags, body fields and filters take.

/** What an id may point at that has a name: `resources/named.ts` says where names are found. */
export type Named =
  | 'client'
  | 'team'
  | 'category'
  | 'client-category'
  | 'lead-category'
  | 'proposal-category'
  | 'item-category'
  | 'project-category'
  | 'lead-status'
  | 'unit'
  | 'tax-rate';

/** What a value is: how a flag is checked and how it travels. `parse.ts` holds the checks. */
export type ValueType =
  | { readonly kind: 'text'; readonly long?: true }
  | { readonly kind: 'email' }
  /** `of`: a name works in place of the id. */
  | { readonly kind: 'id'; readonly of?: Named }
  | { readonly kind: 'integer' }
  | { readonly kind: 'decimal' }
  /** `time`: a moment instead of a day; `maybe`: no document says which. */
  | { readonly kind: 'date'; readonly time?: 'always' | 'maybe' }
  /** `isBoolean`: records hold the words as true and false. */
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly isBoolean?: true }
  /** A flag without a value; given, it sends `sends`. `off`: the other word that the service takes. */
  | { readonly kind: 'switch'; readonly sends: string; readonly off?: string }
  /** An existing id, or the name of something the service makes on the fly. */
  | { readonly kind: 'id-or-name'; readonly of: Named }
  /** `TYPE:ID`, sent as two fields, `<wire>_type` and `<wire>_id`. */
  | { readonly kind: 'reference'; readonly types: readonly string[] }
  /** `N=VALUE`, repeatable, sent as `<wire><N>`; reads back as an array of `{ id, name, value }`. */
  | { readonly kind: 'numbered'; readonly max: number };

/** What an id points at, where names work in its place. */
export function namedBy(type: ValueType | undefined): Named | undefined {
  return type?.kind === 'id' || type?.kind === 'id-or-name' ? type.of : undefined;
}
