// The completion scripts of this program. The bundler puts in their text instead (build.js), so that printing one loads nothing.

import { groups, loadGroups } from '../commands/index.ts';
import { completionScript } from './completions.ts';

/** The script that a shell loads. */
export async function completionText(shell: 'bash' | 'zsh' | 'fish'): Promise<string> {
  return completionScript(shell, await loadGroups(groups));
}
