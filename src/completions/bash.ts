// The bash script: tables made from the levels, and a walk over the typed words that only compares them with the tables.
// Works in bash 3.2 and later, also under set -e, -u and -f.

import { quotePosix } from '../values/shell-word.ts';
import { type CommandLine, type CompletionPoint, completedValues, type Level, type Value } from './levels.ts';
import { steps, tableWords, wrap } from './quoting.ts';

/** The script for `source <(crm completion bash)` or bash-completion's folder. */
export function bashScript(line: CommandLine): string {
  const own = line.levels
    .map(levelCase)
    .filter((text) => text !== '')
    .join('\n');
  const common = wrap(line.flags.flatMap(tableWords).map(quotePosix), '    ').trim();
  return `# bash completion for crm, printed by \`crm completion bash\`. Generated: change src/completions instead.
# What was typed is compared with the tables below, or handed as it is to \`crm __complete\`: nothing expands or runs it.

# Goes from $level to the level below that the word $1 names; fails when there is none.
_crm_enter() {
  case "$level:$1" in
${steps(line.levels).map(stepCase).join('\n')}
    *) return 1 ;;
  esac
}

# What $level offers. A flag with a trailing = takes a value.
_crm_level() {
  commands=() aliases=() flags=() slots=0
  case $level in
${own}
  esac
  flags=(\${flags[@]+"\${flags[@]}"}
    ${common})
}

# The values of the flag, or of the positional value with the number, $1.
_crm_values() {
  local value values
  values=()
  case "$level $1" in
${completedValues(line)
  .map(({ value, points }) => valueCase(value, points))
  .join('\n')}
  esac
  for value in \${values[@]+"\${values[@]}"}; do _crm_add "$2$value"; done
}

${walk}`;
}

function stepCase({ from, words, to }: { from: string; words: readonly string[]; to: string }): string {
  return `    ${words.map((word) => quotePosix(`${from}:${word}`)).join(' | ')}) level=${quotePosix(to)} ;;`;
}

function levelCase({ path, commands, flags, slots }: Level): string {
  const count = slots.some(({ many }) => many) ? 1000 : slots.length;
  const lines = [
    ...assignment(
      'commands',
      commands.map(({ name }) => name),
    ),
    ...assignment(
      'aliases',
      commands.flatMap(({ aliases }) => aliases),
    ),
    ...assignment('flags', flags.flatMap(tableWords)),
    ...(count === 0 ? [] : [`      slots=${count}`]),
  ];
  return lines.length === 0 ? '' : [`    ${path === '' ? "''" : quotePosix(path)})`, ...lines, '      ;;'].join('\n');
}

function assignment(name: string, words: readonly string[]): string[] {
  if (words.length === 0) return [];
  return [`      ${name}=(${wrap(words.map(quotePosix), '        ').trim()})`];
}

function valueCase(value: Value, points: readonly CompletionPoint[]): string {
  return `${wrap(patterns(points), '    ').replaceAll('\n', ' \\\n')})\n      ${valueAction(value)} ;;`;
}

function patterns(points: readonly CompletionPoint[]): string[] {
  const all = points.map(({ level, key, many }) => {
    if (level === '*') return `*${quotePosix(` ${key}`)}`;
    return many ? `${quotePosix(`${level} `)}[1-9]*` : quotePosix(`${level} ${key}`);
  });
  return all.map((pattern, index) => (index < all.length - 1 ? `${pattern} |` : pattern));
}

function valueAction(value: Value): string {
  switch (value.kind) {
    case 'choice':
      return `values=(${value.choices.map(quotePosix).join(' ')})`;
    case 'file':
      return '_crm_files "$2" ""';
    case 'text-or-file':
      return '_crm_files "$2" @';
    case 'live':
      return '_crm_live "$2"';
    case 'any':
      return ':';
  }
}

const walk = `# File names after what stands before them in the word: $1, and an @ when $2 is one.
_crm_files() {
  local file lead=$1$2
  case $cur in
    *[\\$\\\`]*) return 0 ;;
    "$lead"*) ;;
    *) return 0 ;;
  esac
  if [[ -z $2 ]] && compopt -o default 2>/dev/null; then return 0; fi
  for file in "\${cur#"$lead"}"*; do
    if [[ -d $file ]]; then
      compopt -o nospace 2>/dev/null || :
      _crm_add "$lead$file/" quoted
    elif [[ -e $file ]]; then
      _crm_add "$lead$file" quoted
    fi
  done
}

# Offers $1 when it continues the word at the cursor, of which readline keeps $kept. With $2, escapes it for the shell.
_crm_add() {
  local word
  case $1 in
    "$cur"*) word=\${1#"$kept"} ;;
    *) return 0 ;;
  esac
  case $word in
    '') return 0 ;;
    *:) compopt -o nospace 2>/dev/null || : ;;
  esac
  if [[ -n \${2-} && -z $quote ]]; then printf -v word %q "$word"; fi
  COMPREPLY[\${#COMPREPLY[@]}]=$word
}

# Takes the quotes off $1, into plain; open becomes the quote that is not closed.
_crm_plain() {
  local rest=$1 char
  plain='' open=''
  while [[ -n $rest ]]; do
    char=\${rest:0:1}
    rest=\${rest:1}
    case $open$char in
      \\'\\' | \\"\\") open='' ;;
      \\' | \\") open=$char ;;
      \\\\)
        plain=$plain\${rest:0:1}
        rest=\${rest:1}
        ;;
      \\"\\\\)
        case $rest in
          [\\"\\\\\\$\\\`]*) ;;
          *) plain=$plain$char ;;
        esac
        plain=$plain\${rest:0:1}
        rest=\${rest:1}
        ;;
      *) plain=$plain$char ;;
    esac
  done
}

# What only files of this machine know of a value, after $1: crm prints one a line, ids with what they mean behind a tab, and sends
# nothing. In a list the meaning stands beside the id; ids differ in their digits, so no part of it is ever inserted.
_crm_live() {
  local word about abouts plain open cut asked
  type -P crm >/dev/null || return 0
  asked=() abouts=()
  for word in \${typed[@]+"\${typed[@]}"} "$raw"; do
    _crm_plain "$word"
    asked[\${#asked[@]}]=$plain
  done
  _crm_plain "\${raw%"$fragment"}"
  cut=\${#plain}
  _crm_plain "$raw"
  while IFS=$'\\t' read -r word about; do
    case $word in
      '') continue ;;
      *[=:]) compopt -o nospace 2>/dev/null || : ;;
    esac
    word=$1$word
    word=\${word:cut}
    case $open in
      \\') word=\${word//\\'/\\'\\\\\\'\\'} ;;
      \\")
        word=\${word//\\\\/\\\\\\\\}
        word=\${word//\\"/\\\\\\"}
        word=\${word//\\$/\\\\\\$}
        word=\${word//\\\`/\\\\\\\`}
        word=\${word//!/\\"\\'!\\'\\"}
        ;;
      *)
        printf -v word %q "$word"
        # A comma needs no backslash where braces have theirs.
        word=\${word//\\\\,/,}
        ;;
    esac
    abouts[\${#COMPREPLY[@]}]=$about
    COMPREPLY[\${#COMPREPLY[@]}]=$word
  done <<<"$(command crm __complete bash "\${asked[@]}" 2>/dev/null)"
  if [[ \${#COMPREPLY[@]} -lt 2 ]]; then return 0; fi
  case \${COMP_TYPE-} in
    9 | 33 | 63 | 64)
      for word in "\${!COMPREPLY[@]}"; do
        if [[ -n \${abouts[word]} ]]; then COMPREPLY[word]="\${COMPREPLY[word]}  (\${abouts[word]})"; fi
      done
      ;;
  esac
}

# The words before the cursor, put together again where readline split them at = : @, into typed; the last into cur.
_crm_split() {
  local line=\${COMP_LINE:0:COMP_POINT} blank i=0 last=-1 word
  while [[ $i -le $COMP_CWORD ]]; do
    blank=\${line%%[![:space:]]*}
    line=\${line#"$blank"}
    word=\${COMP_WORDS[i]-}
    if [[ $i -eq $COMP_CWORD ]]; then word=$line; fi
    if [[ $i -eq 0 || -n $blank ]]; then
      last=$((last + 1))
      typed[last]=''
    fi
    typed[last]=\${typed[last]}$word
    line=\${line#*"$word"}
    i=$((i + 1))
  done
  case \${typed[last]} in *[\\"\\']*) quote=1 ;; esac
  raw=\${typed[last]}
  cur=\${raw//[\\"\\'\\\\]/}
  unset "typed[$last]" "typed[0]"
}

_crm_takes_value() {
  local flag
  for flag in "\${flags[@]}"; do
    if [[ $flag == "$1=" ]]; then return 0; fi
  done
  return 1
}

# Reads the typed flag $1; expected becomes the flag whose value comes next.
_crm_read_flag() {
  local letters
  case $1 in
    --) ended=1 ;;
    --*=*) ;;
    --*) if _crm_takes_value "$1"; then expected=$1; fi ;;
    *)
      letters=\${1#-}
      while [[ -n $letters ]]; do
        if _crm_takes_value "-\${letters:0:1}"; then
          if [[ \${#letters} -eq 1 ]]; then expected=$1; expected=-\${expected:\${#expected}-1}; fi
          return 0
        fi
        letters=\${letters:1}
      done
      ;;
  esac
}

_crm_walk() {
  local word
  for word in \${typed[@]+"\${typed[@]}"}; do
    if [[ -n $expected ]]; then
      expected=''
      continue
    fi
    case $word in
      '>' | '>>' | '<' | '>|' | '&>' | [0-9]'>' | [0-9]'>>') expected='>' ;;
      [\\<\\>]* | [0-9]'>'* | '&>'*) ;;
      -?*)
        if [[ -z $ended ]]; then _crm_read_flag "$word"; else place=$((place + 1)); fi
        ;;
      *)
        if [[ $place -eq 0 ]] && _crm_enter "$word"; then _crm_level; else place=$((place + 1)); fi
        ;;
    esac
  done
}

_crm_offer_flags() {
  local flag
  for flag in "\${flags[@]}"; do _crm_add "\${flag%=}"; done
}

_crm_offer_commands() {
  local word
  for word in "\${commands[@]}"; do _crm_add "$word"; done
  if [[ \${#COMPREPLY[@]} -gt 0 ]]; then return 0; fi
  for word in \${aliases[@]+"\${aliases[@]}"}; do _crm_add "$word"; done
}

_crm() {
  local cur='' raw='' quote='' kept='' level='' expected='' ended='' place=0 slots=0 fragment
  local typed commands aliases flags
  typed=()
  COMPREPLY=()
  _crm_level
  _crm_split
  _crm_walk
  fragment=\${2-$cur}
  kept=\${cur%"\${fragment//[\\"\\'\\\\]/}"}
  if [[ $expected == '>' ]]; then
    _crm_files '' ''
  elif [[ -n $expected ]]; then
    _crm_values "$expected" ''
  elif [[ -z $ended && $cur == --*=* ]]; then
    _crm_values "\${cur%%=*}" "\${cur%%=*}="
  elif [[ -z $ended && $cur == -* ]]; then
    _crm_offer_flags
  elif [[ \${#commands[@]} -gt 0 ]]; then
    if [[ $place -eq 0 ]]; then _crm_offer_commands; fi
  elif [[ $place -lt $slots ]]; then
    _crm_values "$((place + 1))" ''
  elif [[ -z $ended && -z $cur ]]; then
    _crm_offer_flags
  fi
}

complete -F _crm crm
`;
