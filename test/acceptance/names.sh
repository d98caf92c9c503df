# Names in place of ids, with a profile of its own and with the environment alone.
source "$LIB"
url=$CRM_BASE_URL key=$CRM_API_KEY

# With the environment alone names work, and nothing is remembered.
equals '5' "$(crm leads list --status negotiation --json | jq -r 'map(.status.id) | unique | join(" ")')"
[ ! -e "$CRM_DATA_DIR/names" ] || fail 'something was remembered'
status 2 crm leads status 12 negotia
has err 'A write needs the whole name or the id: Negotiation (5).'
equals 'Proposal Sent' "$(crm leads status 12 'proposal sent' --json | jq -r .status.title)"

unset CRM_BASE_URL CRM_API_KEY
echo "$key" | crm profile add acme --base-url "$url" --key-stdin -q >out
equals '700 600' "$(stat -c %a "$CRM_DATA_DIR/names" "$CRM_DATA_DIR/names/acme.json" | paste -sd' ')"

# What the new profile's service showed is known without a request.
equals 'New Contacted Qualified Proposal_Sent Negotiation Lost' \
  "$(crm names statuses --json | jq -r 'map(.name | gsub(" "; "_")) | join(" ")')"
equals '2 hour' "$(crm names units --json | jq -r '.[] | select(.id == 2) | "\(.id) \(.name)"')"
# One record that has the id is looked at before.
status 0 crm leads list --status lost --limit 1 --verbose
equals 2 "$(grep -c '^GET' err)"

# Filters take beginnings of words; writes take whole names, of clients and people also a word.
equals 'Northgate Trading' "$(crm contacts list --client trad --json | jq -r 'map(.client.company_name) | unique | join(" ")')"
equals '3 4' "$(crm leads assign 12 priya 'jonas weber' --json | jq -r '[.assigned[].id] | sort | join(" ")')"
equals '4' "$(crm leads assign 12 --remove PRIYA --json | jq -r '[.assigned[].id] | join(" ")')"
id=$(crm leads create --title 'By name' --data '{"status": "negotiation", "category": "referral"}' -o ids)
equals 'Negotiation Referral' "$(crm leads get "$id" --json | jq -r '"\(.status.title) \(.category.name)"')"
id=$(crm notes create --title Call --description x --resource 'client:northgate' -o ids)
equals 'client 1' "$(crm notes get "$id" --json | jq -r '"\(.resource.type) \(.resource.id)"')"
equals "$id" "$(crm notes list --resource client:northgate --search Call -o ids)"

# @me is who the profile says, in the profile's own service.
status 2 crm leads list --assigned @me
has err 'crm profile set acme --me USER'
crm profile add other --base-url http://127.0.0.1:9 --key-command 'echo none' --no-verify -q >out
crm profile use other -q
status 2 crm profile set acme --me pri
status 0 crm profile set acme --me PRIYA
crm profile use acme -q
crm profile remove other --yes -q
equals "$(crm leads list --assigned 3 --count)" "$(crm leads list --assigned @me --count)"

# A slip of the fingers makes no unit; --new-unit does, and its name is known at once.
status 2 crm items create --description Visit --rate 80 --category services --default-tax standard --unit hours
has err '--unit: none of the items read so far has the unit "hours"; its id works. Did you mean hour (2)?'
has err '--new-unit'
equals 'hour Standard Services' "$(crm items create --description Visit --rate 80 --category services --default-tax standard --unit HOUR --json |
  jq -r '"\(.unit.name) \(.default_tax.name) \(.category.name)"')"
crm items create --description Pallet --rate 8 --category 7 --default-tax 2 --unit pallet --new-unit -q >out
equals pallet "$(crm names units --json | jq -r '.[] | select(.name == "pallet") | .name')"
equals 1 "$(crm items list --unit pallet --json | jq length)"

# Several that don't exist are told together, and nothing is sent.
status 2 crm leads create --title T --status won --category nothing --value x --json
equals '--status --category --value' "$(jq -r '[.error.fields[].flag] | join(" ")' err)"

# The cells of an import: each name is looked up once, and what means nothing is told at its line; nothing is sent then.
printf 'title,status,category\nOne,negotiation,Referral\nTwo,5,inbound\nThree,Won,Referral\n' >leads.csv
status 2 crm leads import leads.csv
has err 'line 4, column status: none of the leads read so far has the lead status "Won"'
equals '[]' "$(crm leads list --search Three --json)"
sed -i 's/Won/Lost/' leads.csv
status 0 crm leads import leads.csv
equals 'One Negotiation Referral,Three Lost Referral,Two Negotiation Inbound' \
  "$(crm leads list --limit 3 --sort created --json | jq -r 'sort_by(.title) | map("\(.title) \(.status.title) \(.category.name)") | join(",")')"
printf 'description,rate,category,default-tax,unit\nBarrel,9,hardware,standard,barrel\n' >items.csv
status 2 crm items import items.csv
has err 'line 2, column unit: none of the items read so far has the unit "barrel"'
status 0 crm items import items.csv --new-unit
# The unit has an id now, and the row is known all the same.
status 10 crm items import items.csv --new-unit
has err 'imported already'
equals 1 "$(crm items list --unit barrel --json | jq length)"

# A seed file: applied again it creates nothing, though its unit has an id by then.
cat >names.yaml <<'YAML'
version: 1
records:
  - { name: deal, type: lead, set: { title: By names, status: new, category: outbound }, then: [status: proposal sent, assign: [priya, tom]] }
  - { name: thing, type: item, set: { description: Crate, rate: 1.10, category: hardware, default-tax: no tax, unit: tonne } }
YAML
status 0 crm seed apply names.yaml
equals 'Proposal Sent Outbound 2 3' "$(crm leads list --search 'By names' --json |
  jq -r '.[0] | "\(.status.title) \(.category.name) \([.assigned[].id] | sort | map(tostring) | join(" "))"')"
status 0 crm seed apply names.yaml
equals 1 "$(crm items list --unit tonne --json | jq length)"
sed -i 's/outbound/elsewhere/; s/priya/nobody/' names.yaml
status 2 crm seed apply names.yaml --run other
has err 'line 3, deal.set.category: no lead category is called "elsewhere".'
has err 'line 3, deal.then[1].assign: no team member is called "nobody".'

# A broken memory is begun anew; it goes with its profile.
echo '{"version":1' >"$CRM_DATA_DIR/names/acme.json"
equals '[]' "$(crm names --json 2>err)"
has err 'crm names --refresh'
status 0 crm names --refresh
equals true "$(crm names tags --json | jq 'length > 5')"
status 0 crm profile remove acme --yes
[ ! -e "$CRM_DATA_DIR/names/acme.json" ] || fail 'what was remembered stayed'

# So does that of the embedded CRM with its records.
crm sandbox init -q >out
equals 6 "$(crm names statuses --json | jq length)"
status 0 crm sandbox reset --yes
equals '[]' "$(crm names --json 2>err)"

# In a condition a reference takes a name as the filter does.
equals "$(crm notes list --resource 'user:Tom Okafor' --count)" "$(crm notes list --where 'resource=user:Tom Okafor' --count -q)"

# On Tab no password is told that somebody wrote into an address by hand.
jq '.profiles.odd = {"baseUrl": "https://me:hunter2@crm.example"}' "$CRM_CONFIG_DIR/config.json" >odd.json
cat odd.json >"$CRM_CONFIG_DIR/config.json"
crm __complete zsh profile show '' >out
has out odd
lacks out hunter2
