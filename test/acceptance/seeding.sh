# A seed is applied once and taken away again.
source "$LIB"

before=$(crm leads list --all -o ids | wc -l)
status 0 crm seed apply "$ROOT/examples/sales-team.yaml" --run team
after=$(crm leads list --all -o ids | wc -l)
[ "$after" -gt "$before" ] || fail "no lead was created"
status 0 crm seed apply "$ROOT/examples/sales-team.yaml" --run team
equals "$after" "$(crm leads list --all -o ids | wc -l)"
status 9 crm seed destroy --run team
status 0 crm seed destroy --run team --yes
equals "$before" "$(crm leads list --all -o ids | wc -l)"
