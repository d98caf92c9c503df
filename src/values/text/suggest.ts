// What somebody may have meant by an unknown name, and how far apart two names are.

/** What is longer is no slip of the fingers, and comparing it letter by letter takes too long. */
const longest = 200;

/** ` Did you mean "category"?`, or ` There are …` when no name is near, or `otherwise` in its place. */
export function suggestion(name: string, names: readonly string[], otherwise?: string): string {
  const plain = name.toLowerCase().replaceAll('_', '-');
  const meant = nameNear(plain, names) ?? nameWithin(plain, names);
  if (meant !== undefined) return ` Did you mean "${meant}"?`;
  return names.length === 0 ? '' : (otherwise ?? ` There are ${names.join(', ')}.`);
}

/** `unknown field "staus", did you mean status?`, or `otherwise` behind it where no name is near. */
export function unknownField(name: string, names: readonly string[], otherwise = '.'): string {
  const plain = name.toLowerCase().replaceAll('-', '_');
  const meant = nameNear(plain, names) ?? nameWithin(plain, names);
  return `unknown field "${name}"${meant === undefined ? otherwise : `, did you mean ${meant}?`}`;
}

/** The name that is a slip of the fingers away, the nearest first. */
export function nameNear(plain: string, names: readonly string[]): string | undefined {
  if (plain.length > longest) return undefined;
  return names
    .filter((one) => one.length <= longest)
    .map((one) => ({ one, steps: stepsBetween(plain, one.toLowerCase()) }))
    .filter(({ one, steps }) => one.length > 2 && steps <= Math.max(1, Math.floor(one.length / 3)))
    .sort((a, b) => a.steps - b.steps)[0]?.one;
}

/** A name that is a part of the other, or holds it. */
export function nameWithin(plain: string, names: readonly string[]): string | undefined {
  if (plain.length > longest) return undefined;
  return names.find((one) => plain.length > 2 && one.length > 2 && (one.includes(plain) || plain.includes(one)));
}

/** How many letters must be added, removed, replaced or swapped with a neighbour to turn one text into the other. */
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
