# Any endpoint with the profile's key: crm api METHOD PATH.
source "$LIB"

equals 'Leads retrieved successfully.' "$(crm api GET /api/leads -f limit=1 --envelope | jq -r .message)"
equals 1 "$(crm api get '/api/leads?limit=1' --json | jq length)"
equals "$(crm leads list -o ids)" "$(crm api GET /api/leads --paginate -o ids)"
equals true "$(crm api GET /api/categories --json | jq 'any(.[]; .type == "item")')"

# Fields as a form, a document as JSON: given, from a file, from standard input.
equals '["x","y"]' "$(crm api PUT /api/leads/42/tags -f 'tags[]=x' -f 'tags[]=y' --json | jq -c .tags)"
equals '[]' "$(crm api PUT /api/leads/42/tags --data '{"tags": []}' --json | jq -c .tags)"
echo '{"tags": ["from a file"]}' >'my tags.json'
equals '["from a file"]' "$(crm api PUT /api/leads/42/tags --data '@my tags.json' --json | jq -c .tags)"
equals '["piped"]' "$(echo '{"tags": ["piped"]}' | crm api PUT /api/leads/42/tags --data - --json | jq -c .tags)"
id=$(crm api POST /api/leads -f lead_title=Raw -f lead_status=1 -f lead_categoryid=1 -f lead_value=1.10 -o ids)
equals 1.10 "$(crm leads get "$id" --json | jq -r .value)"

# --dry-run prints the request and sends nothing; the key is not in it.
status 0 crm api DELETE "/api/leads/$id" --dry-run --json
equals "DELETE $CRM_BASE_URL/api/leads/$id" "$(jq -r '.[0] | "\(.method) \(.url)"' out)"
lacks out "$CRM_API_KEY"
status 0 crm leads get "$id"

# What asks and what doesn't is said where a newcomer reads it.
equals 1 "$(crm api --help | tr '\n' ' ' | grep -c 'Only a DELETE asks first')"

# The service's own words and statuses.
status 3 crm api GET /api/nothing
status 5 crm api POST /api/leads -f lead_title=Raw
has err lead_status
status 5 crm api PUT /api/leads

# Only this service: a path, not an address.
for path in https://evil.example/api/leads //evil.example/api/leads @evil.example $'/api/leads\r\nX-Evil: 1' '/api/le ads'; do
  status 2 crm api GET "$path"
done
status 2 crm api FETCH /api/leads
status 2 crm api GET /api/leads -f nothing
status 2 crm api GET /api/leads --data '{}'
status 2 crm api POST /api/leads -f a=b --data '{}'
