// Saves one profile: FOLDER NAME [KEY]. Prints whether it is the current one.

import { saveProfile } from '../../../../src/session/profiles/store.ts';

const [folder = '', name = '', key = 'crm_0123456789abcdef'] = process.argv.slice(2);
const profile = { baseUrl: 'https://acme.test', key, encoding: 'form', insecureHttp: false, protected: false } as const;
const { current } = await saveProfile(folder, name, profile, { makeCurrentIfFirst: true });
console.log(current);
