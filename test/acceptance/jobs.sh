# The recipe for CI, and each shell line of the job files, as they stand, in a project whose tests use the CRM in their environment.
source "$LIB"
unset CRM_BASE_URL CRM_API_KEY
export CRM_CONFIG_DIR=$PWD/config CRM_DATA_DIR=$PWD/data TMPDIR=$PWD/tmp
mkdir tmp project
cp -R "$ROOT/examples" project

recipe='crm sandbox exec --empty --seed examples/ci-smoke.yaml -- npm test'
for page in README.md src/cli/topics/scripting.txt examples/github-actions.yml; do
  grep -qF "$recipe" "$ROOT/$page" || fail "$page has not the recipe"
done

# `npm install` has nothing to bring here: crm is on the PATH.
mkdir bin
npm=$(command -v npm)
printf '#!/bin/sh\n[ "$*" = "install --global crm-admin" ] || exec "%s" "$@"\n' "$npm" >bin/npm
chmod +x bin/npm
PATH=$PWD/bin:$PATH
cat >project/package.json <<'JSON'
{ "private": true, "scripts": { "test": "sh test.sh" } }
JSON
cat >project/test.sh <<'SH'
set -e
echo "$CRM_BASE_URL" >>"$URLS"
[ "$(crm leads list --count -q)" = 1 ]
id=$(crm leads create --title 'By name' --status New --category Inbound -o ids)
[ "$(crm leads get "$id" --jq .status.title)" = New ]
[ "$(crm history --jq 'map(.seed)[0]')" = ci-smoke ]
SH
export URLS=$PWD/urls

cd project
export GITHUB_STEP_SUMMARY=$PWD/summary.md
for job in github-actions gitlab-ci; do
  sed -n -e 's/^ *- run: //p' -e 's/^    - //p' "examples/$job.yml" | grep -v '^uses:' >"$job.sh"
  equals 3 "$(wc -l <"$job.sh")"
  while read -r line; do status 0 bash -euc "$line"; done <"$job.sh"
done
has summary.md '| --- |'
equals 2 "$(jq length leads.json)"
cd ..
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
