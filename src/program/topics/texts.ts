// The texts of the help topics: a file for each, beside this one. The build puts them into the program.

import { readFileSync } from 'node:fs';

/** The text of a topic's file. Throws where there is none. */
export const topicText = (name: string): string => readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8');
