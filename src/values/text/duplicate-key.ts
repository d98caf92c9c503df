// By what two records are taken for the same person or company. Pure.

import type { ValueType } from '../value-type.ts';

/** What records are compared by, what tells most first. */
export const keyNames = ['email', 'phone', 'company'] as const;
export type KeyName = (typeof keyNames)[number];

/** By what a field tells whom a record is about; undefined for one that doesn't. */
export function keyNameOf({ flag, type }: { readonly flag: string; readonly type: ValueType }): KeyName | undefined {
  if (type.kind === 'email') return 'email';
  return flag === 'phone' ? 'phone' : flag === 'company-name' ? 'company' : undefined;
}

/** What is the same in values of the same person; undefined for a value that tells nobody. */
export const keyOf: Readonly<Record<KeyName, (text: string) => string | undefined>> = {
  email: emailKey,
  phone: phoneKey,
  company: companyKey,
};

/** An email without regard to case, and without what stands behind a `+` before the @; undefined for what is none. */
function emailKey(email: string): string | undefined {
  const key = email
    .trim()
    .toLowerCase()
    .replace(/(?<=[^+@])\+[^@]*(?=@)/, '');
  return /^[^\s@]+@[^\s@]+$/.test(key) ? key : undefined;
}

/** So many digits at the end tell one phone from another: in front stand a country and a zero, written in many ways. */
const tellingDigits = 9;
/** Of fewer digits many phones are made: `110`. */
const leastDigits = 6;

/** The last nine digits of a phone; undefined for what is too short to tell. */
function phoneKey(phone: string): string | undefined {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length < leastDigits ? undefined : digits.slice(-tellingDigits);
}

/** Legal forms, without dots and strokes, as they stand behind a company's name. */
const legalForms = [
  ...['gmbh', 'mbh', 'ag', 'kg', 'kgaa', 'ohg', 'ug', 'inc', 'llc', 'ltd', 'limited', 'plc', 'corp', 'co', 'sa', 'sas', 'sarl'],
  ...['srl', 'spa', 'sl', 'bv', 'nv', 'ab', 'as', 'aps', 'oy', 'kft', 'zrt', 'sp z oo', 's r o', 'doo'],
];
const legalEnding = new RegExp(`(?: (?:${legalForms.join('|')}))+$`);

/** The letters and digits of a company's name without accents, case and legal form; undefined for a name of none. */
function companyKey(company: string): string | undefined {
  const words = company
    .normalize('NFKD')
    .replaceAll(/\p{M}|[./'’]/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words.replace(legalEnding, '') || undefined;
}
