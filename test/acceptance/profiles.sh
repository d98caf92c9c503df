# Profiles: added, chosen, shown and removed; the key is checked, masked, bound to its origin and nobody else's to read.
source "$LIB"
url=$CRM_BASE_URL key=$CRM_API_KEY
unset CRM_BASE_URL CRM_API_KEY

status 4 crm leads list
has err 'crm profile add'
equals '[]' "$(crm profile list --json 2>/dev/null)"

# A wrong key is not saved; the first profile becomes the current one.
got=0 && echo wrong-key-1234567 | crm profile add acme --base-url "$url" --key-stdin >out 2>err || got=$?
equals 4 "$got"
has err "The key came from --key-stdin; it was sent to $url."
has err 'Nothing was saved.'
status 3 crm profile check acme

# Neither is the way to something else.
got=0 && echo "$key" | crm profile add acme --base-url "$url/shop" --key-stdin >out 2>err || got=$?
equals 3 "$got"
has err 'There is nothing at /shop/api/contacts.'
has err 'Is the base URL that of the service itself?'
has err 'Nothing was saved.'
echo "$key" | crm profile add acme --base-url "$url/api/" --key-stdin >out 2>err
status 0 crm leads list --limit 1 -o ids
equals acme "$(crm profile show --json | jq -r .name)"
status 10 crm profile add acme --base-url "$url" --key-command 'echo x' --no-verify

# Nobody else can read it, and crm itself never shows it.
equals '700 600' "$(stat -c %a "$CRM_CONFIG_DIR") $(stat -c %a "$CRM_CONFIG_DIR"/config.json)"
for command in 'list' 'list --json' 'show acme' 'check acme --debug' 'show -o yaml'; do
  # shellcheck disable=SC2086
  status 0 crm profile $command
  lacks out "$key"
  lacks err "$key"
done

# A key from a program is not saved at all.
printf '#!/bin/sh\necho "$STORED_KEY"\n' >'the vault' && chmod +x 'the vault'
STORED_KEY=$key status 0 crm profile add vault --base-url "$url" --key-command "'$PWD/the vault'" --encoding json
STORED_KEY=$key status 0 crm leads list --limit 1 -p vault
STORED_KEY= status 4 crm leads list -p vault
status 4 crm profile add broken --base-url "$url" --key-command 'exit 3'
has err 'exit status 3'

# A JSON profile sends the same values.
equals JSON "$(STORED_KEY=$key crm notes create --title JSON --description x -p vault --json | jq -r .title)"

# Settings change; another origin needs another key.
status 0 crm profile set acme --me 3 --protected --encoding json
equals '3 true json' "$(crm profile show acme --json | jq -r '"\(.me) \(.protected) \(.encoding)"')"
status 0 crm profile set acme --no-protected --encoding form
equals '3 false form' "$(crm profile show acme --json | jq -r '"\(.me) \(.protected) \(.encoding)"')"
status 2 crm profile set acme --base-url https://elsewhere.invalid
has err --key-stdin
got=0 && echo wrong-key-1234567 | crm profile set acme --key-stdin >out 2>err || got=$?
equals 4 "$got"
status 0 crm leads list --limit 1 -o ids -p acme

# use, flag over environment over current.
echo other-key-1234567 | crm profile add other --base-url https://crm.invalid --key-stdin --no-verify >out 2>err
status 0 crm profile use other
equals other "$(crm profile list --json | jq -r '.[] | select(.current) | .name')"
CRM_PROFILE=acme status 0 crm leads list --limit 1
CRM_PROFILE=other status 0 crm leads list --limit 1 --profile acme
status 4 crm leads list --profile nobody
has err nobody

# The key goes to its own origin only.
CRM_BASE_URL=https://elsewhere.invalid CRM_PROFILE=acme status 4 crm leads list
has err 'elsewhere.invalid'
status 2 crm profile add plain --base-url http://crm.invalid --key-command 'echo k' --no-verify
status 0 crm profile add plain --base-url http://crm.invalid --key-command 'echo k' --no-verify --insecure-http
status 2 crm profile add odd --base-url https://user:pass@crm.invalid --key-command 'echo k' --no-verify
status 2 crm profile add '../odd' --base-url https://crm.invalid --key-command 'echo k' --no-verify

# Removal needs a yes.
status 9 crm profile remove other
status 0 crm profile remove other --yes
status 4 crm leads list
has err 'Profiles: acme, vault'

# Two at once: both are saved.
for n in 1 2 3 4; do crm profile add "p$n" --base-url https://crm.invalid --key-command 'echo k' --no-verify -q >/dev/null & done
wait
equals 'p1 p2 p3 p4' "$(crm profile list --json | jq -r '[.[].name | select(test("^p[0-9]$"))] | sort | join(" ")')"

# A broken file is named and left alone.
echo '{"version": 1, "profiles"' >"$CRM_CONFIG_DIR/config.json"
status 4 crm profile list
has err "$CRM_CONFIG_DIR/config.json"
status 4 crm profile add more --base-url https://crm.invalid --key-command 'echo k' --no-verify
equals '{"version": 1, "profiles"' "$(cat "$CRM_CONFIG_DIR/config.json")"
