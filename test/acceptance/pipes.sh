# Standard output is the result alone, and complete.
source "$LIB"

# Pages of a list, one valid document.
crm leads list --json | jq -e 'length == 44' >/dev/null
equals 44 "$(crm leads list -o ndjson | wc -l | tr -d ' ')"
equals 45 "$(crm leads list --fields id | wc -l | tr -d ' ')"
equals '[]' "$(crm leads list --search nothing-is-called-so --json)"

# Errors are on standard error; with --json they are one object there.
status 3 crm leads get 999999 --json
equals '' "$(cat out)"
jq -e '.error.code == "not_found" and .error.status == 404 and .error.request.path == "/api/leads/999999"' err >/dev/null
