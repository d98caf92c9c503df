# New leads of a fair come in with the people that are responsible and with tags; it was the wrong file. A colleague has worked on five of
# them by then: those stay. The mapping is mended, and the file comes in again. ROWS=3000 makes it as many as a fair brings.
source "$LIB"
rows=${ROWS:-120}

{
  echo 'Betreff;Status;Art;Zuständig;Schlagworte'
  for n in $(seq "$rows"); do
    [ $((n % 2)) = 0 ] && who=Raman || who='"Tom Okafor; Raman"'
    echo "Messe $n;neu;Inbound;$who;\"Messe 2026; halle $((n % 7))\""
  done
} >fair.csv
cat >ours.yaml <<'YAML'
columns:
  Betreff: title
  Art: category
  Zuständig: assigned
  Schlagworte: tags
words:
  status:
    neu: Contacted
YAML

# Somebody who is nobody: told before anything is sent, with the lines.
before=$(crm leads list --count --active-state active)
sed 's/Raman/Ramann/' fair.csv >mistyped.csv
status 2 crm leads import mistyped.csv --mapping ours.yaml
has err 'no team member is called "Ramann"'
sed 's/neu: Contacted/neu: Contacted\n  assigned:\n    Raman: Jonas Weber/' ours.yaml >wrong.yaml
status 0 crm leads import fair.csv --mapping wrong.yaml --json
equals "$rows 0" "$(jq -r '"\(.created) \(.failed)"' out)"
run=$(jq -r .run out)
has err "Undo: crm undo $run"
crm leads list --search 'Messe 2' --limit 1 --json >out
equals 'Jonas Weber' "$(jq -r '.[0].assigned[-1].name' out)"
has out 'Messe 2026'

# A colleague works on five of them, each in another way.
crm leads list --search Messe --limit 5 -o ids >theirs
{ read -r a; read -r b; read -r c; read -r d; read -r e; } <theirs
crm leads tags "$a" --add mine -q >/dev/null
crm leads assign "$b" --clear -q >/dev/null
crm leads update "$c" --value 5.00 -q >/dev/null
crm leads comments add "$d" 'Called' -q >/dev/null
crm notes create --title N --description D --resource "lead:$e" -q >/dev/null

# What an undo would do, and what it does.
status 8 crm undo "$run" --dry-run --json
equals "$((rows - 5)) 5" "$(jq -r '[([.[] | select(.outcome == "would delete").count] | add), ([.[] | select(.outcome == "kept").count] | add)] | join(" ")' out)"
status 8 crm undo "$run" --yes --json
equals "$((rows - 5)) 5" "$(jq -r '[([.[] | select(.outcome == "deleted").count] | add), ([.[] | select(.outcome == "kept").count] | add)] | join(" ")' out)"
equals "$((before + 5))" "$(crm leads list --count --active-state active)"
crm leads get "$c" --json >out
equals '5.00' "$(jq -r .value out)"
crm history --json >out
equals done "$(jq -r ".[] | select(.run == \"$run\").state" out)"
has out 'partly undone by'

# Mended, the same file comes in again, but for the rows whose leads the colleague kept.
sed 's/Jonas Weber/Priya Raman/' wrong.yaml >right.yaml
status 10 crm leads import fair.csv --mapping right.yaml
has err "5 of $rows rows were created"
status 0 crm leads import fair.csv --mapping right.yaml --resume --json
equals "$rows 0" "$(jq -r '"\(.created) \(.failed)"' out)"
equals "$((before + rows))" "$(crm leads list --count --active-state active)"
equals "$((rows - 5))" "$(crm leads list --where assigned=Priya --where 'tags=Messe 2026' --where title~Messe --count)"
status 10 crm leads import fair.csv --mapping right.yaml
