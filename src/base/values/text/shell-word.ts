// Words and commands for a shell: quoting, the beginning of a command line, and how a shell starts a command. Pure.

const unquotedWord = /^[A-Za-z0-9_./+-][A-Za-z0-9_./:@%+,=-]*$/;

/** The beginning of a command line for the same service: `crm`, or `crm -p PROFILE` when the user named a profile. */
export const crmWith = (profile: string | undefined): string => (profile === undefined ? 'crm' : `crm -p ${quotePosix(profile)}`);

/** A word for POSIX shells, such as bash and zsh: without quotes when that changes nothing, else in single quotes. */
export const quotePosix = (word: string): string => (unquotedWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);

/** A plain command with `exec` in front, so that a signal reaches the command and not only its shell. Any other command stays. */
export const inPlaceOfShell = (command: string): string =>
  /^[\w./+-]+( +[\w./+:,=@%-]+)*$/.test(command.trim()) ? `exec ${command}` : command;

/** The exit statuses of a shell for a command that it can't find or start. */
export const notStarted = [126, 127];
