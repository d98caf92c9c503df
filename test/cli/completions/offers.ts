// Lines, and what TAB offers at their end. Typed by hand.

const formats = ['csv', 'html', 'ids', 'json', 'markdown', 'ndjson', 'table', 'xlsx', 'yaml'];
const firstWords = [
  ...'api apply categories clients completion contacts diff doctor explain history items leads names notes profile projects proposals'.split(
    ' ',
  ),
  ...['report', 'sandbox', 'search', 'seed', 'snapshot', 'tasks', 'team', 'undo'],
];
const statuses = ['accepted', 'declined', 'draft', 'new', 'revised'];

/** A line, and what is offered where it ends, sorted. */
export const offers: readonly (readonly [string, readonly string[]])[] = [
  ['crm ', ['help', ...firstWords].sort()],
  ['crm lea', ['leads']],
  ['crm lead', ['leads']],
  ['crm item', ['items']],
  ['crm leads com', ['comments']],
  ['crm leads comments ', ['add', 'delete', 'list']],
  ['crm leads comment d', ['delete']],
  ['crm contact ', ['account-owner', 'create', 'delete', 'duplicates', 'edit', 'get', 'import', 'list', 'update']],
  ['crm sandbox ', ['exec', 'init', 'reset', 'serve']],
  ['crm help no', ['notes']],
  [
    'crm help ',
    [...firstWords, 'agents', 'exit-statuses', 'flags', 'import', 'output', 'privacy', 'scripting', 'seeds', 'settings'].toSorted(),
  ],
  ['crm help out', ['output']],
  ['crm help lead conv', ['convert']],
  ['crm help leads comments ', ['add', 'delete', 'list']],
  ['crm leads assigned', ['assigned']],
  ['crm notes r', ['rm']],
  ['crm nonsense ', []],
  ['crm leads nonsense ', []],
  // Flags of the command and of every level, wherever they stand.
  ['crm leads list --so', ['--sort', '--source']],
  ['crm leads list --jq', ['--jq']],
  ['crm lead ls --so', ['--sort', '--source']],
  // A word that may be left out: the flags are those of the command that then runs.
  ['crm history --al', ['--all', '--all-fields']],
  ['crm history k7f2 --fa', ['--failed', '--family']],
  ['crm leads comment 12 --no', ['--no-input', '--no-pager']],
  ['crm --dr', ['--dry-run']],
  ['crm --vers', ['--version']],
  ['crm leads --he', ['--help']],
  ['crm leads comments add --dr', ['--dry-run']],
  ['crm --json leads --quiet li', ['list']],
  ['crm leads create --title x --last-', ['--last-contacted', '--last-name']],
  ['crm leads delete 1 2 3 --y', ['--yes']],
  // The value of a flag is not a command, nor a flag.
  ['crm -p list leads ar', ['archive']],
  ['crm --profile leads pro', ['profile', 'projects', 'proposals']],
  ['crm leads --profile list ac', ['activate']],
  ['crm leads -qp list ac', ['activate']],
  ['crm leads create --title "list --sort" --des', ['--description']],
  ['crm leads list --search --so', []],
  // Choices.
  ['crm leads list --sort la', ['last-name', 'last_contacted']],
  ['crm leads list --sort=ti', ['title']],
  ['crm proposals list --sort dates.', ['dates.created', 'dates.end', 'dates.published', 'dates.start']],
  ['crm leads list --sort=la', ['last-name', 'last_contacted']],
  ['crm proposals list --order ', ['asc', 'desc']],
  ['crm leads list --sort=title --order d', ['desc']],
  ['crm -o ', formats],
  ['crm leads list -o ', formats],
  ['crm leads -yo ', formats],
  ['crm leads list --output=nd', ['ndjson']],
  ['crm leads --color ne', ['never']],
  ['crm notes list --visibility p', ['private', 'public']],
  ['crm notes create --resource pr', ['project:']],
  ['crm notes create --resource=us', ['user:']],
  ['crm notes list --resource le', ['lead']],
  ['crm proposals status 5 ', statuses],
  ['crm proposal -q status --timeout 5 5 ', statuses],
  ['crm proposals status ', []],
  ['crm completion ', ['bash', 'fish', 'install', 'print', 'zsh']],
  ['crm completion install ', ['bash', 'fish', 'zsh']],
  ['crm api P', ['PATCH', 'POST', 'PUT']],
  // After -- nothing is a flag.
  ['crm leads list -- --so', []],
  ['crm proposals status -- 5 acc', ['accepted']],
  // Files.
  ['crm leads create --description @da', ['data.json']],
  ['crm leads create --description=@da', ['data.json']],
  ['crm leads comments add 3 @da', ['data.json']],
  ['crm leads list --ou', ['--out', '--output']],
  ['crm leads create --description da', []],
  ['crm leads create --title @da', []],
];
