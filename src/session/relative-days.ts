// Relative days (`today`, `-30d`) count from this machine's day. Tells when the variable TZ names no zone: Node then takes UTC without a word.

import type { Context } from './context.ts';

/** The time from which the relative days in `texts` are counted. Tells once when the texts have such a day and TZ names no zone. */
export function nowFor({ clock, env, afterwards }: Context, ...texts: readonly string[]): Date {
  const { TZ = '' } = env;
  const sentence = `TZ is "${TZ}", which is no time zone: days such as today were counted in UTC. A zone is called Europe/Berlin, for example.`;
  if (texts.some((text) => relative.test(text)) && !isZone(TZ) && !afterwards.includes(sentence)) afterwards.push(sentence);
  return clock.now();
}

/** A relative day alone, behind a field's name, or at an end of a range. */
const relative = /(?:^|[=.\s])(?:today|yesterday|tomorrow|[+-]\d{1,7}[dwmy])\s*(?:$|\.\.)/i;

/** True also for the zones of POSIX (`UTC0`, `<+03>-3`) and for paths, which Node takes although Intl has no name for them. */
function isZone(zone: string): boolean {
  if (zone === '' || /^([:/]|(<[^>]+>|[a-z]{3,})[+-]?\d)/i.test(zone)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
