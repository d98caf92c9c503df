// The completion scripts, as they stand in completions/. The build puts their texts in place of this file, so that the installed
// program and the executable have them, too.

import { readFileSync } from 'node:fs';

export const shells = ['bash', 'zsh', 'fish'] as const;

const names = { bash: 'crm.bash', zsh: '_crm', fish: 'crm.fish' };

/** The text of the script that `shell` loads to complete `crm`. */
export const scriptOf = (shell: (typeof shells)[number]): string =>
  readFileSync(new URL(`../../completions/${names[shell]}`, import.meta.url), 'utf8');
