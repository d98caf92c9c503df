# Errors: one sentence on standard error, an empty standard output, and the status that the table promises.
source "$LIB"

# 2: nothing is sent. The flag is named, and the nearest name is offered.
wrong() {
  status 2 crm "$@"
  equals '' "$(cat out)"
  lacks err '    at '
}
wrong leads get abc
wrong leads get 0
wrong leads get -1
wrong leads get 1.5
wrong leads get
wrong leads list extra
wrong leads create --title X --status 1
wrong leads create --title X --status 1 --category 1 --value 1e5
wrong leads create --title X --status 1 --category 1 --last-contacted 2026-02-29
wrong leads update 1 --data '[1]'
wrong leads update 1 --data '{"no_such_field": 1}'
wrong leads update 1 --set nothing
wrong leads list --timeout 0
wrong leads list --retries -1
wrong leads list --color sometimes
wrong leads list --serch x
has err --search

# 3, 5 and 10.
status 3 crm leads get 999999
has err 'Lead 999999 not found.'
status 5 crm leads status 1 999
status 5 crm leads assign 1 999
converted=$(crm leads list --json | jq '[.[] | select(.converted.is_converted)][0].id')
status 10 crm leads convert "$converted" --first-name A --last-name B --email never.used@a.example

# With --json: one object on standard error.
status 5 crm contacts create --first-name A --last-name B --email maya@crm.example --client 2 --json
equals '' "$(cat out)"
equals 'code,fields,hint,message,request,status' "$(jq -r '.error | keys | join(",")' err)"
equals '422 POST /api/contacts' "$(jq -r '"\(.error.status) \(.error.request.method) \(.error.request.path)"' err)"
equals '{"flag":"--email","name":"email","messages":["The email has already been taken."]}' "$(jq -c '.error.fields[0]' err)"
status 3 crm leads get 999999 --json
equals 'not_found 404' "$(jq -r '"\(.error.code) \(.error.status)"' err)"
status 2 crm leads get abc --json
equals 'null' "$(jq -c .error.status err)"

# However JSON is asked for, also where the command line itself is what is wrong.
wrong_as_json() {
  local code=$1
  shift
  wrong "$@"
  equals "$code null" "$(jq -r '"\(.error.code) \(.error.status)"' err)"
}
wrong_as_json unknown_command leads lst -o json
wrong_as_json unknown_flag leads list --bogus --output=json
wrong_as_json invalid_value leads list -o json --retries x
wrong_as_json missing_value -qo ndjson leads list --limit
wrong_as_json missing_value leads assign 1 --json
wrong_as_json missing_value seed destroy --json
wrong_as_json missing_value profile add --json
wrong_as_json invalid_value sandbox serve --port 65536 --json
wrong_as_json name_unknown leads create --title X --status Nope --category 1 --json
wrong_as_json name_unknown items update 1 --unit Nope --json

# 4: says where the key came from, never what it is.
CRM_API_KEY=wrong-key-98765 status 4 crm leads list --debug
has err CRM_API_KEY
lacks err wrong-key-98765

# 7: a closed port, an unknown host; writes that can't have arrived say so.
port=$(node -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close(); })')
CRM_BASE_URL=http://127.0.0.1:$port status 7 crm leads list --retries 0
has err "127.0.0.1:$port"
CRM_BASE_URL=https://crm.invalid status 7 crm leads list --retries 0 --timeout 20

# A service that misbehaves, by what is searched for.
cat >service.mjs <<'JS'
import { createServer } from 'node:http';
const json = { 'content-type': 'application/json' };
const answers = {
  html: (r) => r.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1>'),
  cut: (r) => r.writeHead(200, json).end('{"data": [{"id": 1,'),
  utf8: (r) => r.writeHead(200, json).end(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  away: (r) => r.writeHead(302, { location: 'http://127.0.0.2:1/thief' }).end(),
  busy: (r) => r.writeHead(429, { ...json, 'retry-after': '0' }).end('{"message": "Too Many Attempts."}'),
  silent: () => undefined,
  nothing: (r) => r.writeHead(204).end(),
  deep: (r) => r.writeHead(200, json).end(`{"data": [${'['.repeat(100_000)}${']'.repeat(100_000)}]}`),
  forbidden: (r) => r.writeHead(403, json).end('{"message": "No."}'),
};
const server = createServer((request, response) => {
  if (request.method === 'POST') return request.socket.destroy();
  answers[new URL(request.url, 'http://x').searchParams.get('search')](response);
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
node service.mjs >port &
trap 'kill $!' EXIT
until [ -s port ]; do sleep 0.05; done
CRM_BASE_URL=http://127.0.0.1:$(cat port)
for row in 'html 7' 'cut 7' 'utf8 7' 'away 7' 'busy 6' 'silent 7' 'nothing 7' 'forbidden 4'; do
  read -r search expected <<<"$row"
  status "$expected" crm leads list --search "$search" --retries 1 --timeout 2
  lacks err '    at '
  lacks err "$CRM_API_KEY"
done

# A lost answer to a write: the outcome is unknown, and the message names the command that shows it.
status 7 crm leads create --title 'Lost answer' --status 1 --category 1
has err 'crm leads list'
status 7 crm leads create --title 'Lost answer' --status 1 --category 1 --json
equals 'POST /api/leads' "$(jq -r '"\(.error.request.method) \(.error.request.path)"' err)"

# Nesting that no parser follows is a broken answer, not a fault in crm; and help on nothing is a mistake.
status 7 crm leads list --search deep --retries 0
wrong help no-such-command
