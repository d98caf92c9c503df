// `crm completion bash|zsh|fish`: prints the completion script of a shell.

import { checkChoice } from '../base/values/parse.ts';
import type { Command } from '../cli/command.ts';
import { scriptOf, shells } from '../cli/completions/scripts.ts';

export const completionCommand: Command = {
  path: ['completion'],
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
