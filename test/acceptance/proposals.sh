# Proposals: for clients and leads, states, and a signature that is not cleared by accident.
source "$LIB"

id=$(crm proposals create --client 1 --title 'Onboarding' --start 2027-01-04 --category 4 --end 2027-03-31 --body '<p>Hello</p>' -o ids)
crm proposals get "$id" --json | jq -e '.status == "draft" and .client.id == 1 and .lead.id == null' >/dev/null

# An update keeps the end date and the body.
crm proposals update "$id" --title 'Onboarding, revised' -q >/dev/null
crm proposals get "$id" --json | jq -e '.title == "Onboarding, revised" and .dates.end == "2027-03-31" and .body == "<p>Hello</p>"' >/dev/null
status 2 crm proposals update "$id" --end 2026-12-31
status 2 crm proposals create --client 1 --lead 2 --title x --start 2027-01-04 --category 4
status 2 crm proposals create --title x --start 2027-02-30 --category 4 --client 1

copy=$(crm proposals clone "$id" --lead 3 -o ids)
crm proposals get "$copy" --json | jq -e '.title == "Onboarding, revised (copy)" and .lead.id == 3' >/dev/null

# A status change would clear a signature: it needs a yes, and without one nothing changes.
signed=$(crm proposals list --json | jq '[.[] | select(.signed.date != null)][0].id')
status 9 crm proposals status "$signed" revised
crm proposals get "$signed" --json | jq -e '.signed.date != null' >/dev/null
status 0 crm proposals status "$signed" revised --dry-run
status 0 crm proposals status "$signed" revised --yes
crm proposals get "$signed" --json | jq -e '.signed.date == null and .status == "revised"' >/dev/null
status 0 crm proposals status "$id" accepted
