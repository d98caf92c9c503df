// Dotted paths into records: `contact.first_name`, `assigned.name`.

export type Members = Record<string, unknown>;

/** A plain object: not null, not an array, not a number kept as text. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/**
 * The value at a dotted path, or undefined. A member whose own name holds the dots wins;
 * a path that passes through an array gives the array of its elements' values.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((element) => valueAt(element, path));
  if (!isMembers(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const head = path.slice(0, dot);
  return Object.hasOwn(value, head) ? valueAt(value[head], path.slice(dot + 1)) : undefined;
}
