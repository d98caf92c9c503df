// One run of the program: parses, runs, renders, and turns any error into a message and an exit status.

import { join } from 'node:path';
import { CrmError, exitStatuses, invalidValue, UnavailableError, UsageError } from '../base/errors.ts';
import type { Input } from '../base/flag.ts';
import { formatFacts, type GlobalFlags, isPage, outputInArgv, readGlobalFlags, wantsJson } from '../base/global-flags.ts';
import { type Command, mayWrite } from '../cli/command.ts';
import { withFields } from '../cli/error-flags.ts';
import { runGuided } from '../cli/guided-input.ts';
import { filesNamed } from '../cli/named-files.ts';
import { parse } from '../cli/program.ts';
import { refuseReadOnly } from '../client/problem.ts';
import { groups } from '../commands/index.ts';
import { checkFields } from '../output/fields.ts';
import { screenOf } from '../output/help-page.ts';
import { render } from '../output/render.ts';
import { renderError } from '../output/render-error.ts';
import type { Result } from '../output/result.ts';
import { holdNotices, type Io, StdoutClosed } from '../output/streams/io.ts';
import { notice } from '../output/streams/notice.ts';
import type { OutFile } from '../output/streams/out-file.ts';
import { wantsColor } from '../output/streams/terminal.ts';
import { type Context, createContext, type Surroundings } from '../session/context.ts';

/** Runs a command line and returns the exit status. `argv` is without node and script. Never throws and never ends the process. */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const held = holdNotices(surroundings.io);
  let { io } = surroundings;
  let flags: GlobalFlags = readGlobalFlags({ output: outputInArgv(argv, io.stderr.isTTY) });
  let command: Command | undefined;
  surroundings.onWarning?.((warning) => void notice(io, flags, warning, 'warning'));
  let out: OutFile | undefined;
  let context: Context | undefined;
  const tell = (error: unknown): Promise<number> =>
    renderError(withFields(reasonOf(error, surroundings.signal), command), { io, flags, hasWritten: (context?.sent.writes ?? 0) > 0 });
  try {
    const request = await parse(groups, argv, screenOf(io.stdout));
    if (request.kind === 'print') {
      const print = async (): Promise<void> => {
        await io.out(request.text);
        await io.flush();
      };
      const pager = request.isLong && !argv.includes('--no-pager') ? io.pager : undefined;
      await (pager === undefined ? print() : pager.during(print, surroundings.signal));
      return exitStatuses.done.status;
    }
    command = request.command;
    flags = readGlobalFlags(request.input.flags, surroundings.env);
    io.setColor(flags.color);
    checkShowable(flags, io, command);
    if (keepsErrorsAlone(flags, io)) io = held.io;
    out = await outFileOf(flags, { ...surroundings, io }, filesNamed(command, request.input));
    io = out?.io ?? io;
    context = createContext({ ...surroundings, io, argv }, flags);
    const run = runCommand(command, context, request.input, out);
    const status = await (out === undefined ? run : run.catch(tell));
    if (out !== undefined && wholeStatuses.has(status)) {
      const sentence = await out.keep();
      if (status === exitStatuses.done.status || !keepsErrorsAlone(flags, io)) await notice(io, flags, sentence, 'done');
    }
    return status;
  } catch (error) {
    if (error instanceof StdoutClosed) return exitStatuses.done.status;
    // The error is told before the streams end.
    return await tell(error);
  } finally {
    await io.flush().catch(() => undefined);
    await out?.drop();
    held.release();
  }
}

/** The statuses with a whole result. With any other status the file of --out stays as it was. */
const wholeStatuses: ReadonlySet<number> = new Set([exitStatuses.done.status, exitStatuses.partial.status, exitStatuses.found.status]);

/** Opens the file of --out, if any. `others`: the files that the command names beside it. Throws InvalidValues. */
async function outFileOf(
  { out, color }: GlobalFlags,
  { io, env, ...place }: Surroundings,
  others: readonly string[],
): Promise<OutFile | undefined> {
  if (out === undefined) return undefined;
  const [{ openOutFile }, { configDirOf }] = await Promise.all([
    import('../output/streams/out-file.ts'),
    import('../base/files/own-folders.ts'),
  ]);
  const config = await configDirOf(env).catch(() => undefined);
  const own = config === undefined ? [] : [join(config, 'config.json')];
  return openOutFile(out, { ...place, io, color: wantsColor(color, false, env), others: [...others, ...own] });
}

/** True if standard error holds nothing beside a JSON error: with --json, off a terminal, without --verbose. */
const keepsErrorsAlone = (flags: GlobalFlags, io: Io): boolean => wantsJson(flags) && !flags.verbose && !io.stderr.isTTY;

/** Throws UsageError for -o xlsx on a terminal, before any request. */
function checkShowable({ output, out }: GlobalFlags, { stdout }: Io, { path }: Command): void {
  if (formatFacts[output].isText || out !== undefined || !stdout.isTTY) return;
  throw new UsageError(`-o xlsx makes a file, which a terminal can't show. In its place give: --out ${path[0]}.xlsx`);
}

/** The result. The sentence of a single write names the profile, where there are several. */
async function placed(context: Context, result: Result): Promise<Result> {
  if (result.kind !== 'record' || result.effect === undefined || context.flags.quiet) return result;
  const { placeInSentence } = await import('../session/ask/confirm.ts');
  return { ...result, effect: { ...result.effect, place: await placeInSentence(context) } };
}

async function runCommand(command: Command, context: Context, input: Input, out: OutFile | undefined): Promise<number> {
  const { io, flags, signal } = context;
  const jq =
    flags.jq === undefined
      ? undefined
      : await (await import('../output/jq/jq.ts')).openJq(flags.jq, { perRecord: formatFacts[flags.output].layout === 'rows', signal });
  try {
    const names = await fieldNamesOf(command, flags);
    if (names !== undefined) {
      const { fields: _asked, ...others } = flags;
      return await render(names, { io, flags: others, signal, now: context.clock.now(), jq, isRead: true });
    }
    if (command.does !== 'reads' && command.shows !== undefined && flags.fields !== undefined) {
      checkFields(flags.fields, command.shows);
    }
    if (writesToService(command, input, flags)) refuseReadOnly(await readOnlyAt(context), '--dry-run shows what the command would send.');
    const result = await placed(context, await runGuided(command, context, input));
    const status = await render(flags.dryRun ? await dryRunResult(context, result) : result, {
      io,
      flags,
      signal,
      now: context.clock.now(),
      jq,
      isRead: command.does === 'reads',
      count: out?.count,
      place: isPage(flags.output) ? await placeOfPage(context) : undefined,
    });
    // Nothing stands beside a JSON error on standard error.
    const isTold = status === exitStatuses.done.status || !keepsErrorsAlone(flags, io);
    if (isTold) for (const sentence of context.afterwards) await notice(io, flags, sentence);
    return status;
  } finally {
    await jq?.close();
    context.io.waits.clear();
    if (context.written.length > 0 && io.stderr.isTTY && !flags.quiet && !flags.dryRun)
      await (await import('../changes/note.ts')).noteWrites(context, command.path.join(' '));
    await context.close();
  }
}

/** True if this call of the command may send anything but a GET to the service. */
const writesToService = (command: Command, input: Input, { dryRun, plan }: GlobalFlags): boolean =>
  mayWrite(command) && !dryRun && plan === undefined && command.onlyReads?.(input) !== true;

/** What makes the service read only. Settings that can't be used are told by the command, behind its own checks. */
const readOnlyAt = (context: Context): Promise<string | undefined> =>
  context.settings().then(
    () => context.readOnlyBy(),
    () => undefined,
  );

/** The profile, else the address of the service; undefined for a command without a service. */
const placeOfPage = (context: Context): Promise<string | undefined> =>
  context.settings().then(
    ({ profile, baseUrl }) => (profile === undefined ? baseUrl : `profile ${profile}`),
    () => undefined,
  );

/** The result of `--fields help`; undefined for any other --fields. Throws InvalidValues for a command without a list of fields. */
async function fieldNamesOf({ path, shows }: Command, { fields }: GlobalFlags): Promise<Result | undefined> {
  if (fields?.length !== 1 || !['help', '?'].includes(fields[0] ?? '')) return undefined;
  if (shows !== undefined) return (await import('../output/field-names.ts')).fieldNames(shows);
  throw invalidValue(
    '--fields',
    `crm ${path.join(' ')} has no list of its fields. The commands of a family have a list: crm leads list --fields help`,
  );
}

/** The result under --dry-run: the requests that were held back, or the command's own result when there are no such requests. */
async function dryRunResult(context: Context, result: Result): Promise<Result> {
  const outcomes = result.kind === 'outcomes' ? await Array.fromAsync(result.outcomes) : [];
  const requests = await context.unsent();
  if (result.kind === 'record' && result.effect !== undefined && requests.length > 0)
    return { kind: 'unsent', requests, effect: result.effect };
  if (result.kind !== 'outcomes') return requests.length > 0 ? { kind: 'unsent', requests } : result;
  if (requests.length > 0) return { kind: 'unsent', requests, several: outcomes };
  return { ...result, outcomes: yieldAll(outcomes) };
}

async function* yieldAll<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things;
}

/**
 * The error to report. After an abort, the signal's reason replaces the error of a library. Only records are walked recursively, so a stack
 * overflow means an answer nested too deep.
 */
function reasonOf(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return new UnavailableError('The answer is nested too deeply to be shown.', { cause: error });
  }
  if (!signal.aborted || error instanceof CrmError) return error;
  return signal.reason;
}
