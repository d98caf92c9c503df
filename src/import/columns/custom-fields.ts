// Custom fields by name: `custom_fields.SKU`. Records hold the names, so a name is looked up before the columns get their meanings.

import { isNumeral } from '../../base/values/parse.ts';
import type { Field } from '../../model/define.ts';
import type { Context } from '../../session/context.ts';

import { headerKey } from '../files/raw-row.ts';
import { readRows } from '../files/readers.ts';
import type { Source } from '../files/source.ts';
import type { ImportJob } from '../job.ts';

/**
 * The name with a number in place of a custom field's name: `custom_fields.1` for `custom_fields.SKU`. Any other name unchanged, without a
 * request. Throws InvalidValues naming `where` for an unknown name, and the errors of reading the service.
 */
export async function numberedName(context: Context, fields: readonly Field[], name: string, where: string): Promise<string> {
  for (const { type, read, flag } of fields) {
    if (type.kind !== 'numbered' || read === undefined) continue;
    const lead = [`${read}.`, `${flag}.`, `${flag}-`].find((one) => name.toLowerCase().startsWith(one));
    const own = lead === undefined ? '' : name.slice(lead.length).trim();
    if (own === '' || isNumeral(own)) continue;
    const { idNamed } = await import('../../session/names/resolve.ts');
    return `${read}.${await idNamed(context, { of: type.of, text: own, where, match: 'whole' })}`;
  }
  return name;
}

/** The job with meanings for the columns of a file that are named like `custom_fields.SKU`. Throws like numberedName. */
export async function withCustomFields(context: Context, job: ImportJob, source: Source): Promise<ImportJob> {
  if (!job.resource.fields.some(({ type }) => type.kind === 'numbered')) return job;
  const maps = new Map(job.maps);
  for (const name of await firstNames(job, source)) {
    const to = maps.has(headerKey(name)) ? name : await numberedName(context, job.resource.fields, name, name);
    if (to !== name) maps.set(headerKey(name), { name, to, where: name });
  }
  return { ...job, maps };
}

/** The names in the first rows of a file; none for a file that can't be read: the check tells why. */
async function firstNames(job: ImportJob, source: Source): Promise<Set<string>> {
  const names = new Set<string>();
  try {
    for await (const rows of readRows(source.bytes, job)) {
      for (const raw of rows) for (const name of 'header' in raw ? raw.header : 'names' in raw ? raw.names : []) names.add(name.trim());
      if (names.size > 0) break;
    }
  } catch {
    return names;
  }
  return names;
}
