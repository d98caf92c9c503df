# A loop of curl and jq over every page, one record a line.
set -euo pipefail
page=1 last=1
while [ "$page" -le "$last" ]; do
  body=$(curl -sf -G -H "Authorization: Bearer $CRM_API_KEY" -d limit=100 -d page="$page" "$CRM_BASE_URL/api/leads")
  last=$(jq -r .meta.last_page <<<"$body")
  jq -c '.data[]' <<<"$body"
  page=$((page + 1))
done
