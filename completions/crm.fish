# fish completion for crm, printed by `crm completion fish`. Generated: change src/completions instead.
# What was typed is compared with the tables below, or handed as it is to `crm __complete`: nothing expands or runs it.

# Prints the level below $level that the word names; fails when there is none.
function __crm_enter --argument-names level word
    switch "$level:$word"
        case ':contacts' ':contact'
            echo contacts
        case ':proposals' ':proposal'
            echo proposals
        case ':leads' ':lead'
            echo leads
        case ':items' ':item'
            echo items
        case ':notes' ':note'
            echo notes
        case ':clients' ':client'
            echo clients
        case ':team'
            echo team
        case ':categories' ':category'
            echo categories
        case ':projects' ':project'
            echo projects
        case ':tasks' ':task'
            echo tasks
        case ':names'
            echo names
        case ':report'
            echo report
        case ':seed'
            echo seed
        case ':profile'
            echo profile
        case ':sandbox'
            echo sandbox
        case ':doctor'
            echo doctor
        case ':completion'
            echo completion
        case ':api'
            echo api
        case ':explain'
            echo explain
        case ':help'
            echo help
        case contacts:list contacts:ls
            echo 'contacts list'
        case contacts:get contacts:view
            echo 'contacts get'
        case contacts:create
            echo 'contacts create'
        case contacts:update
            echo 'contacts update'
        case contacts:edit
            echo 'contacts edit'
        case contacts:delete contacts:rm
            echo 'contacts delete'
        case contacts:import
            echo 'contacts import'
        case contacts:account-owner
            echo 'contacts account-owner'
        case proposals:list proposals:ls
            echo 'proposals list'
        case proposals:get proposals:view
            echo 'proposals get'
        case proposals:create
            echo 'proposals create'
        case proposals:update
            echo 'proposals update'
        case proposals:edit
            echo 'proposals edit'
        case proposals:delete proposals:rm
            echo 'proposals delete'
        case proposals:import
            echo 'proposals import'
        case proposals:tags
            echo 'proposals tags'
        case proposals:status
            echo 'proposals status'
        case proposals:clone
            echo 'proposals clone'
        case leads:list leads:ls
            echo 'leads list'
        case leads:get leads:view
            echo 'leads get'
        case leads:create
            echo 'leads create'
        case leads:update
            echo 'leads update'
        case leads:edit
            echo 'leads edit'
        case leads:delete leads:rm
            echo 'leads delete'
        case leads:import
            echo 'leads import'
        case leads:archive
            echo 'leads archive'
        case leads:activate leads:unarchive
            echo 'leads activate'
        case leads:status
            echo 'leads status'
        case leads:assign leads:assigned
            echo 'leads assign'
        case leads:tags
            echo 'leads tags'
        case leads:contacted
            echo 'leads contacted'
        case leads:convert
            echo 'leads convert'
        case leads:clone
            echo 'leads clone'
        case leads:comments leads:comment
            echo 'leads comments'
        case 'leads comments:list' 'leads comments:ls'
            echo 'leads comments list'
        case 'leads comments:add'
            echo 'leads comments add'
        case 'leads comments:delete' 'leads comments:rm'
            echo 'leads comments delete'
        case items:list items:ls
            echo 'items list'
        case items:get items:view
            echo 'items get'
        case items:create
            echo 'items create'
        case items:update
            echo 'items update'
        case items:edit
            echo 'items edit'
        case items:delete items:rm
            echo 'items delete'
        case items:import
            echo 'items import'
        case notes:list notes:ls
            echo 'notes list'
        case notes:get notes:view
            echo 'notes get'
        case notes:create
            echo 'notes create'
        case notes:update
            echo 'notes update'
        case notes:edit
            echo 'notes edit'
        case notes:delete notes:rm
            echo 'notes delete'
        case notes:import
            echo 'notes import'
        case notes:tags
            echo 'notes tags'
        case clients:list clients:ls
            echo 'clients list'
        case clients:get clients:view
            echo 'clients get'
        case team:list team:ls
            echo 'team list'
        case team:get team:view
            echo 'team get'
        case categories:list categories:ls
            echo 'categories list'
        case categories:get categories:view
            echo 'categories get'
        case projects:list projects:ls
            echo 'projects list'
        case projects:get projects:view
            echo 'projects get'
        case tasks:list tasks:ls
            echo 'tasks list'
        case tasks:get tasks:view
            echo 'tasks get'
        case report:leads report:lead
            echo 'report leads'
        case report:proposals report:proposal
            echo 'report proposals'
        case seed:apply
            echo 'seed apply'
        case seed:destroy
            echo 'seed destroy'
        case seed:forget
            echo 'seed forget'
        case seed:list seed:ls
            echo 'seed list'
        case seed:demo
            echo 'seed demo'
        case profile:add
            echo 'profile add'
        case profile:set
            echo 'profile set'
        case profile:list profile:ls
            echo 'profile list'
        case profile:use
            echo 'profile use'
        case profile:show profile:get
            echo 'profile show'
        case profile:remove profile:rm profile:delete
            echo 'profile remove'
        case profile:check
            echo 'profile check'
        case sandbox:init
            echo 'sandbox init'
        case sandbox:reset
            echo 'sandbox reset'
        case sandbox:serve
            echo 'sandbox serve'
        case help:contacts help:contact
            echo contacts
        case help:proposals help:proposal
            echo proposals
        case help:leads help:lead
            echo leads
        case help:items help:item
            echo items
        case help:notes help:note
            echo notes
        case help:clients help:client
            echo clients
        case help:team
            echo team
        case help:categories help:category
            echo categories
        case help:projects help:project
            echo projects
        case help:tasks help:task
            echo tasks
        case help:names
            echo names
        case help:report
            echo report
        case help:seed
            echo seed
        case help:profile
            echo profile
        case help:sandbox
            echo sandbox
        case help:doctor
            echo doctor
        case help:completion
            echo completion
        case help:api
            echo api
        case help:explain
            echo explain
        case help:output
            echo 'help output'
        case help:settings
            echo 'help settings'
        case help:scripting
            echo 'help scripting'
        case help:import
            echo 'help import'
        case help:flags
            echo 'help flags'
        case help:exit-statuses
            echo 'help exit-statuses'
        case help:agents
            echo 'help agents'
        case '*'
            return 1
    end
end

# Prints the commands of a level with what they do.
function __crm_commands --argument-names level
    switch "$level"
        case ''
            printf '%s\n' contacts\t'People at client accounts' proposals\t'Documents sent to a client or a lead' \
                leads\t'Prospective customers, convertible to clients' items\t'Catalog products and services' \
                notes\t'Titled notes, alone or on another record' clients\t'Client accounts' team\t'Team members' \
                categories\t'Categories of leads, proposals, items and other records' \
                projects\t'Projects under way for clients' tasks\t'Tasks of projects' \
                names\t'Show the names of statuses, units and the like that are known' \
                report\t'Counts and sums of leads and proposals' \
                seed\t'Demo and test records, created once and destroyed again' profile\t'Services and keys' \
                sandbox\t'An embedded CRM, for trying and testing' \
                doctor\t'Check this machine, the settings and the service' \
                completion\t'Print the completion script of a shell' api\t'Send any request with the profile\'s key' \
                explain\t'What commands take, send and print' help\t'Show help for a command or topic'
        case contacts
            printf '%s\n' list\t'List contacts' get\t'Show one contact, or several' create\t'Create a contact' \
                update\t'Change some values of a contact' edit\t'Change contacts in your editor' \
                delete\t'Delete contacts' import\t'Create or change contacts from a file' \
                account-owner\t'Make a contact its client\'s account owner'
        case proposals
            printf '%s\n' list\t'List proposals' get\t'Show one proposal, or several' create\t'Create a proposal' \
                update\t'Change some values of a proposal' edit\t'Change proposals in your editor' \
                delete\t'Delete proposals' import\t'Create or change proposals from a file' \
                tags\t'Replace a proposal\'s tags' status\t'Set a proposal\'s status' \
                clone\t'Make a new proposal like an old one'
        case leads
            printf '%s\n' list\t'List leads' get\t'Show one lead, or several' create\t'Create a lead' \
                update\t'Change some values of a lead' edit\t'Change leads in your editor' delete\t'Delete leads' \
                import\t'Create or change leads from a file' archive\t'Archive leads' \
                activate\t'Make archived leads active again' status\t'Set a lead\'s status' \
                assign\t'Replace a lead\'s assignees' tags\t'Replace a lead\'s tags' \
                contacted\t'Set the date of the last contact, and add a comment' \
                convert\t'Turn a lead into a client with its primary user' clone\t'Make a new lead like an old one' \
                comments\t'Comments of leads'
        case 'leads comments'
            printf '%s\n' list\t'List a lead\'s comments' add\t'Comment on a lead' delete\t'Delete a lead\'s comment'
        case items
            printf '%s\n' list\t'List items' get\t'Show one item, or several' create\t'Create an item' \
                update\t'Change some values of an item' edit\t'Change items in your editor' delete\t'Delete items' \
                import\t'Create or change items from a file'
        case notes
            printf '%s\n' list\t'List notes' get\t'Show one note, or several' create\t'Create a note' \
                update\t'Change some values of a note' edit\t'Change notes in your editor' delete\t'Delete notes' \
                import\t'Create or change notes from a file' tags\t'Replace a note\'s tags'
        case clients
            printf '%s\n' list\t'List clients' get\t'Show one client, or several'
        case team
            printf '%s\n' list\t'List team members' get\t'Show one team member, or several'
        case categories
            printf '%s\n' list\t'List categories' get\t'Show one category, or several'
        case projects
            printf '%s\n' list\t'List projects' get\t'Show one project, or several'
        case tasks
            printf '%s\n' list\t'List tasks' get\t'Show one task, or several'
        case report
            printf '%s\n' leads\t'Count leads and sum up their values' proposals\t'Count proposals'
        case seed
            printf '%s\n' apply\t'Create the records of a seed file, once' destroy\t'Delete what a run created' \
                forget\t'Drop a run without deleting anything' \
                list\t'List the runs of seeds, whatever service they went to' \
                demo\t'Create plausible records without a file'
        case profile
            printf '%s\n' add\t'Add a profile: a service and the key to it' set\t'Change settings of a profile' \
                list\t'List the profiles' use\t'Make a profile the current one' show\t'Show a profile' \
                remove\t'Remove a profile and its key' check\t'Check with one request that the key works'
        case sandbox
            printf '%s\n' init\t'Make the embedded CRM, with demo data' reset\t'Put the embedded CRM back to how it was made' \
                serve\t'Serve the embedded CRM over HTTP'
        case help
            printf '%s\n' contacts\t'People at client accounts' proposals\t'Documents sent to a client or a lead' \
                leads\t'Prospective customers, convertible to clients' items\t'Catalog products and services' \
                notes\t'Titled notes, alone or on another record' clients\t'Client accounts' team\t'Team members' \
                categories\t'Categories of leads, proposals, items and other records' \
                projects\t'Projects under way for clients' tasks\t'Tasks of projects' \
                names\t'Show the names of statuses, units and the like that are known' \
                report\t'Counts and sums of leads and proposals' \
                seed\t'Demo and test records, created once and destroyed again' profile\t'Services and keys' \
                sandbox\t'An embedded CRM, for trying and testing' \
                doctor\t'Check this machine, the settings and the service' \
                completion\t'Print the completion script of a shell' api\t'Send any request with the profile\'s key' \
                explain\t'What commands take, send and print' output\t'Formats, fields, and what goes to which stream' \
                settings\t'Profiles, variables, and which of them wins' \
                scripting\t'Errors, confirmations and retries in scripts and CI jobs' \
                import\t'Many records from a file, none lost or doubled' \
                flags\t'The flags that every command has, and names in place of ids' \
                exit-statuses\t'What the exit status and the code of an error say' \
                agents\t'For agents: discover, read, write safely, go on after an error'
    end
end

# Prints the other names of a level's commands.
function __crm_aliases --argument-names level
    switch "$level"
        case ''
            printf '%s\n' contact\t'People at client accounts' proposal\t'Documents sent to a client or a lead' \
                lead\t'Prospective customers, convertible to clients' item\t'Catalog products and services' \
                note\t'Titled notes, alone or on another record' client\t'Client accounts' \
                category\t'Categories of leads, proposals, items and other records' \
                project\t'Projects under way for clients' task\t'Tasks of projects'
        case contacts
            printf '%s\n' ls\t'List contacts' view\t'Show one contact, or several' rm\t'Delete contacts'
        case proposals
            printf '%s\n' ls\t'List proposals' view\t'Show one proposal, or several' rm\t'Delete proposals'
        case leads
            printf '%s\n' ls\t'List leads' view\t'Show one lead, or several' rm\t'Delete leads' \
                unarchive\t'Make archived leads active again' assigned\t'Replace a lead\'s assignees' \
                comment\t'Comments of leads'
        case 'leads comments'
            printf '%s\n' ls\t'List a lead\'s comments' rm\t'Delete a lead\'s comment'
        case items
            printf '%s\n' ls\t'List items' view\t'Show one item, or several' rm\t'Delete items'
        case notes
            printf '%s\n' ls\t'List notes' view\t'Show one note, or several' rm\t'Delete notes'
        case clients
            printf '%s\n' ls\t'List clients' view\t'Show one client, or several'
        case team
            printf '%s\n' ls\t'List team members' view\t'Show one team member, or several'
        case categories
            printf '%s\n' ls\t'List categories' view\t'Show one category, or several'
        case projects
            printf '%s\n' ls\t'List projects' view\t'Show one project, or several'
        case tasks
            printf '%s\n' ls\t'List tasks' view\t'Show one task, or several'
        case report
            printf '%s\n' lead\t'Count leads and sum up their values' proposal\t'Count proposals'
        case seed
            printf '%s\n' ls\t'List the runs of seeds, whatever service they went to'
        case profile
            printf '%s\n' ls\t'List the profiles' get\t'Show a profile' rm\t'Remove a profile and its key' \
                delete\t'Remove a profile and its key'
        case help
            printf '%s\n' contact\t'People at client accounts' proposal\t'Documents sent to a client or a lead' \
                lead\t'Prospective customers, convertible to clients' item\t'Catalog products and services' \
                note\t'Titled notes, alone or on another record' client\t'Client accounts' \
                category\t'Categories of leads, proposals, items and other records' \
                project\t'Projects under way for clients' task\t'Tasks of projects'
    end
end

# Prints the flags of a level. One with a trailing = takes a value.
function __crm_flags --argument-names level
    switch "$level"
        case ''
            printf '%s\n' -V\t'Print the version' --version\t'Print the version'
        case 'contacts list'
            printf '%s\n' --status=\t'Status, such as active' --client=\t'Owning client' \
                --account-owner=\t'Account owners, or everyone else' \
                --search=\t'Text in first name, last name, email or phone' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\t'Direction (default asc)' \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'contacts get'
            printf '%s\n' --where=\t'In place of ids: the contacts that this holds for, such as name~harbour; repeatable' \
                --with=\t'What hangs on the contact, separated by commas'
        case 'contacts create'
            printf '%s\n' --first-name=\t'First name' --last-name=\t'Last name' --email=\t'Email, unique across all users' \
                --client=\t'Owning client' --phone=\tPhone --job-position=\t'Job position' \
                --send-email\t'Send a welcome email' --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --read\t'Read the new contact afterwards, and show all of it'
        case 'contacts update'
            printf '%s\n' --where=\t'In place of ids: the contacts that this holds for, such as name~harbour; repeatable' \
                --first-name=\t'First name' --last-name=\t'Last name' --email=\t'Email, unique across all users' \
                --phone=\tPhone --job-position=\t'Job position' --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --replace\t'Skip the read and send just the flags: what is not given may be cleared'
        case 'contacts edit'
            printf '%s\n' --where=\t'In place of ids: the contacts that this holds for, such as name~harbour; repeatable'
        case 'contacts delete'
            printf '%s\n' --where=\t'In place of ids: the contacts that this holds for, such as name~harbour; repeatable'
        case 'contacts import'
            printf '%s\n' --format=\t'How the file is written (default: from its name)' \
                --sheet=\t'The sheet of an .xlsx file that has several: its name or number' \
                --map=\t'What a column is; with nothing behind the = it is left out; repeatable' \
                --mapping=\t'YAML: what columns and words mean, constants, formats; flags win over it' \
                --save-mapping=\t'Write such a file, to be filled in, and send nothing' \
                --constant=\t'A value that every row has; repeatable' \
                --decimal-mark=\t'How the file writes decimals: 1,250.00 or 1.250,00' \
                --date-order=\t'How the file writes days: dmy is 31.12.2026' \
                --blank=\t'What a blank cell does: nothing (default), or clear the value' \
                --mode=\t'Make contacts (default), change them, or whichever fits' \
                --match=\t'By what a row finds its contact: id (default) or a field, such as email' \
                --overwrite-newer\t'Also change contacts that were changed since the file\'s dates.updated' \
                --concurrency=\t'Requests at once (default 4, at most 64)' \
                --rate=\t'Requests a second at the most, above 0; such as 2.5' --max-errors=\t'Stop after n failed rows' \
                --rejects=\t'Write the failed rows there, with what was wrong; it can be imported again' \
                --skip-invalid\t'Leave out rows that are wrong, and send the others' \
                --results=\t'Write every row there as it ends, with its id, outcome and error' \
                --journal=\t'Keep the journal there instead of in the data folder' \
                --resume\t'Go on with an import that was interrupted, with the file as it is now' \
                --again\t'Create on purpose what an earlier import created' \
                --send-again=\t'With --resume: rows in doubt that did not arrive, such as 17,20-25' \
                --arrived=\t'With --resume: a row in doubt that did arrive, and its record; repeatable'
        case 'proposals list'
            printf '%s\n' --status=\tStatus --client=\t'For this client' --lead=\t'For this lead' --category=\t'Proposal category' \
                --search=\t'Text in the title' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\t'Direction (default desc)' \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'proposals get'
            printf '%s\n' --where=\t'In place of ids: the proposals that this holds for, such as title~harbour; repeatable'
        case 'proposals create'
            printf '%s\n' --client=\t'For this client' --lead=\t'For this lead' --title=\tTitle --start=\t'Start date' \
                --category=\t'Proposal category' --end=\t'End date, on or after the start' \
                --body=\t'Content, HTML; or @file, or - for standard input' \
                --template=\t'Template that seeds the body when no body is given' \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --read\t'Read the new proposal afterwards, and show all of it'
        case 'proposals update'
            printf '%s\n' --where=\t'In place of ids: the proposals that this holds for, such as title~harbour; repeatable' \
                --title=\tTitle --start=\t'Start date' --category=\t'Proposal category' \
                --end=\t'End date, on or after the start' --body=\t'Content, HTML; or @file, or - for standard input' \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --replace\t'Skip the read and send just the flags: what is not given may be cleared'
        case 'proposals edit'
            printf '%s\n' --where=\t'In place of ids: the proposals that this holds for, such as title~harbour; repeatable'
        case 'proposals delete'
            printf '%s\n' --where=\t'In place of ids: the proposals that this holds for, such as title~harbour; repeatable'
        case 'proposals import'
            printf '%s\n' --format=\t'How the file is written (default: from its name)' \
                --sheet=\t'The sheet of an .xlsx file that has several: its name or number' \
                --map=\t'What a column is; with nothing behind the = it is left out; repeatable' \
                --mapping=\t'YAML: what columns and words mean, constants, formats; flags win over it' \
                --save-mapping=\t'Write such a file, to be filled in, and send nothing' \
                --constant=\t'A value that every row has; repeatable' \
                --decimal-mark=\t'How the file writes decimals: 1,250.00 or 1.250,00' \
                --date-order=\t'How the file writes days: dmy is 31.12.2026' \
                --blank=\t'What a blank cell does: nothing (default), or clear the value' \
                --mode=\t'Make proposals (default), change them, or whichever fits' \
                --match=\t'By what a row finds its proposal: id (default) or a field, such as client' \
                --overwrite-newer\t'Also change proposals that were changed since the file\'s dates.updated' \
                --concurrency=\t'Requests at once (default 4, at most 64)' \
                --rate=\t'Requests a second at the most, above 0; such as 2.5' --max-errors=\t'Stop after n failed rows' \
                --rejects=\t'Write the failed rows there, with what was wrong; it can be imported again' \
                --skip-invalid\t'Leave out rows that are wrong, and send the others' \
                --results=\t'Write every row there as it ends, with its id, outcome and error' \
                --journal=\t'Keep the journal there instead of in the data folder' \
                --resume\t'Go on with an import that was interrupted, with the file as it is now' \
                --again\t'Create on purpose what an earlier import created' \
                --send-again=\t'With --resume: rows in doubt that did not arrive, such as 17,20-25' \
                --arrived=\t'With --resume: a row in doubt that did arrive, and its record; repeatable'
        case 'proposals tags'
            printf '%s\n' --where=\t'In place of ids: the proposals that this holds for, such as title~harbour; repeatable' \
                --add=\t'Add to what is there; repeatable' --remove=\t'Remove from what is there; repeatable' \
                --clear\t'Remove everything; with --add, what is added is the whole new set'
        case 'proposals status'
            printf '%s\n' --where=\t'In place of ids: the proposals that this holds for, such as title~harbour; repeatable' \
                --to=\t'The new status, for several proposals' \
                --clear-signatures\t'Of several proposals change signed ones, too: asks first'
        case 'proposals clone'
            printf '%s\n' --title=\tTitle --client=\t'For this client' --lead=\t'For this lead' --category=\t'Proposal category' \
                --start=\t'Start date' --end=\t'End date, on or after the start' \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win'
        case 'leads list'
            printf '%s\n' --status=\t'Lead status' --category=\t'Lead category' --source=\tSource \
                --active-state=\t'Active or archived leads' --assigned=\t'Assigned team member; none: nobody' \
                --search=\t'Text in title, company or email' \
                --state=\t'Open leads (active and not converted), converted or archived ones' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\t'Direction (default desc)' \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'leads get'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable' \
                --with=\t'What hangs on the lead, separated by commas'
        case 'leads create'
            printf '%s\n' --title=\t'What the deal is about' --status=\t'Lead status' --category=\t'Lead category' \
                --first-name=\t'The contact\'s first name' --last-name=\t'The contact\'s last name' \
                --email=\t'The contact\'s email' --phone=\t'The contact\'s phone' \
                --job-position=\t'The contact\'s job position' --company-name=\tCompany --website=\tWebsite \
                --value=\t'Estimated value' --source=\t'Where the lead came from' \
                --last-contacted=\t'Date of the last contact' \
                --description=\t'Description; or @file, or - for standard input' --street=\tStreet --city=\tCity \
                --state=\tState --zip=\t'Postal code' --country=\tCountry \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --read\t'Read the new lead afterwards, and show all of it'
        case 'leads update'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable' \
                --title=\t'What the deal is about' --status=\t'Lead status' --category=\t'Lead category' \
                --first-name=\t'The contact\'s first name' --last-name=\t'The contact\'s last name' \
                --email=\t'The contact\'s email' --phone=\t'The contact\'s phone' \
                --job-position=\t'The contact\'s job position' --company-name=\tCompany --website=\tWebsite \
                --value=\t'Estimated value' --source=\t'Where the lead came from' \
                --last-contacted=\t'Date of the last contact' \
                --description=\t'Description; or @file, or - for standard input' --street=\tStreet --city=\tCity \
                --state=\tState --zip=\t'Postal code' --country=\tCountry \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --replace\t'Skip the read and send just the flags: what is not given may be cleared'
        case 'leads edit'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable'
        case 'leads delete'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable'
        case 'leads import'
            printf '%s\n' --format=\t'How the file is written (default: from its name)' \
                --sheet=\t'The sheet of an .xlsx file that has several: its name or number' \
                --map=\t'What a column is; with nothing behind the = it is left out; repeatable' \
                --mapping=\t'YAML: what columns and words mean, constants, formats; flags win over it' \
                --save-mapping=\t'Write such a file, to be filled in, and send nothing' \
                --constant=\t'A value that every row has; repeatable' \
                --decimal-mark=\t'How the file writes decimals: 1,250.00 or 1.250,00' \
                --date-order=\t'How the file writes days: dmy is 31.12.2026' \
                --blank=\t'What a blank cell does: nothing (default), or clear the value' \
                --mode=\t'Make leads (default), change them, or whichever fits' \
                --match=\t'By what a row finds its lead: id (default) or a field, such as email' \
                --overwrite-newer\t'Also change leads that were changed since the file\'s dates.updated' \
                --concurrency=\t'Requests at once (default 4, at most 64)' \
                --rate=\t'Requests a second at the most, above 0; such as 2.5' --max-errors=\t'Stop after n failed rows' \
                --rejects=\t'Write the failed rows there, with what was wrong; it can be imported again' \
                --skip-invalid\t'Leave out rows that are wrong, and send the others' \
                --results=\t'Write every row there as it ends, with its id, outcome and error' \
                --journal=\t'Keep the journal there instead of in the data folder' \
                --resume\t'Go on with an import that was interrupted, with the file as it is now' \
                --again\t'Create on purpose what an earlier import created' \
                --send-again=\t'With --resume: rows in doubt that did not arrive, such as 17,20-25' \
                --arrived=\t'With --resume: a row in doubt that did arrive, and its record; repeatable'
        case 'leads archive'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable'
        case 'leads activate'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable'
        case 'leads status'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable' \
                --to=\t'Lead status, for several leads'
        case 'leads assign'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable' \
                --add=\t'Add to what is there; repeatable' --remove=\t'Remove from what is there; repeatable' \
                --clear\t'Remove everything; with --add, what is added is the whole new set'
        case 'leads tags'
            printf '%s\n' --where=\t'In place of ids: the leads that this holds for, such as title~harbour; repeatable' \
                --add=\t'Add to what is there; repeatable' --remove=\t'Remove from what is there; repeatable' \
                --clear\t'Remove everything; with --add, what is added is the whole new set'
        case 'leads contacted'
            printf '%s\n' --on=\t'The day of the contact (default today)'
        case 'leads convert'
            printf '%s\n' --first-name=\t'The primary user\'s first name' --last-name=\t'The primary user\'s last name' \
                --email=\t'The primary user\'s email, unique' --company-name=\t'The client\'s company name' \
                --invoice-due-days=\t'Days until an invoice is due' --send-welcome-email\t'Send a welcome email' \
                --delete-lead\t'Delete the lead afterwards' --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win'
        case 'leads clone'
            printf '%s\n' --title=\t'What the deal is about' --status=\t'Lead status' --first-name=\t'The contact\'s first name' \
                --last-name=\t'The contact\'s last name' --email=\t'The contact\'s email' \
                --phone=\t'The contact\'s phone' --company-name=\tCompany --website=\tWebsite \
                --value=\t'Estimated value' --copy-checklist\t'Copy the checklist items' --copy-files\t'Copy the files' \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win'
        case 'items list'
            printf '%s\n' --category=\t'Item category' --unit=\t'Unit of measure' --tax-rate=\t'Default tax rate' \
                --rate-min=\t'Lowest rate' --rate-max=\t'Highest rate' --search=\t'Text to look for' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\tDirection \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'items get'
            printf '%s\n' --where=\t'In place of ids: the items that this holds for, such as description~harbour; repeatable'
        case 'items create'
            printf '%s\n' --description=\t'Description; or @file, or - for standard input' --rate=\t'Unit rate' \
                --category=\t'Category of type item' \
                --default-tax=\t'Default tax rate; the "no tax" rate for tax-free items' \
                --unit=\t'Unit of measure: an existing unit, or the name of a new one' \
                --notes=\t'Notes; or @file, or - for standard input' \
                --estimation-notes=\t'Notes for estimates; or @file, or - for standard input' \
                --custom-field=\t'Value of custom field N, 1 to 10; repeatable' \
                --new-unit\t'Make the unit where none is called so' \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --read\t'Read the new item afterwards, and show all of it'
        case 'items update'
            printf '%s\n' --where=\t'In place of ids: the items that this holds for, such as description~harbour; repeatable' \
                --description=\t'Description; or @file, or - for standard input' --rate=\t'Unit rate' \
                --category=\t'Category of type item' \
                --default-tax=\t'Default tax rate; the "no tax" rate for tax-free items' \
                --unit=\t'Unit of measure: an existing unit, or the name of a new one' \
                --notes=\t'Notes; or @file, or - for standard input' \
                --estimation-notes=\t'Notes for estimates; or @file, or - for standard input' \
                --custom-field=\t'Value of custom field N, 1 to 10; repeatable' \
                --new-unit\t'Make the unit where none is called so' \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --replace\t'Skip the read and send just the flags: what is not given may be cleared'
        case 'items edit'
            printf '%s\n' --where=\t'In place of ids: the items that this holds for, such as description~harbour; repeatable' \
                --new-unit\t'Make the unit where none is called so'
        case 'items delete'
            printf '%s\n' --where=\t'In place of ids: the items that this holds for, such as description~harbour; repeatable'
        case 'items import'
            printf '%s\n' --format=\t'How the file is written (default: from its name)' \
                --sheet=\t'The sheet of an .xlsx file that has several: its name or number' \
                --map=\t'What a column is; with nothing behind the = it is left out; repeatable' \
                --mapping=\t'YAML: what columns and words mean, constants, formats; flags win over it' \
                --save-mapping=\t'Write such a file, to be filled in, and send nothing' \
                --constant=\t'A value that every row has; repeatable' \
                --decimal-mark=\t'How the file writes decimals: 1,250.00 or 1.250,00' \
                --date-order=\t'How the file writes days: dmy is 31.12.2026' \
                --blank=\t'What a blank cell does: nothing (default), or clear the value' \
                --mode=\t'Make items (default), change them, or whichever fits' \
                --match=\t'By what a row finds its item: id (default) or a field, such as description' \
                --overwrite-newer\t'Also change items that were changed since the file\'s dates.updated' \
                --new-unit\t'Make the unit where none is called so' \
                --concurrency=\t'Requests at once (default 4, at most 64)' \
                --rate=\t'Requests a second at the most, above 0; such as 2.5' --max-errors=\t'Stop after n failed rows' \
                --rejects=\t'Write the failed rows there, with what was wrong; it can be imported again' \
                --skip-invalid\t'Leave out rows that are wrong, and send the others' \
                --results=\t'Write every row there as it ends, with its id, outcome and error' \
                --journal=\t'Keep the journal there instead of in the data folder' \
                --resume\t'Go on with an import that was interrupted, with the file as it is now' \
                --again\t'Create on purpose what an earlier import created' \
                --send-again=\t'With --resume: rows in doubt that did not arrive, such as 17,20-25' \
                --arrived=\t'With --resume: a row in doubt that did arrive, and its record; repeatable'
        case 'notes list'
            printf '%s\n' --resource=\t'What it is attached to: lead, or lead:12' --visibility=\t'Public or private notes' \
                --search=\t'Text to look for' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\tDirection \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'notes get'
            printf '%s\n' --where=\t'In place of ids: the notes that this holds for, such as title~harbour; repeatable'
        case 'notes create'
            printf '%s\n' --title=\tTitle --description=\t'Text; or @file, or - for standard input' \
                --visibility=\t'Who sees it; the service makes it public when not given' \
                --resource=\t'What it is attached to, such as lead:12' \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --read\t'Read the new note afterwards, and show all of it'
        case 'notes update'
            printf '%s\n' --where=\t'In place of ids: the notes that this holds for, such as title~harbour; repeatable' \
                --title=\tTitle --description=\t'Text; or @file, or - for standard input' \
                --visibility=\t'Who sees it; the service makes it public when not given' \
                --set=\t'Any body field by its wire name; repeatable' \
                --data=\t'Fields as a JSON object, by flag or wire names; flags win' \
                --replace\t'Skip the read and send just the flags: what is not given may be cleared'
        case 'notes edit'
            printf '%s\n' --where=\t'In place of ids: the notes that this holds for, such as title~harbour; repeatable'
        case 'notes delete'
            printf '%s\n' --where=\t'In place of ids: the notes that this holds for, such as title~harbour; repeatable'
        case 'notes import'
            printf '%s\n' --format=\t'How the file is written (default: from its name)' \
                --sheet=\t'The sheet of an .xlsx file that has several: its name or number' \
                --map=\t'What a column is; with nothing behind the = it is left out; repeatable' \
                --mapping=\t'YAML: what columns and words mean, constants, formats; flags win over it' \
                --save-mapping=\t'Write such a file, to be filled in, and send nothing' \
                --constant=\t'A value that every row has; repeatable' \
                --decimal-mark=\t'How the file writes decimals: 1,250.00 or 1.250,00' \
                --date-order=\t'How the file writes days: dmy is 31.12.2026' \
                --blank=\t'What a blank cell does: nothing (default), or clear the value' \
                --mode=\t'Make notes (default), change them, or whichever fits' \
                --match=\t'By what a row finds its note: id (default) or a field, such as title' \
                --overwrite-newer\t'Also change notes that were changed since the file\'s dates.updated' \
                --concurrency=\t'Requests at once (default 4, at most 64)' \
                --rate=\t'Requests a second at the most, above 0; such as 2.5' --max-errors=\t'Stop after n failed rows' \
                --rejects=\t'Write the failed rows there, with what was wrong; it can be imported again' \
                --skip-invalid\t'Leave out rows that are wrong, and send the others' \
                --results=\t'Write every row there as it ends, with its id, outcome and error' \
                --journal=\t'Keep the journal there instead of in the data folder' \
                --resume\t'Go on with an import that was interrupted, with the file as it is now' \
                --again\t'Create on purpose what an earlier import created' \
                --send-again=\t'With --resume: rows in doubt that did not arrive, such as 17,20-25' \
                --arrived=\t'With --resume: a row in doubt that did arrive, and its record; repeatable'
        case 'notes tags'
            printf '%s\n' --where=\t'In place of ids: the notes that this holds for, such as title~harbour; repeatable' \
                --add=\t'Add to what is there; repeatable' --remove=\t'Remove from what is there; repeatable' \
                --clear\t'Remove everything; with --add, what is added is the whole new set'
        case 'clients list'
            printf '%s\n' --status=\tStatus --category=\t'Client category' --search=\t'Text in the company name' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\t'Direction (default desc)' \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'clients get'
            printf '%s\n' --where=\t'In place of ids: the clients that this holds for, such as company_name~harbour; repeatable' \
                --with=\t'What hangs on the client, separated by commas'
        case 'team list'
            printf '%s\n' --status=\tStatus --role=\t'Role: 1 is Administrator, 3 is Staff' --search=\t'Text to look for' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\t'Direction (default desc)' \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'team get'
            printf '%s\n' --where=\t'In place of ids: the team that this holds for, such as name~harbour; repeatable' \
                --with=\t'What hangs on the team member, separated by commas'
        case 'categories list'
            printf '%s\n' --type=\t'What they are for, such as lead, proposal, item or client' \
                --visibility=\t'Visibility, such as everyone' --search=\t'Text in the name' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\t'Direction (default desc)' \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'categories get'
            printf '%s\n' --where=\t'In place of ids: the categories that this holds for, such as name~harbour; repeatable'
        case 'projects list'
            printf '%s\n' --status=\t'Status, such as in_progress' --client=\tClient --category=\t'Project category' \
                --search=\t'Text to look for' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\t'Direction (default desc)' \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'projects get'
            printf '%s\n' --where=\t'In place of ids: the projects that this holds for, such as title~harbour; repeatable' \
                --with=\t'What hangs on the project, separated by commas'
        case 'tasks list'
            printf '%s\n' --project=\tProject --client=\tClient --status=\t'Task status' --priority=\tPriority \
                --milestone=\tMilestone --active-state=\t'Active or archived tasks' \
                --assigned=\t'Assigned team member; none: nobody' --search=\t'Text to look for' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold' \
                --sort=\t'What to sort by' --order=\t'Direction (default desc)' \
                --limit=\t'How many records in all, over as many pages as that takes; with --page, the size of that page (at most 100)' \
                --page=\t'Only this page, from 1' --all\t'Every record, over all pages' \
                --count\t'Print only how many there are'
        case 'tasks get'
            printf '%s\n' --where=\t'In place of ids: the tasks that this holds for, such as title~harbour; repeatable' \
                --with=\t'What hangs on the task, separated by commas'
        case names
            printf '%s\n' --refresh\t'Read the newest records first, at most five pages of each family, and count anew'
        case 'report leads'
            printf '%s\n' --by=\t'What to count by (default status)' --status=\t'Lead status' --category=\t'Lead category' \
                --source=\tSource --assigned=\t'Assigned team member; none: nobody' \
                --search=\t'Text in title, company or email' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold'
        case 'report proposals'
            printf '%s\n' --by=\t'What to count by (default status)' --status=\tStatus --client=\t'For this client' \
                --lead=\t'For this lead' --category=\t'Proposal category' --search=\t'Text in the title' \
                --where=\t'Records that hold it: field=value, field!=value, field~text, field=1..5, no:field, has:field; repeatable: all must hold'
        case 'seed apply'
            printf '%s\n' --run=\t'What the run is called (default: the file\'s name)' \
                --random-seed=\t'Made-up values follow from this number; the same number, the same values' \
                --rollback-on-error\t'On an error, delete what this apply created' \
                --concurrency=\t'Requests at once (default 4, at most 64)' \
                --rate=\t'Requests a second at the most, above 0; such as 2.5'
        case 'seed destroy'
            printf '%s\n' --run=\t'What the run is called (default: the file\'s name)' \
                --keep-changed\t'Leave what somebody has changed since the run created it' \
                --concurrency=\t'Requests at once (default 4, at most 64)' \
                --rate=\t'Requests a second at the most, above 0; such as 2.5'
        case 'seed demo'
            printf '%s\n' --leads=\t'How many leads' --contacts=\t'How many contacts' --proposals=\t'How many proposals' \
                --items=\t'How many items' --notes=\t'How many notes' --run=\t'What the run is called (default demo)' \
                --random-seed=\t'Made-up values follow from this number; the same number, the same values' \
                --print\t'Print the seed file (YAML, or JSON with --json), and write nothing' \
                --rollback-on-error\t'On an error, delete what this apply created' \
                --concurrency=\t'Requests at once (default 4, at most 64)' \
                --rate=\t'Requests a second at the most, above 0; such as 2.5' \
                --client=\t'Use this client, instead of those that the service lists; repeatable' \
                --lead-status=\t'Use this lead status, instead of those that the service lists; repeatable' \
                --lead-category=\t'Use this lead category, instead of those that the service lists; repeatable' \
                --proposal-category=\t'Use this proposal category, instead of those that the service lists; repeatable' \
                --item-category=\t'Use this item category, instead of those that the service lists; repeatable' \
                --default-tax=\t'Use this tax rate, instead of those that the service lists; repeatable' \
                --unit=\t'Use this unit, instead of those that the service lists; repeatable' \
                --team=\t'Use this team member, instead of those that the service lists; repeatable'
        case 'profile add'
            printf '%s\n' --base-url=\t'Where the service is: https://crm.example.com' \
                --key-stdin\t'Read the key from standard input; on a terminal it is asked for' \
                --key-command=\t'A shell command that prints the key; run each time, and saved instead of the key' \
                --encoding=\t'How request bodies are sent (default form)' \
                --me=\t'Who you are there: a team member, by id or name' --no-verify\t'Save without trying the key' \
                --insecure-http\t'Allow plain http to a host other than this machine' \
                --protected\t'Refuse imports, seeds and what asks first, unless --confirm names the profile'
        case 'profile set'
            printf '%s\n' --base-url=\t'Where the service is: https://crm.example.com' \
                --key-stdin\t'Read the key from standard input; on a terminal it is asked for' \
                --key-command=\t'A shell command that prints the key; run each time, and saved instead of the key' \
                --encoding=\t'How request bodies are sent (default form)' \
                --me=\t'Who you are there: a team member, by id or name' --no-verify\t'Save without trying the key' \
                --insecure-http\t'Allow plain http to a host other than this machine' \
                --protected\t'Refuse imports, seeds and what asks first, unless --confirm names the profile' \
                --no-protected\t'Take that back'
        case 'sandbox init'
            printf '%s\n' --empty\t'Reference data only: statuses, categories, units, tax rates, team, one client' \
                --force\t'Replace an embedded CRM that is there already'
        case 'sandbox serve'
            printf '%s\n' --host=\t'Address to listen on (default 127.0.0.1)' --port=\t'Port; 0 picks a free one (default 8080)' \
                --key=\t'The key that requests must carry (default: a random one)' \
                --db=\t'File of the embedded CRM; made with demo data when it is not there' \
                --empty\t'Make it with reference data only'
        case api
            printf '%s\n' -f=\t'A query or body field; repeatable' --field=\t'A query or body field; repeatable' \
                --data=\t'The body, as JSON' --paginate\t'Every page of a list'
    end
    printf '%s\n' -p=\t'Profile to use (default: the current one)' --profile=\t'Profile to use (default: the current one)' \
        -o=\t'Output format (default table)' --output=\t'Output format (default table)' --json\t'Same as -o json' \
        --csv\t'Same as -o csv' --csv-raw\t'CSV without the guard against formulas' \
        --envelope\t'JSON: the service\'s whole answer, not only its data' \
        --fields=\t'Columns and members to show, in order: id,contact.email; help lists them' \
        --jq=\t'What this jq expression makes of the JSON, one value a line' \
        --all-fields\t'Tables and records with every documented member, empty ones too' \
        --dry-run\t'Make the reads, print the writes instead of sending them' \
        -y\t'Confirm what would be asked, such as a deletion' --yes\t'Confirm what would be asked, such as a deletion' \
        --confirm=\t'The name of a protected profile, before its service is changed' \
        --no-input\t'Never ask, even on a terminal' --timeout=\t'Time for one request (default 30)' \
        --retries=\t'Further tries after a passing failure (default 3), each after 60 s at most' -q\t'No notices' \
        --quiet\t'No notices' --verbose\t'Show each request on standard error' \
        --debug\t'Show headers and stack traces as well' --color=\t'Colours (default auto: on a terminal)' \
        --no-pager\t'Show a long list on the terminal at once, not page by page' -h\t'Show help' --help\t'Show help'
end

# Prints how many positional values a level takes.
function __crm_slots --argument-names level
    switch "$level"
        case 'contacts get' 'contacts update' 'contacts edit' 'contacts import' 'contacts account-owner' 'proposals get' \
            'proposals update' 'proposals edit' 'proposals import' 'proposals clone' 'leads get' 'leads update' \
            'leads edit' 'leads import' 'leads convert' 'leads clone' 'leads comments list' 'items get' 'items update' \
            'items edit' 'items import' 'notes get' 'notes update' 'notes edit' 'notes import' 'clients get' 'team get' \
            'categories get' 'projects get' 'tasks get' names 'seed apply' 'seed destroy' 'seed forget' 'profile add' \
            'profile set' 'profile use' 'profile show' 'profile remove' 'profile check' completion explain
            echo 1
        case 'contacts delete' 'proposals delete' 'proposals tags' 'leads delete' 'leads archive' 'leads activate' \
            'leads assign' 'leads tags' 'items delete' 'notes delete' 'notes tags'
            echo 1000
        case 'proposals status' 'leads status' 'leads contacted' 'leads comments add' 'leads comments delete' api
            echo 2
        case '*'
            echo 0
    end
end

# Prints the values of a flag, or of the positional value with a number; <file> where fish's own file names go, and with $wanted that alone.
function __crm_values --argument-names level key typed wanted
    switch "$level $key"
        case 'contacts list --client' 'contacts list --where' 'contacts get --where' 'contacts get --with' \
            'contacts get 1' 'contacts create --client' 'contacts update --where' 'contacts update 1' \
            'contacts edit --where' 'contacts edit 1' 'contacts delete --where' 'contacts delete 1*' \
            'contacts delete 2*' 'contacts delete 3*' 'contacts delete 4*' 'contacts delete 5*' 'contacts delete 6*' \
            'contacts delete 7*' 'contacts delete 8*' 'contacts delete 9*' 'contacts account-owner 1' \
            'proposals list --client' 'proposals list --category' 'proposals list --where' 'proposals get --where' \
            'proposals get 1' 'proposals create --client' 'proposals create --category' 'proposals update --where' \
            'proposals update --category' 'proposals update 1' 'proposals edit --where' 'proposals edit 1' \
            'proposals delete --where' 'proposals delete 1*' 'proposals delete 2*' 'proposals delete 3*' \
            'proposals delete 4*' 'proposals delete 5*' 'proposals delete 6*' 'proposals delete 7*' \
            'proposals delete 8*' 'proposals delete 9*' 'proposals tags --where' 'proposals tags 1' \
            'proposals status --where' 'proposals status 1' 'proposals clone --client' 'proposals clone --category' \
            'proposals clone 1' 'leads list --status' 'leads list --category' 'leads list --assigned' \
            'leads list --where' 'leads get --where' 'leads get --with' 'leads get 1' 'leads create --status' \
            'leads create --category' 'leads update --where' 'leads update --status' 'leads update --category' \
            'leads update 1' 'leads edit --where' 'leads edit 1' 'leads delete --where' 'leads delete 1*' \
            'leads delete 2*' 'leads delete 3*' 'leads delete 4*' 'leads delete 5*' 'leads delete 6*' 'leads delete 7*' \
            'leads delete 8*' 'leads delete 9*' 'leads archive --where' 'leads archive 1*' 'leads archive 2*' \
            'leads archive 3*' 'leads archive 4*' 'leads archive 5*' 'leads archive 6*' 'leads archive 7*' \
            'leads archive 8*' 'leads archive 9*' 'leads activate --where' 'leads activate 1*' 'leads activate 2*' \
            'leads activate 3*' 'leads activate 4*' 'leads activate 5*' 'leads activate 6*' 'leads activate 7*' \
            'leads activate 8*' 'leads activate 9*' 'leads status --where' 'leads status --to' 'leads status 1' \
            'leads status 2' 'leads assign --where' 'leads assign --add' 'leads assign --remove' 'leads assign 1' \
            'leads assign 1*' 'leads assign 2*' 'leads assign 3*' 'leads assign 4*' 'leads assign 5*' 'leads assign 6*' \
            'leads assign 7*' 'leads assign 8*' 'leads assign 9*' 'leads tags --where' 'leads tags 1' \
            'leads contacted 1' 'leads convert 1' 'leads clone --status' 'leads clone 1' 'leads comments list 1' \
            'leads comments add 1' 'leads comments delete 1' 'items list --category' 'items list --unit' \
            'items list --tax-rate' 'items list --where' 'items get --where' 'items get 1' 'items create --category' \
            'items create --default-tax' 'items create --unit' 'items update --where' 'items update --category' \
            'items update --default-tax' 'items update --unit' 'items update 1' 'items edit --where' 'items edit 1' \
            'items delete --where' 'items delete 1*' 'items delete 2*' 'items delete 3*' 'items delete 4*' \
            'items delete 5*' 'items delete 6*' 'items delete 7*' 'items delete 8*' 'items delete 9*' \
            'notes list --where' 'notes get --where' 'notes get 1' 'notes update --where' 'notes update 1' \
            'notes edit --where' 'notes edit 1' 'notes delete --where' 'notes delete 1*' 'notes delete 2*' \
            'notes delete 3*' 'notes delete 4*' 'notes delete 5*' 'notes delete 6*' 'notes delete 7*' 'notes delete 8*' \
            'notes delete 9*' 'notes tags --where' 'notes tags 1' 'clients list --category' 'clients list --where' \
            'clients get --where' 'clients get --with' 'clients get 1' 'team list --where' 'team get --where' \
            'team get --with' 'team get 1' 'categories list --where' 'categories get --where' 'categories get 1' \
            'projects list --client' 'projects list --category' 'projects list --where' 'projects get --where' \
            'projects get --with' 'projects get 1' 'tasks list --client' 'tasks list --assigned' 'tasks list --where' \
            'tasks get --where' 'tasks get --with' 'tasks get 1' 'report leads --status' 'report leads --category' \
            'report leads --assigned' 'report leads --where' 'report proposals --client' 'report proposals --category' \
            'report proposals --where' 'seed destroy --run' 'seed forget 1' 'profile set 1' 'profile use 1' \
            'profile show 1' 'profile remove 1' 'profile check 1' '* -p' '* --profile' '* --fields'
            test -n "$wanted"; or __crm_live
        case 'contacts list --account-owner'
            printf '%s\n' yes no
        case 'contacts list --sort'
            printf '%s\n' first_name last_name email created updated
        case 'contacts list --order' 'proposals list --order' 'leads list --order' 'items list --order' \
            'notes list --order' 'clients list --order' 'team list --order' 'categories list --order' \
            'projects list --order' 'tasks list --order'
            printf '%s\n' asc desc
        case 'contacts create --data' 'contacts update --data' 'proposals create --body' 'proposals create --data' \
            'proposals update --body' 'proposals update --data' 'proposals clone --data' 'leads create --description' \
            'leads create --data' 'leads update --description' 'leads update --data' 'leads contacted 2' \
            'leads convert --data' 'leads clone --data' 'leads comments add 2' 'items create --description' \
            'items create --notes' 'items create --estimation-notes' 'items create --data' 'items update --description' \
            'items update --notes' 'items update --estimation-notes' 'items update --data' 'notes create --description' \
            'notes create --data' 'notes update --description' 'notes update --data' 'api --data'
            __crm_at_files "$typed"
        case 'contacts import --format' 'proposals import --format' 'leads import --format' 'items import --format' \
            'notes import --format'
            printf '%s\n' csv ndjson json xlsx
        case 'contacts import --mapping' 'contacts import --save-mapping' 'contacts import --rejects' \
            'contacts import --results' 'contacts import --journal' 'contacts import 1' 'proposals import --mapping' \
            'proposals import --save-mapping' 'proposals import --rejects' 'proposals import --results' \
            'proposals import --journal' 'proposals import 1' 'leads import --mapping' 'leads import --save-mapping' \
            'leads import --rejects' 'leads import --results' 'leads import --journal' 'leads import 1' \
            'items import --mapping' 'items import --save-mapping' 'items import --rejects' 'items import --results' \
            'items import --journal' 'items import 1' 'notes import --mapping' 'notes import --save-mapping' \
            'notes import --rejects' 'notes import --results' 'notes import --journal' 'notes import 1' 'seed apply 1' \
            'seed destroy 1' 'sandbox serve --db'
            echo '<file>'
        case 'contacts import --decimal-mark' 'proposals import --decimal-mark' 'leads import --decimal-mark' \
            'items import --decimal-mark' 'notes import --decimal-mark'
            printf '%s\n' point comma
        case 'contacts import --date-order' 'proposals import --date-order' 'leads import --date-order' \
            'items import --date-order' 'notes import --date-order'
            printf '%s\n' ymd dmy mdy
        case 'contacts import --blank' 'proposals import --blank' 'leads import --blank' 'items import --blank' \
            'notes import --blank'
            printf '%s\n' skip clear
        case 'contacts import --mode' 'proposals import --mode' 'leads import --mode' 'items import --mode' \
            'notes import --mode'
            printf '%s\n' create update upsert
        case 'proposals list --status' 'proposals status --to' 'proposals status 2' 'report proposals --status'
            printf '%s\n' draft new accepted declined revised
        case 'proposals list --sort'
            printf '%s\n' title status start created
        case 'leads list --active-state' 'tasks list --active-state'
            printf '%s\n' active archived
        case 'leads list --state'
            printf '%s\n' open converted archived
        case 'leads list --sort'
            printf '%s\n' title value created last_contacted
        case 'items list --sort'
            printf '%s\n' description rate created
        case 'notes list --resource'
            printf '%s\n' client lead project task user
        case 'notes list --visibility' 'notes create --visibility' 'notes update --visibility'
            printf '%s\n' public private
        case 'notes list --sort'
            printf '%s\n' title created updated
        case 'notes create --resource'
            printf '%s\n' client: lead: project: task: user:
        case 'clients list --status'
            printf '%s\n' active suspended
        case 'clients list --sort'
            printf '%s\n' company_name status created updated
        case 'team list --status'
            printf '%s\n' active suspended deleted
        case 'team list --sort'
            printf '%s\n' first_name last_name email created
        case 'categories list --sort'
            printf '%s\n' name type created
        case 'projects list --sort'
            printf '%s\n' title status start due created progress
        case 'tasks list --sort'
            printf '%s\n' title due created position
        case 'names 1'
            printf '%s\n' statuses units taxes sources tags
        case 'report leads --by'
            printf '%s\n' status assigned source category age
        case 'report proposals --by'
            printf '%s\n' status month
        case 'profile add --encoding' 'profile set --encoding'
            printf '%s\n' form json
        case 'completion 1'
            printf '%s\n' bash zsh fish
        case 'api 1'
            printf '%s\n' GET POST PUT PATCH DELETE
        case 'explain 1'
            printf '%s\n' contacts contacts.list contacts.get contacts.create contacts.update contacts.edit contacts.delete contacts.import contacts.account-owner proposals proposals.list proposals.get proposals.create proposals.update proposals.edit proposals.delete proposals.import proposals.tags proposals.status proposals.clone leads leads.list leads.get leads.create leads.update leads.edit leads.delete leads.import leads.archive leads.activate leads.status leads.assign leads.tags leads.contacted leads.convert leads.clone leads.comments.list leads.comments.add leads.comments.delete items items.list items.get items.create items.update items.edit items.delete items.import notes notes.list notes.get notes.create notes.update notes.edit notes.delete notes.import notes.tags clients clients.list clients.get team team.list team.get categories categories.list categories.get projects projects.list projects.get tasks tasks.list tasks.get names report report.leads report.proposals seed seed.apply seed.destroy seed.forget seed.list seed.demo profile profile.add profile.set profile.list profile.use profile.show profile.remove profile.check sandbox sandbox.init sandbox.reset sandbox.serve doctor completion api explain
        case '* -o' '* --output'
            printf '%s\n' table json ndjson csv yaml ids xlsx
        case '* --color'
            printf '%s\n' auto always never
    end
end

# Prints what only files of this machine know of a value: crm prints one a line with what it is, and sends nothing.
function __crm_live
    command -sq crm; or return
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    while string match -q -- '*=*' "$words[1]"
        set -e words[1]
    end
    command crm __complete fish $words[2..] "$typed" 2>/dev/null
end

# Prints @ and the files whose names go on from what was typed after an @.
function __crm_at_files --argument-names typed
    string match -q -- '@*' "$typed"; or return
    set -l start (string sub -s 2 -- "$typed")
    for file in "$start"*
        test -d "$file"; and set file $file/
        printf '%s\n' "@$file"
    end
end

function __crm_takes_value --argument-names level flag
    string match -q -- "$flag"'='\t'*' (__crm_flags "$level")
end

# Prints the flag whose value comes after the typed flag, if one does.
function __crm_expects --argument-names level flag
    if string match -q -- '--*' "$flag"
        __crm_takes_value "$level" "$flag"; and printf '%s\n' "$flag"
        return
    end
    set -l letters (string split '' -- (string sub -s 2 -- "$flag"))
    for index in (seq (count $letters))
        if __crm_takes_value "$level" -$letters[$index]
            test $index -eq (count $letters); and printf '%s\n' -$letters[$index]
            return
        end
    end
end

function __crm_offer_flags --argument-names level
    __crm_flags "$level" | string replace -r -- '=\t' \t
end

function __crm_offer_commands --argument-names level typed
    set -l commands (__crm_commands "$level")
    printf '%s\n' $commands
    string match -q -- "$typed*" $commands; or __crm_aliases "$level"
end

function __crm_complete --argument-names wanted
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l level ''
    set -l expected ''
    set -l ended ''
    set -l place 0
    while string match -q -- '*=*' "$words[1]"
        set -e words[1]
    end
    for word in $words[2..]
        if test -n "$expected"
            set expected ''
        else if test -z "$ended"; and test "x$word" = x--
            set ended yes
        else if test -z "$ended"; and string match -qr -- '^-.' "$word"
            set expected (__crm_expects "$level" "$word")
        else if test $place -eq 0; and __crm_enter "$level" "$word" >/dev/null
            set level (__crm_enter "$level" "$word")
        else
            set place (math $place + 1)
        end
    end
    if test -n "$expected"
        __crm_values "$level" "$expected" "$typed" "$wanted"
    else if test -z "$ended"; and string match -qr -- '^--[^=]+=' "$typed"
        set -l parts (string split -m 1 = -- "$typed")
        set -l values (__crm_values "$level" $parts "$wanted")
        test (count $values) -gt 0; and printf '%s\n' $parts[1]=$values
    else if test -z "$ended"; and string match -q -- '-*' "$typed"
        __crm_offer_flags "$level"
    else if test (count (__crm_commands "$level")) -gt 0
        test $place -eq 0; and __crm_offer_commands "$level" "$typed"
    else if test $place -lt (__crm_slots "$level")
        __crm_values "$level" (math $place + 1) "$typed" "$wanted"
    else if test -z "$ended"; and test -z "$typed"
        __crm_offer_flags "$level"
    end
end

complete -c crm -f -a "(__crm_complete | string match -v -- '*<file>')"
complete -c crm -n "__crm_complete files | string match -q -- '*<file>'" -F
