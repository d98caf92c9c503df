// Drives the completion of real shells: types lines into bash and zsh and presses TAB, asks fish's `complete -C`.
// What the shells ask the script for is written down on the way, so nothing here parses a screen.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { tabText } from '../../../src/entry/complete.ts';
import { shellCommand } from '../../support/crm.ts';
import { builtOnPath } from '../../support/crm-on-path.ts';
import { compileCache } from '../../support/environment.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

export interface Completion {
  /** What the script offers, sorted; without a `--flag=` or `@` that stood before it. */
  readonly offered: readonly string[];
  /** What fish shows beside each. */
  readonly descriptions: readonly string[];
  /** The command line after TAB; fish's engine doesn't tell. */
  readonly line: string;
}

export interface Surroundings {
  /** Where the shell stands. */
  readonly cwd: string;
  /** Lines that the shell reads before the script. */
  readonly before?: string;
  /** The `crm` on the path as a shell would start it, if any; else the built one. */
  readonly crm?: string | undefined;
}

/** A few of many: all of them with CRM_SLOW=1. */
export const fewOf = <T>(all: readonly T[], step: number): readonly T[] => all.filter((_one, index) => isSlow || index % step === 0);

export const isSlow = process.env.CRM_SLOW === '1';

const scripts = { bash: 'crm.bash', zsh: '_crm', fish: 'crm.fish' };
const completions = fileURLToPath(new URL('../../../completions/', import.meta.url));

export interface Answering {
  /** As a shell would start it. */
  readonly command: string;
  close(): void;
}

/**
 * Answers Tabs out of this process, as the built command does, in a tenth of its time: where a shell is the matter, and not what is offered.
 * `folder`: a place for the command. `env`: where files are that know something.
 */
export async function answerHere(folder: string, env = { CRM_CONFIG_DIR: folder, CRM_DATA_DIR: folder }): Promise<Answering> {
  const prepared = readFileSync(fileURLToPath(new URL('../../../dist/prepared/tab.txt', import.meta.url)), 'utf8');
  const server = createServer((socket) => {
    let asked = '';
    socket.setEncoding('utf8').on('data', async (part) => {
      asked += part;
      const [count, ...given] = asked.split('\0');
      if (given.length <= Number(count)) return;
      socket.end(await tabText(given.slice(1, -1), () => prepared, env).catch(() => ''));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const path = join(folder, 'answer');
  writeFileSync(path, `exec 3<>/dev/tcp/127.0.0.1/${port}\nprintf '%s\\0' $# "$@" >&3\nIFS= read -r -d '' told <&3\nprintf %s "$told"\n`);
  return { command: `bash '${path}'`, close: () => void server.close() };
}

/** Where zsh keeps the names of its thousand functions from one session to the next: it would look through them for two seconds each time. */
const kept = mkdtempSync(join(tmpdir(), 'crm-zsh-'));
afterAll(() => rm(kept, { recursive: true }));

/** What the shell makes of TAB after each line, in one session. */
export async function complete(shell: Shell, lines: readonly string[], surroundings: Surroundings): Promise<Completion[]> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-completion-'));
  try {
    const files = { out: join(folder, 'out'), lines: join(folder, 'lines'), setup: join(folder, 'setup') };
    writeFileSync(files.out, '');
    writeFileSync(files.lines, lines.map((line) => `${line}\n`).join(''));
    writeFileSync(files.setup, `${surroundings.before ?? ''}\n${setups[shell]}`);
    const SCRIPT = completions + scripts[shell];
    const { crm } = { crm: shellCommand(), ...surroundings };
    if (crm !== undefined) builtOnPath(folder, crm);
    const env = {
      SCRIPT,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      NODE_COMPILE_CACHE: compileCache,
      OUT: files.out,
      DUMP: join(kept, 'dump'),
    };
    const input = shell === 'bash' ? lines.map((line) => `${line}\t${mark}`).join('') : '';
    const args = [...argumentsOf(shell, files.setup, files.lines)];
    const child = spawn(shell, args, { cwd: surroundings.cwd, env, stdio: ['pipe', 'ignore', 'pipe'], timeout: 570_000 });
    child.stdin.on('error', () => undefined).end(input);
    const [errors] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return readCompletions(readFileSync(files.out, 'utf8'), lines, errors);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ctrl-X Ctrl-G: bound to what writes the line down and clears it. */
const mark = '\x18\x07';

function argumentsOf(shell: Shell, setup: string, lines: string): string[] {
  if (shell === 'bash') return ['--noprofile', '--rcfile', setup, '-i'];
  if (shell === 'zsh') return ['-f', '-c', zshDriver, 'zsh', setup, lines];
  return ['--no-config', setup, lines];
}

function readCompletions(out: string, lines: readonly string[], errors: string): Completion[] {
  const blocks = out.split('\n\x1e\n').slice(0, -1);
  if (blocks.length !== lines.length) throw new Error(`${blocks.length} of ${lines.length} lines were completed. ${errors}\n${out}`);
  return blocks.map((block) => {
    const rows = block.split('\n');
    const line = rows.pop() ?? '';
    const [words, descriptions] = [0, 1].map((column) => rows.map((row) => row.split('\t')[column] ?? ''));
    const offered = (words ?? []).map((word) => word.replace(/^--[\w-]+=/, '').replace(/^@/, ''));
    return { offered: [...new Set(offered)].filter((word) => word !== '').sort(), descriptions: descriptions ?? [], line };
  });
}

const bashSetup = `
source "$SCRIPT"
spy() {
  _crm "$@"
  printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"} >>"$OUT"
}
complete -F spy crm
write_down() {
  printf '%s\\n\\036\\n' "$READLINE_LINE" >>"$OUT"
  READLINE_LINE='' READLINE_POINT=0
}
bind -x '"\\C-x\\C-g": write_down' 2>/dev/null
`;

// compadd is what every zsh completion ends in: with -A it tells the matches without adding them. Whether a long list is to be shown is not
// asked: the answer would be the mark, if the mark came late.
const zshSetup = `
PROMPT= RPROMPT= LISTMAX=10000
setopt no_beep no_prompt_sp no_prompt_cr
autoload -Uz compinit
compinit -u -C -d "$DUMP"
source "$SCRIPT"
bindkey -e
bindkey '^I' complete-word
compadd() {
  local -a found
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    builtin compadd -A found "$@"
    (( $#found )) && print -rl -- "\${(@Q)found}" >>$OUT
  fi
  builtin compadd "$@"
}
write-down() {
  print -r -- "$BUFFER"$'\\n\\x1e' >>$OUT
  BUFFER=
  : >$OUT.seen
}
zle -N write-down
bindkey '^X^G' write-down
: >$OUT.seen
`;

const zshDriver = `
zmodload zsh/zpty zsh/zselect
zmodload -F zsh/files b:zf_rm
zpty -b shell zsh -f -i
wait_for_it() {
  SECONDS=0
  until [[ -e $OUT.seen ]]; do
    if (( SECONDS > 120 )); then print -ru2 "Nothing came of: $1"; exit 1; fi
    zpty -rt shell || zselect -t 1
  done >/dev/null
  zf_rm -f $OUT.seen
}
zpty -w shell "source \${(q)1}"
wait_for_it setup
while IFS= read -r line; do
  zpty -n -w shell "$line"$'\\t\\x18\\x07'
  wait_for_it "$line"
done <$2
zpty -d shell
`;

const fishSetup = `
source $SCRIPT
while read -l line
    complete -C "$line" >>$OUT
    printf '%s\\n\\x1e\\n' "$line" >>$OUT
end <$argv[1]
`;

const setups = { bash: bashSetup, zsh: zshSetup, fish: fishSetup };
