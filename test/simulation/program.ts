// The program as simulations run it: loaded by Node itself, as it stands or with a fault planted in it.

import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Surroundings } from '../../src/session/context.ts';

export interface Program {
  main(argv: readonly string[], surroundings: Surroundings): Promise<number>;
  /** What a signal of the system is to it. */
  interruption(): Error;
}

/** A fault: one place of a file of src/ that says something else. */
export interface Fault {
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

const src = join(import.meta.dirname, '../../src');
const faults: Fault[] = [];
let hasHooks = false;

/** Loads the program. With a fault every file of it is loaded anew. Throws where the fault's place is not found. */
export async function loadProgram(fault?: Fault): Promise<Program> {
  if (fault !== undefined && !hasHooks) plantFaults();
  hasHooks ||= fault !== undefined;
  const query = fault === undefined ? '' : `?fault=${faults.push(fault)}`;
  const { main } = (await loaded(`entry/main.ts${query}`)) as typeof import('../../src/entry/main.ts');
  const { InterruptedError } = (await loaded(`base/errors.ts${query}`)) as typeof import('../../src/base/errors.ts');
  return { main, interruption: () => new InterruptedError('SIGINT') };
}

const { load } = createRequire(import.meta.url)('./load.mjs') as { load(url: string): Promise<unknown> };
const loaded = (name: string): Promise<unknown> => load(`${pathToFileURL(src).href}/${name}`);

function plantFaults(): void {
  const own = pathToFileURL(src).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const query = /\?fault=\d+$/.exec(context.parentURL ?? '')?.[0];
      return query === undefined || !resolved.url.startsWith(own) ? resolved : { ...resolved, url: `${resolved.url}${query}` };
    },
    load: (url, context, next) => {
      const loaded = next(url, context);
      const fault = faults[Number(/\?fault=(\d+)$/.exec(url)?.[1]) - 1];
      if (fault === undefined || !url.startsWith(`${own}/${fault.file}?`)) return loaded;
      const source = readFileSync(join(src, fault.file), 'utf8');
      if (source.split(fault.right).length !== 2) throw new Error(`${fault.file} does not hold once: ${fault.right}`);
      return { ...loaded, source: source.replace(fault.right, fault.wrong) };
    },
  });
}
