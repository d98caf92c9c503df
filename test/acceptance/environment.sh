# CRM_BASE_URL and CRM_API_KEY alone are enough: no profile is needed and no file is written.
source "$LIB"

status 0 crm leads list --limit 1 --json
[ ! -e "$CRM_CONFIG_DIR" ] || fail "a configuration folder was made"

# A wrong key is said to be wrong, with where it came from, and is not shown.
CRM_API_KEY=wrong-key-123456789 status 4 crm leads get 1 --debug
has err CRM_API_KEY
lacks err wrong-key-123456789

# Nothing at all: what to do next.
status 4 env -u CRM_BASE_URL -u CRM_API_KEY crm leads list
has err 'crm sandbox init'

# Profiles: the key is only ever shown masked, and the file is the owner's alone.
printf %s "$CRM_API_KEY" | env -u CRM_BASE_URL -u CRM_API_KEY crm profile add here --base-url "$CRM_BASE_URL" --key-stdin >out 2>err
equals 600 "$(stat -c %a "$CRM_CONFIG_DIR/config.json")"
equals 700 "$(stat -c %a "$CRM_CONFIG_DIR")"
status 0 env -u CRM_BASE_URL -u CRM_API_KEY crm profile show here --json
lacks out "$CRM_API_KEY"
status 0 env -u CRM_BASE_URL -u CRM_API_KEY crm leads get 1

# A saved key goes nowhere else.
status 4 env -u CRM_API_KEY CRM_BASE_URL=https://elsewhere.example crm leads get 1
has err elsewhere.example

# It needs nothing but itself: no program is looked for on the path.
env -i HOME="$HOME" PATH=/nonexistent CRM_DATA_DIR="$PWD/alone" CRM_CONFIG_DIR="$PWD/alone" "$(command -v crm)" sandbox init -q >/dev/null
equals 1 "$(env -i HOME="$HOME" PATH=/nonexistent CRM_DATA_DIR="$PWD/alone" CRM_CONFIG_DIR="$PWD/alone" "$(command -v crm)" leads get 1 -o ids)"
