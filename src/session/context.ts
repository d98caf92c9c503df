// The context that every command gets: streams, environment, settings, names and the API client. Settings, names and client are opened on
// first use.

import { type Clock, systemClock } from '../base/clock.ts';
import { configDirOf, dataDirOf, ForeignFolderError } from '../base/files/own-folders.ts';
import type { WorkingFolder } from '../base/files/path-in.ts';
import type { GlobalFlags } from '../base/global-flags.ts';
import type { Body } from '../base/values/body.ts';
import type { Id } from '../base/values/parse.ts';
import { quoteWord } from '../base/values/text/shell-word.ts';
import type { Api } from '../client/client.ts';
import type { Transport } from '../client/transport/wire.ts';
import type { ApiRequest, UnsentRequest } from '../client/types.ts';
import type { Resource } from '../model/define.ts';
import type { Io } from '../output/streams/io.ts';
import { notice } from '../output/streams/notice.ts';
import { openNames, type RunNames } from './names/run-names.ts';
import { openClient, warnOfNoProxy } from './open-client.ts';
import { loadSettings, readOnlyBy, type Settings } from './profiles/settings.ts';

export interface Context extends WorkingFolder {
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: GlobalFlags;
  /** Aborted by Ctrl-C, SIGTERM or a reader that went away. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The words typed after `crm`. */
  readonly argv: readonly string[];
  /** Sentences written after the result. */
  readonly afterwards: string[];
  /** The names of this call's runs in the journal. */
  readonly runs: string[];
  /** The writes to a single record that took effect and are not in the journal yet. The record's own write is first. */
  readonly written: WriteToOne[];
  /** How many writes of this command may have reached the service. */
  readonly sent: { writes: number };
  /** Replaces HTTP for the requests. */
  readonly transport?: Transport | undefined;
  /** The folders of settings and data: CRM_CONFIG_DIR, CRM_DATA_DIR, or the platform's defaults. */
  configDir(): Promise<string>;
  dataDir(): Promise<string>;
  /** The folder of data, for what a command can do without. Undefined when others can change the folder: said once. */
  ownDataDir(): Promise<string | undefined>;
  /** The settings in force. Throws UnauthorizedError if no profile can be used. */
  settings(): Promise<Settings>;
  /** Says what makes the service read only, as `ApiOptions.readOnlyBy`. */
  readOnlyBy(): Promise<string | undefined>;
  /** The client for the profile in force; one per run. */
  api(): Promise<Api>;
  /** The names known in this run: remembered names, and the names in the run's answers. */
  names(): Promise<RunNames>;
  /** The writes that --dry-run has held back so far. */
  unsent(): Promise<readonly UnsentRequest[]>;
  /** Closes connections and files, so that the process can end. */
  close(): Promise<void>;
}

/** A write to a single record, for the journal. */
export interface WriteToOne {
  readonly resource: Pick<Resource, 'name' | 'singular'>;
  readonly id: Id;
  /** The kind of the step: `update`, `create`. */
  readonly kind: string;
  /** The word for the outcome. */
  readonly did: string;
  /** The overwritten values, the sent body, and the values afterwards, in the form of the journal. */
  readonly before?: unknown;
  readonly body?: Body | undefined;
  readonly after?: unknown;
  /** The record before the write; for a create, the answer. */
  readonly record?: unknown;
}

export interface Surroundings extends WorkingFolder {
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The words typed after `crm`. */
  readonly argv?: readonly string[];
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Default: the transport for the base URL. */
  readonly transport?: Transport;
  /** Calls a function with each of Node's own warnings. */
  readonly onWarning?: (tell: (warning: string) => void) => void;
}

/** The context of one run. Reads and opens nothing before the first use. */
export function createContext(surroundings: Surroundings, flags: GlobalFlags): Context {
  const { env, clock = systemClock, argv = [] } = surroundings;
  const settings = once(async () => {
    const settings = await loadSettings(context);
    await warnOfNoProxy(context, settings.baseUrl);
    return settings;
  });
  const isReadOnlyBy = once(async () => readOnlyBy(context, await context.settings()));
  const ownDataDir = once(async () => {
    try {
      return await dataDirOf(env);
    } catch (error) {
      if (!(error instanceof ForeignFolderError)) throw error;
      await notice(
        context.io,
        flags,
        `${error.message} Names are not remembered, and the history will not hold the changes made now.`,
        'warning',
      );
      return undefined;
    }
  });
  const names = once(async () => {
    return openNames(context, await context.settings());
  });
  const api = once(async () => {
    const settings = await context.settings();
    // Names are opened early only if a profile remembers them, or if a change file will hold them.
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
    sent: { writes: 0 },
    configDir: () => configDirOf(env),
    dataDir: () => dataDirOf(env),
    ownDataDir: ownDataDir.get,
    settings: settings.get,
    readOnlyBy: isReadOnlyBy.get,
    api: api.get,
    names: names.get,
    unsent: async () => (await api.started())?.unsent ?? [],
    close: async () => {
      const opened = await api.started()?.catch(() => undefined);
      await opened?.close();
      const seen = await names.started()?.catch(() => undefined);
      await seen?.save();
    },
  };
  return context;
}

/** The command line, quoted for a shell, with secrets masked. */
export const typedBy = ({ argv, io }: Pick<Context, 'argv' | 'io'>): string =>
  ['crm', ...argv].map((word) => (io.holdsSecret(word) ? '***' : quoteWord(word))).join(' ');

/** The client. Passes each answer to the run's names, if the names are open. */
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
      const answer = await api.write(async (wasLost) => {
        sent = typeof sending === 'function' ? await sending(wasLost) : sending;
        return sent;
      });
      if (sent !== undefined) (await names())?.see(sent, answer);
      return answer;
    },
  };
}

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
