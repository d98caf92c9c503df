// Two tables that have to agree: what a family's records are called is declared, and told again where loading every family would be too much.

import { expect, it } from 'vitest';
import { titlesSeenIn } from '../../../src/model/named.ts';
import { referenceFamilies, resources } from '../../../src/model/resources/index.ts';

it('the titles that are remembered for Tab are those that the families declare', () => {
  const declared = [...resources, ...referenceFamilies].flatMap(({ name, path, title, namedAs }) =>
    title === undefined || namedAs !== undefined ? [] : [{ family: name, path, title }],
  );
  const byFamily = (a: { family: string }, b: { family: string }): number => (a.family < b.family ? -1 : 1);
  expect(titlesSeenIn.toSorted(byFamily), 'titlesSeenIn in src/model/named.ts').toEqual(declared.toSorted(byFamily));
});
