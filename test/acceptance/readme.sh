# Runs the README's commands and its program as they stand. Elsewhere are the tour (acceptance/terminal.test.ts) and the block for CI (jobs.sh).
source "$LIB"

# blocks HEADING NAME: the heading's `sh` blocks as files NAME-1, NAME-2 …
blocks() {
  awk -v heading="## $1" '/^## /{ inside = ($0 == heading) } inside' "$ROOT/README.md" |
    awk -v name="$2" '/^```sh$/{ n++; block = 1; next } /^```$/{ block = 0 } block { print > (name "-" n) }'
  [ -s "$2-1" ] || fail "the README has no commands below \"$1\""
}

# runs FILE…: each does what it should, and prints something.
runs() {
  for file; do
    status 0 bash -euo pipefail "./$file"
    [ -s out ] || fail "$file printed nothing: $(cat "$file")"
    lacks err error:
  done
}

# Every block is one of these, of the two above, or how crm is installed.
equals 8 "$(grep -c '^```sh$' "$ROOT/README.md")"
equals 2 "$(grep -cE '^```(ts|console)$' "$ROOT/README.md")"

# The service, its keys and the program that has one stand elsewhere.
blocks 'Works with' tour
mkdir programs
printf '#!/bin/sh\necho "$CRM_API_KEY"\n' >programs/op
chmod +x programs/op
sed -i.bak -e "s|https://crm.acme.example|$CRM_BASE_URL|" -e "s|CRM_API_KEY=…|CRM_API_KEY=$CRM_API_KEY|" \
  -e 's/^crm profile add acme/echo "$CRM_API_KEY" | & --key-stdin/' tour-*
rm tour-*.bak
PATH=$PWD/programs:$PATH runs tour-*
equals 'acme ops' "$(crm profile list -o json | jq -r '[.[].name] | join(" ")')"

# A person edits the change file, and has a file of another program.
blocks 'With a spreadsheet' sheet
printf 'Title,Status,Category\nFrom elsewhere,New,Inbound\n' >sales.csv
sed -i.bak "s/^crm apply change.csv/sed 's|Website,Website|Web,Website|' change.csv >edited.csv; mv edited.csv change.csv; &/" sheet-1
rm sheet-1.bak
untouched=$(crm leads list --fields id,source --csv | sort)
runs sheet-1
equals "$untouched" "$(crm leads list --fields id,source --csv | sort)"
equals 'undo' "$(crm history --jq '.[0].kind')"
blocks 'With a script' script
runs script-1

# What was rehearsed, done and taken back is as it was.
sources() { crm leads list --fields id,source --csv | sort; }
before=$(sources)
blocks 'Before you touch a thousand records' thousand
runs thousand-*
equals "$before" "$(sources)"
has out web
equals '' "$(crm diff monday --family leads --csv | tail -n +2)"

# The rules of every night are looked at; whether they hold is the data's affair.
blocks 'Every night' night
grep '^crm ' night-1 >rules
equals 3 "$(wc -l <rules | tr -d ' ')"
while read -r rule; do
  bash -c "$rule" </dev/null >out 2>err && ended=0 || ended=$?
  case $ended in 0 | 11) ;; *) fail "$rule ended with $ended: $(cat err)" ;; esac
  [ -s out ] || fail "$rule printed nothing"
done <rules
equals '' "$(sed 's/^crm //' rules | grep -vxFf <(sed -n "s/^check '[^']*' //p" "$ROOT/examples/nightly.sh") || true)"
equals 6 "$(grep -c '^check ' "$ROOT/examples/nightly.sh")"

# The program, in a project that has the package.
mkdir -p project/node_modules
ln -s "$ROOT" project/node_modules/crm-admin
sed -n '/^```ts$/,/^```$/p' "$ROOT/README.md" | grep -v '^```' >project/program.mts
(cd project && status 0 node program.mts && has out 'Fleet tracking')
