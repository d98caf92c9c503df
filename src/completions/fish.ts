// The fish script: the same tables and the same walk as bash's, with descriptions.
// Words come from `commandline -o`, which hands over what was typed as text.

import { type CommandLine, type CompletionPoint, completedValues, type FlagWord, type Level, type Value } from './levels.ts';
import { quoteFish, steps, tableWords, wrap } from './quoting.ts';

/** The script for fish's completions folder, or for `crm completion fish | source`. */
export function fishScript(line: CommandLine): string {
  const { levels, flags } = line;
  return `# fish completion for crm, printed by \`crm completion fish\`. Generated: change src/completions instead.
# What was typed is compared with the tables below, or handed as it is to \`crm __complete\`: nothing expands or runs it.

# Prints the level below $level that the word names; fails when there is none.
function __crm_enter --argument-names level word
    switch "$level:$word"
${steps(levels).map(stepCase).join('\n')}
        case '*'
            return 1
    end
end

# Prints the commands of a level with what they do.
function __crm_commands --argument-names level
    switch "$level"
${levels.flatMap((level) => commandCase(level, false)).join('\n')}
    end
end

# Prints the other names of a level's commands.
function __crm_aliases --argument-names level
    switch "$level"
${levels.flatMap((level) => commandCase(level, true)).join('\n')}
    end
end

# Prints the flags of a level. One with a trailing = takes a value.
function __crm_flags --argument-names level
    switch "$level"
${levels.flatMap(flagCase).join('\n')}
    end
    printf '%s\\n' ${flagTable(flags, '        ')}
end

# Prints how many positional values a level takes.
function __crm_slots --argument-names level
    switch "$level"
${slotCases(levels).join('\n')}
        case '*'
            echo 0
    end
end

# Prints the values of a flag, or of the positional value with a number; <file> where fish's own file names go, and with $wanted that alone.
function __crm_values --argument-names level key typed wanted
    switch "$level $key"
${completedValues(line)
  .flatMap(({ value, points }) => valueCase(value, points))
  .join('\n')}
    end
end

${walk}`;
}

function stepCase({ from, words, to }: { from: string; words: readonly string[]; to: string }): string {
  return `        case ${words.map((word) => quoteFish(`${from}:${word}`)).join(' ')}\n            echo ${quoteFish(to)}`;
}

function commandCase({ path, commands }: Level, others: boolean): string[] {
  const words = commands.flatMap(({ name, aliases, summary }) => (others ? aliases : [name]).map((word) => described(word, summary)));
  return words.length === 0 ? [] : [printCase(path, words)];
}

const described = (word: string, description: string): string => `${quoteFish(word)}\\t${quoteFish(description)}`;

function printCase(path: string, words: readonly string[]): string {
  return `        case ${path === '' ? "''" : quoteFish(path)}\n            printf '%s\\n' ${continued(words, '                ')}`;
}

const flagWords = (flags: readonly FlagWord[]): string[] =>
  flags.flatMap((flag) => tableWords(flag).map((word) => described(word, flag.help)));

const continued = (words: readonly string[], indent: string): string => wrap(words, indent).trim().replaceAll('\n', ' \\\n');

const flagTable = (flags: readonly FlagWord[], indent: string): string => continued(flagWords(flags), indent);

const flagCase = ({ path, flags }: Level): string[] => (flags.length === 0 ? [] : [printCase(path, flagWords(flags))]);

function slotCases(levels: readonly Level[]): string[] {
  const counted = levels.map(({ path, slots }) => [path, slots.some(({ many }) => many) ? 1000 : slots.length] as const);
  return [...new Set(counted.map(([, count]) => count))]
    .filter((count) => count > 0)
    .map((count) => {
      const paths = counted.filter((one) => one[1] === count).map(([path]) => quoteFish(path));
      return `        case ${continued(paths, '            ')}\n            echo ${count}`;
    });
}

/** Patterns that match the number of a positional value and no flag. */
const anyNumber = ['1*', '2*', '3*', '4*', '5*', '6*', '7*', '8*', '9*'];

function valueCase(value: Value, points: readonly CompletionPoint[]): string[] {
  const patterns = points.flatMap(({ level, key, many }) => (many ? anyNumber : [key]).map((one) => quoteFish(`${level} ${one}`)));
  return [`        case ${continued(patterns, '            ')}\n            ${valueAction(value)}`];
}

function valueAction(value: Value): string {
  switch (value.kind) {
    case 'choice':
      return `printf '%s\\n' ${value.choices.map(quoteFish).join(' ')}`;
    case 'file':
      return "echo '<file>'";
    case 'text-or-file':
      return '__crm_at_files "$typed"';
    case 'live':
      return 'test -n "$wanted"; or __crm_live';
    case 'any':
      return 'true';
  }
}

const walk = `# Prints what only files of this machine know of a value: crm prints one a line with what it is, and sends nothing.
function __crm_live
    command -sq crm; or return
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    while string match -q -- '*=*' "$words[1]"
        set -e words[1]
    end
    command crm __complete fish $words[2..] "$typed" 2>/dev/null
end

# Prints @ and the files whose names go on from what was typed after an @.
function __crm_at_files --argument-names typed
    string match -q -- '@*' "$typed"; or return
    set -l start (string sub -s 2 -- "$typed")
    for file in "$start"*
        test -d "$file"; and set file $file/
        printf '%s\\n' "@$file"
    end
end

function __crm_takes_value --argument-names level flag
    string match -q -- "$flag"'='\\t'*' (__crm_flags "$level")
end

# Prints the flag whose value comes after the typed flag, if one does.
function __crm_expects --argument-names level flag
    if string match -q -- '--*' "$flag"
        __crm_takes_value "$level" "$flag"; and printf '%s\\n' "$flag"
        return
    end
    set -l letters (string split '' -- (string sub -s 2 -- "$flag"))
    for index in (seq (count $letters))
        if __crm_takes_value "$level" -$letters[$index]
            test $index -eq (count $letters); and printf '%s\\n' -$letters[$index]
            return
        end
    end
end

function __crm_offer_flags --argument-names level
    __crm_flags "$level" | string replace -r -- '=\\t' \\t
end

function __crm_offer_commands --argument-names level typed
    set -l commands (__crm_commands "$level")
    printf '%s\\n' $commands
    string match -q -- "$typed*" $commands; or __crm_aliases "$level"
end

function __crm_complete --argument-names wanted
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l level ''
    set -l expected ''
    set -l ended ''
    set -l place 0
    while string match -q -- '*=*' "$words[1]"
        set -e words[1]
    end
    for word in $words[2..]
        if test -n "$expected"
            set expected ''
        else if test -z "$ended"; and test "x$word" = x--
            set ended yes
        else if test -z "$ended"; and string match -qr -- '^-.' "$word"
            set expected (__crm_expects "$level" "$word")
        else if test $place -eq 0; and __crm_enter "$level" "$word" >/dev/null
            set level (__crm_enter "$level" "$word")
        else
            set place (math $place + 1)
        end
    end
    if test -n "$expected"
        __crm_values "$level" "$expected" "$typed" "$wanted"
    else if test -z "$ended"; and string match -qr -- '^--[^=]+=' "$typed"
        set -l parts (string split -m 1 = -- "$typed")
        set -l values (__crm_values "$level" $parts "$wanted")
        test (count $values) -gt 0; and printf '%s\\n' $parts[1]=$values
    else if test -z "$ended"; and string match -q -- '-*' "$typed"
        __crm_offer_flags "$level"
    else if test (count (__crm_commands "$level")) -gt 0
        test $place -eq 0; and __crm_offer_commands "$level" "$typed"
    else if test $place -lt (__crm_slots "$level")
        __crm_values "$level" (math $place + 1) "$typed" "$wanted"
    else if test -z "$ended"; and test -z "$typed"
        __crm_offer_flags "$level"
    end
end

complete -c crm -f -a "(__crm_complete | string match -v -- '*<file>')"
complete -c crm -n "__crm_complete files | string match -q -- '*<file>'" -F
`;
