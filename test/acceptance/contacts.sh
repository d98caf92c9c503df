# A contact: made at a client, the owner of its account, found and deleted.
source "$LIB"

status 0 crm contacts create --first-name Ada --last-name King --email ada.king@north.example --client 1 \
  --phone '+44 1632 960001' --job-position Analyst --send-email --json
ada=$(jq .id out)

# An update of one value keeps the others; an empty value clears.
status 0 crm contacts update "$ada" --last-name Lovelace --phone ''
equals 'Ada Lovelace ada.king@north.example Analyst null 1' \
  "$(crm contacts get "$ada" --json | jq -r '"\(.name) \(.email) \(.job_position) \(.phone) \(.client.id)"')"

# An address belongs to one person, whatever its case.
status 5 crm contacts create --first-name Eve --last-name King --email ADA.KING@north.example --client 1
has err '--email: The email has already been taken.'

# A client has one account owner; a new one replaces the old one.
before=$(crm contacts list --client 1 --account-owner yes -o ids)
crm contacts account-owner "$ada" --json | jq -e '.account_owner == "yes"' >/dev/null
equals "$ada" "$(crm contacts list --client 1 --account-owner yes -o ids)"
equals no "$(crm contacts get "$before" --json | jq -r .account_owner)"

equals "$ada" "$(crm contacts list --search lovelace --status active --client 1 -o ids)"
status 8 crm contacts rm "$ada" 999999 --yes
has err '999999'
status 3 crm contacts get "$ada"
