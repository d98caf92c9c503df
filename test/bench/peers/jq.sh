# Every lead through the jq of this machine: $1 is Node, $2 the command.
set -euo pipefail
"$1" "$2" leads list --all --json -q | jq -c .
