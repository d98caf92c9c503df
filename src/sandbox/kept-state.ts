// Copies all records of an open sandbox into memory, and puts them back later.

import type { Store } from './store/store.ts';

/** Copies the records of a store. Returns the function that puts the copies back, with their ids, in one transaction. */
export function keepState(store: Store): () => void {
  store.execute("ATTACH ':memory:' AS kept");
  const tables = store
    .all<{ name: string }>("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .map(({ name }) => name)
    // SQLite's table of the last id of each table.
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

/** The name of a table's copy. The prefix is needed for `sqlite_sequence`: SQLite refuses new tables named `sqlite_…`. */
const copyOf = (name: string): string => `kept_${name}`;
