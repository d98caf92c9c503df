# Reports: figures worked out by hand, in every format, beside the demo data's own.
source "$LIB"

lead() {
  crm leads create --title "$1" --status "$2" --category 1 --source Probe "${@:3}" -o ids -q
}
lead 'One' 1 --value 0.10 >/dev/null
both=$(lead 'Two' 1 --value 0.20)
large=$(lead 'Large' 2 --value 12345678901234567890.10)
lead 'Nothing' 2 >/dev/null
gone=$(lead 'Gone' 2 --value 40)
won=$(lead 'Won' 1 --value 7.77)
crm leads assign "$both" 2 3 -q >/dev/null
crm leads assign "$large" 3 -q >/dev/null
crm leads archive "$gone" -q >/dev/null
crm leads convert "$won" --first-name Wanda --last-name Won --email wanda@won.example -q >/dev/null
crm leads archive "$won" -q >/dev/null

status 0 crm report leads --source Probe --json
equals '[["New",2,"0.30",0,1,0],["Contacted",2,"12345678901234567890.10",1,0,1]]' \
  "$(jq -c '[.rows[] | [.status.title, .leads, .value, .without_value, .converted.leads, .archived.leads]]' out)"
equals '{"leads":4,"value":"12345678901234567890.40","without_value":1,"converted":{"leads":1,"value":"7.77","without_value":0},"archived":{"leads":1,"value":"40.00","without_value":0}}' \
  "$(jq -c .total out)"
equals '' "$(cat err)"

# A lead with two assignees counts in both rows, and once in the total.
status 0 crm report leads --by assigned --where source=probe -o ndjson
equals $'[3,2]\n[2,1]\n[null,2]' "$(jq -c '[.assigned.id, .leads]' out)"
has err 'Total: leads 4, value 12345678901234567890.40; 1 without a value; 1 lead counts in several rows, once in the total. Not counted: 1 converted (7.77), 1 archived (40.00).'

# Rows in a pipe, in CSV and YAML; some of their members.
status 0 crm report leads --by source --source Probe
equals $'SOURCE\tLEADS\tVALUE\tWITHOUT VALUE\tCONVERTED\tARCHIVED\nProbe\t4\t12345678901234567890.40\t1\t1\t1' "$(cat out)"
status 0 crm report leads --by age --source Probe --csv --fields age,leads
equals $'age,leads\r\n0-6 days,4\r' "$(cat out)"
status 0 crm report lead --by category --source Probe -o yaml --fields leads
equals $'rows:\n  - leads: 4\ntotal:\n  leads: 4' "$(head -4 out)"

# The sums are those of the list, over all pages, and everything is somewhere.
status 0 crm report leads --json
all=$(jq '.total | .leads + .converted.leads + .archived.leads' out)
equals "$(crm leads list --count)" "$all"
equals "$all" "$(jq '[.rows[] | .leads + .converted.leads + .archived.leads] | add' out)"
status 0 crm report proposals --by month --json
equals "$(crm proposals list --count)" "$(jq '.total.proposals' out)"
equals "$(jq '.total.proposals' out)" "$(jq '[.rows[].proposals] | add' out)"
equals "$(crm proposals list --status accepted --count)" "$(crm report proposals --json | jq '.rows[] | select(.status == "accepted").proposals')"

# Nothing is 0; what makes no sense is refused.
status 0 crm report leads --source Nowhere --json
equals '[0,"0"]' "$(jq -c '[.total.leads, .total.value]' out)"
status 2 crm report leads -o ids
status 2 crm report leads --by week --json
equals '--by' "$(jq -r '.error.fields[0].flag' err)"
status 0 crm report
has out 'report leads'
