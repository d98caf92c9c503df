# A loop of curl that creates as many leads as it is told.
set -euo pipefail
for ((row = 1; row <= $1; row++)); do
  curl -sf -o /dev/null -H "Authorization: Bearer $CRM_API_KEY" -d "lead_title=Lead $row" -d lead_status=1 -d lead_categoryid=1 \
    -d "lead_value=$row.50" -d "lead_email=lead-$row@bench.example" -d "lead_company_name=Company $row" "$CRM_BASE_URL/api/leads"
done
