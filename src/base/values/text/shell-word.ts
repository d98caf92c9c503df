// Quotes words for a shell's command line. Pure.

const unquotedWord = /^[A-Za-z0-9_./+-][A-Za-z0-9_./:@%+,=-]*$/;

/** The beginning of a command line for the same service: `crm`, or `crm -p PROFILE` when the user named a profile. */
export const crmWith = (profile: string | undefined): string => (profile === undefined ? 'crm' : `crm -p ${quotePosix(profile)}`);

/** A word for POSIX shells, such as bash and zsh: bare when that is safe, else in single quotes. */
export const quotePosix = (word: string): string => (unquotedWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
