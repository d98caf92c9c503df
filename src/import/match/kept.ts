// Whether services keep what they are sent: some round money, or cut texts, and say so only in the record that they answer.

import { isSameValue } from '../../bodies/held.ts';
import type { Field } from '../../resources/define.ts';
import { areAlike } from '../../values/alike.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { valueText } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { Lines } from '../lines.ts';

export class OtherValues {
  readonly #lines = new Map<string, { readonly lines: Lines; readonly first: string }>();

  /** Compares what was sent with the record that was answered. What is kept in another form, such as trimmed, is no other value. */
  see(fields: readonly Field[], given: Body, answered: unknown, line: number): void {
    for (const { flag, wire, read, type } of fields) {
      const value = given.get(wire);
      if (value === undefined || value === '' || read === undefined || !comparedKinds.has(type.kind)) continue;
      const told = valueAt(answered, read);
      if (told === undefined) continue;
      const [sent, kept] = [valueText(value), scalarText(told)];
      if (isSameValue(fields, wire, kept, sent) || (type.kind !== 'decimal' && areAlike(kept, sent))) continue;
      const known = this.#lines.get(flag) ?? { lines: new Lines(), first: `${shown(sent)} was sent, ${shown(kept)} came back` };
      this.#lines.set(flag, known);
      known.lines.add(line);
    }
  }

  /** One sentence for each field. */
  told(): string[] {
    return [...this.#lines].map(
      ([flag, { lines, first }]) =>
        `The service answered another ${flag} than it was sent on ${lines.text}: ${lines.count > 1 ? 'first, ' : ''}${first}.`,
    );
  }
}

const comparedKinds: ReadonlySet<string> = new Set(['text', 'email', 'id', 'integer', 'decimal', 'date', 'choice']);

/** A text longer than this is cut in messages. */
const mostShown = 40;

const shown = (text: string): string =>
  text === '' ? 'nothing' : text.length > mostShown ? `'${text.slice(0, mostShown)}…'` : `'${text}'`;
