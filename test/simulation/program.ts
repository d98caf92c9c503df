// The program as simulations run it: loaded by Node itself, as it stands or with a fault planted in it.

import { readFileSync } from 'node:fs';
import { createRequire, registerHooks, stripTypeScriptTypes } from 'node:module';
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

/** Files are found, read and stripped of their types once, and not for each fault: that takes longer than most faults' stories. */
function plantFaults(): void {
  const own = pathToFileURL(src).href;
  const [found, stripped] = [new Map<string, string>(), new Map<string, string>()];
  registerHooks({
    resolve: (specifier, context, next) => {
      const [, parent, query] = /^(.*)(\?fault=\d+)$/.exec(context.parentURL ?? '') ?? [];
      if (query === undefined) return next(specifier, context);
      const known = found.get(`${parent} ${specifier}`);
      if (known !== undefined) return { url: `${known}${query}`, format: 'module', shortCircuit: true };
      const resolved = next(specifier, context);
      if (!resolved.url.startsWith(own)) return resolved;
      found.set(`${parent} ${specifier}`, resolved.url);
      return { ...resolved, url: `${resolved.url}${query}` };
    },
    load: (url, context, next) => {
      const [, file = '', number] = /^(.*)\?fault=(\d+)$/.exec(url) ?? [];
      if (number === undefined) return next(url, context);
      const fault = faults[Number(number) - 1];
      if (fault !== undefined && file === `${own}/${fault.file}`) {
        const text = readFileSync(new URL(file), 'utf8');
        if (text.split(fault.right).length !== 2) throw new Error(`${fault.file} does not hold once: ${fault.right}`);
        return { format: 'module', source: stripTypeScriptTypes(text.replace(fault.right, fault.wrong)), shortCircuit: true };
      }
      const source = stripped.get(file) ?? stripTypeScriptTypes(readFileSync(new URL(file), 'utf8'));
      stripped.set(file, source);
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
