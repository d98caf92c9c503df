// The members that a person asked to see of a written record, where the answer to the write lacks them.

import { formatFacts, type GlobalFlags, isDrawing } from '../base/global-flags.ts';
import type { Resource } from '../model/define.ts';
import { memberNamed } from '../model/members.ts';
import { hasPath } from '../model/records/columns.ts';

/**
 * True when a written record lacks a member that is to be printed. --fields names members; --all-fields and the columns of a file mean all
 * members, where the interface shows a part of the record as the answer (interface: Contacts, Leads, Proposals).
 */
export function lacksAsked(resource: Resource, verb: string, { fields, allFields, output }: GlobalFlags, record: unknown): boolean {
  const { answers = {}, record: members } = resource;
  const isPart = Object.hasOwn(answers, verb);
  const showsAll = allFields || (formatFacts[output].holds === 'cells' && !isDrawing(output));
  const names = fields ?? (isPart && showsAll ? members : []);
  return names.some((name) => {
    const member = memberNamed(resource, name);
    if (member === undefined || member.kind === 'named') return false;
    const paths = member.kind === 'group' && member.isJoined ? member.members : [member.path];
    return paths.some((path) => !hasPath(record, path.split('.')[0] ?? ''));
  });
}
