# bash completion for crm. Every Tab asks `crm __complete`, which gets the typed words as texts: nothing expands or runs them.
# It answers a word a line, ids with what they mean behind a tab. A line that begins with \x1f stands for the names of files.
# Works in bash 3.2 and later, also under set -e, -u and -f.

# File names after what stands before them in the word: $1.
_crm_files() {
  local file word
  case $cur in
    *[\$\`]*) return 0 ;;
    "$1"*) ;;
    *) return 0 ;;
  esac
  if [[ $1 != *@ ]] && compopt -o default 2>/dev/null; then return 0; fi
  for file in "${cur#"$1"}"*; do
    if [[ -d $file ]]; then
      compopt -o nospace 2>/dev/null || :
      file=$file/
    elif [[ ! -e $file ]]; then
      continue
    fi
    word=$1$file
    word=${word#"$kept"}
    if [[ -z $quote ]]; then printf -v word %q "$word"; fi
    COMPREPLY[${#COMPREPLY[@]}]=$word
  done
}

# Takes the quotes off $1, into plain; open becomes the quote that is not closed.
_crm_plain() {
  local rest=$1 char
  plain='' open=''
  while [[ -n $rest ]]; do
    char=${rest:0:1}
    rest=${rest:1}
    case $open$char in
      \'\' | \"\") open='' ;;
      \' | \") open=$char ;;
      \\)
        plain=$plain${rest:0:1}
        rest=${rest:1}
        ;;
      \"\\)
        case $rest in
          [\"\\\$\`]*) ;;
          *) plain=$plain$char ;;
        esac
        plain=$plain${rest:0:1}
        rest=${rest:1}
        ;;
      *) plain=$plain$char ;;
    esac
  done
}

# The words before the cursor, put together again where readline split them at = : @, into typed; the last into raw and cur.
_crm_split() {
  local line=${COMP_LINE:0:COMP_POINT} blank i=0 last=-1 word
  while [[ $i -le $COMP_CWORD ]]; do
    blank=${line%%[![:space:]]*}
    line=${line#"$blank"}
    word=${COMP_WORDS[i]-}
    if [[ $i -eq $COMP_CWORD ]]; then word=$line; fi
    if [[ $i -eq 0 || -n $blank ]]; then
      last=$((last + 1))
      typed[last]=''
    fi
    typed[last]=${typed[last]}$word
    line=${line#*"$word"}
    i=$((i + 1))
  done
  case ${typed[last]} in *[\"\']*) quote=1 ;; esac
  raw=${typed[last]}
  cur=${raw//[\"\'\\]/}
  unset "typed[$last]" "typed[0]"
}

# Adds the word $1 as it has to stand on the line, without what readline keeps of it.
_crm_add() {
  local word=${1:cut}
  case $1 in *[=:]) compopt -o nospace 2>/dev/null || : ;; esac
  case $open in
    \') word=${word//\'/\'\\\'\'} ;;
    \")
      word=${word//\\/\\\\}
      word=${word//\"/\\\"}
      word=${word//\$/\\\$}
      word=${word//\`/\\\`}
      word=${word//!/\"\'!\'\"}
      ;;
    *)
      printf -v word %q "$word"
      # A comma needs no backslash where braces have theirs.
      word=${word//\\,/,}
      ;;
  esac
  COMPREPLY[${#COMPREPLY[@]}]=$word
}

_crm() {
  local cur='' raw='' quote='' kept fragment plain open cut word about redirects=''
  local typed asked abouts
  typed=() asked=() abouts=()
  COMPREPLY=()
  type -P crm >/dev/null || return 0
  _crm_split
  fragment=${2-$cur}
  kept=${cur%"${fragment//[\"\'\\]/}"}
  for word in ${typed[@]+"${typed[@]}"}; do
    if [[ -n $redirects ]]; then
      redirects=''
      continue
    fi
    case $word in
      '>' | '>>' | '<' | '>|' | '&>' | [0-9]'>' | [0-9]'>>') redirects=1 ;;
      [\<\>]* | [0-9]'>'* | '&>'*) ;;
      *)
        _crm_plain "$word"
        asked[${#asked[@]}]=$plain
        ;;
    esac
  done
  if [[ -n $redirects ]]; then
    _crm_files ''
    return 0
  fi
  _crm_plain "${raw%"$fragment"}"
  cut=${#plain}
  _crm_plain "$raw"
  while IFS=$'\t' read -r word about; do
    case $word in
      '') continue ;;
      $'\x1f'*) _crm_files "${word:1}" ;;
      *)
        abouts[${#COMPREPLY[@]}]=$about
        _crm_add "$word"
        ;;
    esac
  done <<<"$(command crm __complete bash ${asked[@]+"${asked[@]}"} "$plain" 2>/dev/null)"
  # In a list what an id means stands beside it; ids differ in their digits, so no part of it is ever inserted.
  if [[ ${#COMPREPLY[@]} -lt 2 ]]; then return 0; fi
  case ${COMP_TYPE-} in
    9 | 33 | 63 | 64)
      for word in "${!COMPREPLY[@]}"; do
        if [[ -n ${abouts[word]-} ]]; then COMPREPLY[word]="${COMPREPLY[word]}  (${abouts[word]})"; fi
      done
      ;;
  esac
}

complete -F _crm crm
