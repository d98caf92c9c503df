// The text of examples/demo.yaml, put into the program by the build.

import { readFileSync } from 'node:fs';

export const demoText = (): string => readFileSync(new URL('../../examples/demo.yaml', import.meta.url), 'utf8');
