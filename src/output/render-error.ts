// Writes errors to standard error: sentences for a person, one JSON object with -o json or ndjson.

import { CrmError, exitStatuses, type Failure, type FieldProblem, InvalidValues, RateLimitedError, retryOf } from '../base/errors.ts';
import { type GlobalFlags, wantsJson } from '../base/global-flags.ts';
import { safeLine } from '../model/records/safe-text.ts';
import { jsonLine } from './formats/json.ts';
import type { Io } from './streams/io.ts';
import { messageIndent, messageText } from './streams/message.ts';
import { markWidth, noticeMark } from './streams/notice.ts';
import { loadTheme, type Theme } from './streams/theme.ts';

interface ErrorOptions {
  readonly io: Io;
  readonly flags: Pick<GlobalFlags, 'output' | 'out' | 'debug' | 'quiet' | 'jq'>;
  /** True if a write of the command may have reached the service. */
  readonly hasWritten?: boolean;
}

/** Writes the message, the refused values beside their flags, and the hint. Returns the exit status. */
export async function renderError(error: unknown, { io, flags, hasWritten = false }: ErrorOptions): Promise<number> {
  if (isForProgram(flags, io)) {
    const notices = io.takeNotices?.() ?? [];
    io.err(jsonLine({ error: { ...errorBody(error, hasWritten), ...(notices.length === 0 ? {} : { notices }) } }));
  } else {
    const theme = await loadTheme(io.stderr.color);
    const isAsked = error instanceof CrmError && error.details.isAsked === true;
    const lead = isAsked ? 'note:' : 'error:';
    const paint = isAsked ? theme.warning : theme.error;
    io.err(`${paint(lead)} ${await drawn(errorLines(error, flags.debug), io, theme, lead.length + 1)}\n`);
  }
  if (flags.debug) io.err(stackText(error));
  return error instanceof CrmError ? error.exitStatus : exitStatuses.fault.status;
}

/** Writes one failure of several as it happens. With JSON writes nothing: the object at the end holds all failures. */
export async function renderFailure({ name, error }: Failure, { io, flags }: ErrorOptions): Promise<void> {
  if (isForProgram(flags, io)) return;
  const theme = await loadTheme(io.stderr.color);
  const mark = await noticeMark(io, flags, 'failed');
  const lead = safeLine(`${name}:`);
  const from = (mark === '' ? 0 : markWidth) + lead.length + 1;
  io.err(`${mark}${theme.error(lead)} ${await drawn(errorLines(error, flags.debug), io, theme, from)}\n`);
  if (flags.debug) io.err(stackText(error));
}

/** With --jq or --out on a terminal a person reads the errors. */
const isForProgram = (flags: ErrorOptions['flags'], { stderr }: Io): boolean =>
  wantsJson(flags) && !((flags.jq !== undefined || flags.out !== undefined) && stderr.isTTY);

/** The lines of an error, without colour. With --debug the stack follows. */
export async function failureLines(error: unknown, { debug }: Pick<GlobalFlags, 'debug'>): Promise<readonly string[]> {
  const lines = errorLines(error, debug).map(({ lead, text }) => lead + text);
  return debug ? [...lines, ...stackText(error).trimEnd().split('\n')] : lines;
}

/** The members of the JSON error by path, each with its type. `?`: absent if empty. */
export const errorMembers = {
  'error.code': 'text',
  'error.message': 'text',
  'error.status': 'integer|null',
  'error.retry': 'safe|never|look|ask',
  'error.fields[].flag': 'text|null',
  'error.fields[].name': 'text',
  'error.fields[].messages': 'array',
  'error.fields[].lines': 'array?',
  'error.fields[].count': 'integer?',
  'error.hint': 'text|null',
  'error.request.method': 'text',
  'error.request.path': 'text',
  'error.retry_after': 'integer?',
  'error.failures[].id': 'id?',
  'error.notices': 'array?',
} as const;

/** The object in `{"error": …}`, for one error. Promised members without a value are null or an empty array. */
export function errorBody(error: unknown, hasWritten = false): object {
  const retry = retryOf(error, hasWritten);
  if (!(error instanceof CrmError)) {
    return { code: 'fault', message: messageOf(error), status: null, retry, fields: [], hint: faultHint, request: null };
  }
  const { httpStatus, fields, hint, request, failures, retryIn } = error.details;
  return {
    code: error.code,
    message: error.message,
    status: httpStatus ?? null,
    retry,
    fields: (fields ?? []).map(({ flag, name, messages, lines, count }) => {
      return { flag: flag ?? null, name, messages, ...(lines === undefined ? {} : { lines, count }) };
    }),
    hint: hint ?? null,
    request: request === undefined ? null : { method: request.method, path: request.path },
    ...(error instanceof RateLimitedError && retryIn !== undefined ? { retry_after: Math.ceil(retryIn) } : {}),
    ...(failures === undefined ? {} : { failures: failures.map(({ id, error: one }) => ({ id, ...errorBody(one) })) }),
  };
}

/** The most characters and lines shown of an answer of the service. --debug shows all. */
const screenful = 2000;
const mostLines = 20;

/** A line of an error: `lead` names the value in question. */
interface ErrorLine {
  readonly lead: string;
  readonly text: string;
}

/** `from`: the columns in front of the first line. */
async function drawn(lines: readonly ErrorLine[], { stderr }: Io, theme: Theme, from: number): Promise<string> {
  const texts = lines.map(async ({ lead, text }, index) => {
    const [, margin = '', name = '', gap = ''] = /^( *)(.*?)( *)$/.exec(lead) ?? [];
    // The service chose a name of this length.
    if (stderr.isTTY && lead.length > stderr.columns / 2) return messageText(stderr, lead + text);
    const columns = index === 0 ? { from } : { from: lead.length, hang: lead === '' ? messageIndent : fieldIndent };
    return `${margin}${name === '' ? '' : theme.warning(name)}${gap}${await messageText(stderr, text, columns)}`;
  });
  return (await Promise.all(texts)).join('\n');
}

/** The indentation of wrapped lines about a value, in columns. */
const fieldIndent = 4;

function errorLines(error: unknown, whole: boolean): ErrorLine[] {
  const details = error instanceof CrmError ? error.details : {};
  const hint = error instanceof CrmError ? details.hint : faultHint;
  const fields = saysItAll(error) ? [] : (details.fields ?? []);
  const isOfService = details.httpStatus !== undefined;
  const cut = (text: string): string => safeLine(whole ? text : cutMessage(text, screenful));
  const message = cut(messageOf(error)).trimStart();
  const lines = fields.flatMap((field) => problemLines(field, cut));
  let room = screenful - message.length;
  const fits = ({ lead, text }: ErrorLine, index: number): boolean => {
    room -= lead.length + text.length;
    return room > 0 && index < mostLines;
  };
  const shown = whole || !isOfService ? lines : lines.filter(fits);
  const hidden = lines.length - shown.length;
  const others = [
    ...(hidden === 0 ? [] : [`  And ${hidden} more; --debug shows all.`]),
    ...(hint === undefined ? [] : hint.split('\n').map(cut)),
  ];
  return [{ lead: '', text: message }, ...shown, ...others.map((text) => ({ lead: '', text }))];
}

function cutMessage(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = text
    .slice(0, most)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `${shown}… (${text.length - shown.length} more characters; --debug shows all.)`;
}

/** True if the message already names every refused or missing value. */
const saysItAll = (error: unknown): boolean => error instanceof InvalidValues && !error.onlyCounts;

function problemLines({ flag, name, messages }: FieldProblem, cut: (text: string) => string): ErrorLine[] {
  // A problem of a whole file has no name.
  const lead = flag === undefined && name === '' ? ' ' : `  ${cut(flag ?? name)}:`;
  return messages.length === 0 ? [{ lead, text: '' }] : messages.map((message) => ({ lead: `${lead} `, text: cut(message) }));
}

function messageOf(error: unknown): string {
  if (error instanceof CrmError) return error.message;
  return `crm has a fault: ${error instanceof Error ? error.message || error.name : String(error)}`;
}

const faultHint = 'Run the command again with --debug to see where.';

function stackText(error: unknown): string {
  const lines: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) lines.push(...(one.stack ?? one.message).split('\n').map(safeLine));
  return lines.map((line) => `${line}\n`).join('');
}
