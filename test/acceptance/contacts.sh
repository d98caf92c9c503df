# Contacts: people at a client, one of whom owns its account.
source "$LIB"

status 0 crm contacts create --first-name Ada --last-name King --email ada.king@north.example --client 1 \
  --phone '+44 1632 960001' --job-position Analyst --send-email --json
equals 'Ada King' "$(jq -r .name out)"
ada=$(jq .id out)

# What was written reads back under the name of its flag.
status 0 crm contact get "$ada" --json
equals 'Ada King, Analyst, +44 1632 960001, no, active, 1' \
  "$(jq -r '"\(.first_name) \(.last_name), \(.job_position), \(.phone), \(.account_owner), \(.status), \(.client.id)"' out)"

# An update of one value keeps the others; an empty value clears.
status 0 crm contacts update "$ada" --last-name Lovelace
status 0 crm contacts update "$ada" --phone ''
equals 'Ada Lovelace ada.king@north.example Analyst null' \
  "$(crm contacts get "$ada" --json | jq -r '"\(.name) \(.email) \(.job_position) \(.phone)"')"
status 2 crm contacts update "$ada"

# An address belongs to one person, whatever its case.
status 5 crm contacts create --first-name Eve --last-name King --email ADA.KING@north.example --client 1
has err '--email: The email has already been taken.'
status 5 crm contacts create --first-name Eve --last-name King --email eve@north.example --client 9999
has err '--client: '
status 2 crm contacts create --first-name Eve
has err '--last-name'

# A client has one account owner; a new one replaces the old one.
before=$(crm contacts list --client 1 --account-owner yes -o ids)
status 0 crm contacts account-owner "$ada" --json
equals yes "$(jq -r .account_owner out)"
equals "$ada" "$(crm contacts list --client 1 --account-owner yes -o ids)"
equals no "$(crm contacts get "$before" --json | jq -r .account_owner)"

# Filters, search and order.
equals "$ada" "$(crm contacts list --search lovelace --status active --client 1 -o ids)"
crm contacts list --sort email --order desc --json | jq -r '.[].email' >emails
equals "$(LC_ALL=C sort -rf emails)" "$(cat emails)"
status 2 crm contacts list --sort shoe_size
has err 'first_name, last_name, email, created, updated'

# A deleted contact is gone from everything.
status 9 crm contacts delete "$ada"
status 8 crm contacts rm "$ada" 999999 --yes
has err '999999'
status 3 crm contacts get "$ada"
status 3 crm contacts update "$ada" --phone 1
status 3 crm contacts account-owner "$ada"
equals '' "$(crm contacts list --search lovelace -o ids -q)"
