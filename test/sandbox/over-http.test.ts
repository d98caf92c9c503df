// `crm sandbox serve` against hand-typed tables: all that are about HTTP itself, and the first of each family. The same service
// stands behind it as in this process, where conformance.test.ts goes through all of them.

import { join } from 'node:path';
import { describe } from 'vitest';
import { runGroup, type Target } from '../support/conformance.ts';
import { startSandbox } from '../support/crm.ts';
import { groups as contacts } from './rows/contacts.ts';
import { groups as http } from './rows/http.ts';
import { groups as items } from './rows/items.ts';
import { groups as leadActions } from './rows/lead-actions.ts';
import { groups as leads } from './rows/leads.ts';
import { groups as notes } from './rows/notes.ts';
import { groups as proposals } from './rows/proposals.ts';
import { groups as reference } from './rows/reference.ts';

const overHttp: Target = {
  name: 'over HTTP',
  open: async (folder, { demo }) => {
    const server = await startSandbox(['--db', join(folder, 'crm.sqlite'), ...(demo ? [] : ['--empty'])]);
    return {
      key: server.key,
      fetch: ({ method, target, headers, body }) =>
        fetch(`${server.baseUrl}${target}`, { method, headers, ...(body === undefined ? {} : { body }) }),
      close: () => server.stop(),
    };
  },
};

const sample = [contacts, proposals, leads, leadActions, items, notes, reference].flatMap((groups) => groups.slice(0, 1));

for (const group of [...http, ...sample]) describe(group.name, () => runGroup(overHttp, group));
