// What an apply says at its end: how much came about, and where the file says something else than what is there. Pure.

import type { Applied, AppliedRecord } from './applying.ts';
import type { Plan } from './language/plan.ts';
import type { LedgerState } from './ledger.ts';
import { madeName } from './made.ts';

/** So many names are told. */
const mostNames = 5;

const told = (names: readonly string[]): string => names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ', …' : '');

/** The names of what a run created and its file has no more. */
export function droppedOf({ parts }: Plan, state: LedgerState): string[] {
  const names = new Set(parts.flatMap((part) => (part.kind === 'find' ? [] : part.made.map(madeName))));
  return state.all().flatMap(({ name, state }) => (state === 'created' && !names.has(name) ? [name] : []));
}

export interface Differences {
  /** Names of what somebody had deleted. */
  readonly gone: readonly string[];
  readonly dropped: readonly string[];
}

/** The sentences at the end of an apply. */
export function appliedNotice(run: string, { records, changed, actedOtherwise }: Applied, { gone, dropped }: Differences): string {
  const count = (state: AppliedRecord['state']): number => [...records.values()].filter((record) => record.state === state).length;
  const [created, kept, found] = [count('created'), count('kept'), count('found')];
  const others = [kept > 0 ? `${kept} from before` : '', found > 0 ? `${found} found` : ''].filter(Boolean);
  const again = gone.filter((name) => records.get(name)?.state === 'created');
  const sentences = [
    `Run "${run}" is applied: ${[`${created} created`, ...others].join(', ')}.`,
    again.length > 0 ? `Somebody had deleted ${told(again)}: created again.` : '',
    changed.size > 0 ? `The file has other values now for ${told([...changed])}: what is there stays as it was created.` : '',
    actedOtherwise.size > 0 ? `The file has other actions now for ${told([...actedOtherwise])}: what was done stays done.` : '',
    dropped.length > 0 ? `The file no longer has ${told(dropped)}: what is there stays until the run is destroyed.` : '',
  ];
  return sentences.filter(Boolean).join(' ');
}
