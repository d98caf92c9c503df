// Each command's smallest call, built from what `crm explain --json` says and nothing else, works; and without any of its parts it is
// refused before anything is sent.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';

/** As much of the document as a caller needs. */
interface Said {
  readonly name: string;
  readonly type?: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
  readonly listed_by?: string;
  readonly listed_member?: string;
  readonly placeholder?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusive_minimum?: number;
  readonly behind_dashes?: boolean;
}
interface SaidCommand {
  readonly name: string;
  readonly command: string;
  readonly arguments?: readonly Said[];
  readonly flags?: readonly Said[];
  readonly needs?: readonly { readonly count: string; readonly of: readonly string[]; readonly unless?: string }[];
  readonly yes_when?: readonly string[];
  readonly needs_terminal?: boolean;
}
/** The index, a group with what all commands share, or the command that a word alone means. */
type Document = SaidCommand & { readonly commands?: readonly SaidCommand[]; readonly global_flags?: readonly Said[] };

const nowhere = { env: { CRM_CONFIG_DIR: '/nonexistent/crm' }, cwd: '/nonexistent' };
const asked = async (...words: string[]): Promise<Document> => JSON.parse((await runHere(['explain', ...words, '--json'], nowhere)).stdout);

/** All of every command: the index names them, and each first word has the rest. */
const firstWords = new Set((await asked()).commands?.map(({ command }) => command.split(' ')[0] ?? ''));
const documents = await Promise.all([...firstWords].map((word) => asked(word)));
const document = { commands: documents.flatMap((one) => one.commands ?? [one]), global_flags: documents[0]?.global_flags ?? [] };

/** A server goes on until it is told to end. */
const endless = ['sandbox serve'];

/** What stands in the place of a value that nothing lists, by its placeholder, by its name where it is an argument, or by its type. */
const standIns: Readonly<Record<string, string>> = {
  url: 'sandbox:',
  command: 'true',
  path: '/api/leads',
  snapshot: 'monday',
  records: 'leads:3',
  email: 'minimal@example.com',
  date: '2027-01-04',
  decimal: '1',
  integer: '1',
  // A lead that is open.
  id: '3',
  text: 'x',
};

let prepared: string;
beforeAll(async () => {
  prepared = mkdtempSync(join(tmpdir(), 'crm-minimal-'));
  const place = placeIn(prepared);
  for (const words of ['sandbox init', 'seed demo --items 1 --run trial', 'profile add spare --base-url sandbox:', 'snapshot monday']) {
    await succeeded(words.split(' '), place);
  }
  const [newest] = await listed('leads list', place);
  await succeeded(['leads', 'comments', 'add', String(newest?.id), 'Called'], place);
});
afterAll(() => rmSync(prepared, { recursive: true }));

const placeIn = (folder: string) => ({
  env: { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data'), HOME: folder, SHELL: '/bin/bash' },
  cwd: folder,
});
type Place = ReturnType<typeof placeIn>;

async function succeeded(words: readonly string[], place: Place): Promise<string> {
  const { status, stdout, stderr } = await runHere(words, place);
  if (status !== 0) throw new Error(`crm ${words.join(' ')}: ${status} ${stderr}`);
  return stdout;
}

/** Runs something in a place of its own, which is like the prepared one. */
async function inPlace<T>(isEmpty: boolean, work: (place: Place) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-minimal-'));
  try {
    if (!isEmpty) cpSync(prepared, folder, { recursive: true });
    return await work(placeIn(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function listed(command: string, place: Place): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return JSON.parse(await succeeded([...command.split(' '), '--json'], place));
}

/** One part of a call: its words, whether it can be left out, and whether it stands behind `--`. */
interface Part {
  readonly name: string;
  readonly words: readonly string[];
  readonly isNeeded: boolean;
  readonly isBehindDashes: boolean;
}

/** The command line of some parts, and of other words in front of `--`. */
function lineOf({ command }: SaidCommand, parts: readonly Part[], others: readonly string[] = []): string[] {
  const wordsOf = (isBehind: boolean): string[] => parts.filter((part) => part.isBehindDashes === isBehind).flatMap((part) => part.words);
  const behind = wordsOf(true);
  return [...command.split(' '), ...wordsOf(false), ...others, ...(behind.length === 0 ? [] : ['--', ...behind])];
}

const flagsOf = ({ flags = [] }: SaidCommand): readonly Said[] => flags;

async function minimalCall(command: SaidCommand, place: Place): Promise<Part[]> {
  const all = [...(command.arguments ?? []), ...flagsOf(command)];
  const parts: Part[] = [];
  const add = async (said: Said, isNeeded = true): Promise<void> => {
    if (parts.some(({ name }) => name === said.name)) return;
    const words = await wordsFor(said, command, place, parts);
    parts.push({ name: said.name, words, isNeeded, isBehindDashes: said.behind_dashes === true });
  };
  for (const said of all) if (said.required && !isOfNeed(said, command)) await add(said);
  for (const { of, unless } of command.needs ?? []) {
    const isSpared = unless !== undefined && parts.some(({ words }) => `with ${words.join(' ')}` === unless);
    const first = all.find(({ name }) => name === of[0]);
    if (first === undefined) throw new Error(`${command.name}: nothing is called ${of[0]}`);
    if (!isSpared) await add(first);
  }
  if (command.yes_when?.includes('always')) parts.push({ name: '--yes', words: ['--yes'], isNeeded: true, isBehindDashes: false });
  // Arguments in their order, before the flags.
  const order = all.map(({ name }) => name);
  return parts.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

const isOfNeed = ({ name }: Said, { needs = [] }: SaidCommand): boolean => needs.some(({ of }) => of.includes(name));

async function wordsFor(said: Said, command: SaidCommand, place: Place, before: readonly Part[]): Promise<string[]> {
  const isFlag = said.name.startsWith('--');
  if (said.type === 'switch') return [said.name];
  const value = await valueFor(said, command, place, before);
  return isFlag ? [said.name, value] : [value];
}

async function valueFor(said: Said, command: SaidCommand, place: Place, before: readonly Part[]): Promise<string> {
  const { name, type = '', choices, listed_by: lists, listed_member: member = '', placeholder = name } = said;
  if (choices?.[0] !== undefined) return choices[0];
  if (placeholder === 'file') return fileFor(command, place);
  if (lists !== undefined) {
    const id = before.find((part) => part.name === 'id')?.words[0] ?? 'ID';
    const [first] = await listed(lists.replace('ID', id), place);
    return String(first?.[member]);
  }
  const value = standIns[placeholder] ?? standIns[type];
  if (value === undefined) throw new Error(`${command.name}: no value for ${name}, ${type}`);
  return value;
}

/** A file of what the family's create takes at least, or of a change; a seed file as the package has it. */
async function fileFor({ command }: SaidCommand, place: Place): Promise<string> {
  const [family = ''] = command.split(' ');
  if (command === 'apply') {
    const [newest] = await listed('leads list', place);
    await succeeded(['leads', 'update', String(newest?.id), '--source', 'Fair', '--plan', 'file.csv'], place);
    return 'file.csv';
  }
  const create = document.commands.find(({ name }) => name === `${family}.create`);
  if (create === undefined) return join(import.meta.dirname, '../../../examples/ci-smoke.yaml');
  const parts = await minimalCall(create, place);
  const row = (cells: readonly string[]): string => `${cells.join(',')}\n`;
  const text = row(parts.map(({ name }) => name.slice(2))) + row(parts.map(({ words }) => words[1] ?? ''));
  writeFileSync(join(place.cwd, 'file.csv'), text);
  return 'file.csv';
}

const commands = document.commands.filter(({ command }) => !endless.includes(command));
/** What makes the embedded CRM finds none yet. */
const isFirst = ({ command }: SaidCommand): boolean => command === 'sandbox init';

it.each(commands.map((one) => [one.command, one] as const))(
  'crm %s is refused without any part of what explain says it needs, and works with all',
  async (_name, command) => {
    await inPlace(isFirst(command), async (place) => {
      const parts = await minimalCall(command, place);
      for (const without of parts) {
        const kept = parts.filter((part) => part !== without);
        const words = lineOf(command, kept);
        const { status, stdout, stderr } = await runHere(words, place);
        expect([words.join(' '), status, stdout], stderr).toEqual([words.join(' '), without.name === '--yes' ? 9 : 2, '']);
      }
      const words = lineOf(command, parts);
      const { status, stderr } = await runHere(words, place);
      expect(status, `crm ${words.join(' ')}\n${stderr}`).toBe(command.needs_terminal ? 9 : 0);
    });
  },
);

/** What lies beyond the bounds of a number; of N=VALUE that is N. */
function beyond({ type, minimum, maximum, exclusive_minimum: above }: Said): string[] {
  const numbers = [minimum === undefined ? [] : minimum - 1, maximum === undefined ? [] : maximum + 1, above ?? []].flat();
  return numbers.map((number) => (type === 'numbered' ? `${number}=x` : String(number)));
}

const bounded = document.commands.flatMap((command) => {
  const cases = flagsOf(command).flatMap((flag) => beyond(flag).map((value) => [flag.name, value] as const));
  return cases.length === 0 ? [] : [[command.command, cases, command] as const];
});

it.each(bounded)('crm %s refuses %j', async (_name, cases, command) => {
  await inPlace(isFirst(command), async (place) => {
    const all = await minimalCall(command, place);
    for (const [flag, value] of cases) {
      const parts = all.filter(({ name }) => name !== flag);
      const { status, stderr } = await runHere(lineOf(command, parts, [flag, value]), place);
      expect([flag, value, status, stderr]).toEqual([flag, value, 2, expect.stringContaining(flag)]);
    }
  });
});

it.each(document.global_flags.flatMap((flag) => beyond(flag).map((value) => [flag.name, value] as const)))(
  'every command refuses %s %s',
  async (flag, value) => {
    const { status, stderr } = await runHere(['explain', flag, value], nowhere);
    expect([status, stderr]).toEqual([2, expect.stringContaining(flag)]);
  },
);
