// A list that changed while it was read, page by page: what is said of it.

import type { Context } from '../../context.ts';
import { notice } from '../../output/streams/notice.ts';
import { howMany } from '../../values/wording.ts';

/** Says that a list moved; `repeated` of its records came again. */
export function tellMoved(context: Context, repeated: number): void {
  const twice = repeated === 0 ? '' : ` ${howMany(repeated, 'record')} came twice and ${repeated === 1 ? 'was' : 'were'} used once;`;
  const text = `The list changed while it was being read:${twice} some records may be missing. Run the command again for a steady picture.`;
  void notice(context.io, context.flags, text);
}
