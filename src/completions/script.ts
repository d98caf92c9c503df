// The completion script of each shell, made from the command objects. Pure: the same commands give the same text.
// The repository's completions/ holds its output; `npm run generate` writes it again.

import type { LoadedGroup } from '../command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { commandLine } from './levels.ts';
import { zshScript } from './zsh.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The text of the script that `shell` loads to complete `crm`. */
export function completionScript(shell: (typeof shells)[number], groups: readonly LoadedGroup[]): string {
  return scripts[shell](commandLine(groups));
}
