# bash completion for crm, printed by `crm completion bash`. Generated: change src/completions instead.
# What was typed is compared with the tables below, or handed as it is to `crm __complete`: nothing expands or runs it.

# Goes from $level to the level below that the word $1 names; fails when there is none.
_crm_enter() {
  case "$level:$1" in
    ':contacts' | ':contact') level=contacts ;;
    ':proposals' | ':proposal') level=proposals ;;
    ':leads' | ':lead') level=leads ;;
    ':items' | ':item') level=items ;;
    ':notes' | ':note') level=notes ;;
    ':clients' | ':client') level=clients ;;
    ':team') level=team ;;
    ':categories' | ':category') level=categories ;;
    ':projects' | ':project') level=projects ;;
    ':tasks' | ':task') level=tasks ;;
    ':names') level=names ;;
    ':report') level=report ;;
    ':seed') level=seed ;;
    ':profile') level=profile ;;
    ':sandbox') level=sandbox ;;
    ':doctor') level=doctor ;;
    ':completion') level=completion ;;
    ':api') level=api ;;
    ':explain') level=explain ;;
    ':help') level=help ;;
    contacts:list | contacts:ls) level='contacts list' ;;
    contacts:get | contacts:view) level='contacts get' ;;
    contacts:create) level='contacts create' ;;
    contacts:update) level='contacts update' ;;
    contacts:edit) level='contacts edit' ;;
    contacts:delete | contacts:rm) level='contacts delete' ;;
    contacts:import) level='contacts import' ;;
    contacts:account-owner) level='contacts account-owner' ;;
    proposals:list | proposals:ls) level='proposals list' ;;
    proposals:get | proposals:view) level='proposals get' ;;
    proposals:create) level='proposals create' ;;
    proposals:update) level='proposals update' ;;
    proposals:edit) level='proposals edit' ;;
    proposals:delete | proposals:rm) level='proposals delete' ;;
    proposals:import) level='proposals import' ;;
    proposals:tags) level='proposals tags' ;;
    proposals:status) level='proposals status' ;;
    proposals:clone) level='proposals clone' ;;
    leads:list | leads:ls) level='leads list' ;;
    leads:get | leads:view) level='leads get' ;;
    leads:create) level='leads create' ;;
    leads:update) level='leads update' ;;
    leads:edit) level='leads edit' ;;
    leads:delete | leads:rm) level='leads delete' ;;
    leads:import) level='leads import' ;;
    leads:archive) level='leads archive' ;;
    leads:activate | leads:unarchive) level='leads activate' ;;
    leads:status) level='leads status' ;;
    leads:assign | leads:assigned) level='leads assign' ;;
    leads:tags) level='leads tags' ;;
    leads:contacted) level='leads contacted' ;;
    leads:convert) level='leads convert' ;;
    leads:clone) level='leads clone' ;;
    leads:comments | leads:comment) level='leads comments' ;;
    'leads comments:list' | 'leads comments:ls') level='leads comments list' ;;
    'leads comments:add') level='leads comments add' ;;
    'leads comments:delete' | 'leads comments:rm') level='leads comments delete' ;;
    items:list | items:ls) level='items list' ;;
    items:get | items:view) level='items get' ;;
    items:create) level='items create' ;;
    items:update) level='items update' ;;
    items:edit) level='items edit' ;;
    items:delete | items:rm) level='items delete' ;;
    items:import) level='items import' ;;
    notes:list | notes:ls) level='notes list' ;;
    notes:get | notes:view) level='notes get' ;;
    notes:create) level='notes create' ;;
    notes:update) level='notes update' ;;
    notes:edit) level='notes edit' ;;
    notes:delete | notes:rm) level='notes delete' ;;
    notes:import) level='notes import' ;;
    notes:tags) level='notes tags' ;;
    clients:list | clients:ls) level='clients list' ;;
    clients:get | clients:view) level='clients get' ;;
    team:list | team:ls) level='team list' ;;
    team:get | team:view) level='team get' ;;
    categories:list | categories:ls) level='categories list' ;;
    categories:get | categories:view) level='categories get' ;;
    projects:list | projects:ls) level='projects list' ;;
    projects:get | projects:view) level='projects get' ;;
    tasks:list | tasks:ls) level='tasks list' ;;
    tasks:get | tasks:view) level='tasks get' ;;
    report:leads | report:lead) level='report leads' ;;
    report:proposals | report:proposal) level='report proposals' ;;
    seed:apply) level='seed apply' ;;
    seed:destroy) level='seed destroy' ;;
    seed:forget) level='seed forget' ;;
    seed:list | seed:ls) level='seed list' ;;
    seed:demo) level='seed demo' ;;
    profile:add) level='profile add' ;;
    profile:set) level='profile set' ;;
    profile:list | profile:ls) level='profile list' ;;
    profile:use) level='profile use' ;;
    profile:show | profile:get) level='profile show' ;;
    profile:remove | profile:rm | profile:delete) level='profile remove' ;;
    profile:check) level='profile check' ;;
    sandbox:init) level='sandbox init' ;;
    sandbox:reset) level='sandbox reset' ;;
    sandbox:serve) level='sandbox serve' ;;
    help:contacts | help:contact) level=contacts ;;
    help:proposals | help:proposal) level=proposals ;;
    help:leads | help:lead) level=leads ;;
    help:items | help:item) level=items ;;
    help:notes | help:note) level=notes ;;
    help:clients | help:client) level=clients ;;
    help:team) level=team ;;
    help:categories | help:category) level=categories ;;
    help:projects | help:project) level=projects ;;
    help:tasks | help:task) level=tasks ;;
    help:names) level=names ;;
    help:report) level=report ;;
    help:seed) level=seed ;;
    help:profile) level=profile ;;
    help:sandbox) level=sandbox ;;
    help:doctor) level=doctor ;;
    help:completion) level=completion ;;
    help:api) level=api ;;
    help:explain) level=explain ;;
    help:output) level='help output' ;;
    help:settings) level='help settings' ;;
    help:scripting) level='help scripting' ;;
    help:import) level='help import' ;;
    help:flags) level='help flags' ;;
    help:exit-statuses) level='help exit-statuses' ;;
    help:agents) level='help agents' ;;
    *) return 1 ;;
  esac
}

# What $level offers. A flag with a trailing = takes a value.
_crm_level() {
  commands=() aliases=() flags=() slots=0
  case $level in
    '')
      commands=(contacts proposals leads items notes clients team categories projects tasks names report seed profile sandbox
        doctor completion api explain help)
      aliases=(contact proposal lead item note client category project task)
      flags=(-V --version)
      ;;
    contacts)
      commands=(list get create update edit delete import account-owner)
      aliases=(ls view rm)
      ;;
    'contacts list')
      flags=(--status= --client= --account-owner= --search= --where= --sort= --order= --limit= --page= --all --count)
      ;;
    'contacts get')
      flags=(--where= --with=)
      slots=1
      ;;
    'contacts create')
      flags=(--first-name= --last-name= --email= --client= --phone= --job-position= --send-email --set= --data= --read)
      ;;
    'contacts update')
      flags=(--where= --first-name= --last-name= --email= --phone= --job-position= --set= --data= --replace)
      slots=1
      ;;
    'contacts edit')
      flags=(--where=)
      slots=1
      ;;
    'contacts delete')
      flags=(--where=)
      slots=1000
      ;;
    'contacts import')
      flags=(--format= --sheet= --map= --mapping= --save-mapping= --constant= --decimal-mark= --date-order= --blank= --mode=
        --match= --overwrite-newer --concurrency= --rate= --max-errors= --rejects= --skip-invalid --results= --journal=
        --resume --again --send-again= --arrived=)
      slots=1
      ;;
    'contacts account-owner')
      slots=1
      ;;
    proposals)
      commands=(list get create update edit delete import tags status clone)
      aliases=(ls view rm)
      ;;
    'proposals list')
      flags=(--status= --client= --lead= --category= --search= --where= --sort= --order= --limit= --page= --all --count)
      ;;
    'proposals get')
      flags=(--where=)
      slots=1
      ;;
    'proposals create')
      flags=(--client= --lead= --title= --start= --category= --end= --body= --template= --set= --data= --read)
      ;;
    'proposals update')
      flags=(--where= --title= --start= --category= --end= --body= --set= --data= --replace)
      slots=1
      ;;
    'proposals edit')
      flags=(--where=)
      slots=1
      ;;
    'proposals delete')
      flags=(--where=)
      slots=1000
      ;;
    'proposals import')
      flags=(--format= --sheet= --map= --mapping= --save-mapping= --constant= --decimal-mark= --date-order= --blank= --mode=
        --match= --overwrite-newer --concurrency= --rate= --max-errors= --rejects= --skip-invalid --results= --journal=
        --resume --again --send-again= --arrived=)
      slots=1
      ;;
    'proposals tags')
      flags=(--where= --add= --remove= --clear)
      slots=1000
      ;;
    'proposals status')
      flags=(--where= --to= --clear-signatures)
      slots=2
      ;;
    'proposals clone')
      flags=(--title= --client= --lead= --category= --start= --end= --set= --data=)
      slots=1
      ;;
    leads)
      commands=(list get create update edit delete import archive activate status assign tags contacted convert clone comments)
      aliases=(ls view rm unarchive assigned comment)
      ;;
    'leads comments')
      commands=(list add delete)
      aliases=(ls rm)
      ;;
    'leads list')
      flags=(--status= --category= --source= --active-state= --assigned= --search= --state= --where= --sort= --order=
        --limit= --page= --all --count)
      ;;
    'leads get')
      flags=(--where= --with=)
      slots=1
      ;;
    'leads create')
      flags=(--title= --status= --category= --first-name= --last-name= --email= --phone= --job-position= --company-name=
        --website= --value= --source= --last-contacted= --description= --street= --city= --state= --zip= --country=
        --set= --data= --read)
      ;;
    'leads update')
      flags=(--where= --title= --status= --category= --first-name= --last-name= --email= --phone= --job-position=
        --company-name= --website= --value= --source= --last-contacted= --description= --street= --city= --state= --zip=
        --country= --set= --data= --replace)
      slots=1
      ;;
    'leads edit')
      flags=(--where=)
      slots=1
      ;;
    'leads delete')
      flags=(--where=)
      slots=1000
      ;;
    'leads import')
      flags=(--format= --sheet= --map= --mapping= --save-mapping= --constant= --decimal-mark= --date-order= --blank= --mode=
        --match= --overwrite-newer --concurrency= --rate= --max-errors= --rejects= --skip-invalid --results= --journal=
        --resume --again --send-again= --arrived=)
      slots=1
      ;;
    'leads archive')
      flags=(--where=)
      slots=1000
      ;;
    'leads activate')
      flags=(--where=)
      slots=1000
      ;;
    'leads status')
      flags=(--where= --to=)
      slots=2
      ;;
    'leads assign')
      flags=(--where= --add= --remove= --clear)
      slots=1000
      ;;
    'leads tags')
      flags=(--where= --add= --remove= --clear)
      slots=1000
      ;;
    'leads contacted')
      flags=(--on=)
      slots=2
      ;;
    'leads convert')
      flags=(--first-name= --last-name= --email= --company-name= --invoice-due-days= --send-welcome-email --delete-lead
        --set= --data=)
      slots=1
      ;;
    'leads clone')
      flags=(--title= --status= --first-name= --last-name= --email= --phone= --company-name= --website= --value=
        --copy-checklist --copy-files --set= --data=)
      slots=1
      ;;
    'leads comments list')
      slots=1
      ;;
    'leads comments add')
      slots=2
      ;;
    'leads comments delete')
      slots=2
      ;;
    items)
      commands=(list get create update edit delete import)
      aliases=(ls view rm)
      ;;
    'items list')
      flags=(--category= --unit= --tax-rate= --rate-min= --rate-max= --search= --where= --sort= --order= --limit= --page=
        --all --count)
      ;;
    'items get')
      flags=(--where=)
      slots=1
      ;;
    'items create')
      flags=(--description= --rate= --category= --default-tax= --unit= --notes= --estimation-notes= --custom-field=
        --new-unit --set= --data= --read)
      ;;
    'items update')
      flags=(--where= --description= --rate= --category= --default-tax= --unit= --notes= --estimation-notes= --custom-field=
        --new-unit --set= --data= --replace)
      slots=1
      ;;
    'items edit')
      flags=(--where= --new-unit)
      slots=1
      ;;
    'items delete')
      flags=(--where=)
      slots=1000
      ;;
    'items import')
      flags=(--format= --sheet= --map= --mapping= --save-mapping= --constant= --decimal-mark= --date-order= --blank= --mode=
        --match= --overwrite-newer --new-unit --concurrency= --rate= --max-errors= --rejects= --skip-invalid --results=
        --journal= --resume --again --send-again= --arrived=)
      slots=1
      ;;
    notes)
      commands=(list get create update edit delete import tags)
      aliases=(ls view rm)
      ;;
    'notes list')
      flags=(--resource= --visibility= --search= --where= --sort= --order= --limit= --page= --all --count)
      ;;
    'notes get')
      flags=(--where=)
      slots=1
      ;;
    'notes create')
      flags=(--title= --description= --visibility= --resource= --set= --data= --read)
      ;;
    'notes update')
      flags=(--where= --title= --description= --visibility= --set= --data= --replace)
      slots=1
      ;;
    'notes edit')
      flags=(--where=)
      slots=1
      ;;
    'notes delete')
      flags=(--where=)
      slots=1000
      ;;
    'notes import')
      flags=(--format= --sheet= --map= --mapping= --save-mapping= --constant= --decimal-mark= --date-order= --blank= --mode=
        --match= --overwrite-newer --concurrency= --rate= --max-errors= --rejects= --skip-invalid --results= --journal=
        --resume --again --send-again= --arrived=)
      slots=1
      ;;
    'notes tags')
      flags=(--where= --add= --remove= --clear)
      slots=1000
      ;;
    clients)
      commands=(list get)
      aliases=(ls view)
      ;;
    'clients list')
      flags=(--status= --category= --search= --where= --sort= --order= --limit= --page= --all --count)
      ;;
    'clients get')
      flags=(--where= --with=)
      slots=1
      ;;
    team)
      commands=(list get)
      aliases=(ls view)
      ;;
    'team list')
      flags=(--status= --role= --search= --where= --sort= --order= --limit= --page= --all --count)
      ;;
    'team get')
      flags=(--where= --with=)
      slots=1
      ;;
    categories)
      commands=(list get)
      aliases=(ls view)
      ;;
    'categories list')
      flags=(--type= --visibility= --search= --where= --sort= --order= --limit= --page= --all --count)
      ;;
    'categories get')
      flags=(--where=)
      slots=1
      ;;
    projects)
      commands=(list get)
      aliases=(ls view)
      ;;
    'projects list')
      flags=(--status= --client= --category= --search= --where= --sort= --order= --limit= --page= --all --count)
      ;;
    'projects get')
      flags=(--where= --with=)
      slots=1
      ;;
    tasks)
      commands=(list get)
      aliases=(ls view)
      ;;
    'tasks list')
      flags=(--project= --client= --status= --priority= --milestone= --active-state= --assigned= --search= --where= --sort=
        --order= --limit= --page= --all --count)
      ;;
    'tasks get')
      flags=(--where= --with=)
      slots=1
      ;;
    names)
      flags=(--refresh)
      slots=1
      ;;
    report)
      commands=(leads proposals)
      aliases=(lead proposal)
      ;;
    'report leads')
      flags=(--by= --status= --category= --source= --assigned= --search= --where=)
      ;;
    'report proposals')
      flags=(--by= --status= --client= --lead= --category= --search= --where=)
      ;;
    seed)
      commands=(apply destroy forget list demo)
      aliases=(ls)
      ;;
    'seed apply')
      flags=(--run= --random-seed= --rollback-on-error --concurrency= --rate=)
      slots=1
      ;;
    'seed destroy')
      flags=(--run= --keep-changed --concurrency= --rate=)
      slots=1
      ;;
    'seed forget')
      slots=1
      ;;
    'seed demo')
      flags=(--leads= --contacts= --proposals= --items= --notes= --run= --random-seed= --print --rollback-on-error
        --concurrency= --rate= --client= --lead-status= --lead-category= --proposal-category= --item-category=
        --default-tax= --unit= --team=)
      ;;
    profile)
      commands=(add set list use show remove check)
      aliases=(ls get rm delete)
      ;;
    'profile add')
      flags=(--base-url= --key-stdin --key-command= --encoding= --me= --no-verify --insecure-http --protected)
      slots=1
      ;;
    'profile set')
      flags=(--base-url= --key-stdin --key-command= --encoding= --me= --no-verify --insecure-http --protected --no-protected)
      slots=1
      ;;
    'profile use')
      slots=1
      ;;
    'profile show')
      slots=1
      ;;
    'profile remove')
      slots=1
      ;;
    'profile check')
      slots=1
      ;;
    sandbox)
      commands=(init reset serve)
      ;;
    'sandbox init')
      flags=(--empty --force)
      ;;
    'sandbox serve')
      flags=(--host= --port= --key= --db= --empty)
      ;;
    completion)
      slots=1
      ;;
    api)
      flags=(-f= --field= --data= --paginate)
      slots=2
      ;;
    explain)
      slots=1
      ;;
    help)
      commands=(contacts proposals leads items notes clients team categories projects tasks names report seed profile sandbox
        doctor completion api explain output settings scripting import flags exit-statuses agents)
      aliases=(contact proposal lead item note client category project task)
      ;;
  esac
  flags=(${flags[@]+"${flags[@]}"}
    -p= --profile= -o= --output= --json --csv --csv-raw --envelope --fields= --jq= --all-fields --dry-run -y --yes
    --confirm= --no-input --timeout= --retries= -q --quiet --verbose --debug --color= --no-pager -h --help)
}

# The values of the flag, or of the positional value with the number, $1.
_crm_values() {
  local value values
  values=()
  case "$level $1" in
    'contacts list --client' | 'contacts list --where' | 'contacts get --where' | 'contacts get --with' | \
    'contacts get 1' | 'contacts create --client' | 'contacts update --where' | 'contacts update 1' | \
    'contacts edit --where' | 'contacts edit 1' | 'contacts delete --where' | 'contacts delete '[1-9]* | \
    'contacts account-owner 1' | 'proposals list --client' | 'proposals list --category' | 'proposals list --where' | \
    'proposals get --where' | 'proposals get 1' | 'proposals create --client' | 'proposals create --category' | \
    'proposals update --where' | 'proposals update --category' | 'proposals update 1' | 'proposals edit --where' | \
    'proposals edit 1' | 'proposals delete --where' | 'proposals delete '[1-9]* | 'proposals tags --where' | \
    'proposals tags 1' | 'proposals status --where' | 'proposals status 1' | 'proposals clone --client' | \
    'proposals clone --category' | 'proposals clone 1' | 'leads list --status' | 'leads list --category' | \
    'leads list --assigned' | 'leads list --where' | 'leads get --where' | 'leads get --with' | 'leads get 1' | \
    'leads create --status' | 'leads create --category' | 'leads update --where' | 'leads update --status' | \
    'leads update --category' | 'leads update 1' | 'leads edit --where' | 'leads edit 1' | 'leads delete --where' | \
    'leads delete '[1-9]* | 'leads archive --where' | 'leads archive '[1-9]* | 'leads activate --where' | \
    'leads activate '[1-9]* | 'leads status --where' | 'leads status --to' | 'leads status 1' | 'leads status 2' | \
    'leads assign --where' | 'leads assign --add' | 'leads assign --remove' | 'leads assign 1' | 'leads assign '[1-9]* | \
    'leads tags --where' | 'leads tags 1' | 'leads contacted 1' | 'leads convert 1' | 'leads clone --status' | \
    'leads clone 1' | 'leads comments list 1' | 'leads comments add 1' | 'leads comments delete 1' | \
    'items list --category' | 'items list --unit' | 'items list --tax-rate' | 'items list --where' | \
    'items get --where' | 'items get 1' | 'items create --category' | 'items create --default-tax' | \
    'items create --unit' | 'items update --where' | 'items update --category' | 'items update --default-tax' | \
    'items update --unit' | 'items update 1' | 'items edit --where' | 'items edit 1' | 'items delete --where' | \
    'items delete '[1-9]* | 'notes list --where' | 'notes get --where' | 'notes get 1' | 'notes update --where' | \
    'notes update 1' | 'notes edit --where' | 'notes edit 1' | 'notes delete --where' | 'notes delete '[1-9]* | \
    'notes tags --where' | 'notes tags 1' | 'clients list --category' | 'clients list --where' | 'clients get --where' | \
    'clients get --with' | 'clients get 1' | 'team list --where' | 'team get --where' | 'team get --with' | \
    'team get 1' | 'categories list --where' | 'categories get --where' | 'categories get 1' | \
    'projects list --client' | 'projects list --category' | 'projects list --where' | 'projects get --where' | \
    'projects get --with' | 'projects get 1' | 'tasks list --client' | 'tasks list --assigned' | 'tasks list --where' | \
    'tasks get --where' | 'tasks get --with' | 'tasks get 1' | 'report leads --status' | 'report leads --category' | \
    'report leads --assigned' | 'report leads --where' | 'report proposals --client' | 'report proposals --category' | \
    'report proposals --where' | 'seed destroy --run' | 'seed forget 1' | 'profile set 1' | 'profile use 1' | \
    'profile show 1' | 'profile remove 1' | 'profile check 1' | *' -p' | *' --profile' | *' --fields')
      _crm_live "$2" ;;
    'contacts list --account-owner')
      values=(yes no) ;;
    'contacts list --sort')
      values=(first_name last_name email created updated) ;;
    'contacts list --order' | 'proposals list --order' | 'leads list --order' | 'items list --order' | \
    'notes list --order' | 'clients list --order' | 'team list --order' | 'categories list --order' | \
    'projects list --order' | 'tasks list --order')
      values=(asc desc) ;;
    'contacts create --data' | 'contacts update --data' | 'proposals create --body' | 'proposals create --data' | \
    'proposals update --body' | 'proposals update --data' | 'proposals clone --data' | 'leads create --description' | \
    'leads create --data' | 'leads update --description' | 'leads update --data' | 'leads contacted 2' | \
    'leads convert --data' | 'leads clone --data' | 'leads comments add 2' | 'items create --description' | \
    'items create --notes' | 'items create --estimation-notes' | 'items create --data' | 'items update --description' | \
    'items update --notes' | 'items update --estimation-notes' | 'items update --data' | 'notes create --description' | \
    'notes create --data' | 'notes update --description' | 'notes update --data' | 'api --data')
      _crm_files "$2" @ ;;
    'contacts import --format' | 'proposals import --format' | 'leads import --format' | 'items import --format' | \
    'notes import --format')
      values=(csv ndjson json xlsx) ;;
    'contacts import --mapping' | 'contacts import --save-mapping' | 'contacts import --rejects' | \
    'contacts import --results' | 'contacts import --journal' | 'contacts import 1' | 'proposals import --mapping' | \
    'proposals import --save-mapping' | 'proposals import --rejects' | 'proposals import --results' | \
    'proposals import --journal' | 'proposals import 1' | 'leads import --mapping' | 'leads import --save-mapping' | \
    'leads import --rejects' | 'leads import --results' | 'leads import --journal' | 'leads import 1' | \
    'items import --mapping' | 'items import --save-mapping' | 'items import --rejects' | 'items import --results' | \
    'items import --journal' | 'items import 1' | 'notes import --mapping' | 'notes import --save-mapping' | \
    'notes import --rejects' | 'notes import --results' | 'notes import --journal' | 'notes import 1' | 'seed apply 1' | \
    'seed destroy 1' | 'sandbox serve --db')
      _crm_files "$2" "" ;;
    'contacts import --decimal-mark' | 'proposals import --decimal-mark' | 'leads import --decimal-mark' | \
    'items import --decimal-mark' | 'notes import --decimal-mark')
      values=(point comma) ;;
    'contacts import --date-order' | 'proposals import --date-order' | 'leads import --date-order' | \
    'items import --date-order' | 'notes import --date-order')
      values=(ymd dmy mdy) ;;
    'contacts import --blank' | 'proposals import --blank' | 'leads import --blank' | 'items import --blank' | \
    'notes import --blank')
      values=(skip clear) ;;
    'contacts import --mode' | 'proposals import --mode' | 'leads import --mode' | 'items import --mode' | \
    'notes import --mode')
      values=(create update upsert) ;;
    'proposals list --status' | 'proposals status --to' | 'proposals status 2' | 'report proposals --status')
      values=(draft new accepted declined revised) ;;
    'proposals list --sort')
      values=(title status start created) ;;
    'leads list --active-state' | 'tasks list --active-state')
      values=(active archived) ;;
    'leads list --state')
      values=(open converted archived) ;;
    'leads list --sort')
      values=(title value created last_contacted) ;;
    'items list --sort')
      values=(description rate created) ;;
    'notes list --resource')
      values=(client lead project task user) ;;
    'notes list --visibility' | 'notes create --visibility' | 'notes update --visibility')
      values=(public private) ;;
    'notes list --sort')
      values=(title created updated) ;;
    'notes create --resource')
      values=(client: lead: project: task: user:) ;;
    'clients list --status')
      values=(active suspended) ;;
    'clients list --sort')
      values=(company_name status created updated) ;;
    'team list --status')
      values=(active suspended deleted) ;;
    'team list --sort')
      values=(first_name last_name email created) ;;
    'categories list --sort')
      values=(name type created) ;;
    'projects list --sort')
      values=(title status start due created progress) ;;
    'tasks list --sort')
      values=(title due created position) ;;
    'names 1')
      values=(statuses units taxes sources tags) ;;
    'report leads --by')
      values=(status assigned source category age) ;;
    'report proposals --by')
      values=(status month) ;;
    'profile add --encoding' | 'profile set --encoding')
      values=(form json) ;;
    'completion 1')
      values=(bash zsh fish) ;;
    'api 1')
      values=(GET POST PUT PATCH DELETE) ;;
    'explain 1')
      values=(contacts contacts.list contacts.get contacts.create contacts.update contacts.edit contacts.delete contacts.import contacts.account-owner proposals proposals.list proposals.get proposals.create proposals.update proposals.edit proposals.delete proposals.import proposals.tags proposals.status proposals.clone leads leads.list leads.get leads.create leads.update leads.edit leads.delete leads.import leads.archive leads.activate leads.status leads.assign leads.tags leads.contacted leads.convert leads.clone leads.comments.list leads.comments.add leads.comments.delete items items.list items.get items.create items.update items.edit items.delete items.import notes notes.list notes.get notes.create notes.update notes.edit notes.delete notes.import notes.tags clients clients.list clients.get team team.list team.get categories categories.list categories.get projects projects.list projects.get tasks tasks.list tasks.get names report report.leads report.proposals seed seed.apply seed.destroy seed.forget seed.list seed.demo profile profile.add profile.set profile.list profile.use profile.show profile.remove profile.check sandbox sandbox.init sandbox.reset sandbox.serve doctor completion api explain) ;;
    *' -o' | *' --output')
      values=(table json ndjson csv yaml ids xlsx) ;;
    *' --color')
      values=(auto always never) ;;
  esac
  for value in ${values[@]+"${values[@]}"}; do _crm_add "$2$value"; done
}

# File names after what stands before them in the word: $1, and an @ when $2 is one.
_crm_files() {
  local file lead=$1$2
  case $cur in
    *[\$\`]*) return 0 ;;
    "$lead"*) ;;
    *) return 0 ;;
  esac
  if [[ -z $2 ]] && compopt -o default 2>/dev/null; then return 0; fi
  for file in "${cur#"$lead"}"*; do
    if [[ -d $file ]]; then
      compopt -o nospace 2>/dev/null || :
      _crm_add "$lead$file/" quoted
    elif [[ -e $file ]]; then
      _crm_add "$lead$file" quoted
    fi
  done
}

# Offers $1 when it continues the word at the cursor, of which readline keeps $kept. With $2, escapes it for the shell.
_crm_add() {
  local word
  case $1 in
    "$cur"*) word=${1#"$kept"} ;;
    *) return 0 ;;
  esac
  case $word in
    '') return 0 ;;
    *:) compopt -o nospace 2>/dev/null || : ;;
  esac
  if [[ -n ${2-} && -z $quote ]]; then printf -v word %q "$word"; fi
  COMPREPLY[${#COMPREPLY[@]}]=$word
}

# Takes the quotes off $1, into plain; open becomes the quote that is not closed.
_crm_plain() {
  local rest=$1 char
  plain='' open=''
  while [[ -n $rest ]]; do
    char=${rest:0:1}
    rest=${rest:1}
    case $open$char in
      \'\' | \"\") open='' ;;
      \' | \") open=$char ;;
      \\)
        plain=$plain${rest:0:1}
        rest=${rest:1}
        ;;
      \"\\)
        case $rest in
          [\"\\\$\`]*) ;;
          *) plain=$plain$char ;;
        esac
        plain=$plain${rest:0:1}
        rest=${rest:1}
        ;;
      *) plain=$plain$char ;;
    esac
  done
}

# What only files of this machine know of a value, after $1: crm prints one a line, ids with what they mean behind a tab, and sends
# nothing. In a list the meaning stands beside the id; ids differ in their digits, so no part of it is ever inserted.
_crm_live() {
  local word about abouts plain open cut asked
  type -P crm >/dev/null || return 0
  asked=() abouts=()
  for word in ${typed[@]+"${typed[@]}"} "$raw"; do
    _crm_plain "$word"
    asked[${#asked[@]}]=$plain
  done
  _crm_plain "${raw%"$fragment"}"
  cut=${#plain}
  _crm_plain "$raw"
  while IFS=$'\t' read -r word about; do
    case $word in
      '') continue ;;
      *[=:]) compopt -o nospace 2>/dev/null || : ;;
    esac
    word=$1$word
    word=${word:cut}
    case $open in
      \') word=${word//\'/\'\\\'\'} ;;
      \")
        word=${word//\\/\\\\}
        word=${word//\"/\\\"}
        word=${word//\$/\\\$}
        word=${word//\`/\\\`}
        word=${word//!/\"\'!\'\"}
        ;;
      *)
        printf -v word %q "$word"
        # A comma needs no backslash where braces have theirs.
        word=${word//\\,/,}
        ;;
    esac
    abouts[${#COMPREPLY[@]}]=$about
    COMPREPLY[${#COMPREPLY[@]}]=$word
  done <<<"$(command crm __complete bash "${asked[@]}" 2>/dev/null)"
  if [[ ${#COMPREPLY[@]} -lt 2 ]]; then return 0; fi
  case ${COMP_TYPE-} in
    9 | 33 | 63 | 64)
      for word in "${!COMPREPLY[@]}"; do
        if [[ -n ${abouts[word]} ]]; then COMPREPLY[word]="${COMPREPLY[word]}  (${abouts[word]})"; fi
      done
      ;;
  esac
}

# The words before the cursor, put together again where readline split them at = : @, into typed; the last into cur.
_crm_split() {
  local line=${COMP_LINE:0:COMP_POINT} blank i=0 last=-1 word
  while [[ $i -le $COMP_CWORD ]]; do
    blank=${line%%[![:space:]]*}
    line=${line#"$blank"}
    word=${COMP_WORDS[i]-}
    if [[ $i -eq $COMP_CWORD ]]; then word=$line; fi
    if [[ $i -eq 0 || -n $blank ]]; then
      last=$((last + 1))
      typed[last]=''
    fi
    typed[last]=${typed[last]}$word
    line=${line#*"$word"}
    i=$((i + 1))
  done
  case ${typed[last]} in *[\"\']*) quote=1 ;; esac
  raw=${typed[last]}
  cur=${raw//[\"\'\\]/}
  unset "typed[$last]" "typed[0]"
}

_crm_takes_value() {
  local flag
  for flag in "${flags[@]}"; do
    if [[ $flag == "$1=" ]]; then return 0; fi
  done
  return 1
}

# Reads the typed flag $1; expected becomes the flag whose value comes next.
_crm_read_flag() {
  local letters
  case $1 in
    --) ended=1 ;;
    --*=*) ;;
    --*) if _crm_takes_value "$1"; then expected=$1; fi ;;
    *)
      letters=${1#-}
      while [[ -n $letters ]]; do
        if _crm_takes_value "-${letters:0:1}"; then
          if [[ ${#letters} -eq 1 ]]; then expected=$1; expected=-${expected:${#expected}-1}; fi
          return 0
        fi
        letters=${letters:1}
      done
      ;;
  esac
}

_crm_walk() {
  local word
  for word in ${typed[@]+"${typed[@]}"}; do
    if [[ -n $expected ]]; then
      expected=''
      continue
    fi
    case $word in
      '>' | '>>' | '<' | '>|' | '&>' | [0-9]'>' | [0-9]'>>') expected='>' ;;
      [\<\>]* | [0-9]'>'* | '&>'*) ;;
      -?*)
        if [[ -z $ended ]]; then _crm_read_flag "$word"; else place=$((place + 1)); fi
        ;;
      *)
        if [[ $place -eq 0 ]] && _crm_enter "$word"; then _crm_level; else place=$((place + 1)); fi
        ;;
    esac
  done
}

_crm_offer_flags() {
  local flag
  for flag in "${flags[@]}"; do _crm_add "${flag%=}"; done
}

_crm_offer_commands() {
  local word
  for word in "${commands[@]}"; do _crm_add "$word"; done
  if [[ ${#COMPREPLY[@]} -gt 0 ]]; then return 0; fi
  for word in ${aliases[@]+"${aliases[@]}"}; do _crm_add "$word"; done
}

_crm() {
  local cur='' raw='' quote='' kept='' level='' expected='' ended='' place=0 slots=0 fragment
  local typed commands aliases flags
  typed=()
  COMPREPLY=()
  _crm_level
  _crm_split
  _crm_walk
  fragment=${2-$cur}
  kept=${cur%"${fragment//[\"\'\\]/}"}
  if [[ $expected == '>' ]]; then
    _crm_files '' ''
  elif [[ -n $expected ]]; then
    _crm_values "$expected" ''
  elif [[ -z $ended && $cur == --*=* ]]; then
    _crm_values "${cur%%=*}" "${cur%%=*}="
  elif [[ -z $ended && $cur == -* ]]; then
    _crm_offer_flags
  elif [[ ${#commands[@]} -gt 0 ]]; then
    if [[ $place -eq 0 ]]; then _crm_offer_commands; fi
  elif [[ $place -lt $slots ]]; then
    _crm_values "$((place + 1))" ''
  elif [[ -z $ended && -z $cur ]]; then
    _crm_offer_flags
  fi
}

complete -F _crm crm
