// What the journal keeps of a deleted record, so that the record can be made anew, and how a person is told.

import type { Members } from '../base/values/paths.ts';
import type { Resource } from '../model/define.ts';
import { titleIn } from '../output/subject.ts';

/** The most bytes of a record that the journal keeps. */
const mostBytes = 1_000_000;

/** The whole record as JSON would hold it, or only its title when the record is larger than 1 MB. Empty for a record that was not read. */
export function keptOf(resource: Pick<Resource, 'title'>, record: unknown): unknown {
  const size = record === undefined ? 0 : Buffer.byteLength(JSON.stringify(record));
  return size > 0 && size <= mostBytes ? record : (titleIn(resource, record) satisfies Members);
}

/** Said where deleted records are kept. `isForgettable`: the command has --forget. */
export const keepingText = (isForgettable: boolean): string =>
  `Kept for 90 days in the journal${isForgettable ? '; --forget keeps nothing' : ''}.`;
