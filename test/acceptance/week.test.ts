// A week of sales operations on a terminal, one shell a width: what each command says, and each advice followed to its end.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { runCrm } from '../support/crm.ts';
import { openTerminals } from '../support/pseudo-terminal.ts';
import { describeWith } from '../support/tools.ts';

describeWith(['tmux'], 'a week on a terminal', {}, () => {
  const { folder, env, openShell, close } = openTerminals();
  afterAll(close);

  // The executable has the other width.
  it.each([process.env.CRM_BIN === undefined ? 80 : 100])(
    'at %d columns',
    async (width) => {
      const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, `${value}-${width}`]));
      expect((await runCrm(['sandbox', 'init'], { env: own })).status).toBe(0);
      const terminal = await openShell({ width, height: 50, variables: own });
      const file = (name: string): string => join(folder, `${width}-${name}`);
      const head = 'title,status,category,first-name,last-name,email,value\n';
      const rows = ['Stand 1,New,Inbound,Curtis,Boyd,boyd@fair.example,100', 'Stand 2,New,Inbound,Nora,Weiss,nora@fair.example,200'];
      writeFileSync(file('new.csv'), `${head}${rows.join('\n')}\n`);

      /**
       * What a command line says, on one line without the prompt. Answers follow questions. Each written line fits the width, and nothing
       * ends with two full stops.
       */
      const says = async (line: string, answer?: string): Promise<string> => {
        const before = terminal.log().length;
        await terminal.answer(`${line}; echo "[$?]"`);
        if (answer !== undefined) {
          while (!terminal.log().slice(before).includes('y/N')) await sleep(30);
          await terminal.answer(answer);
        }
        while (!/^\[\d+\]$/m.test(written(before))) await sleep(30);
        const [, ...said] = written(before).split('\n');
        const shown = said.filter((one) => !one.includes('echo "[$?]"'));
        for (const one of shown) expect([...one].length, one).toBeLessThanOrEqual(width);
        expect(shown.join('\n')).not.toMatch(/\.\.(\s|$)/);
        return shown.join(' ').replaceAll(/\s+/g, ' ');
      };
      /** What was written since, without codes of the terminal, and of a line that was drawn anew its last state. */
      const written = (from: number): string =>
        stripVTControlCharacters(
          terminal
            .log()
            .slice(from)
            .replaceAll(/\x1b\[\d*G/g, '\r'),
        )
          .replaceAll(/\r+\n/g, '\n')
          .replaceAll(/[^\n]*\r/g, '');
      /** The command in a message, between a sign and the next one. */
      const advised = (text: string, from: string, to = /$/): string => {
        const rest = text.slice(text.indexOf(from) + from.length);
        expect(text).toContain(from);
        return rest.slice(0, rest.search(to)).trim();
      };

      // Find.
      await says(
        "crm leads create --title 'Fair talk' --status New --category Inbound --first-name Curtis --last-name Boyd --email boyd@fair.example",
      );
      expect(await says('crm search "Curtis Boyd"')).toMatch(/contacts 34 Curtis Boyd .*45 Fair talk Curtis Boyd, New/);
      expect(await says('crm search "Curtis Nobody"')).toMatch(
        /^Nothing was found for "Curtis Nobody" in any text of leads, nor where the service's search looks in .* clients\. \[0\]/,
      );
      const listed = await says('crm leads list --search "Curtis Boyd"');
      expect(listed).toContain('No leads found. The service compares the whole text with each field.');
      expect(await says(advised(listed, 'Word by word: ', / \[/))).toContain('45 Fair talk');
      const unset = await says('crm leads list --assigned me');
      expect(unset).toMatch(/me is not set\. .* \[2\]/);
      expect(await says(advised(unset, 'Set it: ', / \[/).replace('USER', 'Priya'))).toContain('You are Priya Raman (3) there.');
      expect(await says('crm leads list --assigned me --limit 3')).toMatch(/Priya.*3 of \d+ leads/);
      // Doubles.
      const dry = await says(`crm leads import ${file('new.csv')} --dry-run`);
      expect(dry).toContain('1 row has the email of a lead that exists: line 2 (lead 45).');
      const upsert = advised(dry, '(lead 45). ', / changes/);
      expect(await says(`crm leads import ${file('new.csv')} ${upsert}`, 'y')).toContain('1 lead created, 1 changed.');
      expect(
        await says("crm leads create --title Two --status New --category Inbound --email boyd@fair.example --phone '+49 1'"),
      ).toContain('Lead 45 has this email, too.');
      const doubles = await says('crm leads duplicates');
      expect(doubles).toMatch(/email boyd@fair\.example 45 45 Stand 1 .* 47 Two/);
      await says(`cd ${folder}`);
      const plan = advised(doubles, 'share an email: ', / Hidden| \[/).replace('merge.csv', `${width}-merge.csv`);
      const planned = await says(plan);
      expect(planned).toContain('title 45: Stand 1 stays · 47: Two goes to the archive');
      const applied = await says(advised(planned, 'To carry it out: ', / \[/), 'y');
      expect(applied).toMatch(/phone \(empty\) → \+49 1 .*2 of 2 changed/);
      expect(await says(advised(applied, 'Undo: ', / \[/), 'y')).toMatch(/put back .*\[0\]/);
      // Taken back.
      const deleted = await says('crm leads delete 45', 'y');
      expect(deleted).toContain("can't be undone. Kept for 90 days in the journal; --forget keeps nothing.");
      const undo = await says('crm undo');
      expect(undo).toMatch(/can't be taken back: \w{4} crm leads delete 45 \(1 lead deleted\)/);
      expect(undo).not.toContain('The run before');
      const show = advised(undo, 'as a file: ', / This/).replace('leads.ndjson', `${width}-leads.ndjson`);
      expect(await says(show)).toContain('[0]');
      const back = advised(undo, 'and conversions: ', / \[/).replace('leads.ndjson', `${width}-leads.ndjson`);
      expect(await says(back, 'y')).toContain('1 lead created.');
      expect(await says('crm leads list --where email=boyd@fair.example --fields id,title')).toMatch(/48 Stand 1/);
      expect(await says('crm history')).toMatch(/1 lead deleted can't be taken back/);
      // For the boss.
      expect(await says('crm report leads --by tag')).toMatch(/^TAG LEADS .* hot 6 .* no tag 1\d .*once in the total .*\[0\]/);
      expect(await says('crm report leads --by owner')).toMatch(/Priya Raman \d+ .*\[0\]/);
      expect(await says('crm leads convert 17 --dry-run')).toMatch(
        /client Kestrel Aviation Services primary user Curtis Boyd, .*Nothing was sent\..*\[0\]/,
      );
      expect(await says('crm proposals clone 3 --dry-run')).toMatch(/\(copy\).*\[0\]/);
      expect(await says('crm proposals clone 3')).toMatch(/Proposal \d+ created, a copy of proposal 3 for client Müller.*\[0\]/);
      expect(await says('PAGER=cat crm names tags --refresh')).toMatch(/^NAME .*hot .*\[0\]/);
    },
    300_000,
  );
});
