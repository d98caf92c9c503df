# Runs the commands of every help topic as they stand, in order, each topic with settings and data of its own.
source "$LIB"

# The service and its key stand elsewhere; a person would be asked for the key.
elsewhere='s|^crm profile add acme --base-url https://crm.example.com$|echo "$CRM_API_KEY" \| crm profile add acme --base-url "$CRM_BASE_URL" --key-stdin|'

for page in "$ROOT"/docs/reference/topics/*.md; do
  topic=$(basename "$page" .md)
  export CRM_CONFIG_DIR=$PWD/$topic/config CRM_DATA_DIR=$PWD/$topic/data
  mkdir "$topic"
  cp -R "$ROOT/examples" "$topic"
  echo '{ "private": true, "scripts": { "test": "crm leads list" } }' >"$topic/package.json"
  printf 'title,status,category\nFrom a file,New,Inbound\nAnother,Negotiation,1\n' >"$topic/sales.csv"
  sed -n 's/^  \$ //p' "$page" | sed "$elsewhere" >"$topic/commands"
  [ -s "$topic/commands" ] || fail "the topic $topic has no commands"
  (
    cd "$topic"
    # Names are remembered for a profile.
    if [ "$topic" = privacy ]; then
      echo "$CRM_API_KEY" | crm profile add acme --base-url "$CRM_BASE_URL" --key-stdin >/dev/null 2>&1
      unset CRM_BASE_URL CRM_API_KEY
    fi
    status 0 bash -euxo pipefail ./commands
  ) || fail "$topic: see above"
done

# What some of them promise.
equals 'status 3' "$(tail -n 1 exit-statuses/out)"
has import/sales.yaml columns
has settings/out acme
