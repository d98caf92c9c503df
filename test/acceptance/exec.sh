# The embedded CRM for the time of one command: fresh, alone, and gone with the command, however it ends.
source "$LIB"
unset CRM_BASE_URL CRM_API_KEY
export CRM_CONFIG_DIR=$PWD/config CRM_DATA_DIR=$PWD/data CRM_PROFILE=nobody TMPDIR=$PWD/tmp
mkdir tmp project
cp -R "$ROOT/examples" project
# Another run of this script may be under way.
port=$((20000 + $$ % 10000))
export URLS=$PWD/urls
alone() { [ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"; }

# Twice on one port; the recipe as it stands is a line of a job file (jobs.sh).
cd project
on_port="crm sandbox exec --empty --port $port --seed examples/ci-smoke.yaml -- sh -c '[ -z \"\${CRM_PROFILE+set}\" ] && echo \$CRM_BASE_URL >>\$URLS'"
for _ in 1 2; do status 0 bash -euc "$on_port"; done
cd ..
equals 2 "$(grep -c ":$port\$" urls)"
alone

# Killed with -9: its command is its own affair, nothing of crm is left running, and the next one clears up.
crm sandbox exec --empty --port $port -- sh -c 'echo $PPID >pid; sleep 10' >out 2>err &
until [ -s pid ]; do sleep 0.05; done
kill -9 "$(cat pid)"
[ -n "$(ls tmp)" ] || fail 'it had no folder'
wait $! 2>/dev/null || true
! kill -0 "$(cat pid)" 2>/dev/null || fail 'crm is still running'
(cd project && status 0 bash -euc "$on_port")
alone

# Four at once don't meet: each has one lead of its own.
for n in 1 2 3 4; do
  crm sandbox exec --empty -- sh -c "crm leads create --title $n --status New --category Inbound -q >made$n && sleep 0.5 &&
    crm leads list --jq 'map(.title) | join(\",\")'" >"out$n" 2>&1 </dev/null &
done
wait
for n in 1 2 3 4; do equals "$n" "$(cat "out$n")"; done
alone

# The status and the streams are the command's.
status 3 crm sandbox exec --empty -- sh -c 'exit 3'
status 143 crm sandbox exec --empty -- sh -c 'kill -TERM $$'
status 127 crm sandbox exec --empty -- no-such-command
has err 'There is no command "no-such-command".'
status 126 crm sandbox exec --empty -- ./urls
equals 'in, out' "$(echo in | crm sandbox exec --empty -- sed 's/$/, out/')"
status 2 crm sandbox exec --empty
status 2 crm sandbox exec --empty npm test
has err 'crm sandbox exec -- npm test'
status 2 crm sandbox exec --empty --profile x -- true
status 2 crm sandbox exec --dry-run -- true
alone

# No proxy stands between COMMAND and its CRM, for crm and for other clients, and the hosts that the company lists stay listed.
for one in NO_PROXY no_proxy; do
  (unset NO_PROXY no_proxy && export $one=.corp HTTP_PROXY=http://127.0.0.1:9 http_proxy=http://127.0.0.1:9
    crm sandbox exec --empty -- sh -c 'echo "$NO_PROXY $no_proxy"; crm leads list --count -q; curl -s -o body -w "%{http_code}" "$CRM_BASE_URL/"') >out
  equals '127.0.0.1,localhost,.corp 127.0.0.1,localhost,.corp 0 401' "$(tr '\n' ' ' <out)"
done
equals '* *' "$(no_proxy='*' NO_PROXY='' crm sandbox exec --empty -- sh -c 'echo "$NO_PROXY $no_proxy"')"
alone

# SIGTERM is passed on; a command that ends in its own way has the say.
crm sandbox exec --empty -- sh -c 'trap "echo bye; exit 5" TERM; echo $PPID >pid2; while :; do sleep 0.1; done' >out 2>err &
exec=$!
until [ -s pid2 ]; do sleep 0.05; done
kill -TERM "$(cat pid2)"
got=0 && wait "$exec" || got=$?
equals '5 bye' "$got $(cat out)"
alone

# A CRM that can't be had is 7, a seed that fails ends as a seed does, and the command never runs.
crm sandbox exec --empty --port $((port + 1)) -- sh -c 'echo >ready; until [ -e done ]; do sleep 0.1; done' &
until [ -e ready ]; do sleep 0.05; done
status 7 crm sandbox exec --empty --port $((port + 1)) -- touch ran
touch done && wait
TMPDIR=$PWD/nowhere status 7 crm sandbox exec -- touch ran
printf 'version: 1\nrecords: [{ name: a, type: lead, set: { title: x, status: 99, category: 1 } }]\n' >bad.yaml
status 5 crm sandbox exec --empty --seed bad.yaml -- touch ran
status 2 crm sandbox exec --seed nowhere.yaml -- touch ran
[ ! -e ran ] || fail 'the command ran'
alone

# Faults, a snapshot's records, and what is kept.
equals 503 "$(crm sandbox exec --fault 503=1 --fault-seed 1 -- sh -c 'curl -s -o body -w "%{http_code}" -H "Authorization: Bearer $CRM_API_KEY" "$CRM_BASE_URL/api/leads"')"
status 0 crm sandbox exec --keep kept.sqlite -- crm leads update 12 --title Kept
equals Kept "$(CRM_PROFILE='' CRM_BASE_URL=sandbox:$PWD/kept.sqlite crm leads get 12 --jq .title)"
equals 600 "$(stat -c %a kept.sqlite)"
status 2 crm sandbox exec --keep kept.sqlite -- true
CRM_PROFILE='' CRM_BASE_URL=sandbox:$PWD/kept.sqlite crm snapshot monday -q
equals Kept "$(crm sandbox exec --from monday -- crm leads get 12 --jq .title)"
