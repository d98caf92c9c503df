// crm doctor: looks at this machine, the settings in force and the service, and says what is wrong and what to do. It writes
// nothing, and a check that fails is a row like any other.

import type { Context } from '../../context.ts';
import { FoundError } from '../../errors.ts';
import type { Finding, Result } from '../../output/result.ts';
import { connectionRows } from './connection.ts';
import { type CheckResult, checked } from './finding.ts';
import { machineRows } from './machine.ts';
import { settingsRows } from './settings.ts';

/** All checks, one after the other. */
export async function examine(context: Context): Promise<Result> {
  const rows: CheckResult[] = [...(await machineRows(context))];
  const inForce = await settingsRows(context);
  rows.push(...inForce.rows, ...(await checked('service', () => connectionRows(context, inForce.settings))));
  const findings = rows.map((row) => finding(row, context));
  const wrong = findings.filter(({ state }) => state === 'wrong');
  const names = wrong.map(({ check }) => check).join(', ');
  const problem =
    wrong.length === 0 ? undefined : new FoundError(`${wrong.length} of ${findings.length} checks found something wrong: ${names}.`);
  return { ...checksResult(findings), ...(problem === undefined ? {} : { problem }) };
}

const columns = ['check', 'state', 'found', 'advice'].map((path) => ({ path }));
const shape = { singular: 'check', columns, record: columns.map(({ path }) => path) };

/** What checks found, a row each. */
export const checksResult = (findings: readonly Finding[]): Result => ({
  kind: 'rows',
  data: findings,
  shape,
  drawn: { findings },
  isRead: true,
});

/** A row as it is shown. What a service says may quote the key, so what holds a secret is not shown. */
function finding({ check, state, found, advice }: CheckResult, { io }: Context): Finding {
  const shown = (text: string): string => (io.holdsSecret(text) ? 'What there is to say holds the key, and is not shown.' : text);
  return { check, state, found: shown(found), advice: advice === undefined ? null : shown(advice) };
}
