# The families that are only read: clients, the team, categories, projects and tasks.
source "$LIB"

equals 'Verano Hotels' "$(crm clients list --status suspended --json | jq -r '.[].company_name')"
equals '10 11 6' "$(crm client ls --sort company_name --order asc --limit 3 -o ids | xargs)"
equals '15' "$(crm clients list -o ids | wc -l | tr -d ' ')"
equals 'Leeds 30 General' "$(crm clients get 1 --json | jq -r '"\(.billing.city) \(.billing.invoice_due_days) \(.category.name)"')"
equals 'Administrator' "$(crm team get 1 --json | jq -r .role.name)"
equals '4 1 3 2' "$(crm team list --sort first_name --order asc -o ids | xargs)"
equals 'Implementation,Support Plan' "$(crm categories list --type proposal --sort name --order asc --json | jq -r 'map(.name) | join(",")')"
equals '1 2' "$(crm projects list --status in_progress --order asc -o ids | xargs)"
equals '3 2 1' "$(crm tasks list --project 1 -o ids | xargs)"
equals 'Completed' "$(crm task get 1 --json | jq -r .status.title)"

# A category has every member that the documents name, in their order.
equals 'id,name,description,type,visibility,icon,system_default,slug,count,users_count,dates.created,dates.updated' \
  "$(crm category list --csv | head -1 | tr -d '\r')"

# What messages call them.
status 0 crm team list --search nobody
has err 'No team members found.'
status 0 crm clients list --limit 1 --page 99
has err 'there are 15 clients in all'
status 2 crm clients get 0
status 3 crm clients get 99

crm team --help >out
has out 'They can only be read.'
crm --help >out
has out 'Reference records'
