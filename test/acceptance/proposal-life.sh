# A proposal from its draft to a signature that nothing may clear by accident.
source "$LIB"

echo '<h1>Angebot für Ünal & Söhne</h1>' >'the body.html'
id=$(crm proposals create --client 1 --title 'Scanner lease' --start 2026-03-01 --end 2026-04-01 --category 4 --body '@the body.html' -o ids)
status 0 crm proposals get "$id" --json
equals 'draft 2026-03-01 2026-04-01 4 1 null' \
  "$(jq -r '"\(.status) \(.dates.start) \(.dates.end) \(.category.id) \(.client.id) \(.lead.id)"' out)"
equals '<h1>Angebot für Ünal & Söhne</h1>' "$(jq -r .body out)"

# A new title keeps the end date and the body.
status 0 crm proposals update "$id" --title 'Scanner lease, 24 months'
equals 'Scanner lease, 24 months 2026-04-01 true' \
  "$(crm proposals get "$id" --json | jq -r '"\(.title) \(.dates.end) \(.body != null)"')"

# Dates are real days in their order, and one customer is meant; nothing is sent otherwise.
for wrong in '--start 2026-02-30' '--start 01.02.2026' '--end 2026-02-28' '--lead 1' '--category x'; do
  # shellcheck disable=SC2086
  status 2 crm proposals create --client 1 --title X --start 2026-03-01 --category 4 $wrong
  equals '' "$(cat out)"
done
status 2 crm proposals create --title X --start 2026-03-01 --category 4
status 2 crm proposals update "$id" --end 2026-02-28
status 5 crm proposals create --client 1 --title X --start 2026-03-01 --category 1
has err '--category: '

# Tags: the whole set, or changes to it.
equals 'a b' "$(crm proposals tags "$id" a b --json | jq -r '.tags | join(" ")')"
equals 'b c' "$(crm proposals tags "$id" --add c --remove a --json | jq -r '.tags | sort | join(" ")')"
equals '[]' "$(crm proposals tags "$id" --clear --json | jq -c .tags)"
status 2 crm proposals tags "$id"

# A copy takes from its source what is not given.
status 0 crm proposals clone "$id" --lead 42 --start 2026-06-01 --end 2026-07-01 --json
equals 'Scanner lease, 24 months (copy) 42 4 2026-06-01 draft' \
  "$(jq -r '"\(.title) \(.lead.id) \(.category.id) \(.dates.start) \(.status)"' out)"

# The five states; no other word.
for state in new accepted declined revised draft; do
  equals "$state" "$(crm proposals status "$id" "$state" --json | jq -r .status)"
done
status 2 crm proposals status "$id" signed

# A signed one: nobody can be asked here, so nothing is sent. --yes clears the signature.
signed=$(crm proposals list --json | jq '[.[] | select(.signed.date)][0].id')
status 9 crm proposals status "$signed" draft
has err '--yes'
equals true "$(crm proposals get "$signed" --json | jq '.signed.date != null')"
status 0 crm proposals status "$signed" draft --dry-run
equals true "$(crm proposals get "$signed" --json | jq '.signed.date != null')"
status 0 crm proposals status "$signed" draft --yes
equals 'draft null null' "$(crm proposals get "$signed" --json | jq -r '"\(.status) \(.signed.date) \(.signed.last_name)"')"

# Filters and order.
equals true "$(crm proposals list --status accepted --json | jq 'length > 0 and all(.[]; .status == "accepted")')"
equals true "$(crm proposals list --lead 42 --json | jq 'length > 0 and all(.[]; .lead.id == 42)')"
equals true "$(crm proposals list --sort start --order asc --json | jq '[.[].dates.start] | . == sort')"

status 0 crm proposals delete "$id" --yes
status 3 crm proposals get "$id"
