// What the service deletes along with a record: whatever hangs on it, out of lists that are read once where that takes fewer requests.

import type { Api } from '../../api/client.ts';
import { allRecords, largestPage } from '../../api/paging.ts';
import { attachedQuery, hangsOn, pathsAbove } from '../../bodies/attached.ts';
import { NotFoundError } from '../../errors.ts';
import type { Attached, Resource } from '../../resources/define.ts';
import { familyNamed, resources } from '../../resources/index.ts';
import { idOf, newestPage } from '../../runs/doubts/newest.ts';
import { standingOf } from '../../runs/doubts/survey.ts';
import type { Run, RunRecord } from '../../runs/journal/run.ts';
import { scalarText } from '../../values/json.ts';
import { type Id, valueText } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { areAlike } from '../../values/text/alike.ts';
import { firstOf, howMany } from '../../values/text/wording.ts';

/** So few records are asked about one by one. */
const fewGoing = 10;
/** After so many deletes the newest records are looked at again: somebody may have put them there meanwhile. */
const freshFor = 25;
/** So many are named. */
const mostNamed = 3;

/** Records of a family by the paths of those that they hang on, then by their own. */
type Attachments = Map<string, Map<string, unknown>>;

/** What hangs on the records of a run that are deleted, and is not the run's. */
export class Hanging {
  readonly #run: Run;
  readonly #going: readonly RunRecord[];
  readonly #signal: AbortSignal;
  /** The run's records that are deleted, by family and id. */
  readonly #own: ReadonlyMap<string, RunRecord>;
  /** By family, where its whole list was read. */
  readonly #lists = new Map<string, Attachments>();
  /** How many records were looked at right before their delete. */
  #looked = 0;

  constructor(run: Run, going: readonly RunRecord[], signal: AbortSignal) {
    this.#run = run;
    this.#going = going;
    this.#signal = signal;
    this.#own = new Map(going.map((made) => [`${made.family} ${scalarText(made.id)}`, made]));
  }

  /** Reads the lists of what may hang on the records, once for all of them, where that takes fewer requests than asking for each. */
  async list(api: Api): Promise<void> {
    for (const [name, some] of Map.groupBy(this.#going, ({ family }) => family)) {
      for (const { name: other, takenAlong } of familyNamed(name)?.attached ?? []) {
        const family = familyNamed(other);
        if (!takenAlong || family === undefined || this.#lists.has(other) || some.length < fewGoing) continue;
        const all: Attachments = new Map();
        this.#lists.set(other, all);
        let count = 0;
        for await (const record of allRecords(api, { method: 'GET', path: family.path }, this.#signal)) {
          count += 1;
          if (count <= some.length * largestPage && noteAttached(all, family, record)) continue;
          this.#lists.delete(other);
          break;
        }
      }
    }
  }

  /** What goes along with a record and is not the run's, in words, right before its delete; undefined when there is nothing. */
  async foreignBelow(api: Api, resource: Resource, id: Id): Promise<string | undefined> {
    await this.#refresh(api);
    const found: string[] = [];
    for (const one of resource.attached ?? []) {
      const family = familyNamed(one.name);
      if (!one.takenAlong) continue;
      if (family === undefined) {
        const foreign = await foreignComments(this.#run, api, `${resource.path}/${id}/${one.name}`, id);
        if (foreign > 0) found.push(howMany(foreign, 'comment'));
        continue;
      }
      for await (const record of this.#hangingOn(api, resource, family, one, id)) {
        const other = scalarText(idOf(record));
        const made = this.#own.get(`${family.name} ${other}`);
        // Somebody's may have the id of one that was deleted just now.
        const isForeign = made === undefined || standingOf(made, record) === 'other';
        if (hangsOn(record, one, id) && isForeign) found.push(`${family.singular} ${other}`);
      }
    }
    return found.length === 0 ? undefined : firstOf(found, mostNamed);
  }

  /** The records of a family that hang on a record: out of its whole list, where that was read, else as its filter finds them. */
  async *#hangingOn(api: Api, { path }: Resource, family: Resource, one: Attached, id: Id): AsyncGenerator<unknown> {
    const all = this.#lists.get(family.name);
    if (all !== undefined) yield* all.get(`${path}/${id}`)?.values() ?? [];
    else yield* allRecords(api, { method: 'GET', path: family.path, query: attachedQuery(family, one, id) }, this.#signal);
  }

  /** Looks again for what came about since the lists were read. */
  async #refresh(api: Api): Promise<void> {
    this.#looked += 1;
    if (this.#looked % freshFor !== 0) return;
    for (const [name, all] of this.#lists) {
      const family = familyNamed(name);
      if (family !== undefined) for (const record of await newestPage(api, family)) noteAttached(all, family, record);
    }
  }
}

/** Notes a record under those that it hangs on; false where it doesn't tell them. */
function noteAttached(all: Attachments, { name, path }: Resource, record: unknown): boolean {
  const isTold = resources.every(({ attached = [] }) =>
    attached.every((one) => one.name !== name || !one.takenAlong || !('filter' in one) || valueAt(record, one.filter) !== undefined),
  );
  for (const above of pathsAbove(record, name)) {
    const below = all.get(above) ?? new Map<string, unknown>();
    all.set(above, below.set(`${path}/${idOf(record)}`, record));
  }
  return isTold;
}

/** How many texts below a record the run did not write: they have a list of their own, and no ids that it noted. */
async function foreignComments(run: Run, api: Api, path: string, id: Id): Promise<number> {
  const data = await api.read({ method: 'GET', path }).then(
    (answer) => answer.data,
    (error) => {
      // With its record they are gone.
      if (error instanceof NotFoundError) return [];
      throw error;
    },
  );
  const written = run.bodiesTo('comment', id).flatMap((body) => [...body.values()].map(valueText));
  const texts = (Array.isArray(data) ? data : []).map((one) => scalarText(valueAt(one, 'text')));
  return texts.filter((text) => {
    const at = written.findIndex((one) => areAlike(one, text));
    if (at >= 0) written.splice(at, 1);
    return at < 0;
  }).length;
}
