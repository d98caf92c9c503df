// `crm completion bash|zsh|fish`: prints the completion script of a shell. `crm completion install`: puts it where the shell looks for it.

import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemReason, UsageError } from '../base/errors.ts';
import { diskError } from '../base/files/disk-failure.ts';
import { openDraft } from '../base/files/durable-file.ts';
import { checkChoice } from '../base/values/parse.ts';
import { quoteWord } from '../base/values/text/shell-word.ts';
import { type Command, command } from '../cli/command.ts';
import { scriptOf, shells } from '../cli/completions/scripts.ts';
import { shapeless } from '../output/result.ts';
import type { Context } from '../session/context.ts';

export const completionPrint: Command = {
  path: ['completion', 'print'],
  meantBy: 'argument',
  sends: [],
  does: 'reads',
  prints: { json: 'text' },
  summary: 'Print the completion script of a shell',
  args: [{ name: 'shell', help: 'The shell', choices: shells }],
  flags: [],
  examples: ['crm completion bash > /etc/bash_completion.d/crm', 'crm completion fish > ~/.config/fish/completions/crm.fish'],
  run: async (_context, { args }) => {
    const shell = checkChoice(args[0] ?? '', shells, 'shell');
    return { kind: 'text', text: scriptOf(shell) };
  },
};

export const completionInstall = command({
  path: ['completion', 'install'],
  sends: [],
  does: 'writes',
  prints: { json: 'object', members: { shell: 'bash|zsh|fish', file: 'text', changed: 'boolean' } },
  summary: 'Install the completion script for yourself',
  description:
    'Writes one file into the folder of your own that the shell looks into, and makes the folder if it is missing. crm never changes a ' +
    'start-up file: for zsh it prints the line for $fpath, if the folder is not there yet. Run it again after an update of crm.',
  args: [{ name: 'shell', help: 'The shell (default: the one in $SHELL)', optional: true, choices: shells }],
  flags: [],
  examples: ['crm completion install', 'crm completion install fish --dry-run'],
  run: async (context, { args }) => {
    const shell = shellOf(context, args[0]);
    const file = fileFor(shell, context.env);
    const script = scriptOf(shell);
    const isThere = existsSync(file) && readFileSync(file, 'utf8') === script;
    const { dryRun } = context.flags;
    if (!isThere && !dryRun) await install(file, script);
    const done = dryRun ? `Would write ${file}.` : `The completion of ${shell} is in ${file}. ${usedBy(shell)}`;
    const sentence = isThere ? `The completion of ${shell} in ${file} is up to date.` : done;
    const line = shell === 'zsh' && !dryRun ? fpathLine(dirname(file), context.env) : undefined;
    if (line !== undefined) context.afterwards.push(line);
    const data = { shell, file, changed: !isThere && !dryRun };
    return { kind: 'rows', data, shape: shapeless, notice: sentence, drawn: { sentence } };
  },
});

const usedBy = (shell: (typeof shells)[number]): string =>
  shell === 'bash' ? 'A new bash uses it if the package bash-completion is installed.' : 'A new shell uses it.';

function shellOf({ env }: Context, typed: string | undefined): (typeof shells)[number] {
  if (typed !== undefined) return checkChoice(typed, shells, 'shell');
  const shell = shells.find((one) => one === basename(env.SHELL ?? ''));
  if (shell !== undefined) return shell;
  const found = env.SHELL ? `$SHELL is ${env.SHELL}` : '$SHELL is not set';
  throw new UsageError(`${found}, so crm doesn't know your shell.`, { hint: 'Name it: crm completion install bash (or zsh, fish)' });
}

/** The file of the user's own folder of completions. The folders are those that the shells' documentation names. */
function fileFor(shell: (typeof shells)[number], env: Context['env']): string {
  const home = env.HOME;
  if (!home) throw new UsageError('HOME is not set, so there is no folder of your own for the completion.');
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share');
  if (shell === 'bash') return join(env.BASH_COMPLETION_USER_DIR || join(data, 'bash-completion'), 'completions', 'crm');
  if (shell === 'zsh') return join(data, 'zsh', 'site-functions', '_crm');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'fish', 'completions', 'crm.fish');
}

/** The advice to add zsh's folder to $fpath. Undefined if FPATH or .zshrc names the folder already. */
function fpathLine(folder: string, { FPATH = '', HOME = '', ZDOTDIR }: Context['env']): string | undefined {
  const startUp = join(ZDOTDIR || HOME, '.zshrc');
  const text = existsSync(startUp) ? readFileSync(startUp, 'utf8') : '';
  const spellings = [folder, folder.replace(HOME, '~'), folder.replace(HOME, '$HOME')];
  if (FPATH.split(':').includes(folder) || spellings.some((one) => text.includes(one))) return undefined;
  return `Add this line to ${startUp}, above compinit: fpath=(${quoteWord(folder)} $fpath)`;
}

/** Writes the whole file and renames it into place; a link is followed. Throws UsageError, and UnavailableError if the disk is full. */
async function install(file: string, script: string): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const draft = await openDraft(existsSync(file) ? realpathSync(file) : file, 0o644);
    try {
      await draft.file.writeFile(script);
      await draft.keep();
    } catch (error) {
      await draft.drop();
      throw error;
    }
  } catch (error) {
    throw (
      diskError(`${file} can't be written`, error) ?? new UsageError(`${file} can't be written (${systemReason(error)}).`, { cause: error })
    );
  }
}
