// Reads values at dotted paths of records: `contact.first_name`, `assigned.name`.

export type Members = Record<string, unknown>;

/** True for a plain object: not null, an array or a raw JSON number. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** The first name of a path: `contact` of `contact.first_name`. */
export const headOf = (path: string): string => path.split('.', 1)[0] ?? path;

/**
 * The value at a dotted path, or undefined. A member whose own name is the whole path, dots included, comes first. Through an array, the
 * path gives the values of all elements.
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
