# A lead from its first call to a client.
source "$LIB"

id=$(crm leads create --title 'Fleet tracking' --status 1 --category 2 --value 12345678901234567890.10 \
  --first-name Zoë --last-name Ng --email zoe@fleet.example --company-name 'Fleet & Co' --zip 00501 -o ids)

# An update of one value loses none of the others, to the digit.
crm leads update "$id" --phone '+44 20 7946 0001' -q
equals '12345678901234567890.10 00501 +44 20 7946 0001 Zoë' \
  "$(crm leads get "$id" --json | jq -r '"\(.value) \(.address.zip) \(.contact.phone) \(.contact.first_name)"')"

crm leads status "$id" 3 --json | jq -e '.status.id == 3' >/dev/null
crm leads assign "$id" 2 3 --json | jq -e '[.assigned[].id] == [2, 3]' >/dev/null
crm leads assign "$id" --add 4 --remove 2 --json | jq -e '[.assigned[].id] == [3, 4]' >/dev/null
crm leads tags "$id" hot renewal --json | jq -e '.tags == ["hot", "renewal"]' >/dev/null
crm leads tags "$id" --clear --json | jq -e '.tags == []' >/dev/null
echo 'Met at the fair' | crm leads comments add "$id" - -q >/dev/null

# A call: today's date, and what was said. What is told is what became different.
status 0 crm leads contacted "$id" 'Sends the figures'
has err "Lead $id contacted: Fleet tracking. last-contacted (empty) -> $(date +%F), comment \"Sends the figures\""
crm leads comments list "$id" --json | jq -e 'length == 2 and any(.[]; .text == "Sends the figures")' >/dev/null
equals "Lead $id is as it was: Fleet tracking" "$(crm leads update "$id" --value 12345678901234567890.1 2>&1 >out)"

# Archive takes several; one that is not there does not stop the rest.
status 8 crm leads archive "$id" 999999 1 --json
equals "$id 1" "$(jq -r 'map(.id) | join(" ")' out)"
equals 'partial 999999' "$(jq -r '"\(.error.code) \(.error.failures[0].id)"' err)"
status 0 crm leads activate "$id" 1

# Conversion once, then a conflict.
status 0 crm leads convert "$id" --json
equals 'Fleet & Co' "$(jq -r .company_name out)"
status 10 crm leads convert "$id" --email other@fleet.example

# Nothing is deleted without a yes.
status 9 crm leads delete "$id"
status 0 crm leads delete "$id" --yes
status 3 crm leads get "$id"
