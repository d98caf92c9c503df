# The embedded CRM answers curl as the interface's examples have it.
source "$LIB"

# answer METHOD PATH [CURL FLAGS…]: prints the status; the body is kept in the file `body`.
answer() {
  local method=$1 path=$2
  shift 2
  curl -s -o body -w '%{http_code}' -X "$method" -H "Authorization: Bearer $CRM_API_KEY" "$@" "$CRM_BASE_URL$path"
}

equals 200 "$(answer GET /api/leads -G -d limit=25 -d sort=lead_title -d order=asc)"
equals '25 1 25 true Leads retrieved successfully.' \
  "$(jq -r '"\(.data | length) \(.meta.current_page) \(.meta.per_page) \(.meta.total >= 40) \(.message)"' body)"
equals true "$(jq '[.data[].title | ascii_downcase] | . == sort' body)"
equals 200 "$(answer GET /api/leads -G -d active_state=archived --data-urlencode 'source=Cold call')"
equals true "$(jq 'all(.data[]; .source == "Cold call" and .active_state == "archived")' body)"

# Arrays as repeated name[] fields; an empty one as JSON.
equals 200 "$(answer PUT /api/leads/42/tags -d 'tags[]=hot' -d 'tags[]=retail')"
equals '["hot","retail"] Lead tags updated successfully.' "$(jq -r '"\(.data.tags | tojson) \(.message)"' body)"
equals 200 "$(answer PUT /api/leads/42/tags -d 'tags[0]=first' -d 'tags[1]=second')"
equals '["first","second"]' "$(jq -c .data.tags body)"
equals 200 "$(answer PUT /api/leads/42/tags -H 'Content-Type: application/json' -d '{"tags": []}')"
equals '[]' "$(jq -c .data.tags body)"
equals 422 "$(answer PUT /api/leads/42/tags)"
equals 200 "$(answer PUT /api/leads/42/assigned -d 'assigned[]=2' -d 'assigned[]=3')"
equals '[2,3]' "$(jq -c '[.data.assigned[].id]' body)"

# A lead's life.
equals 201 "$(answer POST /api/leads -d lead_title=Curl -d lead_status=1 -d lead_categoryid=1 -d lead_value=99.90 -d lead_phone=1 \
  -d lead_firstname=Ann -d lead_email=ann@curl.example)"
equals 'Curl 1 Lead created successfully.' "$(jq -r '"\(.data.title) \(.data.status.id) \(.message)"' body)"
id=$(jq .data.id body)
equals 200 "$(answer PATCH "/api/leads/$id" -d lead_title=Replaced -d lead_status=2 -d lead_categoryid=1)"
equals 'Replaced null null' "$(jq -r '"\(.data.title) \(.data.value) \(.data.contact.phone)"' body)"
equals 201 "$(answer POST "/api/leads/$id/comments" --data-urlencode 'comment=a & b')"
equals 'a & b' "$(jq -r .data.text body)"
equals 201 "$(answer POST "/api/leads/$id/convert" -d first_name=Ann -d last_name=Lee -d email=ann.lee@curl.example -d client_company_name=Curl)"
equals 'Curl Lead converted to client successfully.' "$(jq -r '"\(.data.company_name) \(.message)"' body)"
equals 409 "$(answer POST "/api/leads/$id/convert" -d first_name=Ann -d last_name=Lee -d email=other@curl.example)"
equals 200 "$(answer DELETE "/api/leads/$id")"
equals "$id" "$(jq .data.id body)"
equals 404 "$(answer GET "/api/leads/$id")"

# Refusals name every failing field.
equals 422 "$(answer POST /api/contacts -d first_name=A -d email=MAYA@crm.example -d clientid=9999)"
equals 'The given data was invalid. clientid,email,last_name' "$(jq -r '"\(.message) \(.errors | keys | join(","))"' body)"
equals '["The last name field is required."]' "$(jq -c .errors.last_name body)"
equals 401 "$(curl -s -o body -w '%{http_code}' "$CRM_BASE_URL/api/leads")"
equals 'Unauthorized. A valid API key is required.' "$(jq -r .message body)"
equals 405 "$(answer PUT /api/leads)"
equals 404 "$(answer GET /api/nothing)"
equals 400 "$(answer POST /api/leads -H 'Content-Type: application/json' -d '{"lead_title": ')"

# Multipart works too.
equals 201 "$(answer POST /api/notes -F note_title=Parts -F note_description=x -F noteresource_type=lead -F noteresource_id=42)"
equals 'lead 42 public 1' "$(jq -r '.data | "\(.resource.type) \(.resource.id) \(.visibility) \(.creator_id)"' body)"
