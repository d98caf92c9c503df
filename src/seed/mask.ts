// Masks the records of a snapshot: declared choices, states of actions and the members of a list stay, and every other text and number is
// made up. A made-up value depends on the salt and on the original alone, in the form that `duplicates` compares: equal stays equal over
// families and members, and different different.

import { createHmac, randomBytes } from 'node:crypto';
import { randomFrom } from '../base/random.ts';
import { scalarText } from '../base/values/json.ts';
import { isMembers } from '../base/values/paths.ts';
import { comparedDigits, keyOf, legalForms } from '../base/values/text/duplicate-key.ts';
import type { Resource } from '../model/define.ts';
import { type Documented, memberNamed } from '../model/members.ts';
import { firstNames, lastNames, sentenceWords } from './language/fake-words.ts';

/** A list and the declaration of its records: a family, or lead comments. */
type Declared = Documented & Pick<Resource, 'name'> & Partial<Pick<Resource, 'actions' | 'guarded'>>;

/**
 * Members that stay beside declared choices and the states of actions: enumerations without declared values, tags, units, taxes, names of
 * categories. `categories name`: of one list alone.
 */
const keptTexts = new Set([
  ...['status', 'status.title', 'status.color', 'active_state', 'priority.title', 'priority.color', 'type', 'tax_status', 'visibility'],
  ...['dashboard_access', 'system_default', 'tags', 'unit.name', 'default_tax.name', 'category.name'],
  'categories name',
]);
const keptNumbers = new Set(['value', 'rate', 'progress', 'count', 'users_count', 'billing.invoice_due_days']);
const keptDates = /^(?:dates\..*|last_contacted|converted\.date|signed\.date)$/;

/** True for a value that stays. A declared number, date or id stays only if it looks like one. */
function isKept(list: Declared, path: string, value: string): boolean {
  const { name, record, actions = [], guarded = [] } = list;
  if (path === 'id') return true;
  const isDeclared = record.includes(path) || (path.endsWith('.id') && record.includes(path.slice(0, -'.id'.length)));
  if (!isDeclared) return false;
  if (keptTexts.has(path) || keptTexts.has(`${name} ${path}`)) return true;
  const member = memberNamed(list, path);
  if (member?.kind === 'value' && member.type?.kind === 'choice') return true;
  if ([...actions, ...guarded].some(({ reads }) => reads?.path === path)) return true;
  if (/[._]id$/.test(path)) return /^\d+$/.test(value);
  if (keptNumbers.has(path)) return /^-?\d+(?:\.\d+)?$/.test(value);
  return keptDates.test(path) && /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value);
}

/** Texts with more words are made up as a whole. Shorter ones word by word, so that a full name is the first name and the last name. */
const mostSingly = 4;

const tags = 'a|b|blockquote|br|code|div|em|h[1-6]|hr|i|li|ol|p|pre|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul';
const isMarkup = new RegExp(`</?(?:${tags})\\b[^<>]*>`, 'i');
/** A tag without its attributes, or an entity for a sign. Other markup is left out. */
const markup = `<!--[^]*?-->|<(?<end>/?)(?<tag>${tags})\\b[^<>]*>|<[^<>]*>|(?<sign>&(?:amp|lt|gt|quot);)|`;
const severalWords = legalForms.filter((form) => form.includes(' '));
/** A word as `duplicates` divides names: dots, slashes and apostrophes don't part words. Legal forms of several words are one. */
const word = `(?<![\\p{L}\\p{N}])(?:${severalWords.map((form) => form.replaceAll(' ', '[.\\s]+').replace('oo', 'o\\.?o')).join('|')})(?![\\p{L}\\p{N}])|[\\p{L}\\p{N}\\p{M}./'’]+`;
const inText = new RegExp(`(?<word>${word})|(?<other>[^\\x00-\\x7f]+)`, 'giu');
const inMarkup = new RegExp(`${markup}(?<word>${word})|(?<other>[^\\x00-\\x7f]+)`, 'giu');

/**
 * Returns the function that masks a record of a list. The salt is kept nowhere else, so no other run makes the same values. Emails end in
 * .example, digits stay digits, long texts keep their number of words, empty values stay.
 */
export function createMask(): (list: Declared, record: unknown) => unknown {
  const salt = randomBytes(32);
  const digest = (kind: string, text: string): Buffer => createHmac('sha256', salt).update(`${kind} ${text}`).digest();
  /** Seven letters and digits: among 100,000 words, two have the same in one of a thousand runs. */
  const tail = (bytes: Buffer): string => (bytes.readBigUInt64LE(8) % 36n ** 7n).toString(36).padStart(7, '0');
  const pick = (from: readonly string[], bytes: Buffer, at: number): string => from[bytes.readUInt32LE(at) % from.length] ?? '';
  // A legal form becomes another one of as many words: `duplicates` leaves each away at the end of a company.
  const shuffled = (forms: readonly string[]): [string, string][] => {
    const keyed = forms.toSorted((a, b) => Buffer.compare(digest('form', a), digest('form', b)));
    return forms.map((form, index) => [form, keyed[index] ?? form]);
  };
  const forms = new Map([...shuffled(severalWords), ...shuffled(legalForms.filter((form) => !severalWords.includes(form)))]);

  /** As many digits, one to one (a Feistel network). */
  function otherDigits(digits: string, tweak: string): string {
    let [left, right] = [digits.slice(0, digits.length >> 1), digits.slice(digits.length >> 1)];
    for (let round = 0; round < 8; round += 1) {
      const added = BigInt(left) + BigInt(`0x${digest('digits', `${tweak} ${digits.length} ${round} ${right}`).toString('hex')}`);
      const sum = (added % 10n ** BigInt(left.length)).toString().padStart(left.length, '0').slice(0, left.length);
      [left, right] = [right, sum];
    }
    return left + right;
  }

  /** The last digits, which `duplicates` compares, become others by themselves. Letters become letters. */
  function phone(text: string): string {
    const digits = text.replaceAll(/\D/g, '');
    const compared = otherDigits(digits.slice(-comparedDigits), '');
    const made = [...otherDigits(digits.slice(0, -comparedDigits), compared), ...compared];
    const letters = digest('letters', text);
    return text.replaceAll(/[^\s()+./-]/gu, (sign, at: number) =>
      /\d/.test(sign) ? (made.shift() ?? '') : String.fromCharCode(97 + ((letters[at % letters.length] ?? 0) % 26)),
    );
  }

  /** A number of as many digits; a zero in front, and none, stay. */
  function number(text: string): unknown {
    const digits = text.replaceAll(/\D/g, '');
    let made = otherDigits(digits, 'number');
    while (made.startsWith('0') !== digits.startsWith('0')) made = otherDigits(made, 'number');
    const each = [...made];
    return JSON.rawJSON(text.replaceAll(/\d/g, () => each.shift() ?? ''));
  }

  function email(text: string, key: string): string {
    const bytes = digest('email', key);
    const plain = text.trim().toLowerCase();
    // Emails with different +tags belong to different contacts.
    const tag = plain === key ? '' : `+${tail(digest('tag', plain))}`;
    const made = `${pick(firstNames, bytes, 0)}.${pick(lastNames, bytes, 4)}${tail(bytes)}${tag}@${pick(lastNames, bytes, 16)}.example`;
    return made.toLowerCase();
  }

  function oneWord(key: string): string {
    const bytes = digest('word', key);
    return forms.get(key) ?? `${pick(bytes.readUInt8(31) < 128 ? firstNames : lastNames, bytes, 0)}${tail(bytes)}`;
  }

  function words(text: string): string {
    const isHtml = isMarkup.test(text);
    const pattern = isHtml ? inMarkup : inText;
    const plain = (isHtml ? text.replaceAll(/&(?:nbsp|#160);/gi, ' ').replaceAll(/&(?!(?:amp|lt|gt|quot);)#?\w+;/gi, 'e') : text).normalize(
      'NFKD',
    );
    const keys = [...plain.matchAll(pattern)].flatMap(({ groups }) => keyOf.company(groups?.word ?? '') ?? []);
    if (keys.length === 0 && !isHtml) return /^[\x20-\x7e\s]*$/.test(text) ? text : oneWord(text);
    const compared = isHtml ? undefined : keyOf.company(plain);
    let rest = keys.length;
    if (!isHtml) while (rest > 1 && forms.has(keys[rest - 1] ?? '')) rest -= 1;
    const isSingly = !isHtml && rest <= mostSingly;
    const bytes = digest('text', compared ?? text);
    const next = randomFrom(bytes.readUInt32LE(0));
    let index = 0;
    return plain.replaceAll(pattern, (found: string, ...more) => {
      const { end, tag, sign, word: own, other } = more.at(-1) as Readonly<Record<string, string | undefined>>;
      if (tag !== undefined) return `<${end}${tag.toLowerCase()}>`;
      if (sign !== undefined) return sign;
      if (other !== undefined) return other.trim() === '' ? ' ' : '-';
      const key = own === undefined ? undefined : keyOf.company(own);
      if (own !== undefined && key === undefined) return own.replaceAll(/[^\x20-\x7e]/g, '');
      if (key === undefined) return found.startsWith('<') ? '' : found;
      index += 1;
      if (isSingly || index > rest) return oneWord(key);
      const made = sentenceWords[Math.floor(next() * sentenceWords.length)] ?? '';
      return index === rest ? `${made}${tail(bytes)}` : made;
    });
  }

  function madeUp(text: string, name: string): string {
    const key = keyOf.email(text);
    if (key !== undefined) return email(text, key);
    const isAddress = name === 'website' ? !/\s/.test(text) : /^(?:https?:\/\/|www\.)\S+$/i.test(text);
    if (isAddress && /[\p{L}\p{N}]/u.test(text)) return `https://${oneWord(`address ${text.toLowerCase()}`).toLowerCase()}.example`;
    return name === 'phone' || (/\d/.test(text) && !/[^\x00-\x7f]|[a-z]/i.test(text)) ? phone(text) : words(text);
  }

  function masked(list: Declared, value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((one) => masked(list, one, path));
    if (isMembers(value) && !JSON.isRawJSON(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, masked(list, one, path === '' ? name : `${path}.${name}`)]),
      );
    const text = scalarText(value);
    if (text === '' || typeof value === 'boolean' || isKept(list, path, text)) return value;
    return typeof value === 'string' ? madeUp(text, path.slice(path.lastIndexOf('.') + 1)) : number(text);
  }
  return (list, record) => masked(list, record, '');
}
