// `crm completion bash|zsh|fish`: the script that a shell loads.

import type { Command } from '../command.ts';
import { checkChoice } from '../values/parse.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

export const completionCommand: Command = {
  path: ['completion'],
  summary: 'Print the completion script of a shell',
  args: [{ name: 'shell', help: 'The shell', choices: shells }],
  flags: [],
  examples: ['crm completion bash > /etc/bash_completion.d/crm', 'crm completion fish > ~/.config/fish/completions/crm.fish'],
  run: async (_context, { args }) => {
    const shell = checkChoice(args[0] ?? '', shells, 'shell');
    const [{ completionScript }, { groups, loadGroups }] = await Promise.all([import('../derive/completions.ts'), import('./index.ts')]);
    return { kind: 'text', text: completionScript(shell, await loadGroups(groups)) };
  },
};
