# The embedded CRM: made, reset and replaced; in-process with no server, over HTTP with `serve`, both on one file.
source "$LIB"
unset CRM_BASE_URL CRM_API_KEY
export CRM_CONFIG_DIR=$PWD/config CRM_DATA_DIR=$PWD/data

status 4 crm leads list
status 0 crm sandbox init --json
file=$(jq -r .file out)
equals 600 "$(stat -c %a "$file")"
equals 'sandbox:' "$(crm profile show sandbox --json | jq -r .base_url)"

# A story to look at: the promised numbers, the same every time.
crm leads list --json >leads
equals true "$(jq 'length >= 40 and any(.[]; .converted.is_converted) and any(.[]; .active_state == "archived")' leads)"
equals true "$(crm proposals list --json | jq 'length >= 20 and ([.[].status] | unique | length) == 5 and any(.[]; .signed.date)')"
equals true "$(crm items list --json | jq 'length >= 25 and any(.[].custom_fields[]; .value)')"
equals true "$(crm notes list --json | jq 'length >= 20 and any(.[]; .resource.type == null)')"
equals true "$(crm contacts list --json | jq '[.[] | select(.account_owner == "yes").client.id] | length >= 12 and length == (unique | length)')"

# Replaced only by force and with a yes.
status 10 crm sandbox init
has err --force
status 9 crm sandbox init --force
status 9 crm sandbox reset

# Changes stay, an id is never used twice, and a reset puts everything back.
id=$(crm leads create --title Mine --status 1 --category 1 -o ids)
crm leads delete "$id" --yes -q >/dev/null
equals $((id + 1)) "$(crm leads create --title 'Mine again' --status 1 --category 1 -o ids)"
status 0 crm sandbox reset --yes
equals "$(jq -c . leads)" "$(crm leads list --json | jq -c .)"

# --empty: what records refer to, and no records.
status 0 crm sandbox init --force --empty --yes
equals '[]' "$(crm leads list --json 2>/dev/null)"
status 0 crm leads create --title First --status 1 --category 1

# Served over HTTP: one line as soon as it accepts connections; the same file, two processes, both see everything.
crm sandbox serve --port 0 --json >service.json 2>service.err &
server=$!
until [ -s service.json ]; do kill -0 "$server"; sleep 0.05; done
equals 1 "$(wc -l <service.json)"
equals 'api_key,base_url' "$(jq -r 'keys | join(",")' service.json)"
url=$(jq -r .base_url service.json) key=$(jq -r .api_key service.json)
[[ $key =~ ^crm_[A-Za-z0-9_-]{24}$ ]] || fail "not a random key: $key"
equals http://127.0.0.1 "${url%:*}"
equals First "$(CRM_BASE_URL=$url CRM_API_KEY=$key crm leads get 1 --json 2>err | jq -r .title)"
CRM_BASE_URL=$url CRM_API_KEY=not-the-key status 4 crm leads list
status 0 crm leads update 1 --title Second
equals Second "$(CRM_BASE_URL=$url CRM_API_KEY=$key crm leads get 1 --json | jq -r .title)"

# Its OpenAPI document is there for everybody. The vendor has none at that path: neither has the CRM in this process.
curl -s "$url/openapi.json" >openapi.json
equals "3.1.0 $url listLeads" "$(jq -r '"\(.openapi) \(.servers[0].url) \(.paths."/api/leads".get.operationId)"' openapi.json)"
status 3 crm api GET /openapi.json

# Replaced under the server: both go on with the new records.
status 0 crm sandbox init --force --yes
equals 12 "$(CRM_BASE_URL=$url CRM_API_KEY=$key crm leads get 12 --json | jq .id)"
CRM_BASE_URL=$url CRM_API_KEY=$key status 0 crm leads update 12 --title 'By the server'
equals 'By the server' "$(crm leads get 12 --json | jq -r .title)"
status 0 crm sandbox init --empty --force --yes
status 0 crm leads create --title Second --status 1 --category 1

# It stops cleanly.
kill -TERM "$server"
got=0 && wait "$server" || got=$?
equals 0 "$got"
equals '' "$(cat service.err)"

# A file of its own with a key of the caller's choice; nothing else is touched.
crm sandbox serve --port 0 --json --db 'my crm.sqlite' --empty --key my-own-key-123 >own.json 2>own.err &
server=$!
until [ -s own.json ]; do kill -0 "$server"; sleep 0.05; done
CRM_BASE_URL=$(jq -r .base_url own.json) CRM_API_KEY=my-own-key-123 status 0 crm leads list --json
equals '[]' "$(cat out)"
kill -TERM "$server" && wait "$server"
equals Second "$(crm leads get 1 --json | jq -r .title)"

# A file that is no sandbox, a file that is gone.
echo garbage >"$file"
status 2 crm leads list
has err "$file"
rm "$file"
status 4 crm leads list
has err 'crm sandbox init'

# A port that is taken is the user's to solve, not a fault in crm.
crm sandbox init --force --yes -q >/dev/null
rm service.json
crm sandbox serve --port 0 --json >service.json 2>service.err &
server=$!
trap 'kill "$server"' EXIT
until [ -s service.json ]; do kill -0 "$server"; sleep 0.05; done
url=$(jq -r .base_url service.json)
got=0 && timeout 120 crm sandbox serve --port "${url##*:}" >out 2>err </dev/null || got=$?
has err "${url##*:}"
lacks err fault
[ "$got" = 2 ] || [ "$got" = 7 ] || fail "status $got for a port that is taken"

# A server whose first line can't be written stops.
if [ -w /dev/full ]; then
  got=0 && timeout 120 crm sandbox serve --port 0 >/dev/full 2>err </dev/null || got=$?
  equals 7 "$got"
  has err 'disk is full'
fi
statuses=$(timeout 120 crm sandbox serve --port 0 2>err </dev/null | true; echo "${PIPESTATUS[*]}")
equals '0 0' "$statuses"
