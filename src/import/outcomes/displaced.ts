// The people to whom a rule of the service gave new records, and in whose place the people of the file came. An import names them at its
// end.

import { isMembers, valueAt } from '../../base/values/paths.ts';
import { firstOf, howMany } from '../../base/values/text/wording.ts';
import { elementsSent } from '../../client/plain-change.ts';
import { elementText } from '../../model/bodies/replaced-set.ts';
import type { ReplacedSet, Resource } from '../../model/define.ts';
import { displayText } from '../../model/records/display.ts';
import type { ExtraWrite } from '../columns/extras.ts';

/** The people to whom a rule of the service gave new records, and in whose place the people of the file came. */
export class Displaced {
  readonly #rows = new Set<number>();
  readonly #names = new Set<string>();

  note(row: number, names: readonly string[]): void {
    if (names.length > 0) this.#rows.add(row);
    for (const name of names) this.#names.add(`${name}'s`);
  }

  /** `2 new leads were Jonas Weber's by a rule of the service; the file's people have them now.` None without such rows. */
  sentences({ name, singular }: Resource): string[] {
    const { size } = this.#rows;
    if (size === 0) return [];
    const what = howMany(size, `new ${singular} was`, `new ${name} were`);
    const whose = firstOf([...this.#names]);
    return [`${what} ${whose} by a rule of the service; the file's people have ${size === 1 ? 'it' : 'them'} now.`];
  }
}

/** The names of the elements that a record holds and a write doesn't send. */
export function elementsLost(set: ReplacedSet, record: unknown, { change }: ExtraWrite): string[] {
  const sent = new Set(elementsSent(set, change.write(record)).map(String));
  return ([valueAt(record, set.read)].flat() as unknown[]).flatMap((one) => {
    const text = one === null || one === undefined ? '' : elementText(set, one);
    return text === '' || sent.has(text) ? [] : [(isMembers(one) && displayText(one.name)) || text];
  });
}
