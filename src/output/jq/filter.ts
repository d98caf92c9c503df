// Applies --jq to a result: the JSON goes to jq, and jq's values are printed in its place.

import type { InvalidValues } from '../../base/errors.ts';
import { safeValues } from '../../model/records/safe-text.ts';
import { holdBack } from '../formats/json.ts';
import type { Io } from '../streams/io.ts';
import { hasFailed, runTimeError } from './failures.ts';
import type { Jq } from './jq.ts';

/** jq between a result and standard output. */
interface JqFilter {
  /** The streams with `out` and `flush` going to jq. */
  readonly io: Io;
  /** Ends the input and writes the values. `said`: lines from jq's `debug`. `error`: the error that ended the expression. */
  end(): Promise<{ readonly said: readonly string[]; readonly error?: InvalidValues }>;
  /** Writes the whole result unless a value has been printed already. Returns whether the result was written. */
  putWhole(): Promise<boolean>;
}

/**
 * Puts jq in front of standard output. `keepsWhole`: keeps the result for `putWhole`. Values are held back (holdBack in json.ts), so that a
 * failed expression leaves standard output empty; with ndjson each record's values are written at once.
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
      // jq works on each record as its line arrives.
      flush: async () => {},
    },
    end: async () => {
      const { status, errors } = await jq.end();
      const { error, said } = runTimeError(errors);
      if (status !== 0 && held !== undefined) return { said, error };
      await held?.end('');
      await out.end();
      await io.flush();
      // With ndjson jq's exit status belongs to the last record only.
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

/** `safeValues` needs whole lines. */
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
