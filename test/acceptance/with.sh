# A record and what hangs on it: leads get ID --with comments,proposals,notes.
source "$LIB"

lead=$(crm leads create --title 'Harbour lights' --status 1 --category 1 -o ids)
crm leads comment "$lead" 'Called, sends the figures' -q
note=$(crm notes create --title 'Parking' --description '<p>Gate <b>B</b></p>' --resource "lead:$lead" -o ids)
proposal=$(crm proposals create --lead "$lead" --title 'Lights' --start 2027-01-04 --category 4 -o ids)

# In JSON they are members of those names, in the order asked for.
crm leads get "$lead" --with notes,comments,proposals --json >all.json
equals "[\"notes\",\"comments\",\"proposals\"]" "$(jq -c 'keys_unsorted[-3:]' all.json)"
equals "$note $proposal Called, sends the figures" "$(jq -r '"\(.notes[0].id) \(.proposals[0].id) \(.comments[0].text)"' all.json)"
equals "[\"$lead\",1,0]" "$(crm leads get "$lead,1" --with notes --json | jq -c "[\"\(.[0].id)\", (.[0].notes | length), (.[1].notes | map(select(.resource.id == $lead)) | length)]")"

# Off a terminal they are further dotted lines.
equals 'Parking' "$(crm leads get "$lead" --with notes | sed -n 's/^notes\.0\.title\t//p')"
equals '<p>Gate <b>B</b></p>' "$(crm notes get "$note" | sed -n 's/^description\t//p')"

# What can't be shown is refused before anything is read.
status 2 crm leads get "$lead" --with notes --csv
has err 'choose --json, -o ndjson or -o yaml'
status 2 crm leads get 999999 --with remarks
has err '"remarks" is not one of comments, proposals, notes.'
status 3 crm leads get 999999 --with notes

# The record stays as it was shown without --with.
equals "$(crm leads get "$lead")" "$(crm leads get "$lead" --with comments | grep -v '^comments\.')"
