// The kinds of values that flags, body fields and filters take.

/** The kinds of things that a name can stand for in place of an id. `model/named.ts` says where their names are found. */
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
  | 'tax-rate'
  | 'item-field';

/** The type of a value: how a flag is checked and sent. `parse.ts` has the checks. */
export type ValueType =
  /** `form`: a text of digits and signs, or of letters without blanks, in which characters that nobody sees mean nothing. */
  | { readonly kind: 'text'; readonly long?: true; readonly form?: 'phone' | 'postal code' | 'website' }
  | { readonly kind: 'email' }
  /** With `of`, a name works in place of the id. */
  | { readonly kind: 'id'; readonly of?: Named }
  | { readonly kind: 'integer' }
  | { readonly kind: 'decimal' }
  /** With `time`, a time stamp instead of a day; `maybe`: the documents don't say which. */
  | { readonly kind: 'date'; readonly time?: 'always' | 'maybe' }
  /** With `isBoolean`, records hold true and false instead of the words. */
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly isBoolean?: true }
  /** A flag without a value. A given flag sends `sends`; `off` is the service's word for the opposite. */
  | { readonly kind: 'switch'; readonly sends: string; readonly off?: string }
  /** The id of a thing, or a name: the service makes a thing for a new name. */
  | { readonly kind: 'id-or-name'; readonly of: Named }
  /** `TYPE:ID`, sent as two fields, `<wire>_type` and `<wire>_id`. */
  | { readonly kind: 'reference'; readonly types: readonly string[] }
  /** `N=VALUE` or `NAME=VALUE`, repeatable, sent as `<wire><N>`. Records hold an array of `{ id, name, value }`. */
  | { readonly kind: 'numbered'; readonly max: number; readonly of: Named };

/** The kind of thing whose name works in place of the id; undefined for types that take no names. */
export function namedBy(type: ValueType | undefined): Named | undefined {
  return type?.kind === 'id' || type?.kind === 'id-or-name' ? type.of : undefined;
}
