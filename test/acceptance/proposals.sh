# A proposal from its draft to a signature that nothing may clear by accident.
source "$LIB"

echo '<h1>Angebot für Ünal & Söhne</h1>' >'the body.html'
id=$(crm proposals create --client 1 --title 'Scanner lease' --start 2026-03-01 --end 2026-04-01 --category 4 --body '@the body.html' -o ids)

# A new title keeps the end date and the body.
status 0 crm proposals update "$id" --title 'Scanner lease, 24 months'
equals 'Scanner lease, 24 months draft 2026-03-01 2026-04-01 1 null <h1>Angebot für Ünal & Söhne</h1>' \
  "$(crm proposals get "$id" --json | jq -r '"\(.title) \(.status) \(.dates.start) \(.dates.end) \(.client.id) \(.lead.id) \(.body)"')"

equals 'b c' "$(crm proposals tags "$id" b c --json | jq -r '.tags | join(" ")')"
equals 'Scanner lease, 24 months (copy) 42 4 2026-06-01 draft' \
  "$(crm proposals clone "$id" --lead 42 --start 2026-06-01 --end 2026-07-01 --json |
    jq -r '"\(.title) \(.lead.id) \(.category.id) \(.dates.start) \(.status)"')"

# The five states; no other word.
for state in new accepted declined revised draft; do
  equals "$state" "$(crm proposals status "$id" "$state" --json | jq -r .status)"
done
status 2 crm proposals status "$id" signed

# A signed one: nobody can be asked here, so nothing is sent. --yes clears the signature.
signed=$(crm proposals list --json | jq '[.[] | select(.signed.date)][0].id')
status 9 crm proposals status "$signed" draft
has err '--yes'
status 0 crm proposals status "$signed" draft --dry-run
equals true "$(crm proposals get "$signed" --json | jq '.signed.date != null')"
status 0 crm proposals status "$signed" draft --yes
equals 'draft null null' "$(crm proposals get "$signed" --json | jq -r '"\(.status) \(.signed.date) \(.signed.last_name)"')"

equals true "$(crm proposals list --lead 42 --sort start --order asc --json | jq '[.[].dates.start] | length > 0 and . == sort')"
status 0 crm proposals delete "$id" --yes
status 3 crm proposals get "$id"
