// Opens the service in force for a run, with one limiter for all requests. Writes the notices of a run that waits.

import { isSandbox } from '../base/base-url.ts';
import { systemClock } from '../base/clock.ts';
import { isCrmError } from '../base/errors.ts';
import { spanText, waits } from '../base/limits.ts';
import { scalarText } from '../base/values/json.ts';
import { valueText } from '../base/values/parse.ts';
import { keyNameOf } from '../base/values/text/duplicate-key.ts';
import { crmWith, quoteWord } from '../base/values/text/shell-word.ts';
import { capitalised, firstOf, howMany } from '../base/values/text/wording.ts';
import type { Backoff } from '../client/backoff.ts';
import type { Api } from '../client/client.ts';
import { createLimiter, type Turn } from '../client/limiter.ts';
import type { Field } from '../model/define.ts';
import { titleField } from '../model/identity.ts';
import { familyNamed } from '../model/resources/index.ts';
import { leadComment, leads } from '../model/resources/leads.ts';
import { notice } from '../output/streams/notice.ts';
import { progress } from '../output/streams/progress.ts';
import type { PastStep, Run } from '../runs/journal/run.ts';
import { twinsIn } from '../runs/lost/twins.ts';
import { type Pace, type Service, type ServiceTurn, usualWait } from '../runs/service.ts';
import type { Context } from './context.ts';
import { keptBack, standIns } from './dry-writes.ts';
import { openClient } from './open-client.ts';

/** The wait for lost requests, in milliseconds. Tests that kill processes scale the wait by CRM_TEST_WAITS. */
const waitFor = (baseUrl: string, { CRM_TEST_WAITS: share = '1' }: Context['env']): number =>
  isSandbox(baseUrl) ? 0 : usualWait * Number(share);

/** Opens the service. `stop` ends all requests that wait for their turn. Throws UnauthorizedError without a usable key. */
export async function openService(context: Context, pace: Pace, stop: AbortSignal): Promise<Service> {
  const { flags, clock, signal, env } = context;
  const { timeout, retries, dryRun: isDry } = flags;
  const { rate, countsOnly = false } = pace;
  const own = await context.api();
  const open = isDry ? own : await openUnhurried(context, pace.concurrency, own.backoff);
  const dry = countsOnly ? standIns() : keptBack(open);
  // A dry run shows its requests in their order, so it makes one at a time.
  const concurrency = isDry && !countsOnly ? 1 : pace.concurrency;
  const limiter = createLimiter({
    concurrency,
    ...(rate === undefined ? {} : { rate }),
    retries,
    signal: stop,
    clock,
    backoff: open.backoff,
    paused: (milliseconds) => tellPause(context, milliseconds, open.backoff),
  });
  return {
    api: limitedApi(open, limiter.run, signal),
    limiter,
    clock,
    concurrency,
    timeout,
    wait: waitFor((await context.settings()).baseUrl, env),
    isDry,
    inTurn: (work, mayRepeat) =>
      limiter.inTurn(({ request: inTurn }) => {
        const send: ServiceTurn['send'] = (_key, request, leaving) =>
          inTurn(async () => {
            await leaving();
            return open.write({ ...request, patience: 'none' });
          }, true);
        return work({ api: limitedApi(open, inTurn, signal), send: isDry ? dry : send });
      }, mayRepeat),
    close: async () => (isDry ? undefined : open.close()),
  };
}

function limitedApi(api: Api, run: Turn['request'], signal: AbortSignal): Api {
  return {
    ...api,
    read: (request, own) => {
      const either = own === undefined ? signal : AbortSignal.any([own, signal]);
      return run(() => api.read({ ...request, patience: 'none' }, either));
    },
  };
}

/** The context with its reads limited to a pace, like the reads of a run. */
export function paced(context: Context, { concurrency, rate }: Pace): Context {
  const { signal, clock, flags } = context;
  let limited: Promise<Api> | undefined;
  const limit = async (): Promise<Api> => {
    const api = await context.api();
    const { run } = createLimiter({
      concurrency,
      ...(rate === undefined ? {} : { rate }),
      retries: flags.retries,
      signal,
      clock,
      backoff: api.backoff,
      paused: (milliseconds) => tellPause(context, milliseconds, api.backoff),
    });
    return limitedApi(api, run, signal);
  };
  return {
    ...context,
    api: () => {
      limited ??= limit();
      return limited;
    },
  };
}

function tellPause(context: Context, milliseconds: number, backoff: Backoff): void {
  const { io, flags } = context;
  const what = `The service${backoff.why}`;
  io.waits.pausedUntil = systemClock.steady() + milliseconds;
  if (io.stderr.isTTY) showPause(context, milliseconds, what);
  else if (milliseconds >= waits.told) {
    const most = backoff.awaits(flags.retries) ? `${spanText(waits.unreached)} for a connection` : `${spanText(waits.many)} in all`;
    // Answers that fail end a run by their number.
    const bound = backoff.isSilent && !backoff.awaits(flags.retries) ? '' : ` crm waits up to ${most}.`;
    void notice(io, flags, `${what}: going on in ${spanText(milliseconds)}.${bound}`);
  }
}

function showPause({ io, flags }: Context, milliseconds: number, text: string): void {
  const until = systemClock.steady() + milliseconds;
  const seconds = (): number => Math.max(0, Math.ceil((until - systemClock.steady()) / 1000));
  const label = () => ({ text, tail: `going on in ${seconds()} s` });
  void progress(io, flags).during(label, new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref()));
}

/** Reports that a run waits for `count` requests that may still arrive. */
export function tellWaiting({ io, flags }: Context, milliseconds: number, count: number): void {
  if (milliseconds < waits.told) return;
  const what =
    count === 1
      ? '1 request had no answer and may still arrive. Looking for its record'
      : `${count} requests had no answer and may still arrive. Looking for their records`;
  void notice(io, flags, `${what} for up to ${Math.ceil(milliseconds / 1000)} s.`);
}

/** Does `work`, and reports after a signal that crm waits for the answers to sent requests. */
export async function sayingFinish<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const tell = (): void => tellFinishing(context);
  context.signal.addEventListener('abort', tell, { once: true });
  try {
    return await work();
  } finally {
    context.signal.removeEventListener('abort', tell);
  }
}

/** Reports after a signal that crm waits for the answers to sent requests. `next`: a sentence on what to do afterwards. */
export function tellFinishing({ io, flags }: Context, next = ''): void {
  void notice(io, flags, `Finishing what was sent; a second Ctrl-C leaves at once.${next}`);
}

/** The most rows or records that are named. */
const mostAgain = 100;

/** The most commands that show whether something is there twice. */
const mostCommands = 3;

interface SentAgain {
  readonly noun: string;
  /** The field by which an import finds records. */
  readonly match?: Field | undefined;
  /** The name of a write. */
  nameOf?(key: string): string;
  /** Reads lists, to find records that are there twice. Absent: nothing is read. */
  readonly api?: Api;
}

/**
 * Names the creates and comments that a run sent again, with the commands that show whether something is there twice: the first request may
 * have arrived late. A record with a unique value can't be there twice. Records for which there is no such command are compared here.
 */
export async function tellSentAgain(context: Context, run: Run, { noun, match, nameOf = (key) => key, api }: SentAgain): Promise<void> {
  const { io, flags, signal } = context;
  const crm = crmWith(flags.profile);
  const again = run
    .sentAgain()
    .filter(({ family, body }) => !familyNamed(family)?.fields.some(({ unique, wire }) => unique && body.has(wire)));
  if (again.length === 0) return;
  const [were, answers, are] = again.length === 1 ? ['was', 'its answer was', 'it is'] : ['were', 'their answers were', 'they are'];
  const keys = again.map(({ key }) => nameOf(key));
  const sentence = `${howMany(again.length, noun)} ${were} sent again because ${answers} lost: ${firstOf(keys, mostAgain)}.`;
  const commands = [...new Set(again.map(listingOf))];
  const isMany = commands.length > mostCommands;
  const all = isMany ? oneForAll(again, match) : undefined;
  const twins = isMany && all === undefined && api !== undefined ? await twinsAmong(api, run, again, signal) : undefined;
  if (twins?.length === 0) return notice(io, flags, `${sentence} No two records look like twins now.`);
  const shown = all === undefined ? commands.slice(0, mostCommands).map((command) => `  ${crm} ${command}`) : [`  ${crm} ${all}`];
  const more = all === undefined && isMany ? [`  and ${commands.length - mostCommands} more`] : [];
  const told = twins?.flatMap(({ name, groups }) => {
    const pairs = groups.slice(0, mostAgain);
    const named = firstOf(
      groups.map((ids) => ids.join(' = ')),
      mostAgain,
    );
    return [`${capitalised(name)} that look like twins: ${named}. Look at them:`, `  ${crm} ${name} get ${pairs.flat().join(',')}`];
  });
  return notice(io, flags, told === undefined ? [`${sentence} Look whether ${are} there twice:`, ...shown, ...more] : [sentence, ...told]);
}

/**
 * Groups of records that look like twins, by family. Undefined when commands have to show them: a write is no create or has no record, or a
 * list is too long or can't be read.
 */
async function twinsAmong(
  api: Api,
  run: Run,
  again: readonly PastStep[],
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly groups: string[][] }[] | undefined> {
  const found: { readonly name: string; readonly groups: string[][] }[] = [];
  for (const [name, writes] of Map.groupBy(again, ({ family }) => family)) {
    const resource = familyNamed(name);
    const ids = new Set(writes.flatMap(({ id, kind }) => (kind === leadComment.verb || id === undefined ? [] : [id])));
    if (resource === undefined || ids.size < writes.length) return undefined;
    try {
      const groups = await twinsIn(api, resource, ids, new Set(run.knownIds(name)), signal);
      if (groups === undefined) return undefined;
      if (groups.length > 0) found.push({ name, groups });
    } catch (error) {
      if (!isCrmError(error)) throw error;
      return undefined;
    }
  }
  return found;
}

/** The command, without `crm`, that shows which leads are there twice, by the first key that all of them have. */
function oneForAll(again: readonly PastStep[], match: Field | undefined): string | undefined {
  if (again.some(({ family, kind }) => family !== leads.name || kind === leadComment.verb)) return undefined;
  const keyed = [...(match === undefined ? [] : [match]), ...leads.fields].filter((field) => keyNameOf(field) !== undefined);
  const field = keyed.find(({ wire }) => again.every(({ body }) => body.has(wire)));
  return field === undefined ? undefined : `leads duplicates --by ${keyNameOf(field)}`;
}

/** The command, without `crm`, that lists the records that a write may have made: those with its title, as the service keeps the title. */
function listingOf({ family, kind, id, body, after }: PastStep): string {
  if (kind === leadComment.verb) return `leads comments list ${id}`;
  const resource = familyNamed(family);
  const field = resource === undefined ? undefined : titleField(resource);
  const title = field === undefined ? '' : scalarText(after?.[field.read ?? '']) || valueText(body.get(field.wire) ?? '');
  const [text = '', ...others] = title.split(/\r?\n/);
  return `${family} list${text === '' ? '' : ` --where ${quoteWord(`${field?.flag}${others.length === 0 ? '=' : '~'}${text}`)}`}`;
}

/**
 * A client whose requests ignore the context's signal, so that the first Ctrl-C lets them finish. Writes share `connections` sockets. The
 * caller must look for a write whose answer was lost.
 */
async function openUnhurried(context: Context, connections: number, backoff: Backoff): Promise<Api> {
  const unhurried: Context = { ...context, signal: new AbortController().signal };
  return openClient(unhurried, await context.settings(), { connections, sharedWrites: true }, backoff);
}
