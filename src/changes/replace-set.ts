// `crm <family> tags ID …` and the like: an array of a record that the service replaces as a whole.

import { CrmError, UsageError } from '../base/errors.ts';
import type { ResolvedInput } from '../base/flag.ts';
import { together, togetherEach } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { elementsSent, plainSet } from '../client/plain-change.ts';
import { setElement } from '../model/bodies/operations.ts';
import { changedElements, type Element, elementsOf, without } from '../model/bodies/replaced-set.ts';
import type { ReplacedSet, Resource } from '../model/define.ts';
import { displayText } from '../model/records/display.ts';
import type { Guard } from '../model/records/guard.ts';
import { valueNamed } from '../model/values.ts';
import type { Result } from '../output/result.ts';
import { choose, selectionOf } from '../reading/selection.ts';
import type { Context } from '../session/context.ts';
import { changeEach } from './change-each.ts';
import { cellDifference, setText } from './file/change-cells.ts';
import type { SetFlags } from './flags.ts';
import { confirmChange } from './question.ts';
import type { RecordChange } from './record-change.ts';
import { effectOfChange, setChange } from './what-changed.ts';

/** Replaces the set of a record, or of each record of a selection. `--add` and `--remove` read first: the service takes only whole sets. */
export async function replaceSet(resource: Resource, set: ReplacedSet, context: Context, given: ResolvedInput<SetFlags>): Promise<Result> {
  const input = withWholeSet(given);
  const [selection, change] = together(
    () => selectionOf(resource, input, { instead: 'Name the changes with --add, --remove and --clear.' }),
    () => readChange(set, input),
  );
  const chosen = await choose(resource, context, selection, [set.read]);
  const { element } = set;
  const { args, flags, typed } = input;
  // Elements by the sent id, with the names as typed.
  const [sent = [], said = []] = [{ args, flags }, typed].map((one) => [...(one.flags.add ?? []), ...one.args.slice(1)]);
  const names = new Map(element === undefined ? [] : sent.map((id, index) => [id, { [element]: id, name: said[index] ?? id }]));
  const changing = setChangeOf(resource, set, change, names);
  const says = (records: string): string => setChangeText(set, input, records);
  const confirmed = await confirmChange(resource, context, selection, chosen, { says, isHeld: changing.holds });
  return changeEach(resource, context, { selection, chosen: confirmed }, changing);
}

/** The input with --to as what it means: --clear, and --add for each of its values. Throws UsageError beside another form. */
function withWholeSet(input: ResolvedInput<SetFlags>): ResolvedInput<SetFlags> {
  const { args, flags, typed } = input;
  const { add, remove, clear, to } = flags;
  if (to === undefined) return input;
  if (args.length > 1 || clear || add !== undefined || remove !== undefined)
    throw new UsageError('--to names the whole new set: give it without other values, --add, --remove and --clear.');
  const whole = (one: SetFlags): SetFlags => ({ ...one, clear: true, add: one.to });
  return { args, flags: whole(flags), typed: { ...typed, flags: whole(typed.flags) } };
}

/** The RecordChange of a set. `names`: element objects by the sent id. */
export function setChangeOf(
  resource: Resource,
  set: ReplacedSet,
  change: ElementChange,
  names: ReadonlyMap<string, unknown>,
): RecordChange {
  const elementsFor = (record: unknown): readonly Element[] => {
    if (change.kind === 'whole') return change.elements;
    const held = elementsOf(set, record, '--clear --add …');
    return changedElements(held, {
      add: change.add,
      remove: [...change.remove, ...elementsCalled(set, record, held, change.called ?? [])],
    });
  };
  return {
    ...plainSet(set, elementsFor),
    kind: set.verb,
    ...(change.kind === 'change' && set.element !== undefined ? { guards: [staleHandOver(resource, set, change)] } : {}),
    // On a terminal the message names the elements that a whole new set drops.
    ...(change.kind === 'whole' ? { reads: 'watched' } : {}),
    effect: (one, before, after, sent) => {
      const changes = setChange(
        set,
        before,
        after,
        sent === undefined ? [] : elementsSent(set, sent).map((one) => names.get(String(one)) ?? String(one)),
      );
      return effectOfChange(resource, one.id, changes, [after, before]);
    },
    plans: (record, nameOf) => {
      const text = record === undefined ? '' : setText(set, elementsFor(record), record, nameOf);
      return [cellDifference(resource, set.read, record, text)];
    },
    explain: (error, sent) => besideElements(error, set, elementsSent(set, sent), change),
  };
}

/**
 * The guard of a hand-over: a person to be taken off isn't there, and a person to be added isn't there either. Somebody else handed the
 * record over meanwhile.
 */
const staleHandOver =
  (resource: Resource, set: ReplacedSet, { add, remove, called = [] }: Extract<ElementChange, { kind: 'change' }>): Guard =>
  (record) => {
    const held = elementsOf(set, record, '--clear --add …');
    const isGone = without(remove, held).length > 0 || called.some((text) => elementsCalled(set, record, held, [text]).length === 0);
    if (!isGone || without(add, held).length === 0) return {};
    return { [set.read]: `${set.read} is ${displayText(valueNamed(resource, set.read).shownOf(record)) || '(empty)'} now` };
  };

/** The elements whose value or name is one of the texts. */
function elementsCalled({ read, element }: ReplacedSet, record: unknown, held: readonly Element[], texts: readonly string[]): Element[] {
  const all = valueAt(record, read);
  const nameAt = (index: number): unknown => (Array.isArray(all) && element !== undefined ? valueAt(all[index], 'name') : undefined);
  return held.filter((one, index) => [String(one), nameAt(index)].some((text) => texts.some((wanted) => wanted === text)));
}

/** The same error, with the typed flag or argument for each element that the service names by its place: `assigned.1`. */
function besideElements(error: unknown, set: ReplacedSet, elements: readonly Element[], change: ElementChange): unknown {
  if (!(error instanceof CrmError)) return error;
  for (const field of error.details.fields ?? []) {
    const element = field.name.startsWith(`${set.wire}.`) ? elements[Number(field.name.slice(set.wire.length + 1))] : undefined;
    if (element === undefined) continue;
    if (change.add.includes(element)) field.flag = `--add ${element}`;
    else field.flag = `${change.kind === 'whole' ? `<${set.value.name}>` : set.wire} ${element}`;
  }
  return error;
}

/** A change of a set. */
type ElementChange =
  /** `add`: the elements given with --add. */
  | { readonly kind: 'whole'; readonly elements: Element[]; readonly add: Element[] }
  /** `called`: elements to remove by their names in the record. */
  | { readonly kind: 'change'; readonly add: Element[]; readonly remove: Element[]; readonly called?: readonly string[] };

function readChange(set: ReplacedSet, { args, flags }: ResolvedInput<SetFlags>): ElementChange {
  const [values, add, remove] = together(
    () => parseElements(set, args.slice(1), set.value.name),
    () => parseElements(set, flags.add ?? [], '--add'),
    () => parseElements(set, flags.remove ?? [], '--remove'),
  );
  const { clear = false } = flags;
  if (values.length + add.length + remove.length === 0 && !clear)
    throw new UsageError('Give the whole new set, --add or --remove, or --clear to remove everything.', { code: 'missing_value' });
  if (values.length > 0 && (clear || add.length + remove.length > 0))
    throw new UsageError('Give either the whole new set, or --add and --remove, or --clear.');
  if (clear && remove.length > 0) throw new UsageError('--clear removes everything: give it without --remove.');
  const both = add.find((element) => remove.includes(element));
  if (both !== undefined) throw new UsageError(`--add and --remove both name ${both}.`);
  if (values.length > 0) return { kind: 'whole', elements: unique(values), add };
  return clear ? { kind: 'whole', elements: unique(add), add } : { kind: 'change', add, remove };
}

/** `Change tags of 3 leads (7, 8, 9): +"hot" -"cold"`, with names as they were typed. */
function setChangeText({ read }: ReplacedSet, { flags, typed }: ResolvedInput<SetFlags>, records: string): string {
  const { add = [], remove = [] } = typed.flags;
  const quoted = (one: string): string => `"${displayText(one)}"`;
  const changes = [...add.map((one) => `+${quoted(one)}`), ...remove.map((one) => `-${quoted(one)}`)];
  if (!flags.clear) return `Change ${read} of ${records}: ${changes.join(' ')}`;
  return add.length === 0 ? `Remove all ${read} of ${records}` : `Replace ${read} of ${records} by ${add.map(quoted).join(', ')}`;
}

function parseElements(set: ReplacedSet, raw: readonly string[], where: string): Element[] {
  return togetherEach(raw, (one) => setElement(set, one, where, '; --clear removes everything'));
}

const unique = (elements: readonly Element[]): Element[] => [...new Set(elements)];
