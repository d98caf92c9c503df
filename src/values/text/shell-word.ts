// Texts as words of a shell's command line. Pure.

const plain = /^[A-Za-z0-9_./+-][A-Za-z0-9_./:@%+,=-]*$/;

/** Whether a text means itself in every shell. */
const isPlainWord = (word: string): boolean => plain.test(word);

/** How a command line begins that goes to the same service: with the profile that the user named, if any. */
export const crmWith = (profile: string | undefined): string => (profile === undefined ? 'crm' : `crm -p ${quotePosix(profile)}`);

/** A word for POSIX shells, bash and zsh among them: bare when that is safe, else in single quotes. */
export const quotePosix = (word: string): string => (isPlainWord(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
