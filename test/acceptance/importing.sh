# A spreadsheet goes in once: refused rows are repaired, a run that was killed goes on, an export comes back unchanged.
source "$LIB"

count() {
  crm leads list --search "$1" -o ids -q | wc -l
}

# A mistake anywhere in the file is found before anything is sent, and named by its line and column.
printf 'Title,Status,category,E-Mail\nSheet one,1,1,a@x.example\nSheet two,first,1,\n' >leads.csv
status 2 crm leads import leads.csv
has err 'E-Mail'
status 2 crm leads import leads.csv --map E-Mail=email
has err 'line 3, column Status'
equals 0 "$(count 'Sheet ')"

# What the service refuses is kept aside, with why; repaired, it goes in.
printf '\xef\xbb\xbftitle;status;category\r\nSheet one;1;1\r\n"Sheet\r\ntwo; quoted";1;1\r\nSheet three;1;999\r\n' >leads.csv
status 8 crm leads import leads.csv --rejects rejects.csv --json
equals '3 2 1' "$(jq -r '"\(.total) \(.created) \(.failed)"' out)"
equals "_line,_status,_error" "$(head -1 rejects.csv | tr ';' ',' | sed "s/.*category,//" | tr -d '\r')"
sed 's/999/1/' rejects.csv >repaired.csv
status 0 crm leads import repaired.csv --json
equals 1 "$(jq .created out)"
equals 3 "$(count Sheet)"

# The same file again is refused, for it was imported.
status 10 crm leads import repaired.csv
equals 3 "$(count Sheet)"

# What a list wrote can be read again: nothing changes, and nothing is sent.
for format in csv ndjson xlsx; do
  crm leads list -o $format -q >"all.$format"
  status 0 crm leads import "all.$format" --mode update --match id --dry-run --json
  equals true "$(jq '.counts.rows > 40 and .counts.unchanged == .counts.rows' out)"
done

# Killed in the middle and resumed: every row is there once. It takes a minute, so that a count is in time on any machine.
{ echo title,status,category && for n in $(seq 300); do echo "Killed $n,1,1"; done; } >many.csv
crm leads import many.csv --rate 5 -q >out 2>err &
import=$!
until [ "$(count Killed)" -ge 5 ]; do kill -0 "$import"; sleep 0.05; done
kill -9 "$import"
wait "$import" 2>/dev/null || true
status 10 crm leads import many.csv
has err --resume
status 0 crm leads import many.csv --resume --json
equals 300 "$(jq .created out)"
equals 300 "$(count Killed)"
equals 300 "$(crm leads list --search Killed --json | jq -r '.[].title' | sort -u | wc -l)"

# From standard input, for others than leads too.
printf '{"title": "Piped note", "description": "From a pipe"}\n' | crm notes import - --format ndjson -q
equals 1 "$(crm notes list --search 'Piped note' -o ids | wc -l)"

# The rejects never replace what is being read.
printf 'title,status,category\nPiped once,1,999\n' >piped.csv
got=0 && crm leads import - --format csv --rejects piped.csv <piped.csv >out 2>err || got=$?
equals 2 "$got"
has err 'piped.csv is there already and is not overwritten'
has piped.csv 'Piped once,1,999'
