# The embedded CRM serves anything that speaks the interface: here curl, in the interface's own style.
source "$LIB"

call() { curl -s -H "Authorization: Bearer $CRM_API_KEY" "$@"; }

call -G -d limit=25 "$CRM_BASE_URL/api/leads" | jq -e '.meta.per_page == 25 and (.data | length) == 25 and .message == "Leads retrieved successfully."' >/dev/null
call -X PUT -d 'tags[]=x' -d 'tags[]=y' "$CRM_BASE_URL/api/leads/3/tags" | jq -e '.data.tags == ["x", "y"]' >/dev/null
call -X PUT -H 'Content-Type: application/json' -d '{"tags": []}' "$CRM_BASE_URL/api/leads/3/tags" | jq -e '.data.tags == []' >/dev/null
call -X PUT -d 'assigned[0]=2' -d 'assigned[1]=3' "$CRM_BASE_URL/api/leads/3/assigned" | jq -e '[.data.assigned[].id] == [2, 3]' >/dev/null
call -d first_name=Ada "$CRM_BASE_URL/api/contacts" | jq -e '.errors.email == ["The email field is required."]' >/dev/null
equals 401 "$(curl -s -o /dev/null -w '%{http_code}' "$CRM_BASE_URL/api/leads")"
equals 404 "$(call -o /dev/null -w '%{http_code}' "$CRM_BASE_URL/api/leads/999999")"
equals 405 "$(call -X PATCH -o /dev/null -w '%{http_code}' "$CRM_BASE_URL/api/leads")"
