// Finds the files and folders that a command line names.

import type { Input } from '../base/flag.ts';
import type { Command } from './command.ts';

/** True for the placeholder of a value that is the name of a file or folder. */
export const isFilePlaceholder = (placeholder: string): boolean => /^file\b|(^|-)(folder|snapshot)$/.test(placeholder);

/** The files and folders that a command reads or writes beside its result: `leads.csv`, and `text.txt` for `@text.txt`. */
export function filesNamed({ args, flags }: Command, input: Input): string[] {
  const last = args.at(-1);
  const typed = [
    ...input.args.map((value, index) => ({ value, placeholder: (args[index] ?? last)?.name })),
    ...flags.map(({ name, value: placeholder }) => ({ value: input.flags[name], placeholder })),
  ];
  return typed
    .flatMap(({ value, placeholder = '' }) =>
      [value ?? []].flat().flatMap((one) => {
        if (typeof one !== 'string') return [];
        return isFilePlaceholder(placeholder) ? [one] : /^@(?!@)/.test(one) ? [one.slice(1)] : [];
      }),
    )
    .filter((name) => name !== '' && name !== '-');
}
