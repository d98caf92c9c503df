// Warnings about valid rows: emails and phones that stand twice in the file or are known to the service, and malformed emails. Also gathers
// the tags of the file.

import { Lines } from '../../base/files/problems.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { keyNameOf, keyOf } from '../../base/values/text/duplicate-key.ts';
import { isUnreachable } from '../../base/values/text/email.ts';
import { firstOf, howMany, listed } from '../../base/values/text/wording.ts';
import type { Api } from '../../client/client.ts';
import { listPages } from '../../client/paging.ts';
import type { Field } from '../../model/define.ts';
import { creationOrder, idOf } from '../../model/identity.ts';
import type { ImportPlan } from '../plan.ts';
import type { Row } from './row.ts';
import type { RowNotes } from './row-notes.ts';

/** The number of newest records searched for people. */
const mostRecords = 2000;
/** The most tags kept. */
const mostTags = 1000;
/** The most matches named in a message. */
const mostNamed = 3;

/** The key by which two values belong to one person; undefined for other fields and for values that identify nobody. */
function personKey(field: Field, text: string): string | undefined {
  const name = keyNameOf(field);
  return name === undefined || name === 'company' ? undefined : keyOf[name](text);
}

/** Gathers warnings from the rows of a file. */
export class Doubles {
  readonly #plan: ImportPlan;
  readonly #notes: RowNotes;
  readonly #fields: readonly Field[];
  /** The lines of rows that repeat an earlier value, by flag. */
  readonly #again = new Map<string, Lines>();
  /** The tags of the rows, up to `mostTags`. */
  readonly tags = new Set<string>();
  readonly #unreachable = { lines: new Lines(), first: '' };

  constructor(plan: ImportPlan, notes: RowNotes) {
    this.#plan = plan;
    this.#notes = notes;
    this.#fields = plan.resource.fields.filter((field) => ['email', 'phone'].includes(keyNameOf(field) ?? ''));
  }

  see({ body, line, extras = [] }: Row): void {
    for (const { extra, elements } of extras) {
      if (!('set' in extra) || extra.set.element !== undefined) continue;
      for (const one of elements) if (this.tags.size < mostTags) this.tags.add(String(one));
    }
    for (const field of this.#fields) {
      const text = valueText(body.get(field.wire) ?? '');
      if (text === '') continue;
      if (field.type.kind === 'email' && isUnreachable(text)) {
        this.#unreachable.first ||= text;
        this.#unreachable.lines.add(line);
      }
      const key = this.#plan.mode === 'create' ? personKey(field, text) : undefined;
      if (key === undefined || this.#notes.see(personField(field), key, line) === undefined) continue;
      const lines = this.#again.get(field.flag) ?? new Lines();
      this.#again.set(field.flag, lines);
      lines.add(line);
    }
  }

  /** The warnings from the file alone. */
  sentences(): string[] {
    const { lines, first } = this.#unreachable;
    const dotless = `${howMany(lines.count, 'email has', 'emails have')} no dot behind the @, such as ${first}: ${lines.text}.`;
    const again = [...this.#again].map(
      ([flag, { count, text }]) => `${howMany(count, 'row has', 'rows have')} the ${flag} of an earlier row: ${text}.`,
    );
    return [...(lines.count === 0 ? [] : [dotless]), ...again];
  }

  /** Looks for the people of the file among the newest records. Returns a warning, or undefined. Throws like Api.read. */
  async amongNewest(api: Api, signal: AbortSignal): Promise<string | undefined> {
    const { resource } = this.#plan;
    const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'desc') };
    const found = new Map<string, Map<number, string>>(this.#fields.map(({ flag }) => [flag, new Map()]));
    let read = 0;
    for await (const { data } of listPages(api, request, { kind: 'count', count: mostRecords }, signal)) {
      for (const record of data as unknown[]) {
        read += 1;
        for (const field of this.#fields) {
          const key = personKey(field, scalarText(valueAt(record, field.read ?? '')));
          const line = key === undefined ? undefined : this.#notes.lineOf(personField(field), key);
          if (line !== undefined) found.get(field.flag)?.set(line, scalarText(idOf(record)));
        }
      }
    }
    const counts = [...found].filter(([, lines]) => lines.size > 0).map(([flag, lines]) => howMany(lines.size, flag));
    if (counts.length === 0) return undefined;
    const all = new Map([...found.values()].flatMap((lines) => [...lines]).toSorted(([a], [b]) => a - b));
    const rows = [...all].map(([line, id]) => `line ${line} (${resource.singular} ${id})`);
    return `${listed(counts)} of the file ${all.size === 1 ? 'is' : 'are'} known already among the newest ${howMany(read, resource.singular, resource.name)}: ${firstOf(rows, mostNamed)}.`;
  }
}

/** The name under which keys are noted. */
const personField = ({ flag }: Field): string => ` ${flag} of a person`;
