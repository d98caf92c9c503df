# Every output format, off a terminal: the result on standard output, everything else on standard error.
source "$LIB"
tab=$'\t' cr=$'\r' escape=$'\e'

# Tables: tab-separated, header first, one line a record, nothing cut.
long=$(printf 'long %.0s' {1..100})
id=$(crm leads create --title "$long" --status 1 --category 1 --value 10.50 --company-name '=HYPERLINK("http://evil")' -o ids)
crm leads tags "$id" 'a,b' 'say "hi"' -q >/dev/null
status 0 crm leads list --limit 3 --fields id,title,status.title,contact.company_name
equals 4 "$(wc -l <out)"
equals "$id${tab}$long${tab}New${tab}=HYPERLINK(\"http://evil\")" "$(sed -n 2p out)"
lacks out "$escape"

# A record: two columns.
status 0 crm leads get "$id"
has out "value${tab}10.50"
has out "status.title${tab}New"

# JSON: one document; --fields keeps the order and reaches into objects.
equals '{"value":"10.50","status":{"title":"New"},"id":'"$id"'}' "$(crm leads get "$id" --json --fields value,status.title,id | jq -c .)"
equals '[]' "$(crm leads list --search 'no such lead' -o json 2>/dev/null)"
equals 'data,message,meta' "$(crm leads list --limit 1 --envelope | jq -r 'keys | join(",")')"
equals 'data,message' "$(crm leads get "$id" --envelope --json | jq -r 'keys | join(",")')"
status 2 crm leads get "$id" --json --csv

# ndjson, ids and yaml.
equals 3 "$(crm leads list --limit 3 -o ndjson | jq -s length)"
equals 3 "$(crm leads list --limit 3 -o ndjson | wc -l)"
equals "$id" "$(crm leads list --limit 1 -o ids)"
equals "- id: $id" "$(crm leads list --limit 1 -o yaml --fields id)"

# CSV as RFC 4180 has it, guarded against formulas unless --csv-raw.
status 0 crm leads get "$id" --csv --fields id,tags,contact.company_name
equals "id,tags,contact.company_name$cr" "$(head -1 out)"
has out "'=HYPERLINK"
has out '"[""a,b"",""say \""hi\""""]"'
status 0 crm leads get "$id" --csv --csv-raw --fields contact.company_name
equals "\"=HYPERLINK(\"\"http://evil\"\")\"$cr" "$(sed -n 2p out)"
status 0 crm leads list --search 'no such lead' --csv
equals 1 "$(wc -l <out)"

# Text from the service moves no cursor, colours nothing and breaks no line in what a person reads; JSON has it exactly.
evil=$'red\e[31m clear\e[2J title\e]0;x\a c1\xc2\x9b1m bidi\xe2\x80\xae end\nnext'
nasty=$(crm leads create --title "$evil" --status 1 --category 1 -o ids)
status 0 crm leads list --limit 1 --fields id,title
equals 2 "$(wc -l <out)"
status 0 crm leads get "$nasty"
for sign in "$escape" $'\a' $'\xc2\x9b' $'\xe2\x80\xae'; do lacks out "$sign"; done
equals "$evil" "$(crm leads get "$nasty" --json | jq -r .title)"

# Notices are on standard error, and --quiet ends them.
status 0 crm leads list --where title~harbour
has err 'leads match'
lacks out 'leads match'
status 0 crm leads list --where title~harbour --quiet
equals '' "$(cat err)"

# A table in a pipe is whole.
status 0 crm leads list
equals "$(crm leads list --count)" "$(tail -n +2 out | wc -l)"
equals '' "$(cat err)"
status 0 crm leads list --limit 30 -o ids
equals 30 "$(wc -l <out)"
status 0 crm leads list --page 2 --limit 10 -o ids
equals "$(crm leads list --limit 20 -o ids | tail -10)" "$(cat out)"

# A page beyond the last one is not an empty list.
status 0 crm leads list --page 99 --limit 10
equals 'Page 99 is beyond the last one, 5: there are 46 leads in all.' "$(cat err)"
status 0 crm leads list --page 99 --search 'no such lead'
equals 'No leads found.' "$(cat err)"
for wrong in '--limit 0' '--limit x' '--page 0' '--page 1 --limit 101' '--order up' '-o xml' '--fields ,'; do
  # shellcheck disable=SC2086
  status 2 crm leads list $wrong
done

# --fields tells what it takes, without a request; what belongs to no family has nothing to tell.
status 0 env CRM_BASE_URL=http://127.0.0.1:1 CRM_API_KEY=k crm leads list --fields help
has out 'contact.company_name	--company-name	text	yes'
has out 'last_contacted	--last-contacted	date	on a terminal'
status 0 crm items create --fields '?' --json
equals '{"name":"default_tax","flag":"--default-tax","type":"name, id","shown":"no"}' "$(jq -c '.[] | select(.name == "default_tax")' out)"
status 2 crm api GET leads --fields help
has err 'crm leads list --fields help'

# --all-fields: a table of all that csv has, but for the ids of several beside their names.
equals "$(crm leads list --limit 1 --csv | head -1 | tr ',' '\n' | grep -vc '^assigned\.id$')" "$(crm leads list --limit 1 --all-fields | head -1 | tr '\t' '\n' | wc -l)"

# Global flags stand anywhere.
equals "$(crm -o json leads --fields id list --limit 1)" "$(crm leads list --limit=1 --json --fields=id)"

# Colour only when asked for: off a terminal --color always changes nothing that a script reads.
status 0 crm leads list --limit 2 --fields id,title --color never
lacks out "$escape"

# Every level explains itself: summary, usage, flags in groups and two examples.
for page in '--help' 'leads --help' 'leads convert --help' 'help leads convert' 'sandbox serve --help'; do
  # shellcheck disable=SC2086
  status 0 crm $page
  has out Usage:
  has out Examples:
  equals true "$([ "$(sed -n '/^Examples:/,/^$/p' out | grep -c '\$ crm ')" -ge 2 ] && echo true)"
done
status 2 crm leeds list
has err leads

# Whoever creates a record for the first time is told where its ids come from.
for family in contacts proposals leads items; do
  crm $family create --help | tr -s ' \n' ' ' >out
  has out 'the ids that its flags take.'
done
has out 'crm categories list --type item'
