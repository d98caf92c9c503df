// Made-up values from @faker-js/faker: the same for the same seed, on any day. One locale, loaded when a file uses it.

import { createHash } from 'node:crypto';
import type { Faker, Randomizer } from '@faker-js/faker';
import { UsageError } from '../../errors.ts';
import { isMembers } from '../../values/paths.ts';
import { randomFrom } from '../../values/random.ts';
import { suggestion } from '../../values/text/suggest.ts';

/** Calls one function of faker with a seed of its own. Throws UsageError when there is no such function, or it gives no text. */
export type Fake = (path: string, args: string, seed: number) => string;

/** Loads faker. `today`: the day that its dates are near to, `YYYY-MM-DD`. */
export async function loadFake(today: string): Promise<Fake> {
  const [{ faker: english }, { parse }] = await Promise.all([import('@faker-js/faker/locale/en'), import('yaml')]);
  const randomizer = quickRandomizer();
  const faker = new (english.constructor as typeof Faker)({ locale: english.rawDefinitions, randomizer });
  faker.setDefaultRefDate(`${today}T00:00:00Z`);
  const makers = new Map<string, () => unknown>();
  return (path, args, seed) => {
    const source = `${path}(${args})`;
    const make = makers.get(source) ?? callOf(functionAt(faker, path), argumentsOf(path, args, parse));
    makers.set(source, make);
    randomizer.seed(seed);
    return textOf(path, made(path, make));
  };
}

/** Arguments are made anew for each call, because some functions change theirs. */
const callOf =
  (make: Make, values: readonly unknown[]): (() => unknown) =>
  () =>
    make(...structuredClone(values));

/** Random numbers whose seed costs nothing to set: every expression has its own. */
function quickRandomizer(): Randomizer {
  let next = randomFrom(0);
  return {
    seed: (seed) => {
      next = randomFrom(Number(seed));
    },
    next: () => next(),
  };
}

type Make = (...values: unknown[]) => unknown;

/** `person.firstName`: only functions of faker's own modules. */
function functionAt(faker: object, path: string): Make {
  const [moduleName = '', name = ''] = path.split('.');
  const module = memberOf(faker, moduleName);
  if (typeof module !== 'object' || module === null || !('faker' in module)) {
    const modules = Object.keys(faker).filter((one) => isModule(memberOf(faker, one)));
    throw new UsageError(`faker has no module "${moduleName}".${suggestion(moduleName, modules)}`);
  }
  const make = name === 'faker' ? undefined : memberOf(module, name);
  if (typeof make === 'function') return make as Make;
  const names = Object.keys(module).filter((one) => typeof memberOf(module, one) === 'function');
  throw new UsageError(`faker has no "${path}".${suggestion(name, names)}`);
}

const isModule = (value: unknown): boolean => typeof value === 'object' && value !== null && 'faker' in value;

/** An own member, so that nothing is reached that every object has. */
function memberOf(owner: object, name: string): unknown {
  return Object.hasOwn(owner, name) ? (owner as Record<string, unknown>)[name] : undefined;
}

function argumentsOf(path: string, args: string, parse: (text: string) => unknown): unknown[] {
  try {
    const values = parse(`[${args}]`);
    if (Array.isArray(values)) return values.map((value) => portable(path, value));
  } catch (error) {
    if (error instanceof UsageError) throw error;
  }
  throw new UsageError(`fake.${path}(${args}): the arguments are not JSON.`);
}

const localTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;

/** An argument that means the same on every machine: times are UTC. Throws UsageError for what follows its language or zone. */
function portable(path: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (/\{\{\s*date\./.test(value)) throw new UsageError(`fake.${path}: dates in {{…}} depend on the machine. Write \${fake.date.past}.`);
    return value.replace(localTime, '$1T$2Z');
  }
  if (Array.isArray(value)) return value.map((one) => portable(path, one));
  if (!isMembers(value)) return value;
  if (value.autoFormat === true) throw new UsageError(`fake.${path}: autoFormat depends on the machine's language. Leave it out.`);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, portable(path, one)]));
}

function made(path: string, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    // Faker takes its arguments as they come.
    if (error instanceof TypeError) throw new UsageError(`fake.${path} needs other arguments, in parentheses: see fakerjs.dev/api.`);
    throw new UsageError(`fake.${path}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`);
  }
}

/** A date is its day, as the service takes dates. */
function textOf(path: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  throw new UsageError(`fake.${path} gives no single value.`);
}

/** 32 bits out of some words, evenly spread: a seed for what these words name. */
export function seedOf(...words: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(words)).digest().readUInt32LE(0);
}
