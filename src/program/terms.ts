// How help writes a flag: `-o, --output <format>`, and what it means.

import type { Flag } from '../flag.ts';

/** The flag as it is typed, with a placeholder for its value; commander reads the same. */
export function termOf({ name, short, value }: Flag): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;
}

/** What the flag does, and its choices where the placeholder doesn't list them. */
export function helpOf({ help, choices, value }: Flag): string {
  return choices === undefined || value?.includes('|') ? help : `${help}: ${choices.join(', ')}`;
}
