# Catalog items: money to the digit, units made on the fly, custom fields that survive an update.
source "$LIB"

id=$(crm items create --description 'Label roll' --rate 12345678901234567.89 --category 7 --default-tax 2 --unit crate --new-unit \
  --notes 'Thermal, 50 mm' --estimation-notes 'Ask for volume' --custom-field 1=LB-050 --custom-field '2=a=b' -o ids)
status 0 crm items get "$id" --json
equals '12345678901234567.89' "$(jq -r .rate out)"
equals 'crate LB-050 a=b Ask for volume' \
  "$(jq -r '"\(.unit.name) \(.custom_fields[0].value) \(.custom_fields[1].value) \(.estimation_notes)"' out)"
unit=$(jq .unit.id out)

# An update of the notes sends the rest back as it was, and the unit by its id: no second unit of that name.
status 0 crm items update "$id" --notes @@mention --json
equals "12345678901234567.89 $unit LB-050 a=b @mention Ask for volume" \
  "$(jq -r '"\(.rate) \(.unit.id) \(.custom_fields[0].value) \(.custom_fields[1].value) \(.notes) \(.estimation_notes)"' out)"
status 0 crm items update "$id" --custom-field 2=c --json
equals 'LB-050 c' "$(jq -r '"\(.custom_fields[0].value) \(.custom_fields[1].value)"' out)"
equals "$id" "$(crm items list --unit "$unit" -o ids)"

# Custom fields are columns by their names, as a record shows them.
equals '{"custom_fields":{"SKU":"LB-050"}}' "$(crm items get "$id" --json --fields custom_fields.SKU | jq -c .)"
equals 'LB-050' "$(crm items list --unit "$unit" --json --fields custom_fields.SKU | jq -r '.[0].custom_fields.SKU')"
equals "custom_fields.SKU LB-050" "$(crm items list --unit "$unit" --csv --fields custom_fields.SKU | tr -d '\r' | paste -sd' ')"
equals 'CUSTOM FIELDS SKU LB-050' "$(crm items list --unit "$unit" --fields custom_fields.SKU | paste -sd' ')"
status 0 crm items get "$id" --fields custom_fields.SKU
equals $'custom_fields.SKU\tLB-050' "$(head -1 out)"
status 2 crm items get "$id" --fields custom_fields.SKU,nots
equals 'error: --fields: unknown field "nots", did you mean notes?' "$(cat err)"

# A second item of that unit by name.
status 0 crm items create --description 'Ribbon' --rate 0.10 --category 7 --default-tax 1 --unit crate --json
equals "0.10 $unit" "$(jq -r '"\(.rate) \(.unit.id)"' out)"

# Wrong values never leave this machine.
for wrong in '--rate 1,50' '--rate 1e3' '--rate abc' '--category 0' '--default-tax -1' '--custom-field 11=x' '--custom-field 1'; do
  # shellcheck disable=SC2086
  status 2 crm items update "$id" $wrong
done
status 5 crm items create --description X --rate 1 --category 1 --default-tax 99 --unit each
has err '--category: '
has err '--default-tax: '

# Bounds on the rate, search and order.
crm items list --rate-min 10 --rate-max 100 --sort rate --order asc --json >rates
equals true "$(jq '[.[].rate | tonumber] | length > 0 and . == sort and first >= 10 and last <= 100' rates)"
equals "$id" "$(crm items list --search 'label roll' --category 7 --tax-rate 2 -o ids)"
status 2 crm items list --rate-min cheap

status 9 crm items delete "$id"
status 0 crm items delete "$id" --yes
status 3 crm items get "$id"
