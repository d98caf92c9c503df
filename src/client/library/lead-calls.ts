// The calls that only leads have: convert, clone, comments.

import type { Id } from '../../base/values/parse.ts';
import { textBody } from '../../model/bodies/operations.ts';
import { idText } from '../../model/records/display.ts';
import { leadClone, leadComment, leadComments, leadConversion, leads } from '../../model/resources/leads.ts';
import { readRecords } from '../read-record.ts';
import { deleteAt, makeRecord } from '../write-record.ts';
import { type Caller, callOf } from './call.ts';
import { getCall, newestCall, operationCall, plainMade, recordPath } from './family-calls.ts';
import { checkedId, kindsOf, plainAnswer } from './plain-values.ts';

const commentKinds = kindsOf(leadComments.records);

const commentsPath = (id: Id): string => `${recordPath(leads, id)}/${leadComment.path}`;
const commentsCall = (id: Id): string => `client.leads.comments.list(${id})`;

export function leadCalls(service: Caller) {
  return {
    convert: operationCall(service, leads, leadConversion, (id) => getCall(leads, id)),
    clone: operationCall(service, leads, leadClone, () => newestCall(leads), leads),
    comments: {
      list: callOf(service, 'client.leads.comments.list', ['id'], async ({ api }, _options, id: Id) =>
        (await readRecords(api, commentsPath(id))).map((comment) => plainAnswer(comment, commentKinds)),
      ),
      add: callOf(service, 'client.leads.comments.add', ['id', 'value'], async (own, _options, id: Id, text: unknown) => {
        const body = textBody(leadComment, text, 'text');
        return plainMade(
          makeRecord(own.api, { method: 'POST', path: commentsPath(id), body, check: commentsCall(id) }),
          leadComment,
          leadComments.records,
        );
      }),
      delete: callOf(
        service,
        'client.leads.comments.delete',
        ['id', 'id'],
        async ({ api }, _options, id: Id, comment: Id): Promise<void> => {
          const own = checkedId(comment, 'comment');
          const isListed = async (): Promise<boolean> =>
            (await readRecords(api, commentsPath(id))).some((one) => idText(one) === String(own));
          await deleteAt(api, `${commentsPath(id)}/${own}`, { check: commentsCall(id) }, { isListed });
        },
      ),
    },
  };
}
