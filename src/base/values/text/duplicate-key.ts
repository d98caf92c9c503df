// The keys by which two records count as the same person or company: email, phone, company. Pure.

import type { ValueType } from '../value-type.ts';
import { caseless } from './caseless.ts';

/** The keys, the most reliable first. */
export const keyNames = ['email', 'phone', 'company'] as const;
export type KeyName = (typeof keyNames)[number];

/** The key that a field gives; undefined for other fields. */
export function keyNameOf({ flag, type }: { readonly flag: string; readonly type: ValueType }): KeyName | undefined {
  if (type.kind === 'email') return 'email';
  return type.kind === 'text' && type.form === 'phone' ? 'phone' : flag === 'company-name' ? 'company' : undefined;
}

/**
 * Turns a value into its key. All spellings of the value share the key. Undefined for a value that can't be a key, such as the phone `-`.
 */
export const keyOf: Readonly<Record<KeyName, (text: string) => string | undefined>> = {
  email: emailKey,
  phone: phoneKey,
  company: companyKey,
};

/** `a@x.com` for `A+news@x.com`. */
function emailKey(email: string): string | undefined {
  const plain = email.trim().toLowerCase();
  const key = plain.includes('+') ? plain.replace(/(?<=[^+@])\+[^@]*(?=@)/, '') : plain;
  return /^[^\s@]+@[^\s@]+$/.test(key) ? key : undefined;
}

/** The last digits of a phone that are compared. The country code and the zero in front are written in many ways. */
export const comparedDigits = 9;
/** The fewest digits of a phone with a key. Shorter numbers, such as `110`, belong to many people. */
const leastDigits = 6;

function phoneKey(phone: string): string | undefined {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length < leastDigits ? undefined : digits.slice(-comparedDigits);
}

/** True for a text of digits, blanks and the signs of phones, with the digits of a phone. */
export const isPhoneText = (text: string): boolean => /^[\d\s+()./-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= leastDigits;

/** Legal forms at the end of company names, without dots and slashes. */
export const legalForms: readonly string[] = [
  ...['gmbh', 'mbh', 'ag', 'kg', 'kgaa', 'ohg', 'ug', 'inc', 'llc', 'ltd', 'limited', 'plc', 'corp', 'co', 'sa', 'sas', 'sarl'],
  ...['srl', 'spa', 'sl', 'bv', 'nv', 'ab', 'as', 'aps', 'oy', 'kft', 'zrt', 'sp z oo', 's r o', 'doo'],
];
const legalEnding = new RegExp(`(?: (?:${legalForms.join('|')}))+$`);

/** A company's name in lower case, letters and digits only, without accents and legal form. Undefined when nothing is left. */
function companyKey(company: string): string | undefined {
  const words = caseless(company.normalize('NFKD').replaceAll(/\p{M}|[./'’]/gu, ''))
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words.replace(legalEnding, '') || undefined;
}
