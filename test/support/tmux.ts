// A tmux server of its own with one client in control mode: a call of the command `tmux` takes 18 ms of processor time, a line to this
// client next to none.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Tmux {
  /** Carries out commands, each given by its words, one after the other. Gives what they printed. Throws what tmux says is wrong. */
  run(...commands: readonly (readonly string[])[]): Promise<string>;
  /** Ends the server, and with it everything that runs on its terminals. */
  stop(): Promise<void>;
}

interface Call {
  /** How many of its commands have no answer so far. */
  left: number;
  readonly lines: string[];
  readonly answer: PromiseWithResolvers<string>;
}

/** Starts a server on a socket. `settings`: a file of settings. */
export function startTmux({ socket, settings = '/dev/null', env }: { socket: string; settings?: string; env: NodeJS.ProcessEnv }): Tmux {
  // The client has a session of its own, so that the server outlives those of the tests.
  const words = ['-S', socket, '-f', settings, '-u', '-C', 'new-session', '-s', 'control', 'cat'];
  const client = spawn('tmux', words, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const calls: Call[] = [];
  let block: { readonly end: string; readonly error: string } | undefined;
  const ended = once(client, 'exit').then(() => {
    for (const { answer } of calls.splice(0)) answer.reject(new Error('The server of tmux has ended.'));
  });

  // An answer stands between %begin and %end or %error, with the same numbers; the last one says that the command came from here.
  createInterface(client.stdout).on('line', (line) => {
    const [call] = calls;
    if (block === undefined) {
      const [, numbers] = /^%begin (\d+ \d+ 1)$/.exec(line) ?? [];
      if (numbers !== undefined) block = { end: `%end ${numbers}`, error: `%error ${numbers}` };
    } else if (line !== block.end && line !== block.error) call?.lines.push(line);
    else {
      const isWrong = line === block.error;
      block = undefined;
      if (call === undefined) return;
      call.left -= 1;
      // What comes behind an error is not carried out.
      if (call.left > 0 && !isWrong) return;
      calls.shift();
      const text = call.lines.map((one) => `${one}\n`).join('');
      if (isWrong) call.answer.reject(new Error(text));
      else call.answer.resolve(text);
    }
  });

  const run: Tmux['run'] = (...commands) => {
    const answer = Promise.withResolvers<string>();
    if (client.exitCode !== null) return Promise.reject(new Error('The server of tmux has ended.'));
    calls.push({ left: commands.length, lines: [], answer });
    client.stdin.write(`${commands.map((one) => one.map(quoted).join(' ')).join(' ; ')}\n`);
    return answer.promise;
  };
  const stop = async (): Promise<void> => {
    await run(['kill-server']).catch(() => undefined);
    await ended;
  };
  return { run, stop };
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll('\n', `'"\\n"'`)}'`;
