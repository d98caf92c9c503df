// `crm completion install`: one whole file in the user's own folder, never a start-up file.

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../support/run-here.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'crm-completion-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const run = (words: string, env: Record<string, string> = {}) =>
  runHere(['completion', ...words.split(' ')], { env: { HOME: home, CRM_CONFIG_DIR: '/nonexistent/crm', ...env } });
const script = (name: string): string => readFileSync(new URL(`../../completions/${name}`, import.meta.url), 'utf8');

const places = [
  ['bash', '.local/share/bash-completion/completions/crm', 'crm.bash'],
  ['zsh', '.local/share/zsh/site-functions/_crm', '_crm'],
  ['fish', '.config/fish/completions/crm.fish', 'crm.fish'],
] as const;

describe.each(places)('of %s', (shell, path, name) => {
  it('goes into the folder that the shell looks into, by $SHELL or by name', async () => {
    const { status, stderr } = await run('install', { SHELL: `/usr/bin/${shell}` });
    expect([status, stderr]).toEqual([0, expect.stringContaining(`The completion of ${shell} is in ${join(home, path)}.`)]);
    expect(readFileSync(join(home, path), 'utf8')).toBe(script(name));
    expect(readdirSync(dirname(join(home, path)))).toEqual([path.split('/').at(-1)]);
    const again = await run(`install ${shell} --json`);
    expect([again.status, JSON.parse(again.stdout)]).toEqual([0, { shell, file: join(home, path), changed: false }]);
  });

  it('a dry run only says where', async () => {
    const { stderr } = await run(`install ${shell} --dry-run`);
    expect(stderr).toContain(`Would write ${join(home, path)}.`);
    expect(readdirSync(home)).toEqual([]);
  });
});

it('an older script is replaced, behind a link where it is', async () => {
  const file = join(home, '.config/fish/completions/crm.fish');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(home, 'dotfile'), 'old');
  symlinkSync(join(home, 'dotfile'), file);
  expect((await run('install fish')).status).toBe(0);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(home, 'dotfile'), 'utf8')).toBe(script('crm.fish'));
});

it('zsh is told the line for $fpath until a start-up file or FPATH has the folder', async () => {
  const folder = join(home, '.local/share/zsh/site-functions');
  const line = `Add this line to ${join(home, '.zshrc')}, above compinit: fpath=(${folder} $fpath)`;
  expect((await run('install zsh')).stderr).toContain(line);
  expect((await run('install zsh', { FPATH: `/usr/share/zsh:${folder}` })).stderr).not.toContain('fpath');
  writeFileSync(join(home, '.zshrc'), 'fpath=(~/.local/share/zsh/site-functions $fpath)\n');
  const { stderr } = await run('install zsh');
  expect(stderr).not.toContain('fpath');
  expect(readFileSync(join(home, '.zshrc'), 'utf8')).toBe('fpath=(~/.local/share/zsh/site-functions $fpath)\n');
});

it('says what is wrong, and leaves nothing', async () => {
  expect(await run('install', { SHELL: '/bin/tcsh' })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('crm completion install bash'),
  });
  expect(await run('install', {})).toMatchObject({ status: 2, stderr: expect.stringContaining('$SHELL is not set') });
  writeFileSync(join(home, '.local'), 'a file');
  expect(await run('install bash')).toMatchObject({ status: 2, stderr: expect.stringContaining("can't be written (not a directory)") });
});
