// Warnings about emails and phones that stand twice in the file. Also gathers the tags of the file.

import { Lines } from '../../base/files/problems.ts';
import { valueText } from '../../base/values/parse.ts';
import { keyNameOf, keyOf } from '../../base/values/text/duplicate-key.ts';
import { howMany } from '../../base/values/text/wording.ts';
import type { Field } from '../../model/define.ts';
import type { ImportJob } from '../job.ts';
import type { Row } from './row.ts';
import type { RowNotes } from './row-notes.ts';

/** The most tags kept. */
const mostTags = 1000;

/** Gathers warnings from the rows of a file. */
export class Doubles {
  readonly #job: ImportJob;
  readonly #notes: RowNotes;
  /** The fields that tell people apart. `keyOf` gives undefined for a value that identifies nobody. */
  readonly #fields: readonly { readonly field: Field; readonly keyOf: (text: string) => string | undefined }[];
  /** The lines of rows that repeat an earlier value, by flag. */
  readonly #again = new Map<string, Lines>();
  /** The tags of the rows, up to `mostTags`. */
  readonly tags = new Set<string>();

  constructor(job: ImportJob, notes: RowNotes) {
    this.#job = job;
    this.#notes = notes;
    this.#fields = job.resource.fields.flatMap((field) => {
      const name = keyNameOf(field);
      return name === 'email' || name === 'phone' ? [{ field, keyOf: keyOf[name] }] : [];
    });
  }

  see({ body, line, extras = [] }: Row): void {
    for (const { extra, elements } of extras) {
      if (!('set' in extra) || extra.set.element !== undefined) continue;
      for (const one of elements) if (this.tags.size < mostTags) this.tags.add(String(one));
    }
    for (const { field, keyOf } of this.#fields) {
      const text = valueText(body.get(field.wire) ?? '');
      if (text === '') continue;
      const key = this.#job.mode === 'create' ? keyOf(text) : undefined;
      if (key === undefined || this.#notes.see(` ${field.flag} of a person`, key, line) === undefined) continue;
      const lines = this.#again.get(field.flag) ?? new Lines();
      this.#again.set(field.flag, lines);
      lines.add(line);
    }
  }

  /** The warnings from the file alone. */
  sentences(): string[] {
    return [...this.#again].map(
      ([flag, { count, text }]) => `${howMany(count, 'row has', 'rows have')} the ${flag} of an earlier row: ${text}.`,
    );
  }
}
