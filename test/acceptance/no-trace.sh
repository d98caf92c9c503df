# CRM_BASE_URL and CRM_API_KEY alone run any command, and no file is written: apart from Node's compile cache, which can be turned off, and
# the empty lock of a record that is changed.
source "$LIB"

mkdir home tmp
alone() {
  env -i PATH="$PATH" HOME="$PWD/home" TMPDIR="$PWD/tmp" CRM_CONFIG_DIR="$PWD/config" CRM_DATA_DIR="$PWD/data" \
    CRM_BASE_URL="$CRM_BASE_URL" CRM_API_KEY="$CRM_API_KEY" "$@"
}
status 0 alone crm leads list --limit 1
status 0 alone crm leads get 42 --debug
lacks err "$CRM_API_KEY"
status 0 alone crm leads tags 42 --add env
status 0 alone crm api GET /api/categories
status 0 alone crm profile list
status 3 alone crm leads get 999999
[ ! -e config ] || fail 'a config folder was made'
equals '' "$(find home tmp -mindepth 1)"
equals '' "$(find data -type f -not -path 'data/compile-cache/*' -not \( -path 'data/locks/*' -size 0 \) 2>/dev/null)"
equals '' "$(grep -rlF "$CRM_API_KEY" home tmp data || true)"
rm -rf data
status 0 alone env NODE_DISABLE_COMPILE_CACHE=1 crm leads list --limit 1
[ ! -e data ] || fail 'a data folder was made'

# Without CRM_DATA_DIR the cache is in the platform's folder of caches, for this user only.
status 0 alone env -u CRM_CONFIG_DIR -u CRM_DATA_DIR XDG_CACHE_HOME="$PWD/cache" crm leads list --limit 1
equals '' "$(find home tmp -mindepth 1)"
equals '' "$(find cache -mindepth 1 -not -path 'cache/crm' -not -path 'cache/crm/compile-cache*')"
equals '' "$(find cache -maxdepth 2 -perm /077)"

# One of the two is not enough, and the message says which is missing.
status 4 env -u CRM_API_KEY crm leads list
has err CRM_API_KEY
status 4 env -u CRM_BASE_URL crm leads list
has err CRM_BASE_URL
status 4 env CRM_BASE_URL=http://crm.invalid crm leads list

# A path, a trailing slash and a trailing /api mean the same.
for suffix in / /api /api/; do
  CRM_BASE_URL=$CRM_BASE_URL$suffix status 0 crm leads list --limit 1
done

# A wrong key is said to be wrong, with where it came from, and is not shown.
CRM_API_KEY=wrong-key-123456789 status 4 crm leads get 1 --debug
has err CRM_API_KEY
lacks err wrong-key-123456789

# No program is looked for on the path.
status 0 alone env PATH=/nonexistent "$(command -v crm)" leads get 1

# Poor surroundings.
for setting in TERM=dumb NO_COLOR=1 COLUMNS=1 LC_ALL=C; do
  status 0 env "$setting" crm leads list --limit 2 --fields id,title
  equals 3 "$(wc -l <out)"
done
status 0 env -u HOME crm leads list --limit 1
