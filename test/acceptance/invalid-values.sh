# Values that can't be: all of a command line are told at once, each beside its flag, and nothing is sent.
source "$LIB"

status 2 crm contacts create --first-name A --last-name B --client 2 --email bad
equals 'error: --email: "bad" is not an email address.' "$(cat err)"
status 2 crm contacts create --first-name A --last-name B --client 2 --email bad --json
equals '[{"flag":"--email","name":"email","messages":["\"bad\" is not an email address."]}]' "$(jq -c .error.fields err)"
equals '--email: "bad" is not an email address.' "$(jq -r .error.message err)"

# Several are a list.
status 2 crm leads create --title T --status x --category y --value z
equals 'error: 3 values are wrong.
  --status: no lead status is called "x". There are New (1), Contacted (2), Qualified (3), Proposal Sent (4), Negotiation (5) and Lost (6).
  --category: no lead category is called "y". There are Inbound (1), Outbound (2) and Referral (3).
  --value: "z" is not a decimal number such as 1250.00.' "$(cat err)"
status 2 crm leads create --title T --status x --category y --value z --json
equals '--status lead_status,--category lead_categoryid,--value lead_value' \
  "$(jq -r '[.error.fields[] | "\(.flag) \(.name)"] | join(",")' err)"

# Wherever they stand: --data and --set, the id in front, filters, order and extent, several ids, global flags.
status 2 crm leads update abc --email bad --data '{"status": "x"}' --set lead_value=1e5 --json
equals 'null lead,--email lead_email,--data status status,--set lead_value lead_value' \
  "$(jq -r '[.error.fields[] | "\(.flag) \(.name)"] | join(",")' err)"
status 2 crm leads list --status 0 --sort y --order z --limit 0 --json
equals '--status status,--sort sort,--order order,--limit limit' "$(jq -r '[.error.fields[] | "\(.flag) \(.name)"] | join(",")' err)"
status 2 crm leads archive x 1 y
has err '  lead: "x"'
has err '  lead: "y"'
status 2 crm leads status 1 x --json
equals '<status> status' "$(jq -r '.error.fields[0] | "\(.flag) \(.name)"' err)"
status 2 crm items list --timeout x --retries y --json
equals '--timeout,--retries' "$(jq -r '[.error.fields[].flag] | join(",")' err)"
status 2 crm items update 5 --custom-field 11=x --json
equals '--custom-field item_custom_field_N' "$(jq -r '.error.fields[0] | "\(.flag) \(.name)"' err)"

# What is missing is one sentence, and a field each.
status 2 crm leads create --title T
equals 'error: Missing --status, --category.' "$(cat err)"
status 2 crm leads create --title T --json
equals '--status lead_status it is missing.,--category lead_categoryid it is missing.' \
  "$(jq -r '[.error.fields[] | "\(.flag) \(.name) \(.messages[0])"] | join(",")' err)"
