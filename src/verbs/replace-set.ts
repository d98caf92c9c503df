// `crm <family> tags ID …` and its like: an array on a record that the service replaces as a whole.

import type { Api } from '../api/client.ts';
import { recordOf } from '../api/envelope.ts';
import { setBody, setElement } from '../bodies/operations.ts';
import type { Context } from '../context.ts';
import { CrmError, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { ReplacedSet, Resource } from '../resources/define.ts';
import { scalarText } from '../values/json.ts';
import { type Id, parseId, together, togetherEach } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';

type Element = string | number;

/** Replaces a record's set. `--add` and `--remove` read the record first, because the service takes only whole sets. */
export async function replaceSet(resource: Resource, set: ReplacedSet, context: Context, input: Input): Promise<Result> {
  const id = parseId(input.args[0] ?? '', resource.singular);
  const change = readChange(set, input);
  const api = await context.api();
  const elements = change.kind === 'whole' ? change.elements : changed(await current(api, resource, set, id), change);
  const written = api.write({
    method: 'PUT',
    path: `${resource.path}/${id}/${set.path}`,
    body: setBody(set, elements),
    repeatable: true,
    check: `crm ${resource.name} get ${id}`,
  });
  const answer = await written.catch((error: unknown) => {
    throw besideElements(error, set, elements, change);
  });
  return { kind: 'record', answer, shape: resource, notice: answer.message ?? `Replaced the ${set.verb} of ${resource.singular} ${id}.` };
}

/** The error, with what was typed beside each element that the service complains about by its place: `assigned.1`. */
function besideElements(error: unknown, set: ReplacedSet, elements: readonly Element[], change: Change): unknown {
  if (!(error instanceof CrmError)) return error;
  for (const field of error.details.fields ?? []) {
    const element = field.name.startsWith(`${set.wire}.`) ? elements[Number(field.name.slice(set.wire.length + 1))] : undefined;
    if (element === undefined) continue;
    if (change.kind === 'whole') field.flag = `<${set.value.name}> ${element}`;
    else field.flag = change.add.includes(element) ? `--add ${element}` : `${set.wire} ${element}`;
  }
  return error;
}

type Change =
  | { readonly kind: 'whole'; readonly elements: Element[] }
  | { readonly kind: 'change'; readonly add: Element[]; readonly remove: Element[] };

function readChange(set: ReplacedSet, input: Input): Change {
  const [values, add, remove] = together(
    () => parseElements(set, input.args.slice(1), set.value.name),
    () => parseElements(set, listed(input.flags.add), '--add'),
    () => parseElements(set, listed(input.flags.remove), '--remove'),
  );
  const clear = input.flags.clear === true;
  const ways = [values.length > 0, add.length + remove.length > 0, clear].filter(Boolean).length;
  if (ways === 0) throw new UsageError(`Give the whole new set, --add or --remove, or --clear to remove everything.`);
  if (ways > 1) throw new UsageError('Give either the whole new set, or --add and --remove, or --clear.');
  const both = add.find((element) => remove.includes(element));
  if (both !== undefined) throw new UsageError(`--add and --remove both name ${both}.`);
  return values.length > 0 || clear ? { kind: 'whole', elements: unique(values) } : { kind: 'change', add, remove };
}

function parseElements(set: ReplacedSet, raw: readonly string[], where: string): Element[] {
  return togetherEach(raw, (one) => setElement(set, one, where, '; --clear removes everything'));
}

const listed = (value: Input['flags'][string]): readonly string[] => (Array.isArray(value) ? value : []);

const unique = (elements: readonly Element[]): Element[] => [...new Set(elements)];

/** The record's own order is kept; what is new comes at the end. */
function changed(elements: readonly Element[], { add, remove }: { add: Element[]; remove: Element[] }): Element[] {
  return unique([...elements, ...add]).filter((element) => !remove.includes(element));
}

async function current(api: Api, resource: Resource, set: ReplacedSet, id: Id): Promise<Element[]> {
  const record = recordOf(await api.read({ method: 'GET', path: `${resource.path}/${id}` }));
  const value = valueAt(record, set.element === undefined ? set.read : `${set.read}.${set.element}`) ?? [];
  if (!Array.isArray(value)) throw new UsageError(`The record's ${set.read} is not a list: give the whole new set.`);
  return value.map((element) => (set.value.type.kind === 'id' && typeof element === 'number' ? element : scalarText(element)));
}
