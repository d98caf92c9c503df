// A note as it is stored and as it reads back (interface: Note). Sticky notes share the table and are never shown.

import type { Store } from '../store.ts';
import { storedArray } from './shared.ts';

export interface NoteRow {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly visibility: string;
  readonly resource_type: string | null;
  readonly resource_id: number | null;
  readonly creator_id: number;
  readonly tags: string;
  readonly created: string;
  readonly updated: string;
}

const select = `
SELECT id, title, description, visibility, resource_type, resource_id, creator_id, tags, created, updated
FROM notes WHERE id = ? AND sticky = 0`;

export function noteRow(store: Store, id: number): NoteRow | undefined {
  return store.get<NoteRow>(select, id);
}

/** The documented record, members in the document's order. */
export function noteRecord(row: NoteRow) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    visibility: row.visibility,
    resource: { type: row.resource_type, id: row.resource_id },
    creator_id: row.creator_id,
    tags: storedArray<string>(row.tags),
    dates: { created: row.created, updated: row.updated },
  };
}
