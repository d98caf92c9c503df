# Several records in one command: lists of ids, ids from a pipe, conditions, and what wants a yes or a profile's name.
source "$LIB"

lead() { crm leads create --title "$1" --status 1 --category 1 -o ids; }
one=$(lead 'Quaybooth north')
two=$(lead 'Quaybooth south')
three=$(lead 'Quaybooth west')
quaybooths=(--where title~quaybooth)

# One id answers an object; every other way an array.
equals "$one" "$(crm leads get "$one" --json | jq .id)"
equals "[$two,$one]" "$(crm leads get "$two,$one" --json | jq -c 'map(.id)')"
equals "[$one]" "$(echo "$one" | crm leads get - --json | jq -c 'map(.id)')"
equals 3 "$(crm leads get "${quaybooths[@]}" --json | jq length)"
equals '[]' "$(crm leads archive --where title~nothing-like-it --json)"
equals '[]' "$(printf '' | crm leads archive - --json)"

# What was not named one by one is changed with a yes alone.
status 9 crm leads status "${quaybooths[@]}" --to 3
has err 'Set the status of 3 leads'
has err --yes
got=0 && echo "$one" | crm leads archive - >out 2>err || got=$?
equals 9 "$got"
equals 1 "$(crm leads get "$one" --json | jq .status.id)"
status 0 crm leads status "${quaybooths[@]}" --to 3 --yes --json
equals '[3,3,3]' "$(jq -c 'map(.status.id)' out)"
status 0 crm leads update "$one,$two" --source Fair --value 100.00
equals 'Fair Fair' "$(crm leads get "$one,$two" --json | jq -r 'map(.source) | join(" ")')"
crm leads get "${quaybooths[@]}" -o ids | crm leads tags - --add fair --add new --yes -q >/dev/null
status 0 crm leads tags "${quaybooths[@]}" --clear --add fair --yes
has err "Lead $one changed: Quaybooth north. tags -new"
equals '["fair"]' "$(crm leads get "$three" --json | jq -c .tags)"

# Comments and contacts, too: a comment that a run has made already is not made again by the command that does what is left.
status 9 crm leads comments add "${quaybooths[@]}" --text 'Met at the fair'
has err 'Comment on 3 leads'
has err '"Met at the fair"?'
status 8 crm leads comments add "$one,$two,999999" --text 'Met at the fair' --json
equals '2 999999' "$(jq length out) $(jq '.error.failures[0].id' err)"
status 0 crm leads comment "$one,$two,$three" --text 'Met at the fair'
has err "Lead $one is as it was: Quaybooth north"
has err "Lead $three commented: Quaybooth west. comment \"Met at the fair\""
equals 1 "$(crm leads comments list "$one" --json | jq length)"
status 0 crm leads contacted "${quaybooths[@]}" --on yesterday --text Called --yes --json --fields id,comment.text
equals 'Called Called Called' "$(jq -r 'map(.comment.text) | join(" ")' out)"
equals 2 "$(crm leads comments list "$three" --json | jq length)"
equals '3 leads changed, 3 leads commented' "$(crm history --jq '.[0].did')"
equals 'Called' "$(crm history "$(crm history --jq '.[0].run')" --jq 'map(select(.field == "comment").new)[0]')"

# One that is not there stops nothing; a dry run changes nothing.
status 8 crm leads update "$one,999999" --source Web --json
equals "[$one] 999999" "$(jq -c 'map(.id)' out) $(jq '.error.failures[0].id' err)"
status 8 crm leads update "$two,999999" --source Phone --dry-run
has out "$two	Quaybooth south	would change	source	Fair	Phone"
status 8 crm leads update "$two,999999" --source Phone --dry-run --verbose
has out "PATCH $CRM_BASE_URL/api/leads/$two"
has err 'lead 999999: '
equals Fair "$(crm leads get "$two" --json | jq -r .source)"

# Signed proposals are left out of a selection.
signed=$(crm proposals list --json | jq '[.[] | select(.signed.date != null)][0].id')
draft=$(crm proposals create --lead "$one" --title 'Quaybooth plan' --start 2027-01-04 --category 4 -o ids)
status 8 crm proposals status "$signed,$draft" --to revised --yes
has err "proposal $signed: Signed, so left out"
has err '1 of 2 left out.'
equals 'true revised' "$(crm proposals get "$signed,$draft" --json | jq -r '"\(.[0].signed.date != null) \(.[1].status)"')"
status 9 crm proposals status "$signed,$draft" --to declined --clear-signatures
status 0 crm proposals status "$signed,$draft" --to declined --clear-signatures --yes
equals true "$(crm proposals get "$signed" --json | jq '.signed.date == null')"

# A protected profile has to be named for whatever --yes would confirm, and for imports.
echo "$CRM_API_KEY" | crm profile add live --base-url "$CRM_BASE_URL" --key-stdin --protected -q >/dev/null
printf 'title,status,category\nTill,1,1\n' >new.csv
for line in "leads delete $three --yes" "leads update $one,$two --source Mail" "leads archive --where title~quaybooth --yes" \
  "leads convert $one --delete-lead --yes" "api DELETE /api/leads/$one --yes" 'leads import new.csv'; do
  # shellcheck disable=SC2086
  status 9 crm $line
  has err --confirm
  # shellcheck disable=SC2086
  status 9 crm $line --confirm other
  has err 'not "other"'
done
status 9 crm leads delete "$three" --yes
has err 'give both --yes and --confirm live'
status 9 crm leads update "$one,$two" --source Mail
has err 'add --confirm live'
status 0 crm leads update "$one" --source Mail
status 0 crm leads import new.csv --dry-run
status 0 crm leads import new.csv --confirm live
status 0 crm leads delete "${quaybooths[@]}" --confirm live --yes
equals '[]' "$(crm leads list --search quaybooth --json)"
