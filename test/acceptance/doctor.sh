# crm doctor: all is well, what is wrong is status 11 with what to do, and no key is shown.
source "$LIB"

row() { jq -r --arg check "$1" '.[] | select(.check == $check) | .state' out; }

status 0 crm doctor --json
equals '' "$(cat err)"
equals 'ok ok ok' "$(row service) $(row key) $(row clock)"
lacks out "$CRM_API_KEY"
equals 0 "$(ls "$CRM_DATA_DIR/runs" 2>/dev/null | wc -l | tr -d ' ')"

# In a pipe: a header, and a check a line.
status 0 crm doctor
equals $'CHECK\tSTATE\tFOUND\tADVICE' "$(head -1 out)"
has out "$CRM_BASE_URL, from CRM_BASE_URL"

# A key that isn't one, a service that isn't there, a place that is no CRM: each with what to do.
CRM_API_KEY=crm_not_the_right_key_1 status 11 crm doctor --json --debug
equals 'ok wrong' "$(row service) $(row key)"
has err '"code":"found"'
lacks err crm_not_the_right_key_1
lacks out crm_not_the_right_key_1
CRM_BASE_URL=http://127.0.0.1:9 status 11 crm doctor
has err 'checks found something wrong: service.'
has out 'connection refused'
CRM_BASE_URL=$CRM_BASE_URL/elsewhere status 11 crm doctor --jq '.[]|select(.state=="wrong").check'
equals service "$(cat out)"

# No settings, a broken file, the embedded CRM.
status 11 env -u CRM_BASE_URL -u CRM_API_KEY crm doctor
has out 'crm sandbox init'
mkdir -p "$CRM_CONFIG_DIR" && chmod 700 "$CRM_CONFIG_DIR"
(umask 077 && echo '{' >"$CRM_CONFIG_DIR/config.json")
status 11 env -u CRM_BASE_URL -u CRM_API_KEY crm doctor --json
equals 'wrong unknown' "$(row profiles) $(row service)"
rm "$CRM_CONFIG_DIR/config.json"
status 0 env -u CRM_BASE_URL -u CRM_API_KEY crm sandbox init -q
status 0 env -u CRM_BASE_URL -u CRM_API_KEY crm doctor --json
equals 'ok ok' "$(row key) $(row service)"
