// Attached records of others that the service would delete with a record of a run. Asked for right before the delete.

import { ConflictError, NotFoundError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import { type Id, valueText } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { isSameText } from '../../base/values/text/same-text.ts';
import { howMany } from '../../base/values/text/wording.ts';
import type { Api } from '../../client/client.ts';
import { recordAt, recordsListed } from '../../client/read-record.ts';
import { attachedQuery, hangsOn } from '../../model/attached.ts';
import type { Resource } from '../../model/define.ts';
import { createdOf, idOf, isAnother } from '../../model/identity.ts';
import { familyNamed } from '../../model/resources/index.ts';
import { leadComment } from '../../model/resources/leads.ts';
import type { PastStep, RunRecord } from '../../runs/journal/run.ts';
import { type Facts, writesTo } from './ownership.ts';

/** The run's records and writes, and the consent to delete comments. */
interface Own {
  readonly facts: Facts;
  /** The records to delete, by `family id`. */
  readonly going: ReadonlyMap<string, RunRecord>;
  /** Comments of others may be deleted. */
  readonly withComments: boolean;
  readonly signal: AbortSignal;
}

interface Foreign {
  /** `note 31`, `2 comments` */
  readonly text: string;
  /** --with-comments allows the delete. */
  readonly areComments: boolean;
}

/** The attached records that forbid a delete. */
export async function foreignBelow({ facts, going, withComments, signal }: Own, api: Api, resource: Resource, id: Id): Promise<Foreign[]> {
  const found: Foreign[] = [];
  for (const one of resource.attached ?? []) {
    if (!one.takenAlong) continue;
    const family = familyNamed(one.name);
    if (family === undefined) {
      const count = withComments ? 0 : await foreignComments(writesTo(facts, resource.name, id), api, `${resource.path}/${id}/${one.name}`);
      if (count > 0) found.push({ text: howMany(count, 'comment'), areComments: true });
      continue;
    }
    const request = { method: 'GET' as const, path: family.path, query: attachedQuery(family, one, id) };
    for await (const record of recordsListed(api, request, signal)) {
      const made = going.get(`${family.name} ${scalarText(idOf(record))}`);
      // A new record of others may have the id of a record deleted just now.
      const isForeign = made === undefined || isAnother(made.created, createdOf(record));
      if (hangsOn(record, one, id) && isForeign) found.push({ text: `${family.singular} ${scalarText(idOf(record))}`, areComments: false });
    }
  }
  return found;
}

/** The number of comments that are not among the run's writes, compared by text: the run notes no ids of comments. */
async function foreignComments(writes: readonly PastStep[], api: Api, path: string): Promise<number> {
  const data = await api.read({ method: 'GET', path }).then(
    (answer) => answer.data,
    async (error) => {
      if (!(error instanceof NotFoundError)) throw error;
      if ((await recordAt(api, path.slice(0, path.lastIndexOf('/')))) === undefined) return [];
      throw new ConflictError(`The service answers 404 to ${path}: nobody can tell which comments would be deleted, too.`);
    },
  );
  const ownTexts = writes.flatMap(({ kind, body }) => (kind === leadComment.verb ? [...body.values()].map(valueText) : []));
  const texts = (Array.isArray(data) ? data : []).map((one) => scalarText(valueAt(one, 'text')));
  return texts.filter((text) => {
    const at = ownTexts.findIndex((one) => isSameText(one, text));
    if (at >= 0) ownTexts.splice(at, 1);
    return at < 0;
  }).length;
}
