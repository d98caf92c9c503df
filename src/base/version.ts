// The version and user agent, from package.json. The bundler inlines them.

import manifest from '../../package.json' with { type: 'json' };

export const version = manifest.version;
export const userAgent = `${manifest.name}/${version}`;
