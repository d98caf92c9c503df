// The embedded CRM over HTTP against hand-typed tables: those about HTTP itself, and the first of each family. `crm sandbox serve` has the
// first of all, in CI those about HTTP; else the server is in this process. Without HTTP, conformance.test.ts goes through all of them.

import { join } from 'node:path';
import { describe } from 'vitest';
import { runGroup, type Target } from '../support/conformance.ts';
import { startSandbox } from '../support/crm.ts';
import { serveHere } from '../support/serve-here.ts';
import { groups as contacts } from './rows/contacts.ts';
import { groups as http } from './rows/http.ts';
import { groups as items } from './rows/items.ts';
import { groups as leadActions } from './rows/lead-actions.ts';
import { groups as leads } from './rows/leads.ts';
import { groups as notes } from './rows/notes.ts';
import { groups as proposals } from './rows/proposals.ts';
import { groups as reference } from './rows/reference.ts';

const overHttp = (start: (path: string, demo: boolean) => Promise<{ baseUrl: string; key: string; stop(): Promise<void> }>): Target => ({
  name: 'over HTTP',
  open: async (folder, { demo }) => {
    const server = await start(join(folder, 'crm.sqlite'), demo);
    return {
      key: server.key,
      fetch: ({ method, target, headers, body }) =>
        fetch(`${server.baseUrl}${target}`, { method, headers, ...(body === undefined ? {} : { body }) }),
      close: () => server.stop(),
    };
  },
});
const command = overHttp((path, demo) => startSandbox(['--db', path, ...(demo ? [] : ['--empty'])]));
const here = overHttp((path, demo) => serveHere(path, { empty: !demo }));

const sample = [contacts, proposals, leads, leadActions, items, notes, reference].flatMap((groups) => groups.slice(0, 1));

const isSlow = process.env.CRM_SLOW === '1';
for (const [index, group] of http.entries()) describe(group.name, () => runGroup(index === 0 || isSlow ? command : here, group));
for (const group of sample) describe(group.name, () => runGroup(here, group));
