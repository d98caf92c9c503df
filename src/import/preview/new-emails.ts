// Names the rows that would create a record with an email that a record has already, before anything is written.

import { howMany } from '../../base/values/text/wording.ts';
import type { Api } from '../../client/client.ts';
import { fieldKey } from '../../model/field-key.ts';
import type { PreviewRow } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import { recordsWithEmails, sharedEmail } from '../../reading/known-emails.ts';
import type { Context } from '../../session/context.ts';
import type { ImportJob } from '../job.ts';

/** The most rows in the message. */
const mostRows = 5;

/** The emails of the rows that would be created, each with the lines of its rows. */
export class NewEmails {
  readonly #job: ImportJob;
  readonly #lines = new Map<string, number[]>();

  constructor(job: ImportJob) {
    this.#job = job;
  }

  see({ outcome, changes, line }: PreviewRow): void {
    const field = sharedEmail(this.#job.resource);
    const email = outcome === 'would_create' ? changes.find((one) => one.field === field?.flag)?.new : undefined;
    if (email === undefined || email === '') return;
    const lines = this.#lines.get(email);
    if (lines === undefined) this.#lines.set(email, [line]);
    else lines.push(line);
  }

  /** Prints the rows whose email a record has. Throws like Api.read. */
  async tell({ io, flags, signal }: Context, api: Api): Promise<void> {
    const { resource, match } = this.#job;
    const field = sharedEmail(resource);
    if (field === undefined || this.#lines.size === 0) return;
    const say = (text: string): Promise<void> => notice(io, flags, text, 'warning');
    const known = await recordsWithEmails(api, resource, [...this.#lines.keys()], signal);
    if (known === undefined) return say(`There are too many ${resource.name} to look whether one has the email of a new row.`);
    const rows = [...this.#lines]
      .flatMap(([email, lines]) => {
        const ids = known.get(fieldKey(field, email));
        return ids === undefined ? [] : lines.map((line) => ({ line, ids }));
      })
      .toSorted((a, b) => a.line - b.line);
    if (rows.length === 0) return;
    const named = rows
      .slice(0, mostRows)
      .map(({ line, ids }) => `line ${line} (${ids.length === 1 ? resource.singular : resource.name} ${ids.join(', ')})`);
    const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : '';
    // An upsert refuses a row whose email several records have.
    const sure = rows.filter(({ ids }) => ids.length === 1).length;
    const those = rows.length === 1 ? 'it' : sure === rows.length ? 'those' : `those of one ${resource.singular}`;
    const advice = match === undefined && sure > 0 ? ` --mode upsert --match ${field.flag} changes ${those}.` : '';
    await say(
      `${howMany(rows.length, 'row has', 'rows have')} the email of a ${resource.singular} that exists: ${named.join(', ')}${more}.${advice}`,
    );
  }
}
