// Reads arrays that replace a whole set: tags and assignees (interface: tags and assigned bodies). An empty array clears the set.
// `tags[]=` in a form is an array with an empty element, and is refused (vendor facts: an empty set).

import { FieldProblems, isUnfilled, sentInteger, type WireValues } from './values.ts';

/** The tags in `tags` without repetitions, in the sent order. Throws the 422. */
export function tagsIn(body: WireValues): string[] {
  const problems = new FieldProblems();
  const tags = wantedElements('tags', body, problems);
  tags.forEach((tag, index) => {
    if (isUnfilled(tag)) problems.addRequired(`tags.${index}`);
    else if (typeof tag !== 'string') problems.add(`tags.${index}`, `The tags.${index} must be a string.`);
  });
  problems.throwIfAny();
  return [...new Set(tags as string[])];
}

/** The ids in the field `name` without repetitions. Throws the 422, also for an id that `exists` doesn't know. */
export function idsIn(name: string, body: WireValues, exists: (id: number) => boolean): number[] {
  const problems = new FieldProblems();
  const ids = wantedElements(name, body, problems).map((element, index) => {
    const id = sentInteger(element);
    if (isUnfilled(element)) problems.addRequired(`${name}.${index}`);
    else if (id === undefined) problems.add(`${name}.${index}`, `The ${name}.${index} must be an integer.`);
    else if (!exists(id)) problems.addInvalid(`${name}.${index}`);
    return id;
  });
  problems.throwIfAny();
  return [...new Set(ids.filter((id) => id !== undefined))];
}

function wantedElements(name: string, body: WireValues, problems: FieldProblems): readonly unknown[] {
  const value = body[name];
  if (value === undefined) problems.add(name, `The ${name} field must be present.`);
  else if (!Array.isArray(value)) problems.add(name, `The ${name} must be an array.`);
  return Array.isArray(value) ? value : [];
}
