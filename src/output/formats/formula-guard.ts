// The guard that keeps a spreadsheet from running a CSV cell, or a part of it, as a formula, and its exact reverse, which import uses.
// Where a formula could begin, one apostrophe more stands in front; a text that could be mistaken for a guarded one is guarded too.

/**
 * Where a spreadsheet may see the beginning of a formula: at that of the cell, and behind what a program with other settings takes for the
 * end of a cell or row. Quotes in front are passed over.
 */
const beginning = /^(?=["']*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g;
const guarded = /^'(?=["']*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])'(?=["']*[=+\-@＝＋－＠])/g;
/** Digits and the signs between them name no cell and no function: at worst a spreadsheet shows the sum. */
const harmless = /^[\d\u0020\u00a0()+\-./]*$/;

/** The cell as it is written: `=1+1` becomes `'=1+1`, `a;=1` becomes `a;'=1`; numbers such as `-5.00` and `+49 30 123` stay. */
export function guard(cell: string): string {
  return cell.replace(beginning, (_none, at: number) => (harmless.test(cell.slice(at)) ? '' : "'"));
}

/** The cell as it was before `guard`. */
export function unguard(cell: string): string {
  return cell.replace(guarded, '');
}
