// `npm run demo`: a tour of real commands on a fresh embedded CRM; prints each command and its output.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const crm = fileURLToPath(new URL('../bin/crm.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'crm-demo-'));
const env = { ...process.env, CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
for (const name of ['CRM_PROFILE', 'CRM_BASE_URL', 'CRM_API_KEY']) delete env[name];

const tour = [
  ['Make the embedded CRM, with demo data.', 'sandbox init'],
  ['The newest leads in negotiation.', 'leads list --status 5 --limit 5 --fields id,title,value,contact.company_name'],
  ['One of them, as a script sees it.', 'leads get 12 --json --fields id,title,status.title,contact.email'],
  ['A new lead.', "leads create --title 'Fleet tracking' --status 1 --category 2 --value 12500.00 --email ops@fleet.example"],
  ['An update reads the record first, so that no other value is lost.', "leads update 12 --phone '+44 20 7946 0000' --dry-run"],
  ['Tags and assignees.', 'leads tags 12 --add hot'],
  ['Accepted proposals, as CSV.', 'proposals list --status accepted --csv --fields id,title,client.name,dates.start'],
  ['Something that the service refuses.', 'contacts create --first-name Ada --last-name Byron --email maya@crm.example --client 2'],
  ['Something that needs a yes.', 'leads delete 12'],
];

let failures = 0;
for (const [caption, line] of tour) {
  console.log(`\n# ${caption}\n$ crm ${line}`);
  const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
  const { status } = spawnSync(process.execPath, [crm, ...args], { env, stdio: ['ignore', 'inherit', process.stdout] });
  const expected = caption.startsWith('Something') ? [5, 9] : [0];
  if (!expected.includes(status)) failures += 1;
  if (status !== 0) console.log(`(exit status ${status})`);
}
rmSync(folder, { recursive: true });
console.log(failures === 0 ? '\nThat was the tour. The README goes on from here.' : `\n${failures} commands did not end as they should.`);
process.exitCode = failures === 0 ? 0 : 1;
