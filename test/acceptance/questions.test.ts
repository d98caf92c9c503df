// Questions that end without an answer, of every kind, on a terminal with a shell that controls jobs: Ctrl-D, Ctrl-Z and `fg`, a window
// that is closed, an editor that is killed. None of them is a yes, and none loses what was typed.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCrm } from '../support/crm.ts';
import { openTerminals, type Terminal } from '../support/pseudo-terminal.ts';
import { describeWith } from '../support/tools.ts';

interface Kind {
  readonly kind: string;
  readonly line: string;
  /** What shows that the question stands. */
  readonly asks: RegExp;
  /** Keys that are typed before Ctrl-Z. */
  readonly half: string;
  /** The question as it stands again. */
  readonly again: RegExp;
  /** Keys that are typed behind `fg`, without Enter. */
  readonly rest: string;
  /** What crm says when all of it was typed. */
  readonly says: RegExp;
}

const kinds: readonly Kind[] = [
  {
    kind: 'confirm',
    line: 'crm leads delete 5',
    asks: /\(y\/N\)/,
    half: 'ye',
    again: /fg\ncrm leads delete 5\n\? Delete lead 5 [^?]*\? This can't be undone\.[^(]*\(y\/N\) ye$/,
    rest: 's',
    says: /Lead 5 deleted/,
  },
  {
    kind: 'choice',
    line: 'crm contacts create --first-name Ada --last-name Byron --email ada@fg.example',
    asks: /\(--client\):\n❯ /,
    half: 'nor',
    again: /fg\ncrm contacts create [^\n]*\n\? [^\n]*\(--client\): nor\n❯ Northgate Trading\n[^$]*choose$/,
    rest: 'th',
    says: /Contact \d+ created.*: Ada Byron/,
  },
  {
    kind: 'text',
    line: 'crm notes create --title Stopped --visibility private',
    asks: /\(--description\):/,
    half: 'one ha',
    again: /fg\ncrm notes create [^\n]*\n\? [^\n]*\(--description\): one ha$/,
    rest: 'lf',
    says: /Note \d+ created.*: Stopped/,
  },
  {
    kind: 'hidden',
    line: 'crm profile add acme --base-url https://x.example --no-verify',
    asks: /API key for \S+ \[not shown\]/,
    half: 'half_a_key_',
    again: /fg\ncrm profile add [^\n]*\n\? API key for https:\/\/x\.example \[not shown\]$/,
    rest: 'and_half_0123',
    says: /Saved profile "acme"/,
  },
];

/** The line about another lead, profile and email: tests beside each other answer the same question. */
const ofAnother = (line: string, id: number, name: string): string =>
  line.replace('delete 5', `delete ${id}`).replace('acme', name).replace('ada@', `${name}@`);

describeWith(['tmux', 'bash'], 'a question', { timeout: 600_000 }, () => {
  const { folder, env, openShell, close } = openTerminals();

  beforeAll(async () => {
    const made = await runCrm(['sandbox', 'init'], { env });
    expect(made.status, made.stderr).toBe(0);
  });
  afterAll(close);

  const read = async (...words: string[]): Promise<string> => (await runCrm([...words, '--json'], { env })).stdout;

  describe.concurrent.for(kinds)('$kind', ({ kind, line, asks, half, again, rest, says }) => {
    it.concurrent('Ctrl-D is 9, and what is behind && does not run', async ({ expect }) => {
      const shell = await openShell({ width: 120 });
      await shell.answer(`clear; ${ofAnother(line, 6, 'third')} && echo ran on; echo "[status $?]"`);
      await shell.shows(asks);
      await shell.type('C-d');
      expect(await shell.ends()).toBe(9);
      expect(await shell.shows(/\n\$$/)).toMatch(/\nerror: Nobody answered\.\n\[status 9\]\n\$$/);
    });

    it.concurrent('after Ctrl-Z and fg it stands as before', async ({ expect }) => {
      const shell = await openShell({ width: 120 });
      await shell.answer(`clear; ${line}`);
      await shell.shows(asks);
      await shell.type('-l', half);
      await shell.type('C-z');
      await shell.shows(/Stopped[^\n]*\n\$$/);
      await shell.answer('fg; echo "[status $?]"');
      await shell.shows(new RegExp(again.source.replace('fg', String.raw`fg; echo "\[status \$\?\]"`)));
      await shell.type('-l', rest);
      await shell.type('Enter');
      expect(await shell.ends()).toBe(0);
      expect(await shell.screen()).toMatch(says);
      if (kind !== 'hidden') return;
      expect(shell.log()).not.toContain(half);
      expect(readFileSync(join(folder, 'config', 'config.json'), 'utf8')).toContain(half + rest);
    });
  });

  /** Closes the window over a command. The status of the command: the signal's, or that of an input that ended, whichever came first. */
  const closedOver = async (shell: Terminal, line: string, asks: RegExp): Promise<string> => {
    closed += 1;
    const status = join(folder, `${closed}.status`);
    await shell.answer(`(trap : HUP; ${line}; echo $? > ${status})`);
    await shell.shows(asks);
    await shell.hangUp();
    while (!existsSync(status) || readFileSync(status, 'utf8') === '') await sleep(20);
    return readFileSync(status, 'utf8');
  };
  let closed = 0;

  it.each(kinds)('$kind: a window that is closed sends nothing', async ({ line, asks }) => {
    expect(await closedOver(await openShell(), ofAnother(line, 7, 'none'), asks)).toMatch(/^(129|9)\n$/);
  });

  it('a y that was typed before the question stood agrees to nothing', async () => {
    const shell = await openShell({ width: 120 });
    await shell.answer('clear; echo waits; sleep 1; crm leads delete 6; echo "[status $?]"');
    await shell.shows(/waits/);
    await shell.type('y', 'Enter');
    await shell.shows(/\(y\/N\) *$/);
    await shell.type('Enter');
    expect(await shell.ends()).toBe(9);
    expect(JSON.parse(await read('leads', 'get', '6')).id).toBe(6);
  });

  it('none of them sent a thing', async () => {
    expect(JSON.parse(await read('leads', 'get', '7')).id).toBe(7);
    const mails = JSON.parse(await read('contacts', 'list', '--search', 'none@fg.example')) as { id: number }[];
    expect(mails).toEqual([]);
  });

  describe('behind an editor', () => {
    /** The environment for an editor that runs these lines of a shell; `$1` is the file. */
    const editor = (name: string, ...lines: string[]): string => {
      const path = join(folder, `${name}.sh`);
      writeFileSync(path, `${['sed -i "s/^value: .*/value: 77.25/" "$1"', ...lines].join('\n')}\n`);
      mkdirSync(join(folder, name));
      return `TMPDIR='${join(folder, name)}' EDITOR='sh ${path}'`;
    };
    /** The text that is kept, of the file that the screen names. */
    const kept = (screen: string): string => readFileSync(/kept in\s+(\S+?\.yaml)/.exec(screen.replaceAll('\n', ''))?.[1] ?? '', 'utf8');

    it('Ctrl-D is 9, and names the text', async () => {
      const shell = await openShell({ width: 200 });
      await shell.answer(`clear; ${editor('asked')} crm leads edit 20 && echo ran on; echo "[status $?]"`);
      await shell.shows(/\(y\/N\)/);
      await shell.type('C-d');
      expect(await shell.ends()).toBe(9);
      expect(await shell.screen()).toContain('\nerror: Nobody answered.\nYour text is kept in ');
      expect(kept(await shell.screen())).toContain('\nvalue: 77.25\n');
    });

    it('Ctrl-Z in the editor and fg: both go on', async () => {
      const shell = await openShell({ width: 200 });
      await shell.answer(`clear; ${editor('stopped', 'echo open', 'read -r end')} crm leads edit 20; clear`);
      await shell.shows(/open/);
      await shell.type('C-z');
      await shell.shows(/\$$/);
      await shell.answer('fg; echo "[status $?]"');
      // Before bash has told it, an Enter is still a key for bash's own line, and for the editor no end of one.
      await shell.shows(/crm leads edit 20$/);
      await shell.type('Enter');
      await shell.shows(/\(y\/N\)/);
      await shell.type('y', 'Enter');
      expect(await shell.ends()).toBe(0);
      expect(await shell.screen()).toContain('77.25');
    });

    it('that is killed: 9, and names the text, also where the editor alone has it', async () => {
      const wrote = await openShell({ width: 200 });
      await wrote.answer(`clear; ${editor('killed', 'kill -KILL $$')} crm leads edit 21; echo "[status $?]"`);
      expect(await wrote.ends()).toBe(9);
      expect(kept(await wrote.screen())).toContain('\nvalue: 77.25\n');
      const own = await openShell({ width: 200 });
      const path = join(folder, 'swap.sh');
      writeFileSync(path, 'echo typed > "$(dirname "$1")/.lead.swp"\nkill -KILL $$\n');
      await own.answer(`clear; EDITOR='sh ${path}' crm leads edit 21; echo "[status $?]"`);
      expect(await own.ends()).toBe(9);
      const [, place = ''] = /The text that the editor saved is in (\S+)/.exec(await own.screen()) ?? [];
      expect(readFileSync(join(place, '.lead.swp'), 'utf8')).toBe('typed\n');
    });

    it('that outlives crm, by a second Ctrl-C: crm names the text', async () => {
      const shell = await openShell({ width: 200 });
      const edit = `${editor('left', 'trap "" INT', 'echo open', 'read -r end')} crm leads edit 21`;
      await shell.answer(`clear; (trap : INT; ${edit}; echo "[status $?]")`);
      await shell.shows(/open/);
      const ended = shell.ends();
      for (let isOver = false; !isOver; isOver = await Promise.race([ended.then(() => true), sleep(200, false)])) await shell.type('C-c');
      expect(await ended).toBe(130);
      expect(kept(await shell.screen())).toContain('\nvalue: 77.25\n');
    });

    // The executable loads no module before its own.
    it.runIf(process.env.CRM_BIN === undefined)('that nothing waits for: a fault, which names the text', async () => {
      const shell = await openShell({ width: 200 });
      const deaf =
        'import cp from "node:child_process"; import { syncBuiltinESMExports } from "node:module"; cp.spawn = () => ({ once() {} }); syncBuiltinESMExports()';
      writeFileSync(join(folder, 'deaf.mjs'), deaf);
      await shell.answer(`clear; NODE_OPTIONS='--import=${join(folder, 'deaf.mjs')}' EDITOR=true crm leads edit 21; echo "[status $?]"`);
      expect(await shell.ends()).toBe(1);
      expect(kept(await shell.screen())).toMatch(/^# lead 21: /);
    });

    it('whose window is closed: the text stays', async () => {
      const line = `${editor('closed', 'echo open', 'read -r end')} crm leads edit 22`;
      expect(await closedOver(await openShell(), line, /open/)).toMatch(/^(129|9)\n$/);
      const [place = ''] = readdirSync(join(folder, 'closed'));
      expect(readFileSync(join(folder, 'closed', place, 'lead-22.yaml'), 'utf8')).toContain('\nvalue: 77.25\n');
      expect(JSON.parse(await read('leads', 'get', '22')).value).not.toBe('77.25');
    });
  });
});
