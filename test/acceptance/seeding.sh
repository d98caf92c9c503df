# A seed is applied once and taken away again.
source "$LIB"

before=$(crm leads list -o ids)
for _ in once again; do status 0 crm seed apply "$ROOT/examples/sales-team.yaml" --run team; done
status 9 crm seed destroy --run team
status 0 crm seed destroy --run team --yes
equals "$before" "$(crm leads list -o ids)"
