// Reads the completion scripts in completions/. The build replaces this file by the scripts' texts, for the installed program and the
// executable.

import { readFileSync } from 'node:fs';

export const shells = ['bash', 'zsh', 'fish'] as const;

const names = { bash: 'crm.bash', zsh: '_crm', fish: 'crm.fish' };

/** The script with which a shell completes `crm`. */
export const scriptOf = (shell: (typeof shells)[number]): string =>
  readFileSync(new URL(`../../../completions/${names[shell]}`, import.meta.url), 'utf8');
