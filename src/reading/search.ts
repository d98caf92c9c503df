// `crm search TEXT`: records of several families by the service's own search, side by side.

import { NotFoundError, UsageError } from '../base/errors.ts';
import { scalarText } from '../base/values/json.ts';
import { valueAt } from '../base/values/paths.ts';
import { crmWith, quoteWord } from '../base/values/text/shell-word.ts';
import { listed } from '../base/values/text/wording.ts';
import { recordsOf } from '../client/envelope.ts';
import { largestPage } from '../client/paging.ts';
import { pluralOf, type Resource } from '../model/define.ts';
import { displayText } from '../model/records/display.ts';
import type { Result, Shape } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { Context } from '../session/context.ts';

/** A found record: its family, id and title, and the values that tell it apart. */
export const foundShape: Shape & { readonly singular: string } = {
  singular: 'record',
  columns: [{ path: 'family', once: true }, { path: 'id', align: 'right' }, { path: 'title' }, { path: 'about' }],
  record: ['family', 'id', 'title', 'about'],
};

/** The records that the service finds in each family, at most a page of each. Throws UsageError for a blank text. */
export async function search(families: readonly Resource[], context: Context, text: string): Promise<Result> {
  if (text.trim() === '') throw new UsageError('Say what to look for: crm search TEXT.', { code: 'missing_value' });
  const api = await context.api();
  const found = await Promise.all(
    families.map(async (resource) => {
      const query = Object.entries({ search: text, limit: String(largestPage), page: '1' });
      const request = { method: 'GET' as const, path: resource.path, query };
      try {
        const answer = await api.read(request);
        const records = recordsOf(answer, request);
        return { resource, records, total: answer.meta?.total ?? records.length };
      } catch (error) {
        if (!(error instanceof NotFoundError && resource.readOnly)) throw error;
        await notice(context.io, context.flags, `This service has no ${resource.path}, so ${pluralOf(resource)} were not looked through.`);
        return { resource, records: [], total: 0 };
      }
    }),
  );
  const rows = found.flatMap(({ resource: { name, title = '', tells = [] }, records }) =>
    records.map((record) => {
      const texts = tells.map((path) => scalarText(valueAt(record, path))).filter((one) => one !== '');
      return { family: name, id: valueAt(record, 'id') ?? null, title: valueAt(record, title) ?? null, about: texts.join(', ') };
    }),
  );
  const more = found.filter(({ records, total }) => total > records.length);
  const moreText = more.map(
    ({ resource, records, total }) =>
      `${records.length} of ${total} ${pluralOf(resource)}. All of them: ${crmWith(context.flags.profile)} ${resource.name} list --search ${quoteWord(text)} --all`,
  );
  const none = `Nothing was found for "${displayText(text)}" in ${listed(families.map(pluralOf))}.`;
  const said = rows.length === 0 ? [none] : moreText;
  return { kind: 'rows', data: rows, shape: foundShape, isRead: true, ...(said.length === 0 ? {} : { notice: said.join('\n') }) };
}
