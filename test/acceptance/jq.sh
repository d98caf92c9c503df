# --jq with no jq on the PATH: values of any result, what is wrong with an expression, and nothing sent when it is.
source "$LIB"

# Everything that the script needs but jq.
mkdir tools
for tool in bash sh cat head tail wc tr grep basename dirname env rm mkdir cut mktemp; do ln -s "$(command -v "$tool")" "tools/$tool"; done
PATH="$(dirname "$(command -v crm)"):$PWD/tools"
! command -v jq >/dev/null || fail 'there is a jq on the PATH'

# Sums, texts, and numbers that no float holds.
equals "$(crm report leads --by source --jq '.total.leads')" "$(crm leads list --where active-state=active --where converted.is_converted=false --count)"
crm leads list --jq 'map(.value|tonumber)|add' >sum 2>err
grep -qE '^[0-9]+(\.[0-9]+)?$' sum || fail "no sum: $(cat sum)"
id=$(crm leads create --title 'Big "deal"' --status 1 --category 1 --value 12345678901234567890.10 --jq .id 2>err)
equals '12345678901234567890.10' "$(crm leads get "$id" --jq .value)"
equals 'Big "deal"' "$(crm leads get "$id" --jq .title)"
equals '12345678901234567890.10' "$(crm leads get "$id" --jq '.value|fromjson')"
equals '["Big \"deal\""]' "$(crm leads get "$id" --fields title --jq '[.[]]')"

# Every kind of result.
equals 44 "$(crm leads list --jq 'map(select(.title != "Big \"deal\""))|length')"
equals 45 "$(crm leads list -o ndjson --jq .id | wc -l | tr -d ' ')"
equals 45 "$(crm leads list --limit 1 --envelope --jq .meta.total 2>/dev/null)"
equals 46 "$(crm leads list --count --jq '. + 1')"
equals '2 1' "$(crm leads get 2,1 --jq 'map(.id)|join(" ")')"
equals '[]' "$(crm leads list --search nothing-is-called-so --jq . 2>/dev/null)"
equals '' "$(crm leads list --jq empty -q)"
equals 'PATCH' "$(crm leads update "$id" --title Bigger --dry-run --jq '.[0].method')"
equals 45 "$(crm api GET leads --jq .meta.total --envelope)"
equals '' "$(crm profile list --jq '.[].name' 2>/dev/null)"
equals 'hot,new' "$(crm leads tags "$id" hot new --jq '.tags|sort|join(",")' 2>/dev/null)"
crm leads list --limit 3 --csv -q >few.csv
equals 3 "$(crm leads import few.csv --mode update --dry-run --jq .counts.unchanged 2>/dev/null)"

# A wrong expression is status 2 with the place, and nothing is sent.
status 2 crm leads update "$id" --title Changed --jq '.title |'
equals '' "$(cat out)"
has err 'unexpected end of file, at column 8.'
status 2 crm leads list --jq '.[] | nonsense(1)'
has err 'nonsense/1 is not defined, at column 7.'
status 2 crm leads list --jq ''
has err 'Top-level program not given'
CRM_BASE_URL=http://127.0.0.1:9 status 2 crm leads list --jq '.['
equals 'Big "deal"' "$(crm leads get "$id" --jq .title)"

# One that fails on what was read is status 2; on what a write answered it is a notice, and the result is whole.
status 2 crm leads list --jq '.[].title|tonumber'
equals '' "$(cat out)"
has err '"code":"invalid_value"'
status 3 crm leads get 999999 --jq .id
has err '"code":"not_found"'
status 0 crm leads update "$id" --title Changed --jq '.title|tonumber'
has out '"title": "Changed"'
has err 'The whole result is printed instead.'
status 8 crm leads get "$id,999999" --jq '.[].title'
equals Changed "$(cat out)"

# No other format beside it, no environment, no files.
for other in '-o table' '-o csv' '-o yaml' '-o ids' '-o xlsx' --csv; do
  status 2 crm leads list --jq . $other
  has err "--jq is for JSON output: leave out $other."
done
equals null "$(crm leads list --limit 1 -q --jq 'env.CRM_API_KEY')"
status 2 crm leads list --jq 'include "few"; .'
status 2 crm sandbox serve --jq .base_url --port 0
has err 'read that with --json.'

