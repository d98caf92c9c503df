# Notes: alone or on another record, public or private, long texts from files and from standard input.
source "$LIB"

printf 'First line\nsecond “line”\n' >'minutes of today.txt'
id=$(crm notes create --title Minutes --description '@minutes of today.txt' --resource lead:42 --visibility private -o ids)
status 0 crm notes update "$id" --title 'Minutes, corrected'
status 0 crm notes get "$id" --json
equals 'Minutes, corrected private lead 42 1' "$(jq -r '"\(.title) \(.visibility) \(.resource.type) \(.resource.id) \(.creator_id)"' out)"
equals "$(cat 'minutes of today.txt')" "$(jq -r .description out)"

# From standard input, and a text that begins with @.
piped=$(echo 'from a pipe' | crm notes create --title Piped --description - -o ids)
equals 'from a pipe public null' "$(crm notes get "$piped" --json | jq -r '"\(.description | rtrimstr("\n")) \(.visibility) \(.resource.type)"')"
equals @maya "$(crm notes update "$piped" --description @@maya --json | jq -r .description)"

status 5 crm notes create --title X --description Y --resource project:999999
has err '--resource: '
equals true "$(crm notes list --resource lead:42 --json | jq --argjson id "$id" 'any(.[]; .id == $id) and all(.[]; .resource.id == 42)')"
equals "$id" "$(crm notes list --visibility private --search corrected -o ids)"
equals 'x y' "$(crm notes tags "$id" x y --json | jq -r '.tags | join(" ")')"

status 0 crm notes delete "$id" "$piped" --yes
status 3 crm notes get "$id"
