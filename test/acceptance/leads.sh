# A lead from its first call to a client.
source "$LIB"

id=$(crm leads create --title 'Fleet tracking' --status 1 --category 2 --value 12345678901234567890.10 \
  --first-name Zoë --last-name Ng --email zoe@fleet.example --company-name 'Fleet & Co' --zip 00501 -o ids)

# An update of one value loses none of the others, to the digit.
status 0 crm leads update "$id" --phone '+44 20 7946 0001'
status 0 crm leads get "$id" --json
equals '12345678901234567890.10' "$(jq -r .value out)"
equals '00501' "$(jq -r .address.zip out)"
equals '+44 20 7946 0001' "$(jq -r .contact.phone out)"
equals 'Zoë' "$(jq -r .contact.first_name out)"

# An empty value clears.
crm leads update "$id" --phone '' -q >/dev/null
equals null "$(crm leads get "$id" --json | jq .contact.phone)"

crm leads status "$id" 3 --json | jq -e '.status.id == 3' >/dev/null
crm leads assign "$id" 2 3 --json | jq -e '[.assigned[].id] == [2, 3]' >/dev/null
crm leads assign "$id" --add 4 --remove 2 --json | jq -e '[.assigned[].id] == [3, 4]' >/dev/null
crm leads tags "$id" hot renewal --json | jq -e '.tags == ["hot", "renewal"]' >/dev/null
status 5 crm leads assign "$id" 2 9999
has err '  <person> 9999: The selected <person> 9999 is invalid.'
status 5 crm leads assign "$id" --add 9999 --json
equals '--add 9999 assigned.2' "$(jq -r '.error.fields[] | "\(.flag) \(.name)"' err)"
status 0 crm leads assign "$id" --clear --dry-run
equals '  {"assigned":[]}' "$(sed -n 2p out)"
crm leads tags "$id" --clear --json | jq -e '.tags == []' >/dev/null
status 2 crm leads tags "$id"

crm leads comments add "$id" 'Called, sends the figures' -q >/dev/null
echo 'Met at the fair' | crm leads comments add "$id" - -q >/dev/null
crm leads comments list "$id" --json | jq -e 'length == 2' >/dev/null

# A call: today's date, and what was said. What is told is what became different.
status 0 crm leads contacted "$id" 'Sends the figures'
equals "$(date +%F)" "$(crm leads get "$id" --json | jq -r .last_contacted)"
crm leads comments list "$id" --json | jq -e 'any(.[]; .text == "Sends the figures")' >/dev/null
has err "Lead $id contacted: Fleet tracking. last-contacted (empty) -> $(date +%F), comment \"Sends the figures\""
before=$(crm leads contacted "$id" --on -3d --json | jq -r .last_contacted)
equals "Lead $id changed: Fleet tracking. last-contacted $before -> $(date +%F)" \
  "$(crm leads update "$id" --last-contacted today 2>&1 >out)"
equals "Lead $id is as it was: Fleet tracking" "$(crm leads update "$id" --value 12345678901234567890.1 2>&1 >out)"

# Archive takes several; one that is not there does not stop the rest.
status 8 crm leads archive "$id" 999999 1
has err '999999'
status 8 crm leads archive "$id" 999999 1 --json
equals "$id 1" "$(jq -r 'map(.id) | join(" ")' out)"
equals 'partial 999999' "$(jq -r '"\(.error.code) \(.error.failures[0].id)"' err)"
equals archived "$(crm leads get 1 --json | jq -r .active_state)"
status 0 crm leads activate "$id" 1

# Conversion once, then a conflict.
status 0 crm leads convert "$id" --json
equals 'Fleet & Co' "$(jq -r .company_name out)"
status 10 crm leads convert "$id" --email other@fleet.example
equals true "$(crm leads get "$id" --json | jq .converted.is_converted)"

# Nothing is deleted without a yes.
status 9 crm leads delete "$id"
status 0 crm leads get "$id"
status 0 crm leads delete "$id" --yes
status 3 crm leads get "$id"
