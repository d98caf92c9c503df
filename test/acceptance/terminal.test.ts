// What only a terminal shows: questions, hidden input, widths, colours and the spinner, in a real pseudo-terminal (tmux).
// Every step waits for a text on the screen, never for a time.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellCommand } from '../support/crm.ts';
import { openTerminals } from '../support/pseudo-terminal.ts';
import { runHere } from '../support/run-here.ts';
import { describeWith } from '../support/tools.ts';

describeWith(['tmux', 'jq'], 'on a terminal', {}, () => {
  const { folder, env, open, close } = openTerminals();

  beforeAll(async () => {
    const made = await runHere(['sandbox', 'init'], { env });
    expect(made.status, made.stderr).toBe(0);
  });

  afterAll(close);

  it("the README's tour shows what there is to see", async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    const [, shown = ''] = /^## A first tour\n.*?^```console\n(.*?)\n```$/ms.exec(readme) ?? [];
    const commands = shown.split('\n').filter((line) => line.startsWith('$ '));
    const lines = commands.map((line) => `echo '${line.replaceAll("'", "'\\''")}'; ${line.slice('$ npx '.length)}; echo`);
    const data = join(folder, 'tour');
    const terminal = await open(lines.join('\n'), { width: 200, height: 60, variables: { CRM_DATA_DIR: data, CRM_CONFIG_DIR: data } });
    await terminal.ends();
    expect((await terminal.screen()).replace(data, '/home/maya/.local/share/crm')).toBe(`${shown}\n\n[status 0]`);
  });

  it.each([80, 100])('a list and a long topic open less, whose prompt says how to go on, at %d columns', async (width) => {
    const terminal = await open('unset CRM_PAGER PAGER; crm leads list --all; crm help import; crm --version', { width, height: 20 });
    await terminal.shows(/Space for more, q to quit$/m);
    await terminal.type('G');
    await terminal.shows(/The end: q to quit$/m);
    await terminal.type('q');
    await terminal.shows(/import FILE[\s\S]*\nSpace for more, q to quit$/m);
    await terminal.type('q');
    await terminal.shows(/^\d+\.\d+\.\d+$/m);
    expect(await terminal.ends()).toBe(0);
  });

  it('the options of the person win over the prompt', async () => {
    const terminal = await open("unset CRM_PAGER PAGER; LESS='-X -PsMINE$' crm help import", { height: 20 });
    await terminal.shows(/MINE$/m);
    await terminal.type('q');
    expect(await terminal.ends()).toBe(0);
  });

  const isThere = async (id: number): Promise<boolean> => (await runHere(['leads', 'get', String(id)], { env })).status === 0;

  describe('the question before a deletion', () => {
    it.each([
      ['n', ['n', 'Enter'], 9],
      ['no answer but Enter', ['Enter'], 9],
      ['Ctrl-C', ['C-c'], 130],
    ])('%s: nothing is deleted', async (_name, keys, status) => {
      const terminal = await open('crm leads delete 5');
      await terminal.shows(/Delete lead 5 "[^"]+" \(\w+(, [\d.]+)?\)\? This can't be undone\.[^?]*y\/N/);
      await terminal.type(...keys);
      expect(await terminal.ends()).toBe(status);
      expect(await isThere(5)).toBe(true);
    });

    it('an answer that is none is cleared, and the question asked again', async () => {
      const terminal = await open('crm leads delete 5');
      await terminal.shows(/Delete lead 5 "/);
      await terminal.type('j', 'a', 'Enter');
      expect(await terminal.shows(/Answer y or n/)).not.toMatch(/\bja\b/);
      await terminal.type('n', 'Enter');
      expect(await terminal.ends()).toBe(9);
      expect(await terminal.screen()).not.toContain('Answer y or n');
      expect(await isThere(5)).toBe(true);
    });

    it('y: it is deleted', async () => {
      const terminal = await open('crm leads delete 6');
      await terminal.shows(/Delete lead 6 .*y\/N/s);
      await terminal.type('y', 'Enter');
      expect(await terminal.ends()).toBe(0);
      expect(await isThere(6)).toBe(false);
    });
  });

  describe('an import that changes records', () => {
    const phoneOf = async (id: number): Promise<unknown> => {
      const { stdout } = await runHere(['leads', 'get', String(id), '--json'], { env });
      return (JSON.parse(stdout) as { contact: { phone: unknown } }).contact.phone;
    };
    const file = (id: number, phone: string): string => {
      const path = join(folder, `phones-${id}.csv`);
      writeFileSync(path, `id,phone\n${id},${phone}\n13,\n`);
      return path;
    };

    it('shows what would be different, asks, and says what it did', async () => {
      const terminal = await open(`crm leads import ${file(16, '4711')} --mode update`);
      const text = await terminal.shows(/y\/N/);
      expect(text).toMatch(
        /^Would change 1 of 2 leads: phone 1\. 1 unchanged\.\n {2}line 2 {2}lead 16 {2}.* phone .*→ 4711\n\? Change 1 lead\?/,
      );
      await terminal.type('y', 'Enter');
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toContain('\n✓ 1 lead changed; 1 unchanged.\n');
      expect(await phoneOf(16)).toBe('4711');
    });
  });

  describe('an editor', () => {
    /** A shell script that plays the editor; `$1` is the file. Files are in a folder of its name. */
    const editor = (name: string, ...lines: string[]): string => {
      const path = join(folder, `${name}.sh`);
      writeFileSync(path, `${lines.join('\n')}\n`);
      mkdirSync(join(folder, name));
      return `TMPDIR='${join(folder, name)}' EDITOR='sh ${path}'`;
    };
    const valueIn = async (id: number): Promise<unknown> =>
      (JSON.parse((await runHere(['leads', 'get', String(id), '--json'], { env })).stdout) as { value: unknown }).value;
    const kept = async (terminal: { written(): Promise<string> }): Promise<string> =>
      readFileSync(/is kept in (\S+?\.yaml)/.exec((await terminal.written()).replaceAll('\r\n', ''))?.[1] ?? '', 'utf8');

    it('has the terminal; what was changed is shown, asked and sent', async () => {
      const script = editor('types', 'read -r value', 'sed -i "s/^value: .*/value: $value/" "$1"', 'ls -l "$1" > "$HOME/seen"');
      const terminal = await open(`${script} crm leads edit 20; ls ${join(folder, 'types')}; echo no more`);
      await terminal.answer('4321.00');
      expect(await terminal.shows(/y\/N/)).toMatch(/^Lead 20: .*\n {2}value {2}[\d.]+ → 4321\.00\n\? Change 1 lead\? \(y\/N\)/m);
      await terminal.type('y', 'Enter');
      await terminal.ends();
      expect(await terminal.screen()).toMatch(
        /\n✓ Lead 20 changed: Stadium kiosks\n {2}value +96500\.00 → 4321\.00\nUndo: crm undo \w{4}\nno more\n/,
      );
      expect(readFileSync(join(folder, 'home', 'seen'), 'utf8')).toMatch(/^-rw-------.*lead-20\.yaml\n$/);
      expect(await valueIn(20)).toBe('4321.00');
    });

    it('and no folder for its file: a sentence about the setting, and nothing is sent', async () => {
      const terminal = await open(`TMPDIR='${join(folder, 'nowhere')}' EDITOR=true crm leads edit 20; echo "then $?"`);
      await terminal.ends();
      expect(await terminal.screen()).toMatch(
        /^error: Temporary files can't be written in .*(?:\n {2}.*)?\nSet TMPDIR to a folder that you can write to\.\nthen 4\n/m,
      );
    });

    it('opens once more with what is wrong, to be mended', async () => {
      const script = editor('mends', 'grep "^#   " "$1"', 'sed -i "s/^value: 7x/value: 7.50/;s/^value: [^7].*/value: 7x/" "$1"');
      const terminal = await open(`${script} crm leads edit 22 --yes`);
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toMatch(/^# {3}value: "7x" is not a decimal number[^\n]*\nLead 22: /);
      expect(await valueIn(22)).toBe('7.50');
    });

    it('Ctrl-C: nothing is sent or left behind, but for what was written', async () => {
      // A shell that reads ends of a Ctrl-C at any time; dash loses one that comes while it starts a program.
      const line = 'echo open; read -r end';
      const terminal = await open(`${editor('waits', line)} crm leads edit 23; echo "then $?"; ls ${join(folder, 'waits')}; echo no more`);
      await terminal.shows(/open/);
      await terminal.type('C-c');
      await terminal.ends();
      expect(await terminal.screen()).toMatch(/Interrupted\.\nthen 130\nno more\n/);
      const late = await open(`${editor('late', 'sed -i "s/^value: .*/value: 8.75/" "$1"', line)} crm leads edit 23`);
      await late.shows(/open/);
      await late.type('C-c');
      expect(await late.ends()).toBe(130);
      expect(await kept(late)).toContain('\nvalue: 8.75\n');
    });

    it('that ends of a Ctrl-C was interrupted, whoever heard of it first', async () => {
      const terminal = await open(`${editor('gone', 'kill -INT $$')} crm leads edit 23; echo "then $?"`);
      await terminal.ends();
      expect(await terminal.screen()).toMatch(/Interrupted\.\nthen 130\n/);
    });

    it('that leaves no file: that is said, and what stands in another one is kept', async () => {
      const gone = await open(`${editor('removes', 'rm "$1"')} crm leads edit 25; ls ${join(folder, 'removes')}; echo no more`);
      await gone.ends();
      expect(await gone.screen()).toMatch(/^error: When the editor ended, lead-25\.yaml was gone: nothing was sent\.\nno more\n/);
      const moved = await open(`${editor('moves', 'mv "$1" "$(dirname "$1")/mine"')} crm leads edit 25`);
      expect(await moved.ends()).toBe(9);
      const told = (await moved.written()).replaceAll('\r\n', '');
      expect(
        readFileSync(join(/The text that the editor saved is in (\S+?crm-edit-\w{6})/.exec(told)?.[1] ?? '', 'mine'), 'utf8'),
      ).toContain('title: ');
    });

    it('that leaves mistakes twice is not opened a third time: what was typed last is kept', async () => {
      const script = editor('errs', 'echo open', 'sed -i "s/^value: .*/value: no$(date +%N)/" "$1"');
      const terminal = await open(`${script} crm leads edit 24 --yes`);
      expect(await terminal.ends()).toBe(2);
      expect((await terminal.written()).match(/open\r?\n/g)).toHaveLength(2);
      expect(await kept(terminal)).toMatch(/value: no\d+\n/);
    });

    it.each([
      ["EDITOR='no-such-editor'", 2, /error: EDITOR: the editor "no-such-editor" can't be started\./],
      ["VISUAL=false EDITOR='echo unused'", 9, /^error: The editor "false" ended with status 1: nothing was sent\./],
    ])('%s', async (variables, status, told) => {
      const terminal = await open(`${variables} crm leads edit 25`);
      expect(await terminal.ends()).toBe(status);
      expect(await terminal.screen()).toMatch(told);
    });
  });

  describe('what a new record lacks', () => {
    const newest = async (family: string): Promise<Record<string, unknown>> =>
      JSON.parse((await runHere([family, 'list', '--sort', 'created', '--order', 'desc', '--limit', '1', '--json'], { env })).stdout)[0];

    it('is asked for in turn, checked at once, and sent as if it had been typed', async () => {
      const terminal = await open('crm leads create --value 12.50 -o ids');
      await terminal.shows(/What the deal is about \(--title\):/);
      await terminal.type('Enter');
      await terminal.shows(/A value is needed\./);
      await terminal.answer('Typed é in');
      // The names that are known, to choose from; what isn't known yet may be typed all the same.
      await terminal.shows(/\(--status\):\n❯ New\n {2}Contacted\n/);
      await terminal.type('-l', 'won');
      await terminal.shows(/❯ won\n[\s\S]*as typed/);
      await terminal.type('Enter');
      await terminal.shows(/--status: none of the leads read so far has the\s+lead status\s+"won"[\s\S]*\(--status\):\n❯ New\n/);
      await terminal.type('-l', 'nego');
      await terminal.shows(/nego\n❯ Negotiation\n/);
      await terminal.type('Enter');
      await terminal.shows(/\(--category\):\n❯ /);
      await terminal.type('-l', '3');
      await terminal.shows(/\): 3\n❯ Referral\n/);
      await terminal.type('Enter');
      // What is worth having is offered, and passed over with Enter; what was given isn't.
      await terminal.shows(/first name \(--first-name\), or Enter:/);
      await terminal.answer('Ann');
      await terminal.shows(/last name \(--last-name\), or Enter:/);
      await terminal.type('Enter');
      await terminal.shows(/email \(--email\), or Enter:/);
      await terminal.answer('nowhere');
      await terminal.shows(/--email: "nowhere" is not an email address\.[\s\S]*\(--email\), or Enter:/);
      await terminal.type('Enter');
      await terminal.shows(/\(--phone\), or Enter:/);
      await terminal.type('Enter');
      await terminal.shows(/\(--company-name\), or Enter:/);
      await terminal.type('Enter');
      await terminal.shows(/Who gets the lead, by a second request \(--assigned\), or Enter:/);
      await terminal.answer('priya');
      expect(await terminal.ends()).toBe(0);
      expect(await newest('leads')).toMatchObject({
        title: 'Typed é in',
        status: { id: 5 },
        category: { id: 3 },
        value: '12.50',
        contact: { first_name: 'Ann', email: null },
        assigned: [{ name: 'Priya Raman' }],
      });
    });

    it('stays when the service refuses one of the answers, which alone is asked for again', async () => {
      const taken = JSON.parse((await runHere(['contacts', 'list', '--limit', '1', '--json'], { env })).stdout)[0].email;
      const terminal = await open('crm contacts create --first-name Ada --last-name Byron -o ids');
      await terminal.shows(/\(--email\):/);
      await terminal.answer(taken);
      await terminal.shows(/\(--client\):\n❯ /);
      await terminal.type('Enter');
      await terminal.shows(/--email: The email has already been taken\.[\s\S]*\(--email\):/);
      await terminal.answer('ada@nobody-else.example');
      expect(await terminal.ends()).toBe(0);
      expect((await terminal.screen()).match(/\(--client\)/g)).toHaveLength(1);
    });

    it('stays as a command where the service refuses the whole of it', async () => {
      const server = createServer((_, response) => {
        response.writeHead(422, { 'content-type': 'application/json' }).end('{"success":false,"message":"Notes are closed today."}');
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const variables = { CRM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, CRM_API_KEY: 'crm_a_key_0123' };
      try {
        const terminal = await open('crm notes create --visibility private', { variables });
        await terminal.shows(/\(--title\):/);
        await terminal.answer("Don't call");
        await terminal.shows(/\(--description\):/);
        await terminal.answer('Before noon');
        expect(await terminal.ends()).toBe(5);
        const command = String.raw`crm notes create --title 'Don'\''t call' --description 'Before noon' --visibility private`;
        expect(await terminal.screen()).toContain(`error: Notes are closed today.\nYour answers:\n  ${command}\n`);
      } finally {
        server.close();
      }
    });

    it('asks again for what was not meant', async () => {
      const terminal = await open('crm items create --description Cable --rate 9.90 --category 7 --default-tax 2');
      await terminal.shows(/\(--unit\):\n❯ /);
      await terminal.type('-l', 'hours');
      await terminal.shows(/❯ hours\n/);
      await terminal.type('Enter');
      await terminal.shows(/Make\s+a\s+new\s+unit\s+"hours"\?\s+\(y\/N\)/);
      await terminal.type('n', 'Enter');
      await terminal.shows(/nothing was done[\s\S]*\(--unit\):\n❯ /);
      await terminal.type('-l', 'metre');
      await terminal.shows(/❯ metre\n/);
      await terminal.type('Enter');
      await terminal.shows(/Make a new unit\s+"metre"\? \(y\/N\)/);
      await terminal.type('y', 'Enter');
      expect(await terminal.ends()).toBe(0);
      expect((await terminal.screen()).match(/Make a new unit\s+"metre"/g)).toHaveLength(1);
      expect(await newest('items')).toMatchObject({ description: 'Cable', unit: { name: 'metre' } });
    });

    it('asks which of two, and for that one', async () => {
      const terminal = await open('crm proposals create --title Offer --start 2027-01-04 --category 4');
      await terminal.shows(/One of --client and --lead is needed:[\s\S]*For this client \(--client\)[\s\S]*For this lead \(--lead\)/);
      await terminal.type('Down');
      await terminal.shows(/❯ For this lead/);
      await terminal.type('Enter');
      await terminal.shows(/For this lead \(--lead\):/);
      await terminal.answer('3');
      expect(await terminal.ends()).toBe(0);
      expect(await newest('proposals')).toMatchObject({ title: 'Offer', lead: { id: 3 } });
    });

    it('before a conversion, which can’t be undone, there is a question', async () => {
      const terminal = await open('crm leads convert 42');
      await terminal.shows(/Convert lead 42 "Market stalls, 60 traders" .*client\s+"Marché des Docks"\s+with the user\s+leila@[\s\S]*y\/N/);
      await terminal.type('n', 'Enter');
      expect(await terminal.ends()).toBe(9);
      const { stdout } = await runHere(['leads', 'get', '42', '--jq', '.converted.is_converted'], { env });
      expect(stdout).toBe('false\n');
    });

    it('of a conversion is what the lead has not', async () => {
      const given = ['--title', 'Half', '--status', '1', '--category', '1', '--first-name', 'Ann'];
      const made = await runHere(['leads', 'create', ...given, '-o', 'ids'], { env });
      const terminal = await open(`crm leads convert ${made.stdout.trim()} --delete-lead -o ids`);
      await terminal.shows(/last name \(--last-name\):/);
      await terminal.answer('Half');
      await terminal.shows(/email, unique \(--email\):/);
      await terminal.answer('no address');
      await terminal.shows(/--email: "no address" is not an email address\.[\s\S]*\(--email\):/);
      await terminal.answer('half@typed.example');
      await terminal.shows(/Convert lead \d+ "Half" .* and delete it\?[\s\S]*y\/N/);
      await terminal.type('y', 'Enter');
      expect(await terminal.ends()).toBe(0);
      expect((await terminal.screen()).match(/and delete it/g)).toHaveLength(1);
    });

    it('Ctrl-C sends nothing and gives the cursor back', async () => {
      const before = await newest('leads');
      const terminal = await open('crm leads create --title Dropped');
      await terminal.shows(/--status\)/);
      await terminal.type('C-c');
      expect(await terminal.ends()).toBe(130);
      expect((await terminal.written()).split('\u001b[?25').at(-1)).not.toMatch(/^l/);
      expect(await newest('leads')).toEqual(before);
    });

    it('is not asked for with --no-input, nor with a body from standard input', async () => {
      const terminal = await open('crm leads create --no-input; echo "then $?"; echo "{}" | crm leads create --data -; echo "then $?"');
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toMatch(
        /Missing --title, --status, --category\.\nthen 2\n.*Missing --title, --status, --category\.\nthen 2/,
      );
    });
  });

  describe('the key', () => {
    const key = 'hunter2-hunter2-hunter2';

    it('is asked for with hidden input, and never shown', async () => {
      const terminal = await open('crm profile add typed --base-url https://crm.invalid --no-verify; crm profile show typed --debug');
      await terminal.shows(/key/i);
      await terminal.answer(key);
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.written()).not.toContain(key.slice(0, 8));
      expect(readFileSync(join(folder, 'config', 'config.json'), 'utf8')).toContain(key);
    });

    it('Ctrl-C saves nothing', async () => {
      const terminal = await open('crm profile add dropped --base-url https://crm.invalid --no-verify');
      await terminal.shows(/key/i);
      await terminal.type('-l', key);
      await terminal.type('C-c');
      expect(await terminal.ends()).toBe(130);
      expect(readFileSync(join(folder, 'config', 'config.json'), 'utf8')).not.toContain('dropped');
    });
  });

  describe('a list longer than the screen', () => {
    const all = 'crm leads list --all';

    it('goes through less, to which Ctrl-C belongs', async () => {
      const terminal = await open(`unset PAGER; ${all}`);
      await terminal.shows(/^44 .*\n[\s\S]*\nSpace for more, q to quit$/m);
      await terminal.type('C-c');
      await terminal.type('C-c');
      // What is typed while less handles a signal is lost: it is typed until it is heard.
      const going = setInterval(() => void terminal.type('G'), 500);
      await terminal.shows(/\d+ of \d+ leads · [\s\S]*The end: q to quit/).finally(() => clearInterval(going));
      await terminal.type('q');
      expect(await terminal.ends()).toBe(0);
    });

    it('is read no further once the pager is left', async () => {
      const asked: string[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url ?? '');
        const data = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, title: `Lead ${index + 1}` }));
        const meta = { current_page: 1, per_page: 100, total: 900, last_page: 9 };
        if (asked.length === 1) response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ data, meta }));
      });
      try {
        const terminal = await open(`unset PAGER; ${all}`, { variables: await serve(server) });
        await terminal.shows(/Lead 20[\s\S]*\nSpace for more, q to quit$/m);
        await terminal.type('q');
        expect(await terminal.ends()).toBe(0);
        expect(await terminal.screen()).not.toMatch(/error|GET/);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    });

    it('is readable in less where the locale is plain', async () => {
      const terminal = await open(`unset PAGER; ${all}`, { variables: { LC_ALL: 'C' } });
      await terminal.shows(/\nSpace for more, q to quit$/);
      await terminal.type('G');
      expect(await terminal.shows(/The end: q to quit/)).toMatch(/ Tool cribs for a shipyard .* Maya Lindqvist\n14 {2}o Wants a brochure /);
      await terminal.type('q');
      expect(await terminal.ends()).toBe(0);
    });

    it('goes through a command line of the user’s own', async () => {
      const terminal = await open(all, { width: 140, variables: { PAGER: "sed 's/^/| /' | tail -3" } });
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toMatch(/^\| +2 .*\n\| +1 .*\n\| \d+ of \d+ leads · ✓ converted, ○ archived · Hidden: .*\n/);
    });

    it('goes there, too, when it is what an import would do', async () => {
      const path = join(folder, 'long.csv');
      writeFileSync(path, `title,status,category\n${Array.from({ length: 60 }, (_, index) => `Long ${index},1,1\n`).join('')}`);
      const terminal = await open(`crm leads import ${path} --dry-run -q`, { variables: { PAGER: "sed 's/^/| /' | tail -1" } });
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toMatch(/^\| +61 .*Long 59/);
    });

    it('is printed and says so where the pager can’t be started', async () => {
      const terminal = await open(all, { variables: { PAGER: 'no-such-pager' } });
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toMatch(/\n 1 [\s\S]* leads · [\s\S]*\nThe pager "no-such-pager" could not be started/);
    });

    it('is printed and says why where the pager fails', async () => {
      const terminal = await open(all, { variables: { CRM_PAGER: 'false' } });
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toMatch(
        /\n 1 [\s\S]* leads · [\s\S]*\nThe pager "false" ended with status 1, so the result is printed/,
      );
    });

    it('shows its colours in less, whatever LESS says', async () => {
      const terminal = await open(all, { variables: { PAGER: 'less', LESS: '-i' } });
      expect(await terminal.shows(/^44 .*\n[\s\S]*\n:$/m)).not.toContain('ESC');
      await terminal.type('q');
      expect(await terminal.ends()).toBe(0);
    });

    it.each([
      ['with --no-pager', `${all} --no-pager`, {}],
      ['of which nobody could turn the pages', `${all} </dev/null`, {}],
      ['unless it is short', 'crm leads list --limit 5', {}],
    ])('is printed %s', async (_name, line, variables) => {
      const terminal = await open(line, { variables: { PAGER: 'echo paged', ...variables } });
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toMatch(/\d+ of \d+ leads/);
    });
  });

  describe('colour', () => {
    const colour = /\x1b\[[0-9;]*m/;
    it.each([
      ['on a terminal', 'crm leads list --limit 3', {}, true],
      ['not with --color never', 'crm leads list --limit 3 --color never', {}, false],
      ['not into a pipe', 'crm leads list --limit 3 | cat', {}, false],
      ['into a pipe with --color always', 'crm leads list --limit 3 --color always | cat', {}, true],
      ['not in JSON', 'crm leads list --limit 3 --json', {}, false],
    ])('%s', async (_name, line, variables, expected) => {
      const terminal = await open(line, { variables });
      expect(await terminal.ends()).toBe(0);
      expect(colour.test(await terminal.written())).toBe(expected);
    });
  });

  it('text from the service is harmless', async () => {
    const title = 'pink\x1b[35;7m clear\x1b[2J title\x1b]0;owned\x07 bidi\u202e end\nnext line';
    const made = await runHere(['leads', 'create', '--title', title, '--status', '1', '--category', '1', '-o', 'ids'], { env });
    const id = made.stdout.trim();
    const terminal = await open(`crm leads list --limit 1 --color never; crm leads get ${id} --color never; crm leads delete ${id}`);
    await terminal.shows(/y\/N/);
    await terminal.type('C-c');
    expect(await terminal.ends()).toBe(130);
    const bytes = await terminal.written();
    for (const part of ['\x1b[35;7m', '\x1b[2J title', '\x1b]0;', '\u202e']) expect(bytes).not.toContain(part);
    expect(bytes).toContain('pink\\x1b[35;7m');
  });

  it('a spinner shows while an answer is slow, and is gone afterwards', async () => {
    const waiting: ServerResponse[] = [];
    const server = createServer((_request, response) => waiting.push(response));
    try {
      const terminal = await open('crm leads get 5 -o ids', { variables: await serve(server) });
      await terminal.shows(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|[-\\|/] GET/);
      for (const response of waiting) response.setHeader('Content-Type', 'application/json').end('{"data": {"id": 5}}');
      expect(await terminal.ends()).toBe(0);
      expect(await terminal.screen()).toBe('5\n[status 0]');
      expect(await terminal.written()).not.toContain('slow-key');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('no spinner is drawn where another program may have the screen, nor on a terminal without columns', async () => {
    const waiting: ServerResponse[] = [];
    const server = createServer((_request, response) => waiting.push(response));
    const answers = (): void => {
      for (const response of waiting.splice(0)) response.setHeader('Content-Type', 'application/json').end('{"data": {"id": 5}}');
    };
    try {
      const variables = await serve(server);
      for (const line of ['crm leads get 5 -o ids | cat', 'stty cols 0; crm leads get 5 -o ids']) {
        const terminal = await open(line, { variables });
        while (waiting.length === 0) await sleep(20);
        // Longer than crm waits with a spinner.
        await sleep(1000);
        answers();
        expect(await terminal.ends()).toBe(0);
        expect((await terminal.written()).replaceAll('\r\n', '\n')).toBe('5\n[status 0]\n');
      }
      const resized = await open('crm leads get 5 -o ids', { variables });
      await resized.shows(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|[-\\|/] GET/);
      await promisify(execFile)('stty', ['-F', await resized.tty(), 'cols', '0']);
      await sleep(300);
      answers();
      expect(await resized.ends()).toBe(0);
      const ending = await open(`stty cols 0; ${shellCommand()} leads get 5 & sleep 1; kill $!; wait $!`, { variables });
      expect(await ending.ends()).toBe(143);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  const lines = ['leads list --limit 3', 'leads get 5', 'report leads', '--help', 'leads nope', 'leads tags 5 --add x', 'leads delete 5'];

  it.each([0, 1])('on a terminal of %i columns every command ends', async (columns) => {
    const line = lines.map((words) => `echo n | crm ${words} --color always`).join('; ');
    const terminal = await open(`stty cols ${columns}; ${line}; crm leads delete 5; stty cols 80`, { height: 10 });
    const written = (): string => terminal.log().replaceAll(/\s|\x1b\[[?\d;]*[a-zA-Z]/g, '');
    while (!written().includes('y/N')) await sleep(20);
    await terminal.type('n', 'Enter');
    expect(await terminal.ends()).toBe(0);
  });

  it.each([2, 5])('on one of %i columns, too', async (columns) => {
    for (const words of lines) {
      const { status } = await runHere([...words.split(' '), '--color', 'always'], { env, tty: true, columns, stdin: 'n\n' });
      expect([0, 2, 9], words).toContain(status);
    }
  });

  it.each([
    ['a question', 'leads delete 5', /Delete lead 5 /],
    ['hidden input', 'profile add gone --base-url http://127.0.0.1:9', /key/i],
  ])('hung up, %s leaves the terminal with its cursor', async (name, words, question) => {
    const [script, pid] = ['sh', 'pid'].map((ending) => join(folder, `hung-up-${name.replace(' ', '-')}.${ending}`)) as [string, string];
    writeFileSync(script, `echo $$ > ${pid}\nexec ${shellCommand()} ${words}\n`);
    const terminal = await open(`sh ${script}`);
    await terminal.shows(question);
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGHUP');
    expect(await terminal.ends()).toBe(129);
    expect((await terminal.written()).split('\u001b[?25').at(-1)).not.toMatch(/^l/);
    expect(await isThere(5)).toBe(true);
  });

  it('Ctrl-C ends a request that nobody answers', async () => {
    const server = createServer(() => undefined);
    try {
      const waits = await open('crm leads get 5', { variables: await serve(server) });
      await waits.shows(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|[-\\|/] GET/);
      await waits.type('C-c');
      expect(await waits.ends()).toBe(130);
      expect(await waits.screen()).toBe('error: Interrupted.\n[status 130]');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('Ctrl-C ends a command that reads standard input', async () => {
    // More than a pipe holds: once all of it is gone, the command is reading. Then nothing more comes, and no end either.
    const writer = `(trap '' INT; head -c 300000 /dev/zero | tr '\\0' x; echo 'all read' >/dev/tty; sleep 60)`;
    const terminal = await open(`${writer} | crm notes create --title X --description -`);
    await terminal.shows(/all read/);
    await terminal.type('C-c');
    await terminal.shows(/Interrupted/);
  });
});

/** Listens, and gives the variables that make `crm` use this server. */
async function serve(server: Server): Promise<Record<string, string>> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { CRM_BASE_URL: `http://127.0.0.1:${port}`, CRM_API_KEY: 'slow-key-123' };
}
