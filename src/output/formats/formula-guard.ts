// The guard that keeps a spreadsheet from running a CSV cell as a formula, and its exact reverse, which import uses.
// A guarded cell has one apostrophe more in front; a text that could be mistaken for a guarded one is guarded too.

/** What a spreadsheet takes for a formula, after any number of apostrophes. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/;
/** Digits and the signs between them name no cell and no function: at worst a spreadsheet shows the sum. */
const harmless = /^[\d\u0020\u00a0()+\-./]*$/;

/** The cell as it is written: `=1+1` becomes `'=1+1`; numbers such as `-5.00` and `+49 30 123` stay. */
export function guard(cell: string): string {
  return formula.test(cell) && !harmless.test(cell) ? `'${cell}` : cell;
}

/** The cell as it was before `guard`. */
export function unguard(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}
