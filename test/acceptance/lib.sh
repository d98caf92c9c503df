# What every acceptance script begins with: strict mode and a few expectations that say what they got instead.
set -euo pipefail

fail() {
  echo "$(basename "$0"):${BASH_LINENO[1]}: $*" >&2
  exit 1
}

# status N COMMAND…: the command ends with status N. Its output is kept in the files `out` and `err`.
status() {
  local expected=$1 got=0
  shift
  "$@" >out 2>err </dev/null || got=$?
  [ "$got" = "$expected" ] || fail "status $got instead of $expected: $*
$(head -c 2000 out err)"
}

# equals EXPECTED GOT
equals() {
  [ "$1" = "$2" ] || fail "expected: $1
     got: $2"
}

# has FILE TEXT: the file holds the text.
has() {
  grep -qF -- "$2" "$1" || fail "$1 does not hold \"$2\":
$(head -c 2000 "$1")"
}

# lacks FILE TEXT
lacks() {
  ! grep -qF -- "$2" "$1" || fail "$1 holds \"$2\":
$(head -c 2000 "$1")"
}
