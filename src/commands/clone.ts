// `crm <family> clone ID`: creates a record like another. Values that are not given come from the source; its title gets " (copy)".

import type { Body } from '../base/values/body.ts';
import { parseId, together } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { withArticle } from '../base/values/text/wording.ts';
import { newestCommand, tellWarning } from '../changes/create.ts';
import type { Command } from '../cli/command.ts';
import { makeFrom } from '../client/write-record.ts';
import { checkGiven } from '../model/bodies/create-body.ts';
import { bodyFlags } from '../model/bodies/flags.ts';
import { givenBody } from '../model/bodies/given.ts';
import { asFlag } from '../model/bodies/names.ts';
import type { Operation, Resource } from '../model/define.ts';
import { displayText } from '../model/records/display.ts';
import { effectOfCreate } from '../output/subject.ts';
import { readBodyTexts } from '../session/texts.ts';

/** The clone command of a family. `clone`: the family's declaration of the request. */
export const cloneCommand = (
  resource: Resource,
  clone: Operation,
  help: Required<Pick<Command, 'description' | 'examples' | 'fails'>>,
): Command => ({
  path: [resource.name, clone.verb],
  summary: `Copy ${withArticle(resource.singular)}`,
  args: [{ name: 'id', help: `The id of the ${resource.singular} to copy`, listedBy: `${resource.name} list` }],
  flags: bodyFlags(clone, 'update'),
  sends: [
    { method: 'GET', path: `${resource.path}/{id}` },
    { method: 'POST', path: `${resource.path}/{id}/${clone.path}` },
  ],
  does: 'writes',
  shows: resource,
  ...help,
  run: async (context, input) => {
    const texts = await readBodyTexts(context, clone, input.flags);
    const [id, given] = together(
      () => parseId(input.args[0] ?? '', resource.singular),
      () => givenBody(clone, input.flags, texts),
    );
    checkGiven(clone, given, asFlag);
    const sent = { given, named: asFlag, check: newestCommand(resource), family: { resource, tell: tellWarning(context) } };
    const { answer, body } = await makeFrom(await context.api(), resource, id, clone, sent);
    return {
      kind: 'record',
      answer,
      shape: resource,
      effect: effectOfCreate(resource, answer, body, `a copy of ${resource.singular} ${id}${madeFor(resource, clone, answer.data, body)}`),
    };
  },
});

/** ` for client Northgate Trading`, of a family whose records belong to one of several others. The id where the answer has no name. */
function madeFor({ oneOf }: Resource, { fields }: Operation, data: unknown, body: Body): string {
  for (const flag of oneOf?.flags ?? []) {
    const wire = fields.find((field) => field.flag === flag)?.wire ?? '';
    const whom = displayText(valueAt(data, `${flag}.name`)) || displayText(valueAt(data, `${flag}.id`)) || displayText(body.get(wire));
    if (whom !== '') return ` for ${flag} ${whom}`;
  }
  return '';
}
