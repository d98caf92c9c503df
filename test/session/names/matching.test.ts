// Which names a text means: case and accents never count, what is written takes a whole name.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchingNames, plainName } from '../../../src/session/names/matching.ts';

const names = (...all: string[]) => all.map((name) => ({ name }));
const meant = (all: string[], text: string, match: 'part' | 'whole', byWord = false) =>
  matchingNames(names(...all), text, match, byWord).map(({ name }) => name);

describe('a name for a read', () => {
  it.each([
    ['the beginning of the name', 'neg', ['Negotiation']],
    ['the beginning of a word', 'sent', ['Proposal Sent']],
    ['nothing that begins within a word', 'posal se', []],
    ['several words', 'proposal se', ['Proposal Sent']],
    ['no end of a word', 'otiation', []],
    ['two that begin so', 'pro', ['Proposal Sent', 'Prospect']],
    ['whatever the case and accents', 'KORHAZ', ['Szent Anna Kórház']],
    ['whatever the case in Turkish', 'IŞIK', ['Işık']],
    ['whatever the case in German', 'GROSS', ['Groß']],
    ['a whole name before beginnings', 'new', ['New']],
    ['blanks alone', '  ', []],
  ])('%s', (_name, text, expected) => {
    const all = ['Negotiation', 'Proposal Sent', 'Prospect', 'Szent Anna Kórház', 'New', 'New York', 'Işık', 'Groß'];
    expect(meant(all, text, 'part')).toEqual(expected);
  });
});

describe('a name for a write', () => {
  it.each([
    ['the whole name', 'negotiation', ['Negotiation'], false],
    ['no beginning', 'neg', [], false],
    ['no word of a status', 'sent', [], false],
    ['a word of a client', 'sent', ['Proposal Sent'], true],
    ['no beginning of a word of a client', 'sen', [], true],
    ['every client that has the word', 'kestrel', ['Kestrel Foods', 'The Kestrel'], true],
    ['a whole name before words', 'negotiation', ['Negotiation'], true],
  ])('%s', (_name, text, expected, byWord) => {
    const all = ['Negotiation', 'Negotiation Plus', 'Proposal Sent', 'Kestrel Foods', 'The Kestrel', 'Kestrels'];
    expect(meant(all, text, 'whole', byWord)).toEqual(expected);
  });

  it('an exact spelling wins over another case', () => {
    expect(meant(['Hot', 'hot', 'HOT'], 'hot', 'whole')).toEqual(['hot']);
    expect(meant(['Hot', 'HOT'], 'hot', 'whole')).toEqual(['Hot', 'HOT']);
  });
});

describe('whatever the name', () => {
  const letters = fc.constantFrom(...'abcdeéèêëöüñçåøžłÀÉÎÕÜZ 0-&');
  const name = fc.string({ unit: letters, minLength: 1, maxLength: 12 }).filter((text) => plainName(text) !== '');

  it('its other spellings mean it', () => {
    fc.assert(
      fc.property(name, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), fc.boolean(), (own, form, upper) => {
        const other = (upper ? own.toUpperCase() : own.toLowerCase()).normalize(form);
        const bare = own.normalize('NFD').replaceAll(/\p{M}/gu, '');
        for (const text of [own, other, bare]) expect(meant([own], text, 'whole')).toEqual([own]);
      }),
    );
  });

  it('what a write takes, a read takes, too', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), name, fc.boolean(), (all, text, byWord) => {
        const whole = meant(all, text, 'whole', byWord);
        if (whole.length > 0) expect(meant(all, text, 'part')).toEqual(expect.arrayContaining(whole));
      }),
    );
  });
});
