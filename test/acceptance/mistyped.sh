# How a command line is mistyped, and what it says then: about the flag that was typed, and where to read on.
source "$LIB"

# says TEXT ARGUMENT…: status 2, and exactly this text on standard error.
says() {
  local expected=$1
  shift
  status 2 crm "$@"
  equals "$expected" "$(cat err)"
}

# A value for a flag that takes none, and none for one that takes a value.
says 'error: --json takes no value.
See: crm leads list --help' leads list --json=true
says 'error: --send-email takes no value.
See: crm contacts create --help' contacts create --send-email=yes
says 'error: --account-owner: a value is missing (yes or no).
See: crm contacts list --help' contacts list --account-owner --limit 1
says 'error: --output: a value is missing (table, json, ndjson, csv, yaml, ids or xlsx).
See: crm leads list --help' leads list -o --all
says 'error: --limit: a value is missing.
See: crm leads list --help' leads list --limit
says 'error: --title: a value is missing.
If "--status=1" is the value: --title=--status=1' leads create --title --status=1
status 2 crm contacts list --client --limit 1 --json
equals '--client client_id' "$(jq -r '.error.fields[0] | "\(.flag) \(.name)"' err)"

# Behind a = a flag's name is a value, and a word that no flag has is one anyway.
says 'error: --account-owner: "--limit" is not one of yes, no.' contacts list --account-owner=--limit
status 0 crm leads create --title --x --status 1 --category 1 --dry-run
has out 'lead_title=--x'
status 0 crm leads create --title=--status --status 1 --category 1 --dry-run
has out 'lead_title=--status'

# A flag of create on an update.
says "error: --client: it can't be changed after creation.
See: crm contacts update --help" contacts update 8 --client 3
says "error: --resource: it can't be changed after creation.
See: crm notes update --help" notes update 1 --resource=lead:3
says 'error: --send-email: it is for creation alone.
See: crm contacts update --help' contacts update 8 --send-email

# The hint goes as far as the words were understood.
says "error: Unknown command 'frobnicate'.
See: crm --help" frobnicate leads
says "error: Unknown command 'frobnicate'.
See: crm leads --help" leads frobnicate 3

# Help is that of all words, wherever it is asked for.
for line in '--help leads list' '-h leads list' 'leads --help list' '--json --help -p x leads ls' 'leads list -h'; do
  # shellcheck disable=SC2086
  status 0 crm $line
  equals 'Usage: crm leads list [flags]' "$(head -1 out)"
done
status 0 crm -h leads
equals 'Usage: crm leads <command> [flags]' "$(head -1 out)"
status 0 crm leads --help comments add
equals 'Usage: crm leads comments add [id] [comment] [flags]' "$(head -1 out)"
status 2 crm --help leads lst
has err "Unknown command 'lst'"
status 2 crm --help frobnicate

# A verb without its family is met with the commands that it calls.
status 2 crm help convert
has err "'convert' stands behind a family: crm leads convert."
has err 'See: crm help leads convert'
status 2 crm archive 12
has err 'crm leads archive'
