// Errors on standard error: sentences for a person, one JSON object for a program that reads JSON.

import { CrmError, exitStatuses, type Failure, type FieldProblem, InvalidValues } from '../errors.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { jsonLine } from './formats/json.ts';
import { type Io, StdoutFailed } from './streams/io.ts';
import { noticeMark } from './streams/notice.ts';
import { safeLine } from './streams/safe-text.ts';
import { loadTheme, type Theme } from './streams/theme.ts';

/** What the rendering of errors needs to know. */
export interface ErrorOptions {
  readonly io: Io;
  readonly flags: Pick<GlobalFlags, 'output' | 'debug' | 'quiet'>;
}

/** Writes what happened, the refused values beside their flags and what to do next. Returns the exit status. */
export async function renderError(error: unknown, { io, flags }: ErrorOptions): Promise<number> {
  if (wantsJson(flags)) {
    io.err(jsonLine({ error: errorBody(error) }));
  } else {
    const theme = await loadTheme(io.stderr.color);
    io.err(`${theme.error('error:')} ${errorLines(error, theme).join('\n')}\n`);
  }
  if (flags.debug) io.err(stackText(error));
  return error instanceof CrmError ? error.exitStatus : exitStatuses.fault.status;
}

/** Writes one failure of several as it happens. JSON has them all in the one object at the end. */
export async function renderFailure({ id, error }: Failure, { io, flags }: ErrorOptions): Promise<void> {
  if (wantsJson(flags)) return;
  const theme = await loadTheme(io.stderr.color);
  const mark = await noticeMark(io, flags, 'failed');
  io.err(`${mark}${theme.error(safeLine(`${id}:`))} ${errorLines(error, theme).join('\n')}\n`);
  if (flags.debug) io.err(stackText(error));
}

/** Whether errors are one JSON object, so that nothing else may stand on standard error. */
export function wantsJson(flags: Pick<GlobalFlags, 'output'>): boolean {
  return flags.output === 'json' || flags.output === 'ndjson';
}

/** The members that `{"error": …}` promises; those without a value are null or an empty array. */
function errorBody(error: unknown): object {
  if (!(error instanceof CrmError)) {
    return { code: 'fault', message: messageOf(error), status: null, fields: [], hint: faultHint(error) ?? null, request: null };
  }
  const { httpStatus, fields, hint, request, failures } = error.details;
  return {
    code: error.code,
    message: error.message,
    status: httpStatus ?? null,
    fields: (fields ?? []).map(({ flag, name, messages }) => ({ flag: flag ?? null, name, messages })),
    hint: hint ?? null,
    request: request === undefined ? null : { method: request.method, path: request.path },
    ...(failures === undefined ? {} : { failures: failures.map(({ id, error: one }) => ({ id, ...errorBody(one) })) }),
  };
}

function errorLines(error: unknown, theme: Theme): string[] {
  const details = error instanceof CrmError ? error.details : {};
  const hint = error instanceof CrmError ? details.hint : faultHint(error);
  return [
    safeLine(messageOf(error)),
    ...(saysItAll(error) ? [] : (details.fields ?? [])).flatMap((field) => fieldLines(field, theme)),
    ...(hint === undefined ? [] : hint.split('\n').map(safeLine)),
  ];
}

/** Whether the message already says which value is wrong, or which are missing. */
const saysItAll = (error: unknown): boolean => error instanceof InvalidValues && !error.onlyCounts;

function fieldLines({ flag, name, messages }: FieldProblem, theme: Theme): string[] {
  const lead = `  ${theme.warning(`${safeLine(flag ?? name)}:`)}`;
  return messages.length === 0 ? [lead] : messages.map((message) => `${lead} ${safeLine(message)}`);
}

function messageOf(error: unknown): string {
  if (error instanceof CrmError || error instanceof StdoutFailed) return error.message;
  return `crm has a fault: ${error instanceof Error ? error.message || error.name : String(error)}`;
}

function faultHint(error: unknown): string | undefined {
  return error instanceof StdoutFailed ? undefined : 'Run it again with --debug to see where.';
}

function stackText(error: unknown): string {
  const lines: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) lines.push(...(one.stack ?? one.message).split('\n').map(safeLine));
  return lines.map((line) => `${line}\n`).join('');
}
