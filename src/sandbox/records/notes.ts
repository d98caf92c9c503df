// A note as it is stored and as it reads back (interface: Note). Sticky notes share the table and are never shown.

import type { Store } from '../store/store.ts';
import { jsonObject } from './shared.ts';

const record = jsonObject({
  id: 'id',
  title: 'title',
  description: 'description',
  visibility: 'visibility',
  resource: { type: 'resource_type', id: 'resource_id' },
  creator_id: 'creator_id',
  tags: 'json(tags)',
  dates: { created: 'created', updated: 'updated' },
});

/** A note's record as JSON, by its id. */
export const selectNote = `SELECT ${record} AS json FROM notes WHERE id = ? AND sticky = 0`;

/** The columns that rules read. */
export interface NoteRow {
  readonly visibility: string;
}

export function noteRow(store: Store, id: number): NoteRow | undefined {
  return store.get<NoteRow>('SELECT visibility FROM notes WHERE id = ? AND sticky = 0', id);
}
