// The text of examples/demo.yaml. The build puts it into the program.

import { readFileSync } from 'node:fs';

export const demoText = (): string => readFileSync(new URL('../../examples/demo.yaml', import.meta.url), 'utf8');
