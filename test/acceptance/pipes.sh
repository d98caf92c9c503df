# Standard output is the result alone, complete, and a reader that goes away ends the command quietly.
source "$LIB"

# Pages of a list, one valid document.
crm leads list --json | jq -e 'length == 44' >/dev/null
equals 44 "$(crm leads list -o ndjson | wc -l | tr -d ' ')"
equals 45 "$(crm leads list --fields id | wc -l | tr -d ' ')"
equals '[]' "$(crm leads list --search nothing-is-called-so --json)"

for format in ndjson json csv table ids yaml; do
  crm leads list -o "$format" 2>err | head -3 >/dev/null
  equals '0 0' "${PIPESTATUS[*]}"
  lacks err Error
done

# What list --csv wrote can be imported, and changes nothing.
crm leads list --csv >leads.csv
crm leads import leads.csv --mode update --dry-run --json | jq -e '.counts.unchanged == 44 and .counts.rows == 44' >/dev/null

# Errors are on standard error; with --json they are one object there.
status 3 crm leads get 999999 --json
equals '' "$(cat out)"
jq -e '.error.code == "not_found" and .error.status == 404 and .error.request.path == "/api/leads/999999"' err >/dev/null
