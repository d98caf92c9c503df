# What can't be undone: off a terminal it needs --yes, status 9 otherwise, and nothing is sent.
source "$LIB"

lead=$(crm leads create --title Doomed --status 1 --category 1 --first-name A --last-name B --email doomed@a.example -o ids)
other=$(crm leads create --title 'Doomed too' --status 1 --category 1 -o ids)
comment=$(crm leads comments add "$lead" 'Last words' -o ids)
contact=$(crm contacts list --limit 1 -o ids)
item=$(crm items list --limit 1 -o ids)
note=$(crm notes list --limit 1 -o ids)
proposal=$(crm proposals list --limit 1 -o ids)
signed=$(crm proposals list --json | jq '[.[] | select(.signed.date)][0].id')

refused() {
  status 9 crm "$@"
  has err --yes
  equals '' "$(cat out)"
}
refused leads delete "$lead" "$other"
refused leads delete "$lead" --no-input --quiet
refused leads rm "$lead"
refused leads comments delete "$lead" "$comment"
refused leads convert "$lead" --delete-lead
refused contacts delete "$contact"
refused items delete "$item"
refused notes delete "$note"
refused proposals delete "$proposal"
refused proposals status "$signed" declined
refused api DELETE "/api/leads/$lead"

# A yes on standard input is no yes: nobody is asked here.
got=0 && yes | crm leads delete "$lead" >out 2>err || got=$?
equals 9 "$got"

status 9 crm leads delete "$lead" --json
equals 'unconfirmed' "$(jq -r .error.code err)"

# --dry-run asks for nothing and sends nothing.
status 0 crm leads delete "$lead" "$other" --dry-run --json
equals "[\"DELETE $CRM_BASE_URL/api/leads/$lead\",\"DELETE $CRM_BASE_URL/api/leads/$other\"]" "$(jq -c '[.[] | "\(.method) \(.url)"]' out)"
status 0 crm leads convert "$lead" --delete-lead --dry-run
has out delete_lead=yes
lacks out "$CRM_API_KEY"
for id in "$lead" "$other"; do status 0 crm leads get "$id"; done
equals false "$(crm leads get "$lead" --json | jq .converted.is_converted)"
equals true "$(crm proposals get "$signed" --json | jq '.signed.date != null')"

# With a yes, wherever it stands. Several ids in their order; the first failure does not stop the rest.
status 0 crm -y leads comments delete "$lead" "$comment"
status 8 crm leads delete 999999 "$other" --yes --json
equals "[$other]" "$(jq -c '[.[].id]' out)"
has err 999999
status 0 crm leads convert "$lead" --delete-lead --yes
status 3 crm leads get "$lead"
