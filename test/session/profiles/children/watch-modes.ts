// Saves two profiles in FOLDER and prints, as JSON, every file that was opened for writing with its mode at that moment.

import fs from 'node:fs';
import { basename } from 'node:path';

const opened: { file: string; mode: string }[] = [];
const openSync = fs.openSync;
fs.openSync = (path, flags, mode) => {
  const descriptor = openSync(path, flags, mode);
  if (flags !== 'r') opened.push({ file: basename(String(path)), mode: (fs.fstatSync(descriptor).mode & 0o777).toString(8) });
  return descriptor;
};

const { saveProfile } = await import('../../../../src/session/profiles/store.ts');
const [folder = ''] = process.argv.slice(2);
const profile = { baseUrl: 'https://acme.test', key: 'crm_0123456789', encoding: 'form', insecureHttp: false, protected: false } as const;
await saveProfile(folder, 'one', profile);
await saveProfile(folder, 'two', profile);
console.log(JSON.stringify(opened));
