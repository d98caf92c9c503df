# Seeds of a fresh service, which has no records.
source "$LIB"

# The examples need nothing but what a service documents, and no records: every list of a fresh service is empty.
export CRM_DATA_DIR=$PWD/fresh CRM_CONFIG_DIR=$PWD/fresh
unset CRM_BASE_URL CRM_API_KEY
crm sandbox init --empty -q >/dev/null
for example in sales-team ci-smoke; do
  status 0 crm seed apply "$ROOT/examples/$example.yaml" --run "$example"
  status 0 crm seed destroy --run "$example" --yes
done
equals '[]' "$(crm leads list --json)"

# A lead status is meant by its name, and known from leads; it can't be found by itself.
cat >status.yaml <<'END'
version: 1
records:
  - { name: won, find: { type: lead-status, by: { title: Negotiation } } }
  - { name: lead, type: lead, set: { title: Found, status: '${won.id}', category: 1 } }
END
status 2 crm seed apply status.yaml
has err 'give its name where a record refers to it, such as status: Negotiation'
sed -i '/name: won/d; s/.${won.id}./Nowhere/' status.yaml
status 2 crm seed apply status.yaml
has err 'none of the leads read so far has the lead status "Nowhere"'
# An empty embedded CRM knows its own.
sed -i 's/Nowhere/Negotiation/' status.yaml
status 0 crm seed apply status.yaml
equals 5 "$(crm leads list --search found --json | jq '.[0].status.id')"
