// Every header that an import takes stands in its saved mapping under a name that means the same.

import { expect, it } from 'vitest';
import { columnMeaning, fileColumn, nameInMapping } from '../../src/import/columns/columns.ts';
import { headerKey } from '../../src/import/files/raw-row.ts';
import { type ImportJob, type ImportMode, importModes } from '../../src/import/job.ts';
import type { Resource } from '../../src/model/define.ts';
import { resources } from '../../src/model/resources/index.ts';
import { fileWordsOf } from '../../src/session/names/file-words.ts';

const writable = resources.filter((one) => one.fields.length > 0);

/** Names that columns may have: flags, wire names, paths and the names of sets and states. */
function namesOf({ fields, record, sets = [], title = '' }: Resource): string[] {
  const plain = fields.flatMap(({ flag, wire, read = flag }) => [flag, wire, read]);
  const parts = fields.flatMap(({ flag, wire, read, type }) =>
    type.kind === 'numbered' ? [`${flag}-3`, `${wire}3`, `${read}.3`] : type.kind === 'reference' ? [`${wire}_type`, `${read}.id`] : [],
  );
  const groups = record.flatMap((path) => [path, path.split('.')[0] ?? '', `${path}.id`, `${path}.name`, `${path}.title`]);
  return [
    ...plain,
    ...parts,
    ...groups,
    ...sets.flatMap(({ read }) => [read, `${read}.id`]),
    title,
    'id',
    'full-name',
    'set:Own Field',
    'tags',
  ];
}

const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => ` ${name} `,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(/(^|[._-])(\w)/g, (_, mark: string, letter: string) => (mark === '' ? '' : mark) + letter.toUpperCase()),
  (name) => name.replaceAll(/[_-]/g, ' '),
  (name) => name.replaceAll('_', '-'),
];

const planOf = (resource: Resource, mode: ImportMode): ImportJob => ({
  resource,
  mode,
  ...(mode === 'create' ? {} : { match: { kind: 'id' } as const }),
  format: 'csv',
  maps: new Map(),
  constants: [],
  meanings: new Map(),
  notation: {},
  skipInvalid: false,
  clearBlanks: false,
  csvRaw: false,
  overwritesNewer: false,
  words: fileWordsOf(resource, {}),
});

it.each(writable.flatMap((resource) => importModes.map((mode) => [resource.name, mode, resource] as const)))(
  '%s, %s',
  (_, mode, resource) => {
    const job = planOf(resource, mode);
    let taken = 0;
    for (const header of new Set(namesOf(resource).flatMap((name) => spellings.map((spell) => spell(name))))) {
      const meant = fileColumn(job, header);
      if (meant === undefined) continue;
      taken += 1;
      const to = nameInMapping(header, meant);
      expect(fileColumn({ ...job, maps: new Map([[headerKey(header), { name: header, to, where: 'm.yaml' }]]) }, header), header).toEqual(
        meant,
      );
    }
    expect(taken).toBeGreaterThan(40);
    expect(columnMeaning(resource, 'nothing at all')).toBeUndefined();
  },
);
