// The document of `crm explain --json`: an index, or with a name all facts.

import { errorCodes, exitStatuses, type StatusName } from '../../base/errors.ts';
import { globalFlags } from '../../base/global-flags.ts';
import { version } from '../../base/version.ts';
import { type Explained, type ExplainedCommand, everyCode, explainCode, explainFlag } from './explain.ts';

/** The version of the document. A new version means that programs must change. */
const schemaVersion = 3;

/** The document of the explained command or family. Members that are null, false or empty are left out. */
export function explainDocument(found: Explained): object {
  const head = { schema_version: schemaVersion, crm: version };
  switch (found.kind) {
    case 'all':
      return {
        ...head,
        commands: found.groups.flatMap(({ commands }) =>
          commands.map(({ command, summary, does, destroys_when, yes_when, refused_read_only }) =>
            lean({ command, summary, does, destroys_when, yes_when, refused_read_only }),
          ),
        ),
      };
    case 'group':
      return {
        ...head,
        ...lean(found.group),
        global_flags: globalFlags.map((flag) => lean(explainFlag(flag))),
        statuses: Object.values(exitStatuses),
        errors: everyCode.map(explainCode),
      };
    case 'command':
      return { ...head, ...lean(found.command), statuses: statusesOf(found.command).map((name) => exitStatuses[name]) };
  }
}

/** The exit statuses with which a command can end. */
function statusesOf({
  does,
  requests,
  arguments: args,
  flags,
  yes_when: yes,
  needs_terminal: terminal,
  errors,
}: ExplainedCommand): StatusName[] {
  const has = (...names: string[]): boolean => flags.some(({ name }) => names.includes(name));
  const codes = errors.map(({ code }) => errorCodes[code].status as StatusName);
  const [sends, writes] = [requests.length > 0, does !== 'reads'];
  const bounds: Partial<Record<StatusName, boolean>> = {
    notFound: sends || args.some(({ choices }) => choices === null),
    refused: sends,
    rateLimited: sends,
    partial: has('--where', '--rejects'),
    unconfirmed: (writes && sends) || yes.length > 0 || terminal,
    conflict: writes,
    found: has('--at-least'),
  };
  return (Object.keys(exitStatuses) as StatusName[]).filter((name) => (bounds[name] ?? true) || codes.includes(name));
}

/** A value without members that are null, false or empty, at any depth. */
function lean(value: unknown): object {
  if (Array.isArray(value)) return value.map((one) => (isThing(one) ? lean(one) : one));
  const kept = isThing(value) ? Object.entries(value).filter(([, one]) => !isNothing(one)) : [];
  return Object.fromEntries(kept.map(([name, one]) => [name, isThing(one) ? lean(one) : one]));
}

const isThing = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (isThing(value) && Object.keys(value).length === 0);
