// Keeps spreadsheets from running a CSV cell, or a part of a cell, as a formula. `guard` adds an apostrophe wherever a formula could
// begin, even in front of another apostrophe. `unguard`, for imports, is the exact reverse.

/**
 * Matches the places where a spreadsheet may see a formula begin: the start of the cell, and the place after a separator or line break.
 * Quotes before the formula don't matter.
 */
const beginning = /^(?=["']*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g;
const guarded = /^'(?=["']*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])'(?=["']*[=+\-@＝＋－＠])/g;
/** Matches every cell that may have such a place. Most cells have none, and this is quick to see. */
const suspicious = /^["'=+\-@\t\r\n＝＋－＠]|[;\t\r\n]/;
/** Digits and signs cannot name a cell or a function: at worst a spreadsheet shows their sum. */
const harmless = /^[\d\u0020\u00a0()+\-./]*$/;

/** The guarded cell: `=1+1` becomes `'=1+1`, `a;=1` becomes `a;'=1`; numbers such as `-5.00` and `+49 30 123` stay. */
export function guard(cell: string): string {
  if (!suspicious.test(cell)) return cell;
  return cell.replace(beginning, (_none, at: number) => (harmless.test(cell.slice(at)) ? '' : "'"));
}

/** The cell before `guard`. */
export function unguard(cell: string): string {
  return cell.includes("'") ? cell.replace(guarded, '') : cell;
}
