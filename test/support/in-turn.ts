// Runs commands of the built program one after the other in one process: where what the process is given is the matter, and not its start.

import type { Crm } from './crm.ts';

export interface Turn {
  readonly words: readonly string[];
  /** Variables of this turn alone. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Behind the output of each turn stands a zero, behind that what it says its status, too. */
const program = `
import { runProcess } from ${JSON.stringify(new URL('../../dist/process.js', import.meta.url).href)};
for (const { words, more = {} } of JSON.parse(process.argv[1])) {
  Object.assign(process.env, more);
  await runProcess(words);
  for (const name of Object.keys(more)) delete process.env[name];
  process.stdout.write('\\0');
  process.stderr.write('\\0' + process.exitCode + '\\0');
}`;

/** The program that carries out the turns, and its arguments. */
export const inTurn = (turns: readonly Turn[]): [string, string[]] => [
  process.execPath,
  ['--input-type=module', '-e', program, JSON.stringify(turns)],
];

/** How each turn ended, by what the program has printed; without a status for one that it did not come to. */
export function endsOf(turns: readonly Turn[], { stdout, stderr }: Pick<Crm, 'stdout' | 'stderr'>): Crm[] {
  const [outs, errs] = [stdout.split('\0'), stderr.split('\0')];
  return turns.map((_turn, index) => {
    const [text = '', status] = errs.slice(2 * index);
    return { status: status === undefined ? null : Number(status), stdout: outs[index] ?? '', stderr: text };
  });
}
