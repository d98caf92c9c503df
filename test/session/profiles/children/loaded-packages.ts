// Decides settings from the environment alone and prints, as JSON, the packages and modules of Node that were loaded.

import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier);
    return next(specifier, context);
  },
});

const { loadSettings } = await import('../../../../src/session/profiles/settings.ts');
const { readGlobalFlags } = await import('../../../../src/base/global-flags.ts');
const secrets: string[] = [];
const settings = await loadSettings({
  io: { keepSecret: (secret: string) => void secrets.push(secret) } as unknown as Parameters<typeof loadSettings>[0]['io'],
  env: { CRM_BASE_URL: 'https://acme.test/api/', CRM_API_KEY: 'crm_0123456789' },
  flags: readGlobalFlags({}),
  signal: new AbortController().signal,
  configDir: () => Promise.reject(new Error('the folder was asked for')),
});
const packages = loaded.filter((specifier) => !specifier.startsWith('.'));
console.log(JSON.stringify({ loaded: loaded.length > 0, packages, secrets, baseUrl: settings.baseUrl, key: await settings.key() }));
