// `crm completion bash|zsh|fish`: the script that a shell loads.

import type { Command, LoadedGroup } from '../command.ts';
import { completionScript, shells } from '../completions/script.ts';
import { checkChoice } from '../values/parse.ts';

/** The command. `allGroups` gives every command of crm, for the script to complete. */
export const completionCommand = (allGroups: () => Promise<readonly LoadedGroup[]>): Command => ({
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
    return { kind: 'text', text: completionScript(shell, await allGroups()) };
  },
});
