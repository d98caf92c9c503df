// The completion script of each shell, out of the command objects. Pure: the same commands, the same text.
// completions/ holds its output; `npm run completions` writes it again.

import type { LoadedGroup } from '../commands/index.ts';
import { bashScript } from './completions/bash.ts';
import { fishScript } from './completions/fish.ts';
import { commandLine } from './completions/levels.ts';
import { zshScript } from './completions/zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The text of the script that `shell` loads to complete `crm`. */
export function completionScript(shell: keyof typeof scripts, groups: readonly LoadedGroup[]): string {
  return scripts[shell](commandLine(groups));
}
