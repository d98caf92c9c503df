// The zsh script: for each level the specs that _arguments takes, and one function that walks down the levels.
// File names go through a guard, because _path_files expands $(…) in anything before a slash.

import { quotePosix } from '../values/shell-word.ts';
import type { CommandLine, CommandWord, FlagWord, Level, Slot, Value } from './levels.ts';
import { steps } from './quoting.ts';

/** The script for a folder of $fpath, under the name _crm, or for `source <(crm completion zsh)`. */
export function zshScript({ levels, flags }: CommandLine): string {
  const own = levels
    .map(levelCase)
    .filter((text) => text !== '')
    .join('\n');
  return `#compdef crm
# zsh completion for crm, printed by \`crm completion zsh\`. Generated: change src/completions instead.
# What was typed is compared with the tables below, or handed as it is to \`crm __complete\`: nothing expands or runs it.

# Goes from $level to the level below that the word $1 names; fails when there is none.
_crm_enter() {
  case "$level:$1" in
${steps(levels).map(stepCase).join('\n')}
    (*) return 1 ;;
  esac
}

# What $level offers: commands, their other names, and flags and values for _arguments.
_crm_specs() {
  specs=(
${specLines(flags.map(flagSpec), '    ')}
  )
  case $level in
${own}
  esac
}

# File names. An expansion before a slash would run, so a word with one gets none.
_crm_files() {
  [[ $PREFIX$SUFFIX == *[\\$\\\`]* ]] && return 1
  _files "$@"
}

_crm_text_or_file() {
  compset -P @ && _crm_files "$@"
}

# Values that end in a colon, with more to type after it.
_crm_prefixes() {
  compadd -S '' "$@"
}

# What only files of this machine know of a value: crm prints one a line with what it is, and sends nothing.
_crm_live() {
  local line word label
  local -a whole whole_labels begun begun_labels
  (( $+commands[crm] )) || return 1
  for line in "\${(@f)$(command crm __complete zsh "$typed[@]" 2>/dev/null)}"; do
    word=\${line%%$'\\t'*}
    label=$word
    if [[ $line == *$'\\t'* ]]; then label="$word  -- \${line#*$'\\t'}"; fi
    if [[ $word == *[=:] ]]; then
      begun+=("$word")
      begun_labels+=("$label")
    elif [[ -n $word ]]; then
      whole+=("$word")
      whole_labels+=("$label")
    fi
  done
  compadd "$@" -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -l -d whole_labels -a whole
  compadd "$@" -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -S '' -l -d begun_labels -a begun
  (( $#whole + $#begun ))
}

# Completes at $level, or below it.
_crm_complete() {
  local context state state_descr curcontext=$curcontext result=1
  local -a line specs subcommands synonyms
  local -A opt_args
  _crm_specs
  if (( ! $#subcommands )); then
    _arguments -s -S : "$specs[@]"
    return
  fi
  _arguments -C -s -S : "$specs[@]" '(-)1: :->command' '(-)*:: :->below' && result=0
  case $state in
    (command)
      { _describe -t commands 'crm command' subcommands || _describe -t aliases 'other name' synonyms } && result=0
      ;;
    (below)
      _crm_enter "$line[1]" && _crm_complete && result=0
      ;;
  esac
  return result
}

_crm() {
  local level=''
  local -a typed
  typed=("\${(@Q)words[2,CURRENT]}")
  _crm_complete
}

if [[ $funcstack[1] == _crm ]]; then
  _crm "$@"
else
  compdef _crm crm
fi
`;
}

function stepCase({ from, words, to }: { from: string; words: readonly string[]; to: string }): string {
  return `    (${words.map((word) => quotePosix(`${from}:${word}`)).join('|')}) level=${quotePosix(to)} ;;`;
}

function levelCase({ path, commands, flags, slots }: Level): string {
  const synonyms = commands.flatMap(({ aliases, summary }) => aliases.map((name) => ({ name, summary })));
  const lines = [
    ...assignment('subcommands=', commands.map(described)),
    ...assignment('synonyms=', synonyms.map(described)),
    ...assignment('specs+=', [...flags.map(flagSpec), ...slots.map(slotSpec)]),
  ];
  return lines.length === 0 ? '' : [`    (${path === '' ? "''" : quotePosix(path)})`, ...lines, '      ;;'].join('\n');
}

function assignment(start: string, specs: readonly string[]): string[] {
  return specs.length === 0 ? [] : [`      ${start}(\n${specLines(specs, '        ')}\n      )`];
}

const specLines = (specs: readonly string[], indent: string): string => specs.map((spec) => indent + spec).join('\n');

/** A name and its description, for _describe. */
const described = ({ name, summary }: Pick<CommandWord, 'name' | 'summary'>): string => quotePosix(`${name}:${summary}`);

const escaped = (text: string): string => text.replace(/[\\:[\]]/g, String.raw`\$&`);

/** One flag for _arguments: `'(-o --output)'{-o+,--output=}'[Output format]:output:(table json)'`. */
function flagSpec({ spellings, help, value, placeholder, repeatable }: FlagWord): string {
  const names = spellings.map((name) => `${name}${value === undefined ? '' : name.startsWith('--') ? '=' : '+'}`);
  const rest = `[${escaped(help)}]${value === undefined ? '' : `:${escaped(placeholder)}:${action(value)}`}`;
  const mark = repeatable ? '*' : '';
  const [name = '', ...others] = names;
  if (others.length === 0) return quotePosix(`${mark}${name}${rest}`);
  const exclusive = mark === '' ? `(${spellings.join(' ')})` : mark;
  return `${quotePosix(exclusive)}{${names.join(',')}}${quotePosix(rest)}`;
}

function slotSpec({ name, many, value }: Slot, index: number): string {
  return quotePosix(`${many ? '*' : index + 1}:${escaped(name)}:${action(value)}`);
}

function action(value: Value): string {
  switch (value.kind) {
    case 'choice':
      return choiceAction(value.choices.map((choice) => choice.replace(/[^\w.-]/g, String.raw`\$&`)));
    case 'file':
      return '_crm_files';
    case 'text-or-file':
      return '_crm_text_or_file';
    case 'live':
      return '_crm_live';
    case 'any':
      return ' ';
  }
}

function choiceAction(choices: readonly string[]): string {
  return choices.every((choice) => choice.endsWith(':')) ? `_crm_prefixes - ${choices.join(' ')}` : `(${choices.join(' ')})`;
}
