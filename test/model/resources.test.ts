// What a declaration names is there: members that actions read, and the action that takes an action back.

import { expect, it } from 'vitest';
import { resources } from '../../src/model/resources/index.ts';

/** The actions without an opposite. */
const final = ['contacts account-owner'];

const actions = resources.flatMap((family) =>
  (family.actions ?? []).map((action) => [`${family.name} ${action.verb}`, family, action] as const),
);

it.each(actions)('%s', (name, { record, actions: others = [] }, { reads, value, undo }) => {
  if (reads !== undefined) expect(record, `reads.path "${reads.path}" is no member of the record`).toContain(reads.path);
  if (value === undefined) expect(reads, 'an action without a value `reads` a member').toBeDefined();
  if (value === undefined && !final.includes(name)) {
    const back = others.find(({ verb }) => verb === undo?.verb);
    expect(back?.reads, '`undo` names no action that reads a state: name it, or add the action to `final`').toBeDefined();
    expect(back?.undo?.verb, `\`undo\` of ${undo?.verb}`).toBe(name.split(' ')[1]);
  }
});
