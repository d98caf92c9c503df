// Reads the texts of the help topics, a file for each. The build replaces this module by the texts.

import { readFileSync } from 'node:fs';

/** The text of a topic. Throws if there is no such file. */
export const topicText = (name: string): string => readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8');
