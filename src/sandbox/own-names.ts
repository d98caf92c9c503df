// The names in a sandbox that its lists of records may not show: statuses, units, tax rates and categories of an empty sandbox.

import { existsSync } from 'node:fs';
import { parseJson, scalarText } from '../base/values/json.ts';
import { isMembers } from '../base/values/paths.ts';
import type { Named } from '../base/values/value-type.ts';
import { namedKinds } from '../model/named.ts';
import { openStore } from './store/store.ts';

interface OwnName {
  readonly id: number;
  readonly name: string;
}

/** The names by kind. Empty without a sandbox at the path. Throws as `openStore` does. */
export function ownNames(path: string): { readonly [kind in Named]?: readonly OwnName[] } {
  if (!existsSync(path)) return {};
  const store = openStore(path, { mode: 'open', brief: true });
  try {
    const categories = "SELECT doc ->> 'type' || '-category' AS kind, id, doc FROM categories";
    const rows = store.all<{ kind: string; id: number; doc: string }>(
      `SELECT kind, id, doc FROM names UNION ALL ${categories} ORDER BY id`,
    );
    const named = rows.flatMap(({ kind, id, doc }) => {
      const thing = parseJson(doc);
      return Object.hasOwn(namedKinds, kind) && isMembers(thing) ? [{ kind, id, name: scalarText(thing.title ?? thing.name) }] : [];
    });
    const kinds = Map.groupBy(named, ({ kind }) => kind);
    return Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.map(({ id, name }) => ({ id, name }))]));
  } finally {
    store.close();
  }
}
