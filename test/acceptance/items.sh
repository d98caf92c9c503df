# A catalog item: money to the digit, a unit made on the fly, custom fields that survive an update.
source "$LIB"

id=$(crm items create --description 'Label roll' --rate 12345678901234567.89 --category 7 --default-tax 2 --unit crate --new-unit \
  --notes 'Thermal, 50 mm' --estimation-notes 'Ask for volume' --custom-field 1=LB-050 --custom-field '2=a=b' -o ids)
unit=$(crm items get "$id" --json | jq .unit.id)

# An update of the notes sends the rest back as it was, and the unit by its id: no second unit of that name.
status 0 crm items update "$id" --notes @@mention --json
equals "12345678901234567.89 $unit crate LB-050 a=b @mention Ask for volume" \
  "$(jq -r '"\(.rate) \(.unit.id) \(.unit.name) \(.custom_fields[0].value) \(.custom_fields[1].value) \(.notes) \(.estimation_notes)"' out)"
equals "0.10 $unit" "$(crm items create --description Ribbon --rate 0.10 --category 7 --default-tax 1 --unit crate --json | jq -r '"\(.rate) \(.unit.id)"')"

# Custom fields are columns by their names, as a record shows them.
equals '{"custom_fields":{"SKU":"LB-050"}}' "$(crm items get "$id" --json --fields custom_fields.SKU | jq -c .)"
equals 'custom_fields.SKU LB-050' "$(crm items list --search 'label roll' --csv --fields custom_fields.SKU | tr -d '\r' | paste -sd' ')"

# Bounds on the rate, search and order.
crm items list --rate-min 10 --rate-max 100 --sort rate --order asc --json >rates
equals true "$(jq '[.[].rate | tonumber] | length > 0 and . == sort and first >= 10 and last <= 100' rates)"
equals "$id" "$(crm items list --search 'label roll' --category 7 --tax-rate 2 --unit "$unit" -o ids)"

status 0 crm items delete "$id" --yes
status 3 crm items get "$id"
