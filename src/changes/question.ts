// The question before records are changed: names the records and the change.

import { valueAt } from '../base/values/paths.ts';
import { crmWith, quoteWord } from '../base/values/text/shell-word.ts';
import { readRecord } from '../client/read-record.ts';
import type { Resource } from '../model/define.ts';
import { displayText } from '../model/records/display.ts';
import { asShown, brokenGuard } from '../model/records/guard.ts';
import { standingWord } from '../model/records/standing.ts';
import { cutText } from '../output/streams/message.ts';
import { notice } from '../output/streams/notice.ts';
import { type Chosen, namingPaths, type Selection } from '../reading/selection.ts';
import { confirm, requireNamed } from '../session/ask/confirm.ts';
import { askingOnTerminal, canAsk } from '../session/ask/prompt.ts';
import type { Context } from '../session/context.ts';

/** The number of records named in a question. */
const mostTitles = 3;
/** Up to this number, all records are read for a question, and the archived and converted records are counted. */
const mostRead = 20;
/** The longest value in a question, in columns of a terminal. */
const longestText = 60;

/** A change that needs agreement. */
interface Question {
  /** The question without its question mark, around the records: `Archive 3 leads (7, 8, 9)`. */
  readonly says: (records: string) => string;
  /** The change can't be undone, so the question is asked for a single record, too. */
  readonly isFinal?: boolean;
  /** The records are deleted: for a large number of records, the number has to be typed. */
  readonly isDelete?: boolean;
  /** A sentence behind the question. */
  readonly note?: string;
  /** True when the record, as read, holds the change already. */
  readonly isHeld?: (record: unknown) => boolean;
}

/** Deleting more records than this needs the number typed: a y is too little. */
const mostByYes = 100;

/**
 * Asks on a terminal before several records are changed, and before a final change. Without a terminal, --yes is needed for a final change
 * and for records selected by --where or standard input. Returns `chosen`. A record named in a shown question, and a record to delete, gets
 * a guard of its shown name. Throws UnconfirmedError.
 */
export async function confirmChange(
  resource: Resource,
  context: Context,
  selection: Selection,
  chosen: readonly Chosen[],
  question: Question,
): Promise<readonly Chosen[]> {
  // Standard input was read to its end for the ids, so the answer is read from the terminal itself.
  if (selection.kind !== 'piped') return confirmed(resource, context, selection, chosen, question);
  return askingOnTerminal(context, (asking) => confirmed(resource, asking, selection, chosen, question));
}

async function confirmed(
  resource: Resource,
  context: Context,
  selection: Selection,
  chosen: readonly Chosen[],
  { says, isFinal = false, isDelete = false, note, isHeld }: Question,
): Promise<readonly Chosen[]> {
  const isMany = chosen.length > 1;
  const isFound = selection.kind === 'where' || selection.kind === 'piped';
  if (chosen.length === 0 || !(isFinal || isMany || isFound)) return chosen;
  const asks = isFinal || (canAsk(context) ? isMany : isFound);
  await requireNamed(context, { asks });
  if (!asks) return chosen;
  let first: readonly Chosen[] = [];
  const questionFor = (records: string): string =>
    `${says(records)}?${isFinal ? " This can't be undone." : ''}${note === undefined ? '' : ` ${note}`}`;
  const inFull = async (): Promise<string> => {
    const count = chosen.length > mostRead ? mostTitles : chosen.length;
    const read = await Promise.all(chosen.slice(0, count).map((one) => withRecord(resource, context, one, selection.kind === 'one')));
    context.signal.throwIfAborted();
    const all = [...read, ...chosen.slice(count)];
    first = read.slice(0, mostTitles);
    const already = isHeld === undefined ? '' : alreadyText(all, isHeld);
    return `${questionFor(await recordNames(resource, first, all))}${already}`;
  };
  const number = isDelete && chosen.length > mostByYes ? chosen.length : undefined;
  if (number !== undefined && canAsk(context) && !context.flags.yes && !context.flags.dryRun)
    await notice(context.io, { quiet: false }, `To keep a copy first: ${savingCommand(resource, context, selection)}`);
  await confirm(context, questionFor(plainNames(resource, chosen)), { inFull, number });
  // Of several records that are changed, the title alone is compared; else every value in the record's name.
  const paths = namingPaths(resource).slice(0, isDelete || !isMany ? undefined : 1);
  const withGuard = (one: Chosen): Chosen =>
    one.record === undefined ? one : { ...one, guards: [...(one.guards ?? []), asShown(one.record, paths, displayText)] };
  return [...first.map(withGuard), ...chosen.slice(first.length).map((one) => (isDelete ? withGuard(one) : one))];
}

/** ` Already so: 7, 8.`: the records that the change leaves as they are. Empty when a record was not read. */
function alreadyText(chosen: readonly Chosen[], isHeld: (record: unknown) => boolean): string {
  if (chosen.some(({ record }) => record === undefined)) return '';
  const ids = chosen.filter(({ record }) => isHeld(record)).map(({ id }) => String(id));
  return ids.length === 0 ? '' : ` Already so: ${namesAndMore(ids.slice(0, mostTitles), ids.length)}.`;
}

function savingCommand({ name }: Resource, { flags }: Context, selection: Selection): string {
  const crm = `${crmWith(flags.profile)} ${name}`;
  const to = `-o ndjson > ${name}.ndjson`;
  if (selection.kind !== 'where') return `${crm} get - ${to}, with the same ids on standard input`;
  return `${crm} list ${selection.conditions.map((one) => `--where ${quoteWord(one)} `).join('')}${to}`;
}

/** The chosen record. Reads the record, unless the selection has read it already. A failed read is thrown only when `needed`. */
async function withRecord({ path }: Resource, context: Context, one: Chosen, needed: boolean): Promise<Chosen> {
  if (one.record !== undefined) return one;
  const api = await context.api();
  const itsPath = `${path}/${one.id}`;
  const chosenRead = async (): Promise<Chosen> => ({ id: one.id, record: await readRecord(api, itsPath) });
  return needed ? chosenRead() : chosenRead().catch(() => one);
}

/** `lead 5`, or `14 leads (7, 8, 9 and 11 more)`. */
function plainNames(resource: Resource, chosen: readonly Chosen[]): string {
  const { name, singular } = resource;
  if (chosen.length === 1) return `${singular} ${chosen[0]?.id}`;
  return `${chosen.length} ${name}${standingText(resource, chosen)} (${namesAndMore(
    chosen.slice(0, mostTitles).map(({ id }) => String(id)),
    chosen.length,
  )})`;
}

/** `14 leads, 2 of them archived (7 "Fleet tracking", 8 "Harbour", 9 "Till" and 11 more)`; `recordName` for a single record. */
async function recordNames(resource: Resource, first: readonly Chosen[], all: readonly Chosen[]): Promise<string> {
  const [one] = first;
  const count = all.length;
  if (count === 1 && one !== undefined) return recordName(resource, one);
  const names = await Promise.all(first.map(async (each) => `${each.id}${await quotedTitle(resource, each.record)}`));
  return `${count} ${resource.name}${standingText(resource, all)} (${namesAndMore(names, count)})`;
}

/** `, 2 of them archived, 1 converted`. Empty when a record was not read. */
function standingText({ standing }: Resource, chosen: readonly Chosen[]): string {
  const words = standing === undefined ? [] : chosen.map(({ record }) => standingWord(standing, record)?.word);
  if (words.includes(undefined)) return '';
  const counts = (standing?.words ?? []).slice(0, -1).map(({ word }) => ({ word, count: words.filter((one) => one === word).length }));
  const texts = counts.filter(({ count }) => count > 0).map(({ word, count }, index) => `${count}${index === 0 ? ' of them' : ''} ${word}`);
  return texts.map((text) => `, ${text}`).join('');
}

const namesAndMore = (names: readonly string[], count: number): string =>
  `${names.join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`;

/** A record's name in a question: `lead 247 "Hospital kitchen" (Negotiation, 29990.00)`, safe for a terminal. */
export async function recordName(resource: Resource, { id, record }: Chosen): Promise<string> {
  const facts = (resource.tellApart ?? []).map((path) => displayText(valueAt(record, path))).filter((text) => text !== '');
  const words = await Promise.all(facts.map(cutForQuestion));
  return `${resource.singular} ${id}${await quotedTitle(resource, record)}${words.length === 0 ? '' : ` (${words.join(', ')})`}`;
}

async function quotedTitle({ title }: Resource, record: unknown): Promise<string> {
  const text = title === undefined ? '' : displayText(valueAt(record, title));
  return text === '' ? '' : ` "${await cutForQuestion(text)}"`;
}

/** Throws ConflictError for a record that no longer has the name and facts of the question. */
export function refuseChanged(resource: Resource, record: unknown, now: unknown): void {
  const broken = brokenGuard([asShown(record, namingPaths(resource), displayText)], now);
  if (broken !== undefined) throw broken;
}

/** A value cut to the length for a question, safe for a terminal; `(empty)` without a value. */
export const shownValue = async (text: string): Promise<string> => cutForQuestion(displayText(text).trim() || '(empty)');

/** Quotes the text, and others of its kind, in a question or a message: cut, and safe for a terminal. */
export async function quotesLike(text: string): Promise<(one: string) => string> {
  const { measureFor } = await import('../output/text/text-width.ts');
  const { cut } = await measureFor([displayText(text)]);
  return (one) => `"${cut(displayText(one), longestText)}"`;
}

/** A text cut to the length for a question. */
export const cutForQuestion = (text: string): Promise<string> => cutText(text, longestText);
