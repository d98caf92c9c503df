// The program's name and version, from package.json; the bundler puts them in.

import manifest from '../package.json' with { type: 'json' };

export const version = manifest.version;
export const userAgent = `${manifest.name}/${version}`;
