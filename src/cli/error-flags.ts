// Names the refused values of an error by the flag or argument that the user typed.

import { CrmError, type FieldProblem, InvalidValues } from '../base/errors.ts';
import type { Flag } from '../base/flag.ts';
import { globalFlags } from '../base/global-flags.ts';
import type { Command } from './command.ts';

/** Adds the flag or argument to each field that the service refuses, and the wire name to each value that crm refuses. */
export function withFields(error: unknown, command: Command | undefined): unknown {
  if (!(error instanceof CrmError) || command === undefined) return error;
  if (error instanceof InvalidValues)
    error.details.fields = (error.details.fields ?? []).map((field) =>
      field.flag === undefined ? problemBesideFlag(field, command) : field,
    );
  const fields = error.details.fields ?? [];
  for (const field of fields) {
    const flag = field.flag ?? flagForName(field.name, command);
    if (flag !== undefined) field.flag = flag;
  }
  if (error.details.httpStatus === undefined) return error;
  const typed = (text: string): string => asTyped(text, fields, command);
  for (const field of fields) field.messages = field.messages.map(typed);
  error.message = typed(error.message);
  return error;
}

/** A message of the service with its wire names (`lead_status`, `assigned.0`) replaced by flags or arguments. Plain words stay. */
function asTyped(text: string, fields: readonly FieldProblem[], command: Command): string {
  return text.replace(/\b[a-z]\w*(?:\.\w+)*/gi, (word) => {
    if (!/[_.]/.test(word)) return word;
    return fields.find(({ name }) => name === word)?.flag ?? flagForName(word, command) ?? word;
  });
}

function flagForName(name: string, command: Command): string | undefined {
  const base = name.replace(/\.\d+$/, '');
  const flag = command.flags.find(({ wire, type }) => {
    if (wire === undefined) return false;
    if (type?.kind === 'numbered') return new RegExp(`^${wire}\\d+$`).test(base);
    return wire === base || (type?.kind === 'reference' && (base === `${wire}_type` || base === `${wire}_id`));
  });
  if (flag !== undefined) return `--${flag.name}`;
  const argument = command.args.find(({ wire }) => wire === base);
  return argument === undefined ? undefined : `<${argument.name}>`;
}

function problemBesideFlag({ name: where, messages }: FieldProblem, command: Command): FieldProblem {
  const [, name, within] = /^--?([a-z][a-z-]*)(?: (.+))?$/.exec(where) ?? [];
  if (name !== undefined && where.startsWith('-')) return { flag: where, name: within ?? fieldNameFor(name, command), messages };
  const argument = command.args.find((one) => one.name === where);
  if (argument === undefined) return { name: where, messages };
  return { flag: `<${argument.name}>`, name: argument.wire ?? where, messages };
}

/** The wire name of a flag, or the flag's own name. */
function fieldNameFor(name: string, command: Command): string {
  const flag = [...command.flags, ...globalFlags].find((one) => one.name === name || one.short === name);
  return flag === undefined ? name : wireOf(flag);
}

const wireOf = ({ name, wire = name, type }: Flag): string => (type?.kind === 'numbered' ? `${wire}N` : wire);
