// The version and user agent, from package.json. The bundler inlines them.

import manifest from '../../package.json' with { type: 'json' };

export const version = manifest.version;
export const userAgent = `${manifest.name}/${manifest.version}`;

/** True for the first word of a command line that asks for the version. */
export const asksVersion = (word: string | undefined): boolean => ['--version', '-V', '-v', 'version'].includes(word ?? '');
