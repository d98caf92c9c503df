// crm doctor: the way to the service, whether it answers, takes the key and is a CRM, its clock, and runs that were cut off.

import { statSync } from 'node:fs';
import type { Answer } from '../../api/types.ts';
import type { Context } from '../../context.ts';
import { UnauthorizedError } from '../../errors.ts';
import { sandboxFile } from '../../open-client.ts';
import type { Settings } from '../../profiles/settings.ts';
import { isSandbox, originOf } from '../../values/base-url.ts';
import { crmWith } from '../../values/text/shell-word.ts';
import { unfinishedRuns } from '../history/runs.ts';
import { readOnce } from '../profile/verify.ts';
import { type CheckResult, checked, ok, wrong } from './finding.ts';

/** The rows on the service that the settings name; undefined: there are none that can be used. */
export async function connectionRows(context: Context, settings: Settings | undefined): Promise<readonly CheckResult[]> {
  if (settings === undefined) {
    const found = 'not asked, for want of settings';
    return ['service', 'access', 'clock'].map((check) => ({ check, state: 'unknown', found }));
  }
  return [
    ...(isSandbox(settings.baseUrl) ? [] : await checked('proxy', async () => [await proxyRow(settings, context.env)])),
    ...(await askService(context, settings)),
    ...(await checked('unfinished runs', async () => [await runsRow(context)])),
  ];
}

async function proxyRow({ baseUrl }: Settings, env: Context['env']): Promise<CheckResult> {
  const { proxyFor } = await import('../../api/transport/proxy.ts');
  const proxy = proxyFor(originOf(baseUrl), env);
  if (proxy !== undefined) return ok('proxy', proxy.name);
  const set = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].filter((name) => env[name]);
  return ok('proxy', set.length === 0 ? 'none' : `none for this service, though ${set.join(' and ')} is set`);
}

async function askService(context: Context, settings: Settings): Promise<readonly CheckResult[]> {
  const { key } = settings;
  const hasKey = await key().then(
    () => true,
    () => false,
  );
  if (!hasKey) return unasked('not asked, for want of a key');
  const isEmbedded = isSandbox(settings.baseUrl);
  const began = context.clock.now().getTime();
  try {
    const answer = await readOnce(context, settings);
    const took = context.clock.now().getTime() - began;
    if (isEmbedded)
      return [ok('embedded CRM', await embeddedFile(context, settings)), ok('service', `the embedded CRM answers in ${took} ms`)];
    return [
      ok('service', `${originOf(settings.baseUrl)} answers in ${took} ms`),
      ok('access', 'the key is accepted'),
      clockRow(answer, began + took / 2),
    ];
  } catch (error) {
    if (isEmbedded) return [wrong('embedded CRM', error)];
    if (!(error instanceof UnauthorizedError) || error.details.httpStatus === undefined) {
      return [wrong('service', error), ...unasked('not known, for no usable answer came').slice(1)];
    }
    return [
      ok('service', `${originOf(settings.baseUrl)} answers`),
      wrong('access', error),
      ...unasked('not known, for the key was refused').slice(2),
    ];
  }
}

const unasked = (found: string): readonly CheckResult[] =>
  ['service', 'access', 'clock'].map((check) => ({ check, state: 'unknown', found }));

async function embeddedFile(context: Context, { baseUrl }: Settings): Promise<string> {
  const path = await sandboxFile(context, baseUrl);
  return `${path}, ${(statSync(path).size / 1024 / 1024).toFixed(1)} MiB`;
}

/** A header tells whole seconds, and `today` is this machine's: a minute is as near as it needs to be. */
const tolerance = 60_000;

function clockRow({ date }: Answer, now: number): CheckResult {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return { check: 'clock', state: 'unknown', found: 'the service does not tell its time' };
  const ahead = now - theirs;
  if (Math.abs(ahead) <= tolerance) return ok('clock', 'as the service’s, to the minute');
  return {
    check: 'clock',
    state: 'wrong',
    found: `this machine is ${span(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the service`,
    advice: 'Set the clock that is wrong: words such as today and -30d go by this machine’s.',
  };
}

/** `3 h 20 min` */
function span(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** Runs of this service that were cut off and can be gone on with. */
async function runsRow(context: Context): Promise<CheckResult> {
  const check = 'unfinished runs';
  const unfinished = await unfinishedRuns(context);
  const named = unfinished.map(({ kind, title }) => `${kind} of ${title}`).join('; ');
  if (unfinished.length === 0) return ok(check, 'none');
  if (unfinished.length === 1) return { check, state: 'note', found: named, advice: `Go on with: ${unfinished[0]?.command}` };
  const advice = `See them with the commands that go on: ${crmWith(context.flags.profile)} history`;
  return { check, state: 'note', found: `${unfinished.length}: ${named}`, advice };
}
