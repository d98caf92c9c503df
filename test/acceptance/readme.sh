# Runs the README's recipes as they stand: every `sh` block below its heading "Recipes".
source "$LIB"

awk '/^## /{ inside = ($0 == "## Recipes") } inside' "$ROOT/README.md" |
  awk '/^```sh$/{ n++; block = 1; next } /^```$/{ block = 0 } block { print > ("recipe-" n) }'
[ -s recipe-1 ] || fail 'the README has no recipes'

for recipe in recipe-*; do
  status 0 bash -euo pipefail "./$recipe"
  [ -s out ] || fail "$recipe printed nothing: $(cat "$recipe")"
  lacks err error:
done

# What they promise.
equals '' "$(crm leads list --status 6 --active-state active --all -o ids -q)"
equals true "$([ "$(wc -l <accepted.csv)" -gt 1 ] && echo true)"
