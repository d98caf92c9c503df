// The version and user agent, from package.json. The bundler inlines them.

import manifest from '../../package.json' with { type: 'json' };

export const version = manifest.version;
export const userAgent = `${manifest.name}/${manifest.version}`;

/** The sentence about a file of a later format than the one that this version knows. Such a file is left as it is. */
export const writtenByNewer = (file: string, found: string | number, known: number): string =>
  `${file} was written by a newer crm (format ${found}; this one knows ${known}): update crm.`;

/** True for the first word of a command line that asks for the version. */
export const asksVersion = (word: string | undefined): boolean => ['--version', '-V', '-v', 'version'].includes(word ?? '');
