# Lists by what records hold: --where in every format, days in words, filters given twice, counts, --fields by flag names.
source "$LIB"

lead() {
  crm leads create --title "$1" --status "$2" --category 1 --value "$3" --source Probe "${@:4}" -o ids
}
recent=$(lead 'Probe one' 1 12345678901234567890.10 --last-contacted -3d)
old=$(lead 'Probe TWO' 2 99.50 --last-contacted -3m --company-name 'Müller & Söhne')
never=$(lead 'Probe three' 2 100.00)
crm leads tags "$recent" hot 'a,b' -q >/dev/null
crm leads tags "$old" Cold -q >/dev/null
crm leads assign "$never" 2 3 -q >/dev/null

# found IDS CONDITION…: the ids of the probes for which all conditions hold, smallest first.
found() {
  local expected=$1 conditions=()
  shift
  for condition in "$@"; do conditions+=(--where "$condition"); done
  status 0 crm leads list --where source=probe "${conditions[@]}" -o ids
  equals "$expected" "$(sort -n out | paste -sd' ')"
}
found "$recent $old $never"
found "$recent" value=12345678901234567890.1
found '' value=12345678901234567890.2
found "$old $never" value=..100
found "$recent $never" value=100..
found "$old" last_contacted=..-30d
found "$recent" last-contacted=-1w..today
found "$never" no:last_contacted
found "$recent $old" has:last-contacted
found "$recent $old $never" dates.created=today
found "$old" title~two
found "$old" 'company-name=MÜLLER & SÖHNE'
found '' company-name~muller
found "$recent" tags=HOT
found "$recent" tags=a,b
found "$old $never" 'tags!=a,b'
found "$never" assigned=3
found "$recent $old" assigned!=3
found "$old $never" status=2
found "$recent" status!=2
found "$recent $old $never" active-state=active converted.is_converted=false

# In every format, complete: the limit counts what matches.
status 0 crm leads list --where source=Probe --limit 2 --json
equals 2 "$(jq length out)"
status 0 crm leads list --where source=Probe --csv --fields id,status
equals $'id,status.id,status.title,status.color\r' "$(head -1 out)"
equals 4 "$(wc -l <out)"
status 0 crm leads list --where source=Probe -o ndjson --fields title,company-name
equals 'Müller & Söhne' "$(jq -rs '[.[].contact.company_name | select(.)] | .[]' out)"
status 0 crm leads list --where source=Probe --where status=1 --fields id,status,company-name,last-contacted
equals $'ID\tSTATUS\tCOMPANY\tLAST CONTACTED' "$(head -1 out)"
equals "$recent New" "$(sed -n 2p out | cut -f1,2 | tr '\t' ' ')"
has err ' leads matches.'
status 0 crm leads list --where source=Probe --where value=1 --json
equals '[]' "$(cat out)"
status 0 crm leads list --where status=1 -o ids -q
equals '' "$(cat err)"

# How many.
equals 3 "$(crm leads list --where source=Probe --count -q)"
equals "$(crm leads list -o ids -q | wc -l)" "$(crm leads list --count)"
status 0 crm leads list --count --json
jq -e 'type == "number"' out >/dev/null

# A filter given twice: any of them.
both=$(crm leads list --status 1 --status 2 -o ids -q)
equals "$(crm leads list --status 1 -o ids -q; crm leads list --status 2 -o ids -q)" "$both"
equals "$(wc -l <<<"$both")" "$(crm leads list --status 1 --status 2 --count)"
equals "$never" "$(crm leads list --assigned 2 --assigned 3 --where source=Probe -o ids -q)"

# What is wrong is said before anything is asked for.
status 2 crm leads list --where source= --where titel=x --where value=x --where last_contacted=soon --json
equals 4 "$(jq '.error.fields | length' err)"
equals '--where last_contacted' "$(jq -r '.error.fields[3].flag' err)"
status 2 crm leads list --where source=Probe --page 1
status 2 crm leads list --fields id,titel
has err 'error: --fields: unknown field "titel", did you mean title?'
equals '' "$(cat out)"
status 2 crm leads delete "$old" --yes --fields titel
status 0 crm leads get "$old"
