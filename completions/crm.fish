# fish completion for crm. Every Tab asks `crm __complete`, which gets the typed words as texts: nothing expands or runs them.
# It answers a word a line, with what is said of it behind a tab. A line that begins with \x1f stands for the names of files.

function __crm_complete
    command -sq crm; or return
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    while string match -q -- '*=*' "$words[1]"
        set -e words[1]
    end
    for line in (command crm __complete fish $words[2..] "$typed" 2>/dev/null)
        if string match -q -- \x1f'*' "$line"
            set -l lead (string sub -s 2 -- "$line")
            set -l start (string sub -s (math 1 + (string length -- "$lead")) -- "$typed")
            for file in (__fish_complete_path "$start")
                printf '%s\n' "$lead$file"
            end
        else
            printf '%s\n' "$line"
        end
    end
end

complete -c crm -f -a "(__crm_complete)"
