# Notes: alone or on another record, public or private, long texts from files and from standard input.
source "$LIB"

printf 'First line\nsecond “line”\n' >'minutes of today.txt'
id=$(crm notes create --title Minutes --description '@minutes of today.txt' --resource lead:42 --visibility private -o ids)
status 0 crm notes get "$id" --json
equals 'private lead 42 1' "$(jq -r '"\(.visibility) \(.resource.type) \(.resource.id) \(.creator_id)"' out)"
equals "$(cat 'minutes of today.txt')" "$(jq -r .description out)"

# From standard input, and a text that begins with @.
piped=$(echo 'from a pipe' | crm notes create --title Piped --description - -o ids)
equals 'from a pipe public null' "$(crm notes get "$piped" --json | jq -r '"\(.description | rtrimstr("\n")) \(.visibility) \(.resource.type)"')"
status 0 crm notes update "$piped" --description @@maya --json
equals '@maya Piped public' "$(jq -r '"\(.description) \(.title) \(.visibility)"' out)"

# An update keeps what is not named.
status 0 crm notes update "$id" --title 'Minutes, corrected' --json
equals "private $(jq -r .description out | head -1)" 'private First line'
equals private "$(jq -r .visibility out)"

# Only known kinds of record, and only records that exist.
for wrong in 'lead' 'proposal:1' 'lead:x' 'lead:' ':1'; do status 2 crm notes create --title X --description Y --resource "$wrong"; done
status 5 crm notes create --title X --description Y --resource project:999999
has err '--resource: '
status 2 crm notes create --title X --description Y --visibility secret
status 2 crm notes create --title X --description @missing.txt
has err missing.txt

# Filters.
equals true "$(crm notes list --resource lead:42 --json | jq --argjson id "$id" 'any(.[]; .id == $id) and all(.[]; .resource.id == 42)')"
equals true "$(crm notes list --resource client --json | jq 'length > 0 and all(.[]; .resource.type == "client")')"
equals "$id" "$(crm notes list --visibility private --search corrected -o ids)"
equals true "$(crm notes list --sort title --order asc --json | jq '[.[].title | ascii_downcase] | . == sort')"

equals 'x y' "$(crm notes tags "$id" x y --json | jq -r '.tags | join(" ")')"
equals '[]' "$(crm notes tags "$id" --clear --json | jq -c .tags)"

status 0 crm notes delete "$id" "$piped" --yes
status 3 crm notes get "$id"
