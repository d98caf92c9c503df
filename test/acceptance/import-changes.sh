# A list is edited in a spreadsheet and comes back: what would change is seen first, what a colleague changed meanwhile is spared, and
# what became of each row can be read afterwards.
source "$LIB"

crm leads list --csv --sort created --order asc >leads.csv
# Two new phones; somebody else is quicker with one of them.
sed -E '/^(12|16),/ s/,[^,]*@[^,]*,[^,]*,/,mail@shop.example,0815,/' leads.csv >edited.csv
crm leads update 16 --phone 555 -q >/dev/null

# What would be done, and that it isn't done.
status 8 crm leads import edited.csv --mode update --dry-run
has err 'Would change 1 of 44 leads: email 1, phone 1. 42 unchanged, 1 was changed since the file was written.'
equals 'would change' "$(awk -F'\t' '$2 == 12 && $5 == "phone" { print $4 }' out)"
equals conflict "$(awk -F'\t' '$2 == 16 && $5 == "phone" { print $4 }' out)"
lacks out updated
lacks err updated
status 8 crm leads import edited.csv --mode update --dry-run --json
equals '1 1 42' "$(jq -r '.counts | "\(.would_change) \(.conflicts) \(.unchanged)"' out)"
equals '555 0815' "$(jq -r '.rows[] | select(.id == 16).changes[] | select(.field == "phone") | "\(.old) \(.new)"' out)"
equals 555 "$(crm leads get 16 --json | jq -r .contact.phone)"

# Done: the conflict is left alone, and told with what stands there.
status 8 crm leads import edited.csv --mode update --results results.csv --rejects rejects.csv --json
equals '1 1 42 0' "$(jq -r '"\(.updated) \(.conflicts) \(.unchanged) \(.failed)"' out)"
equals 555 "$(crm leads get 16 --json | jq -r .contact.phone)"
equals 0815 "$(crm leads get 12 --json | jq -r .contact.phone)"
equals 2 "$(wc -l <rejects.csv | tr -d ' ')"
has rejects.csv "phone is '555' there, '0815' in the file"
equals '1 42 1' "$(for word in updated unchanged conflict; do grep -c ",$word," results.csv; done | xargs)"

# Looked at, and meant all the same.
status 0 crm leads import rejects.csv --mode update --overwrite-newer --json
equals 0815 "$(crm leads get 16 --json | jq -r .contact.phone)"

# From standard input, too, and with a time as a spreadsheet writes it.
printf 'id,phone,dates.updated\n16,1,2001-01-31 09:12\n' >old.csv
got=0 && crm leads import - --format csv --mode update --json <old.csv >out 2>err || got=$?
equals '8 1' "$got $(jq .conflicts out)"
