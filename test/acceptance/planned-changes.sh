# A manager's morning: a change is written down, read in a spreadsheet, two of its lines struck out, carried out beside a colleague at work,
# looked up in the history and taken back.
source "$LIB"

lead() { crm leads create --title "$1" --status New --category Inbound --source web -o ids; }
for name in one two three four five six; do lead "Planwharf $name" >/dev/null; done
web=(--where source~web --where title~planwharf)
ids=$(crm leads list "${web[@]}" --jq 'map(.id) | sort | join(" ")')
read -r one two three four five six <<<"$ids"
list() { crm leads list --where title~planwharf --csv --fields id,title,source,status.title,tags,value | sort; }
list >before.csv

# Written down, and nothing is sent.
status 0 crm leads update "${web[@]}" --source Website --plan web.xlsx --json
equals 6 "$(jq length out)"
has err 'crm apply web.xlsx'
list | diff before.csv -
status 2 crm leads update "${web[@]}" --source Website --plan web.xlsx

# Two lines are struck out in a spreadsheet program, with CRM_SLOW=1; else in a plan that is CSV.
office() { soffice --headless "-env:UserInstallation=file://$PWD/office" "$@" >/dev/null 2>&1; }
if [ -n "${CRM_SLOW:-}" ] && command -v soffice >/dev/null && office --convert-to csv --outdir struck web.xlsx && [ -s struck/web.csv ]; then
  plan=struck/kept.xlsx
else
  plan=struck/kept.csv
  mkdir -p struck
  crm leads update "${web[@]}" --source Website --plan struck/web.csv -q >/dev/null
fi
equals 7 "$(grep -c . struck/web.csv)"
grep -vE "^leads,($one|$two)," struck/web.csv >struck/kept.csv
[ "$plan" = struck/kept.csv ] || office --convert-to xlsx --outdir struck struck/kept.csv

# A colleague edits a third lead meanwhile.
crm leads update "$three" --source Fair -q >/dev/null

# One conflict, named with what stands there now; off a terminal nobody is asked.
status 8 crm apply $plan --json
equals "$(printf '%s\n' "$four" "$five" "$six" | sort -n | paste -sd' ')" "$(jq -r 'map(.id) | sort | join(" ")' out)"
equals "$three" "$(jq '.error.failures[0].id' err)"
has err 'source is Fair now, not web'
equals 'Fair Website web web' "$(crm leads get "$three,$four,$one,$two" --jq 'map(.source) | join(" ")')"

# The second time changes nothing.
status 8 crm apply $plan
has err "Lead $four is as it was"

# The history tells of it, and it is taken back.
equals "crm apply $plan --json" "$(crm history --jq '.[1].command')"
equals '3 leads changed, 1 left out' "$(crm history --jq '.[1].did')"
run=$(crm history --jq '.[1].run')
status 0 crm undo "$run" --dry-run
has out 'would put back'
has out 'source Website -> web'
equals 'Website' "$(crm leads get "$four" --jq .source)"
status 9 crm undo "$run"
status 0 crm undo "$run" --yes
equals "$three: Fair" "$(list | diff before.csv - | sed -nE "s/^> ([0-9]+),[^,]*,([^,]*),.*/\1: \2/p")"

# A plan of nothing is a table with a header alone, and does nothing.
status 0 crm leads tags --where title=nothing-like-it --add hot --plan none.csv
equals 'family,id,was.title,tags,was.tags' "$(tr -d '\r' <none.csv)"
status 0 crm apply none.csv --json
equals '[]' "$(cat out)"

# An export made for coming back: what is changed in it is done, all else is left alone.
crm leads list --where title~planwharf --was --csv --fields source,value >back.csv
sed "s/^leads,$four,web,/leads,$four,Referral,/" back.csv >mine.csv
status 0 crm apply mine.csv --json
equals "[$four]" "$(jq -c 'map(.id)' out)"
status 2 crm leads import mine.csv --mode update
has err 'crm apply'
