// Conditions of --where need no quotes: what the three shells hand on is what was typed, history and globs included.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanEnv } from '../support/environment.ts';
import { describeWith } from '../support/tools.ts';

const line =
  'leads list --where value=100..200 --where last_contacted=..-30d --where value=50000.. --where title~x --where no:source ' +
  '--where has:contact.email --where source!=Web --where tags!=hot --last-contacted -3d';

/** As somebody types it: bash and zsh look for earlier commands behind a `!` only then. fish has no such thing. */
const shells = {
  bash: ['--norc', '--noprofile', '-i'],
  zsh: ['-f', '-i'],
  fish: ['--no-config', '-c', `crm ${line}; cat said`],
};

for (const [shell, args] of Object.entries(shells)) {
  describeWith([shell], shell, {}, () => {
    it('hands on conditions as they are', () => {
      const folder = mkdtempSync(join(tmpdir(), 'crm-words-'));
      try {
        writeFileSync(join(folder, 'crm'), `#!/bin/sh\nprintf '%s\\n' "$@" >'${join(folder, 'said')}'\n`);
        chmodSync(join(folder, 'crm'), 0o755);
        const env = cleanEnv({ PATH: `${folder}:${process.env.PATH}`, HOME: folder, TERM: 'dumb' });
        const input = `crm ${line}\ncat said\n`;
        const { stdout, stderr } = spawnSync(shell, args, { cwd: folder, env, input, encoding: 'utf8', timeout: 120_000 });
        expect(stdout, stderr).toContain(line.replaceAll(' ', '\n'));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}
