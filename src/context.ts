// What every command is handed: streams, environment, settings and the API client. Lazy, and replaceable by tests.

import type { Api } from './api/client.ts';
import type { Transport } from './api/transport/wire.ts';
import type { ApiRequest, PlannedRequest } from './api/types.ts';
import { type Clock, systemClock } from './clock.ts';
import { configDirOf, dataDirOf } from './files/own-folders.ts';
import type { GlobalFlags } from './global-flags.ts';
import type { RunNames } from './names/run-names.ts';
import { openClient } from './open-client.ts';
import type { Io } from './output/streams/io.ts';
import { loadSettings, type Settings } from './profiles/settings.ts';
import type { Resource } from './resources/define.ts';
import type { Body } from './values/body.ts';
import type { Id } from './values/parse.ts';
import { quotePosix } from './values/text/shell-word.ts';

export interface Context {
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly flags: GlobalFlags;
  /** Aborted by Ctrl-C, SIGTERM or a reader that went away. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** What was typed behind `crm`; empty where nobody typed anything. */
  readonly argv: readonly string[];
  /** Sentences to be told once the result is. */
  readonly afterwards: string[];
  /** The runs that the journal keeps of this call, by their names. */
  readonly runs: string[];
  /** The writes to a single record that took effect and are no run yet: the record's own, then its sets or its comment. */
  readonly written: WriteToOne[];
  /** What requests go over, in place of HTTP. */
  readonly transport?: Transport | undefined;
  /** Where settings and data live: CRM_CONFIG_DIR, CRM_DATA_DIR or the platform's own places. */
  configDir(): Promise<string>;
  dataDir(): Promise<string>;
  /** The profile in force. Throws UnauthorizedError when there is none that can be used. */
  settings(): Promise<Settings>;
  /** The client for the profile in force; one per run. */
  api(): Promise<Api>;
  /** The names of this run: remembered ones, and those that its answers show. */
  names(): Promise<RunNames>;
  /** The writes that --dry-run has held back so far. */
  planned(): Promise<readonly PlannedRequest[]>;
  /** Closes connections and files, so that the process can end. */
  close(): Promise<void>;
}

/** A write to a single record, as the history keeps it. */
export interface WriteToOne {
  readonly resource: Pick<Resource, 'name' | 'singular'>;
  readonly id: Id;
  /** As a journal calls it: `update`, `create`. */
  readonly kind: string;
  /** What the outcome is called. */
  readonly did: string;
  /** What was overwritten, what was sent of it, and what the record holds of it now: as a journal keeps them. */
  readonly before?: unknown;
  readonly body?: Body | undefined;
  readonly after?: unknown;
  /** The record as it was read before; of a create, as it was answered. */
  readonly record?: unknown;
}

export interface Surroundings {
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** What was typed behind `crm`. */
  readonly argv?: readonly string[];
  /** By default the system's. */
  readonly clock?: Clock;
  /** What requests go over; by default what the base URL says. */
  readonly transport?: Transport;
}

/** A context for one run. Nothing is read or opened until a command asks for it. */
export function createContext(surroundings: Surroundings, flags: GlobalFlags): Context {
  const { env, clock = systemClock, argv = [] } = surroundings;
  const settings = once(async () => {
    return loadSettings(context);
  });
  const names = once(async () => {
    const { openNames } = await import('./names/run-names.ts');
    return openNames(context, await context.settings());
  });
  const api = once(async () => {
    const settings = await context.settings();
    // Without a profile nothing is remembered: names are for those who type one, and for what is written with names in it.
    if (settings.rememberedAs !== undefined || flags.plan !== undefined) await names.get();
    return shownTo(names.started, await openClient(context, settings));
  });
  const context: Context = {
    ...surroundings,
    flags,
    clock,
    argv,
    afterwards: [],
    runs: [],
    written: [],
    configDir: () => configDirOf(env),
    dataDir: () => dataDirOf(env),
    settings: settings.get,
    api: api.get,
    names: names.get,
    planned: async () => (await api.started())?.plan ?? [],
    close: async () => {
      const opened = await api.started()?.catch(() => undefined);
      await opened?.close();
      const seen = await names.started()?.catch(() => undefined);
      await seen?.save();
    },
  };
  return context;
}

/** What was typed, as a shell takes it, without keys. */
export const typedBy = ({ argv, io }: Pick<Context, 'argv' | 'io'>): string =>
  ['crm', ...argv].map((word) => (io.holdsSecret(word) ? '***' : quotePosix(word))).join(' ');

/** The client, with its answers shown to the run's names as soon as there are any. */
function shownTo(names: () => Promise<RunNames> | undefined, api: Api): Api {
  return {
    ...api,
    read: async (request, signal) => {
      const answer = await api.read(request, signal);
      (await names())?.see(request, answer);
      return answer;
    },
    write: async (sending) => {
      let sent: ApiRequest | undefined;
      const answer = await api.write(async () => {
        sent = typeof sending === 'function' ? await sending() : sending;
        return sent;
      });
      if (sent !== undefined) (await names())?.see(sent, answer);
      return answer;
    },
  };
}

/** A value that is made once, when it is first asked for. */
function once<T>(make: () => Promise<T>): { get: () => Promise<T>; started: () => Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  return {
    get: () => {
      made ??= make();
      return made;
    },
    started: () => made,
  };
}
