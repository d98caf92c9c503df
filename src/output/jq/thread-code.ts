// What the thread that runs jq is made of: the file of its code and jq's module, as they lie here. The build replaces this module: the
// installed program has the bundled code as a text and the module in a file of its own, the executable has both inside.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

export const threadCode: string | URL = new URL('./thread.ts', import.meta.url);

/** The bytes of jq's module. Throws the system's errors. */
export const moduleBytes = async (): Promise<Uint8Array> => readFile(createRequire(import.meta.url).resolve('jq-wasm/jq.wasm'));
