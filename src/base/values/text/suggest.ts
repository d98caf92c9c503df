// Suggests the name that a user may have meant by an unknown name, and measures how far two names are apart.

/** The longest name that is compared. A longer name is no typing mistake, and comparing it takes too long. */
const longestName = 200;

/** The end of a message: ` Did you mean "category"?`, or `otherwise` when no name is near. Default: ` There are …` with all names. */
export function suggestion(name: string, names: readonly string[], otherwise?: string): string {
  const plain = name.toLowerCase().replaceAll('_', '-');
  const meant = nameNear(plain, names) ?? nameWithin(plain, names);
  if (meant !== undefined) return ` Did you mean "${meant}"?`;
  return names.length === 0 ? '' : (otherwise ?? ` There are ${names.join(', ')}.`);
}

/** The message `unknown field "staus", did you mean status?`. When no name is near, the message ends with `otherwise`. */
export function unknownField(name: string, names: readonly string[], otherwise = '.'): string {
  const plain = name.toLowerCase().replaceAll('-', '_');
  const meant = names.find((one) => one === fieldMeantBy(plain)) ?? nameNear(plain, names) ?? nameWithin(plain, names);
  return `unknown field "${name}"${meant === undefined ? otherwise : `, did you mean ${meant}?`}`;
}

/** Words of other tools for a field, with hyphens or underscores. */
const fieldWords = { owner: 'assigned', assignee: 'assigned', assigned_to: 'assigned', company: 'company_name', tag: 'tags' } as const;

/** The field that a word of other tools means; the word itself when there is none. */
export function fieldMeantBy(word: string): string {
  const plain = word.replaceAll('-', '_');
  return Object.entries(fieldWords).find(([other]) => other === plain)?.[1] ?? word;
}

/** The nearest name that differs by a typing mistake: one letter, or a third of the letters. Undefined when no name differs so little. */
export function nameNear(plain: string, names: readonly string[]): string | undefined {
  if (plain.length > longestName) return undefined;
  return names
    .filter((one) => one.length <= longestName)
    .map((one) => ({ one, steps: stepsBetween(plain, one.toLowerCase()) }))
    .filter(({ one, steps }) => one.length > 2 && steps <= Math.max(1, Math.floor(one.length / 3)))
    .sort((a, b) => a.steps - b.steps)[0]?.one;
}

/** The first name that contains the text, or is contained in it. */
export function nameWithin(plain: string, names: readonly string[]): string | undefined {
  if (plain.length > longestName) return undefined;
  return names.find((one) => plain.length > 2 && one.length > 2 && (one.includes(plain) || plain.includes(one)));
}

/** The fewest steps from `a` to `b`. Each step adds, removes or replaces a letter, or swaps two neighbours. */
export function stepsBetween(a: string, b: string): number {
  let older: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? (older[column - 2] ?? 0) + 1 : replaced;
      line.push(Math.min((above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, replaced, swapped));
    }
    [older, above] = [above, line];
  }
  return above[b.length] ?? 0;
}
