// What --jq makes of a result: the JSON that would have been printed goes to jq, and its values take its place.

import type { InvalidValues } from '../../errors.ts';
import { safeValues } from '../../records/safe-text.ts';
import { holdBack } from '../formats/json.ts';
import type { Io } from '../streams/io.ts';
import { hasFailed, runTimeError } from './failures.ts';
import type { Jq } from './jq.ts';

/** jq as a filter behind what writes a result. */
interface JqFilter {
  /** Streams whose results go to jq. */
  readonly io: Io;
  /** Nothing more comes: writes the values. What jq said by the way (`debug`), and the error that ended the expression. */
  end(): Promise<{ readonly said: readonly string[]; readonly error?: InvalidValues }>;
  /** Writes the whole result instead of the values, where none of them is out; whether it did. */
  putWhole(): Promise<boolean>;
}

/** jq's standard input is read in steps of 1 KiB: so many blanks push the end of a record through. */
const push = ' '.repeat(1024);

/**
 * Puts jq behind what writes a result. `keepsWhole`: it may have to be printed whole. Off ndjson the values are held back like a document, so
 * that an expression that fails leaves standard output empty.
 */
export function filterWith(jq: Jq, io: Io, keepsWhole: boolean): JqFilter {
  const whole: string[] = [];
  const out = io.stdout.isTTY ? byLines((text) => io.out(safeValues(text))) : { take: io.out, end: async () => {} };
  let isOut = false;
  const print = async (text: string): Promise<void> => {
    isOut ||= text !== '';
    await out.take(text);
  };
  const held = jq.perRecord ? undefined : holdBack({ out: print });
  jq.into(
    held?.write ??
      (async (text) => {
        await print(text);
        await io.flush();
      }),
  );
  return {
    io: {
      ...io,
      out: async (text) => {
        if (keepsWhole) whole.push(text);
        await jq.write(text);
      },
      flush: async () => {
        if (jq.perRecord) await jq.write(push);
      },
    },
    end: async () => {
      const { status, errors } = await jq.end();
      const { error, said } = runTimeError(errors);
      if (status !== 0 && held !== undefined) return { said, error };
      await held?.end('');
      await out.end();
      await io.flush();
      // Of several records, jq's status is that of the last one.
      if (status !== 0 || (jq.perRecord && hasFailed(errors))) return { said, error };
      return { said: errors.split('\n').filter((line) => line !== '') };
    },
    putWhole: async () => {
      if (!isOut) await io.out(whole.join(''));
      await io.flush();
      return !isOut;
    },
  };
}

/** Hands on whole lines: what is made safe for a terminal is looked at together. */
function byLines(take: (text: string) => Promise<void>): {
  readonly take: (text: string) => Promise<void>;
  readonly end: () => Promise<void>;
} {
  let rest = '';
  return {
    take: async (text) => {
      const all = rest + text;
      const end = all.lastIndexOf('\n') + 1;
      rest = all.slice(end);
      if (end > 0) await take(all.slice(0, end));
    },
    end: () => take(rest),
  };
}
