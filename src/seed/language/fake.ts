// Makes up values: some twenty kinds, each with bounds. The same number gives the same value on any day and machine.

import { createHash } from 'node:crypto';
import { UsageError } from '../../base/errors.ts';
import { randomFrom } from '../../base/random.ts';
import { isMembers } from '../../base/values/paths.ts';
import { suggestion } from '../../base/values/text/suggest.ts';
import * as words from './fake-words.ts';

/** Makes the value of a kind such as `person.firstName`. `args`: the text in the parentheses. Throws UsageError. */
export type Fake = (path: string, args: string, seed: number) => string;

/** The sources of a made-up value: chance, the options in the parentheses, and the seed's day. */
interface Sources {
  /** A random whole number, from 0 to below `count`. */
  readonly below: (count: number) => number;
  readonly one: (from: readonly string[]) => string;
  readonly options: Readonly<Record<string, number>>;
  /** The day that is `days` days from the seed's day. */
  readonly day: (days: number) => string;
}

/** A whole number as an option: its bounds and its default. */
interface Option {
  readonly least: number;
  readonly most: number;
  readonly standard: number;
}

interface Maker {
  readonly options?: Readonly<Record<string, Option>>;
  readonly make: (making: Sources) => string;
}

const withoutOptions = (make: Maker['make']): Maker => ({ make });
const oneOf = (from: readonly string[]): Maker => withoutOptions(({ one }) => one(from));

const digits = (count: number, { below }: Sources): string => Array.from({ length: count }, () => below(10)).join('');

function sentence({ one, below }: Sources): string {
  const text = Array.from({ length: 5 + below(6) }, () => one(words.sentenceWords)).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const days: Option = { least: 1, most: 3650, standard: 30 };
const most = 1_000_000_000;
const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

/** A random whole number from min to max, both included. Throws UsageError when min is above max. */
function between({ options: { min = 0, max = 0 }, below }: Sources): number {
  if (min > max) throw new UsageError(`min ${min} is above max ${max}.`);
  return min + below(max - min + 1);
}

/** The makers by name. The topic on seeds lists them. */
const makers: Readonly<Record<string, Maker>> = {
  'person.firstName': oneOf(words.firstNames),
  'person.lastName': oneOf(words.lastNames),
  'person.fullName': withoutOptions(({ one }) => `${one(words.firstNames)} ${one(words.lastNames)}`),
  'person.jobTitle': oneOf(words.positions),
  'company.name': withoutOptions(({ one }) => `${one(words.lastNames)} ${one(words.trades)} ${one(words.legalForms)}`),
  'company.catchPhrase': withoutOptions(({ one }) => `${one(words.qualities)} ${one(words.goods)}`),
  'internet.email': withoutOptions((making) =>
    `${making.one(words.firstNames)}.${making.one(words.lastNames)}${digits(4, making)}@example.com`.toLowerCase(),
  ),
  'internet.domainName': withoutOptions((making) =>
    `${making.one(words.lastNames)}-${making.one(words.trades)}${digits(2, making)}.example`.toLowerCase(),
  ),
  'phone.number': withoutOptions((making) => `+1 555 ${digits(3, making)} ${digits(4, making)}`),
  'location.streetAddress': withoutOptions(({ one, below }) => `${1 + below(199)} ${one(words.streets)}`),
  'location.city': oneOf(words.cities),
  'location.state': oneOf(words.states),
  'location.zipCode': withoutOptions((making) => digits(5, making)),
  'location.country': oneOf(words.countries),
  'number.int': {
    options: { min: { least: -most, most, standard: 0 }, max: { least: -most, most, standard: 99 } },
    make: (making) => String(between(making)),
  },
  'commerce.price': {
    options: { min: { least: 0, most, standard: 1 }, max: { least: 0, most, standard: 999 } },
    make: (making) => `${between(making)}.${digits(2, making)}`,
  },
  'commerce.productName': withoutOptions(({ one }) => `${one(words.products)}, ${one(words.editions)}`),
  'date.recent': { options: { days }, make: ({ day, below, options }) => day(-below((options.days ?? 0) + 1)) },
  'date.soon': { options: { days }, make: ({ day, below, options }) => day(below((options.days ?? 0) + 1)) },
  'lorem.sentence': withoutOptions(sentence),
  'lorem.paragraph': withoutOptions((making) => [sentence(making), sentence(making), sentence(making)].join(' ')),
  'string.alphanumeric': {
    options: { length: { least: 1, most: 100, standard: 8 } },
    make: ({ one, options }) => Array.from({ length: options.length ?? 0 }, () => one(alphabet)).join(''),
  },
};

/** A maker of values. `today`: the seed's day, `YYYY-MM-DD`. Made-up dates are near this day. */
export function createFake(today: string): Fake {
  const start = Date.parse(`${today}T00:00:00Z`);
  const day = (days: number): string => new Date(start + days * 86_400_000).toISOString().slice(0, 10);
  return (path, args, seed) => {
    const maker = Object.hasOwn(makers, path) ? makers[path] : undefined;
    if (maker === undefined)
      throw new UsageError(`There is no made-up value fake.${path}.${suggestion(path, Object.keys(makers))} See: crm help seeds`);
    const next = randomFrom(seed);
    const below = (count: number): number => Math.floor(next() * count);
    const one = (from: readonly string[]): string => from[below(from.length)] ?? '';
    try {
      return maker.make({ below, one, day, options: optionsOf(maker, args) });
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`fake.${path}: ${error.message}`) : error;
    }
  };
}

/** The options of a maker from `{"min": 1, "max": 9}`. Throws UsageError. */
function optionsOf({ options = {} }: Maker, args: string): Record<string, number> {
  const given = args.trim() === '' ? {} : parsed(args);
  const names = Object.keys(options);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    throw new UsageError(names.length === 0 ? 'It takes nothing in parentheses.' : `It takes ${names.join(' and ')}, not "${name}".`);
  }
  return Object.fromEntries(
    Object.entries(options).map(([name, { least, most, standard }]) => {
      const value = Object.hasOwn(given, name) ? given[name] : standard;
      if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return [name, value];
      throw new UsageError(`${name} is a whole number from ${least} to ${most}.`);
    }),
  );
}

function parsed(args: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(args);
    if (isMembers(value)) return { ...value };
  } catch {
    // The error below shows the right form.
  }
  throw new UsageError('Write options as {"name": number} in the parentheses.');
}

/** A 32-bit seed from words, evenly spread. */
export function randomSeedOf(...words: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(words)).digest().readUInt32LE(0);
}
