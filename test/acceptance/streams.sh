# Pipes, full disks and closed streams.
source "$LIB"

# A reader that has seen enough ends the command quietly.
for format in json ndjson csv yaml ids table; do
  statuses=$(crm leads list -o "$format" 2>err | head -1 >out; echo "${PIPESTATUS[*]}")
  equals '0 0' "$statuses"
  equals '' "$(cat err)"
done
statuses=$(crm leads --help 2>err | true; echo "${PIPESTATUS[*]}")
equals '0 0' "$statuses"

# A slow reader gets all of it.
equals "$(crm leads list --json | jq length)" "$(crm leads list --json | { sleep 1; cat; } | jq length)"

# A full disk is no success.
if [ -w /dev/full ]; then
  for command in 'leads list --json' 'leads get 42' 'completion bash' 'leads --help' --version; do
    # shellcheck disable=SC2086
    got=0 && crm $command >/dev/full 2>err || got=$?
    equals 7 "$got"
    has err 'disk is full'
  done
fi

# Closed streams: no stack, no hang.
got=0 && crm leads list --limit 1 -o ids <&- >out 2>err || got=$?
equals "0 1" "$got $(wc -l <out)"
got=0 && crm leads get 999999 2>&- >out </dev/null || got=$?
equals 3 "$got"

# Ids feed other commands; standard input has one reader.
crm leads list --search 'no such lead' -o ids -q | xargs -r crm leads archive
crm leads list --limit 2 -o ids | xargs crm leads archive -q >/dev/null
equals '["archived"]' "$(crm leads list --limit 2 --json | jq -c '[.[].active_state] | unique')"
got=0 && echo x | crm notes create --title X --description - --data - >out 2>err || got=$?
equals 2 "$got"

# SIGTERM and SIGINT end a command that waits for standard input.
mkfifo silent
for pair in 'TERM 143' 'INT 130'; do
  read -r signal expected <<<"$pair"
  # A reader that is busy with a pipe nobody writes to; timeout sends the signal, and kills what does not listen.
  got=0 && timeout --preserve-status --foreground -k 60 -s "$signal" 1.5 crm notes create --title X --description - <>silent >out 2>err || got=$?
  equals "$signal $expected" "$signal $got"
done

# So do they later, when standard input has been read and the service does not answer.
node -e 'require("http").createServer(() => {}).listen(0, "127.0.0.1", function () { console.log(this.address().port); })' >port &
trap 'kill $!' EXIT
until [ -s port ]; do sleep 0.05; done
export CRM_BASE_URL=http://127.0.0.1:$(cat port)
echo 'Some text' >text
printf 'title,description\na,b\n' >notes.csv
for command in 'notes create --title X --description -' 'notes import - --format csv'; do
  for input in text notes.csv; do
    [ "$command $input" != 'notes import - --format csv text' ] || continue
    # shellcheck disable=SC2086
    got=0 && timeout --preserve-status -k 60 -s INT 1.5 crm $command <"$input" >out 2>err || got=$?
    equals "$input 130" "$input $got"
    lacks err '    at '
  done
done
