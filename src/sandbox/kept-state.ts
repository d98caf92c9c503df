// The records of an opened sandbox as they are now, kept in memory beside it, so that they can be put back.

import type { Store } from './store/store.ts';

/** Keeps the records of a store; gives the function that puts them back, ids included, in one transaction. */
export function keepState(store: Store): () => void {
  store.execute("ATTACH ':memory:' AS kept");
  const tables = store
    .all<{ name: string }>("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .map(({ name }) => name)
    // Where the next id of each table comes from.
    .concat('sqlite_sequence');
  store.snapshot(() => {
    for (const name of tables) store.execute(`CREATE TABLE kept."${copyOf(name)}" AS SELECT * FROM main."${name}"`);
  });
  return () =>
    store.transaction(() => {
      for (const name of tables) store.execute(`DELETE FROM main."${name}"`);
      for (const name of tables.slice(0, -1)) store.execute(`INSERT INTO main."${name}" SELECT * FROM kept."${copyOf(name)}"`);
      store.execute(`DELETE FROM main.sqlite_sequence; INSERT INTO main.sqlite_sequence SELECT * FROM kept."${copyOf('sqlite_sequence')}"`);
    });
}

/** SQLite keeps names that begin as its own do for itself. */
const copyOf = (name: string): string => `kept_${name}`;
