// What `crm help TOPIC` says: the texts of all topics. They load only when one is asked for; the build prepares them like the pages
// of commands.

import { type Topic, topics } from '../command.ts';
import { errorCodes, exitStatuses } from '../errors.ts';
import type { Flag } from '../flag.ts';
import { type Format, globalFlags } from '../global-flags.ts';
import type { HelpPage, HelpSection } from '../output/help-page.ts';
import { exampleSection, flowing, helpOf, termOf } from './help.ts';

/** The page of a topic. */
export const topicPage = (topic: Topic): HelpPage => ({ description: `${topics[topic]}.`, sections: sections[topic] });

const note = (heading: string, text: string): HelpSection => ({ heading, words: flowing(text) });

/** Command lines below a text, to be copied. */
const commandLines = (...lines: readonly string[]): Pick<HelpSection, 'lines'> => ({ lines: lines.map((line) => `$ ${line}`) });

const flagTerms = (flags: readonly Flag[]) => flags.map((flag) => [termOf(flag), helpOf(flag)] as const);

const formatMeanings: Readonly<Record<Format, string>> = {
  table: 'The default. On a terminal it fits the width; elsewhere it is tab-separated, header first, nothing cut',
  json: 'One document: the record, or an array, `[]` for nothing. Also `--json`',
  ndjson: 'One record a line, as the pages arrive',
  csv: 'With a header; members of members are dotted columns. Also `--csv`',
  yaml: 'One document',
  ids: 'One id a line, for the next command',
  xlsx: 'A workbook with the columns of CSV, for a file: `> leads.xlsx`',
};

const sections: Readonly<Record<Topic, readonly HelpSection[]>> = {
  output: [
    note(
      'Streams',
      'Standard output is the result and nothing else. Notices, questions, progress and errors are on standard error, and so is what a write ' +
        'made different; on a terminal that is all that a write shows, unless `-o` or `--fields` ask for the record.',
    ),
    {
      heading: 'Formats',
      remark: '-o, --output',
      terms: Object.entries(formatMeanings),
    },
    {
      heading: 'What is shown',
      terms: [
        ['--fields id,contact.email', 'These columns and members, in this order; dots reach into objects'],
        ['--fields help', 'What `--fields` takes, with flags and types; nothing is sent'],
        ['--jq .[].title', 'What a jq expression makes of the JSON, after `--fields`, one value a line and texts raw; no jq is needed'],
        ['--all-fields', 'A table with every documented member, as csv has them'],
        ['--envelope', "JSON: the service's whole answer, with its message and the position in the list"],
        ['--limit N, --all, --page N', 'How much of a list; otherwise its first page, and a word on how to see more'],
        ['--no-pager', 'On a terminal a long result goes through a pager: crm help settings'],
        ['--color always', 'Colours a table in a pipe as well; a pipe has none otherwise'],
      ],
    },
    note(
      'Reports',
      'crm report is `{"rows": […], "total": {…}}` in JSON and YAML. Elsewhere it is the rows, and the total is a notice. Sums are texts, ' +
        'exact to the last digit, and all have as many decimals as the value with the most.',
    ),
    note(
      'jq',
      'The expression of `--jq` gets the whole result once, with `-o ndjson` each record. It is checked before anything is sent. It sees no files and none of your variables. ' +
        'Numbers keep their digits; one with an exponent is written as 1E+400. In a pipe texts are as they are; on a terminal control ' +
        'characters in them are escaped, but for line breaks and tabs. An expression that fails on a read is status 2; on what a write answered ' +
        'it is a notice, and the whole answer is printed. One document may take 1 GiB of memory, which is some 100,000 leads.',
    ),
    note(
      'CSV',
      "A cell that a spreadsheet would take for a formula gets a ' in front, a phone number doesn't; an import takes it away again, and --csv-raw leaves it out.",
    ),
    note(
      'Reading it first',
      '`--plan FILE` beside a change of several records writes old and new values side by side, as .csv or .xlsx, and sends nothing; ' +
        '`list --was` writes such a table of all values. Strike out or change what you like, then `crm apply FILE`: a record that somebody ' +
        'changed meanwhile stays as it is, and is named.',
    ),
    note(
      'Taking it back',
      '`crm history` lists imports and changes of several records, unfinished ones first. `crm undo RUN` takes one back: what it created is ' +
        'deleted, what it changed is as it was, and what somebody changed since is kept and named. First with `--dry-run`.',
    ),
    exampleSection([
      'crm leads list --all --csv > leads.csv',
      'crm leads list --limit 5 --json --fields id,contact.email',
      "crm leads list --all --jq 'map(.value // 0 | tonumber) | add'",
    ]),
  ],
  settings: [
    note('Order', 'A flag wins over a variable of the environment, and a variable over the current profile.'),
    {
      heading: 'Variables',
      terms: [
        ['CRM_PROFILE', 'The profile to use; `--profile` wins over it'],
        ['CRM_BASE_URL', 'The service: `https://crm.example.com`, or `sandbox:` for the embedded CRM'],
        ['CRM_API_KEY', 'The key to it; no flag takes one'],
        ['CRM_CONFIG_DIR', "Where the profiles are kept (default: the system's place, such as `~/.config/crm`)"],
        [
          'CRM_DATA_DIR',
          'Where the embedded CRM, the journals of imports and seeds, and the names that were read are kept (default: such as `~/.local/share/crm`)',
        ],
        ['HTTP_PROXY, HTTPS_PROXY', 'A proxy; `NO_PROXY` names the hosts that are reached without one'],
        ['NODE_EXTRA_CA_CERTS', 'A file with the authority behind certificates of your own'],
        ['NODE_DISABLE_COMPILE_CACHE', '1: no compiled code is kept, which else is in `CRM_DATA_DIR` or the folder for temporary files'],
        ['NO_COLOR', 'No colours; `--color` wins over it'],
        [
          'CRM_PAGER, PAGER',
          'What shows results that are longer than the screen (default `less -FRX`); with `cat` or nothing they are printed',
        ],
        ['VISUAL, EDITOR', 'What crm leads edit and its like open (default `vi`)'],
      ],
    },
    note(
      'Keys',
      'A key belongs to the origin that it was saved with and is never sent to another one, whatever a variable or a redirect says. ' +
        'Plain http is for this machine only, unless the profile allows it with `--insecure-http`. A profile keeps the key in a file that only you ' +
        'can read, or the command that prints it: `crm profile add ops --key-command`.',
    ),
    note(
      'Protected profiles',
      'With `crm profile set NAME --protected`, imports, seeds and whatever `--yes` would confirm need `--confirm NAME` as well.',
    ),
    note(
      'Looking for what is wrong',
      'crm doctor says where each setting comes from, whether the service answers and takes the key, and what to do; its status is 11 when something is wrong.',
    ),
    exampleSection([
      'crm profile add acme --base-url https://crm.example.com',
      'crm profile set acme --me 3 --protected',
      'crm profile list',
      'crm leads list --profile acme',
    ]),
  ],
  scripting: [
    note(
      'Results',
      'With `--json` standard output is one document. Test the exit status first: a command that failed leaves it empty, a list that breaks ' +
        'off in the middle leaves it unfinished, and with 8 it holds what went through. `--jq` takes values out of it without another program.',
    ),
    note(
      'Errors',
      'With `--json` an error is one object on standard error, `{"error": {…}}`, with `code`, `message`, `status` (of HTTP), ' +
        '`fields` (`flag`, `name`, `messages`; of a file `lines` and `count`, where many lines have the same problem), `hint` and `request`; of ' +
        'several records, `failures` has the error of each that failed. `code` stays the same from version to version.',
    ),
    note(
      'Confirmations',
      "What can't be undone asks on a terminal and needs `--yes` elsewhere; so does every write to records that `-` or `--where` selects. Without it the status is 9 and nothing was sent. " +
        '`--no-input` never asks. `--dry-run` makes the reads and prints the writes instead of sending them; of several records it shows old and new values (`--verbose` or `--json`: the writes).',
    ),
    note(
      'Repeating',
      'Reads, and writes that set a whole value, are tried again after a passing failure (`--retries`). Any other write is sent again only ' +
        "when it can't have arrived. When its answer is lost, the status is 7 and the message names the command that shows what became of it.",
    ),
    note(
      'Settings',
      '`CRM_BASE_URL` and `CRM_API_KEY` are enough, without any profile. A program that keeps keys can give one: `crm profile add ops --key-command`.',
    ),
    note(
      'Gates',
      '`--at-most N` and `--at-least N` on `list --count`, `duplicates` and `diff` end with status 11 when the number is another; a list that ' +
        'could not be read is 7, never none. `examples/nightly.sh` is a check of six such lines, for every night. On a write to several ' +
        'records `--at-most N` sends nothing when there are more (9).',
    ),
    exampleSection([
      'crm leads list --state open --assigned none --count --at-most 20',
      'id=$(crm leads create --title Till --status New --category Inbound -o ids)',
      "crm leads list --where has:value --jq 'map(.value|tonumber)|add'",
      'crm help exit-statuses',
    ]),
    {
      ...note('A CI job', 'With a service of its own, made for this run and gone after it.'),
      ...commandLines(
        'crm sandbox serve --port 0 --json --db ci.sqlite --empty > service.json &',
        'server=$!',
        'until [ -s service.json ]; do sleep 0.1; done',
        'export CRM_BASE_URL=$(jq -r .base_url service.json) CRM_API_KEY=$(jq -r .api_key service.json)',
        "id=$(crm leads create --title 'Smoke test' --status 1 --category 1 -o ids)",
        `crm leads tags "$id" ci --json | jq -e '.tags == ["ci"]'`,
        'crm leads delete "$id" --yes',
        'kill "$server"',
      ),
    },
  ],
  import: [
    note(
      'Files',
      'contacts, proposals, leads, items and notes have `import FILE`: CSV, NDJSON, JSON (an array of up to 64 MiB) or .xlsx (`--sheet`), `-` for standard input. Name the columns as ' +
        "the flags are called (`company-name`), or as `list --csv` does; `--map 'Deal name=title'` names another. `--constant status=New` gives every row a value. " +
        '`--encoding windows-1252` reads what Excel writes; rejects and results are written as the file is: encoding, separator, line ends.',
    ),
    note(
      'Numbers and days',
      'Decimals are 1250.00, days YYYY-MM-DD or a time stamp. `--decimal-mark comma` reads 1.250,00, `--date-order dmy` reads 31.12.2026. Without ' +
        'them such cells are refused, and so is a column in which every number with a point is like 12.000: that could be thousands. One currency throughout a column is read past.',
    ),
    {
      heading: 'Mapping',
      remark: '`--mapping FILE.yaml`; `--save-mapping` writes one',
      terms: [
        ['columns', "`Company: company-name`. `Internal: ''` leaves a column out"],
        ['constants', '`status: New`'],
        ['decimal-mark, date-order', 'As the flags, which win; `encoding`, too'],
        ['words', '`status: {Won: Negotiation}`, what words of cells stand for'],
      ],
    },
    note(
      'Names and sets',
      'A column such as `status.title` or `category.name` is read as its relation. Change it, or the id beside it: either will ' +
        'do, and where both were changed to different things the row fails. `assigned` and `tags` (`Priya Raman; Tom Okafor`, or a JSON array), a ' +
        "lead's `active_state` and a proposal's `status` are written, too, as further requests of the row. Of records that are there, tags and " +
        'assignees that differ need `--sets add` or `--sets replace`; a row that would clear a signature stays back without `--clear-signatures`. ' +
        'What only the service writes is passed over, and named.',
    ),
    note(
      'Checks',
      'Every row is checked before anything is sent. Names work in place of ids; one that means nothing, or several things, is a problem. ' +
        'Problems with the same cause are one line, with the first lines and the count (`--json`: `fields`). `--skip-invalid` leaves the rows ' +
        'that are wrong out and sends the others (8); the service may refuse some of these all the same. `--dry-run` lists what each row would do, with old and new values (`--json`: `{"rows": […], "counts": {…}}`), and ' +
        'ends with the status that the import would. On a terminal it asks first, with the count and some rows; `--yes` agrees.',
    ),
    note(
      'Changed meanwhile',
      'A row with `dates.updated`, as exports have it, is not sent over a record that was changed since, but counted as a conflict; ' +
        "`--overwrite-newer` sends it. Of records that don't tell when they were changed, such as proposals, it is said that they are overwritten. " +
        'A change between that reading and the writing is not noticed. Without a zone a time is UTC; a day alone is all of it.',
    ),
    {
      heading: 'What a row does',
      remark: '--mode',
      terms: [
        ['create', 'The default: makes a record'],
        ['update', 'Changes the record that `--match` finds (the id, unless it says otherwise); a row that says nothing new is not sent'],
        ['upsert', 'Changes the record where there is one, else makes it'],
      ],
    },
    note(
      'In an editor',
      '`crm leads edit 12`, or `--where`, opens records in `VISUAL` or `EDITOR`, and sends what was changed as `crm apply` sends a change file: shown, ' +
        'asked, and not over values that somebody else changed meanwhile.',
    ),
    note(
      'Going on',
      'A journal in the data folder keeps what became of each row. An import that was cut off goes on with `--resume`, and no row is lost or ' +
        'doubled. A row of which nobody can tell whether it arrived stops it: `--arrived` or `--send-again` answers. A file that was imported ' +
        'before is refused; `--again` imports it once more.',
    ),
    note(
      'What became of it',
      '`--rejects FILE` gets the rows that failed or were found wrong, with the reason, and can be imported again as it is (of .xlsx as CSV); the status is then ' +
        '8, or 2 where nothing was sent. `--results FILE` gets every row with id, outcome (created, updated, unchanged, conflict, failed, ' +
        'unknown; `created; assigned failed: …` for a record that is there and lacks something, which `--resume` sends again) and error behind its own columns, at the end, also of a run that is interrupted. Both come in the order of the file.',
    ),
    note(
      'A rehearsal',
      '`crm snapshot monday` and `crm sandbox init -p rehearsal --from monday` make a copy of the service with the same ids. Import there with ' +
        '`-p rehearsal`, look at it with `crm diff monday -p rehearsal`, and then import for real.',
    ),
    exampleSection([
      'crm leads list --all --csv > leads.csv',
      'crm leads import leads.csv --mode update --dry-run',
      'crm leads import leads.csv --mode update --rejects rejects.csv',
      'crm leads import sales.csv --save-mapping sales.yaml',
      'crm leads import sales.csv --mapping sales.yaml --skip-invalid --rejects rejects.csv',
    ]),
  ],
  seeds: [
    note(
      'A run',
      '`crm seed apply FILE` creates the records of a file once. Applied again, it creates only what is missing; cut off, it goes on. `crm seed destroy` ' +
        'deletes just what the run created, `--keep-changed` without what was changed since. `crm seed forget RUN` drops a run and deletes nothing. ' +
        'All is checked before anything is sent; `--dry-run` shows what would be.',
    ),
    {
      heading: 'The file',
      remark: 'YAML or JSON',
      terms: [
        ['version', '`1`'],
        ['records', 'What to create and to find, in any order: what another needs comes first by itself'],
        ['vars', '`domain: northgate.example`, for `${domain}` in any text'],
        ['run', 'What the run is called, unless `--run` says so (else: what the file is called)'],
        ['random-seed, today', 'The number that made-up values follow from, and the day that made-up dates are near to'],
      ],
    },
    {
      heading: 'A record',
      terms: [
        ['name', 'What the others call it'],
        ['type', '`contact`, `lead`, `proposal`, `item` or `note`'],
        [
          'set',
          'Its values, named as the flags of `create` are: `company-name: Northgate`. Names stand for ids as everywhere: `status: Negotiation`',
        ],
        ['wire', 'Body fields by their own names, for what no flag covers'],
        ['count', 'So many of them: `count: 6`'],
        [
          'key',
          'What tells it from all others, as `key: email`: a record that has the value already is taken, and not created a second time',
        ],
        ['then', 'What is done with it afterwards, in this order: `- archive`, `- status: 5`, `- tags: [renewal]`, `- comment: Called`'],
        [
          'find',
          'In place of `type` and `set`: a record that is there, and belongs to no run. `find: {type: client, by: {company_name: Northgate}}`',
        ],
      ],
    },
    {
      heading: 'In any text',
      terms: [
        ['${buyer.id}', 'A member of another record: `${buyer.email}`, `${lead.contact.first_name}`'],
        ['${fair[2].id}', 'Of counted ones that number, from 0; `[index]` the one with the same number, `[any]` one by chance'],
        ['${number}, ${index}', 'Which of a count it is, from 1 and from 0'],
        ['${run}', 'What the run is called'],
        ['${env:NAME|Northgate}', 'A variable of the environment; behind the bar what holds without it'],
        [
          '${fake.person.firstName}',
          'A made-up value, by any function of faker: `${fake.number.int({"max": 9})}`. The same number gives the same values',
        ],
        ['$${', 'A literal `${`'],
      ],
    },
    exampleSection([
      'crm seed apply examples/sales-team.yaml --dry-run',
      'crm seed apply examples/sales-team.yaml --run trial',
      'crm seed destroy --run trial --yes',
    ]),
  ],
  flags: [
    {
      heading: 'Flags',
      terms: flagTerms([
        ...globalFlags,
        { name: 'help', short: 'h', help: 'Show help' },
        { name: 'version', short: 'V', help: 'Print the version (crm alone)' },
      ]),
    },
    note(
      'Spelling',
      'They may stand anywhere: `crm --json leads list` is `crm leads list --json`. A value follows after a space or an `=`. A value that is ' +
        'itself spelled like a flag needs the `=`, as in `--title=--json`. After `--` everything is an argument.',
    ),
    note(
      'Long texts and days',
      'Where help says so, `@file` reads a text from a file and `-` from standard input; `@@x` is a literal `@x`. A day is YYYY-MM-DD, or ' +
        '`today`, `yesterday`, `tomorrow`, `-30d`, `+2w` (d, w, m, y), by the clock of this machine.',
    ),
    note(
      'Names',
      'Where the id of a client, a team member, a category, a lead status, a unit or a tax rate is meant, its name works: `--status ' +
        'Negotiation`. A filter takes the beginning of a word, a write the whole name, and of clients and people a whole word. ' +
        '`name:2024` says that a number is a name; `@me` is who the profile says (`crm profile set NAME --me`). crm names shows what is known of statuses, units and tax rates.',
    ),
    note(
      'Conditions',
      '`--where`, on lists and wherever several records may be meant, may be repeated, and then all must hold: `status=Negotiation`, ' +
        '`status!=Lost`, `title~clinic` (contains), `value=50000..` and `last_contacted=..-30d` (both ends included), `no:source`, `has:source`. ' +
        '`--fields help` lists the names. Ids and words go to the service; the rest is compared here, over all pages.',
    ),
    exampleSection([
      'crm leads list --where value=50000.. --where last_contacted=..-30d --where no:source',
      'crm leads assign 12 --add Priya',
      'crm leads update 12 --status Negotiation --last-contacted yesterday --dry-run',
    ]),
  ],
  'exit-statuses': [
    {
      heading: 'Statuses',
      terms: Object.values(exitStatuses).map(({ status, meaning }) => [String(status), meaning] as const),
    },
    note('Several', 'A command for several records goes on after one that failed; its status is 8 when some did.'),
    note(
      'Errors in JSON',
      'With `--json` an error on standard error is `{"error": {…}}`, and its `code` says more than the status. New ones may come; none ' +
        'changes its meaning or its status.',
    ),
    {
      heading: 'Codes, with their statuses',
      terms: Object.entries(errorCodes).map(([code, { status, meaning }]) => [code, `${exitStatuses[status].status}: ${meaning}`] as const),
    },
    exampleSection(['crm leads get 999 > lead.txt || echo "status $?"']),
  ],
  agents: [
    {
      ...note(
        'Discover',
        '`crm help` and `crm help COMMAND` say what there is, in plain text. crm explain has it as data: flags with types, bounds, defaults and wire ' +
          'names, what has to be given, which command lists the ids (`listed_by`), what each command sends, whether it reads, writes or destroys, ' +
          'when it needs `--yes` (`yes_when`), the members of what it prints, errors that few others end with; without a name, of all commands. `--fields help` lists what a record holds. crm help flags has the words for names, days and conditions.',
      ),
      ...commandLines(
        'crm leads update --help',
        'crm explain leads.update --json',
        `crm explain --jq '.commands[] | select(.does == "destroys" or .destroys_when).command'`,
        `crm explain --jq '.commands[] | select(.yes_when) | {command, yes_when}'`,
        'crm leads list --fields help --json',
        'crm categories list --type lead --json',
      ),
    },
    {
      ...note(
        'Read',
        'Ask for no more than you need. Without `--limit` or `--all` a list is its first page only, and a notice says so. Where the id of a ' +
          'status, category, client or colleague is meant, its name works.',
      ),
      ...commandLines(
        'crm leads list --where value=50000.. --where no:source --count',
        'crm leads list --status Negotiation --all --json --fields id,title,value',
        "crm leads list --all --jq 'map(select(.tags | length == 0).id)'",
        'crm leads get 12 --with comments,notes --json',
        'crm report leads --by assigned --json',
      ),
    },
    {
      ...note(
        'Write',
        'First with `--dry-run`: it prints every write and sends none. Then the same command without it; `--json` answers the record as it is ' +
          'then, a create no more than its id and what it is called, unless `--read` asks for all of it. An update keeps what no flag names. What is deleted is gone, and a selection may hold more than you think: give `--yes`, or ' +
          '`--confirm` for a protected profile, only when whoever you work for has agreed to just that.',
      ),
      ...commandLines(
        'crm leads update 12 --value 18000.50 --dry-run --json',
        'crm leads update 12 --value 18000.50 --json --no-input',
        'crm leads archive --where status=Lost --where active-state=active --dry-run --json',
      ),
    },
    {
      ...note(
        'Many records',
        'Not a loop of creates: an import or a seed keeps a journal, so that after a failure it goes on without losing or doubling ' +
          'a record. See crm help import. `crm history` tells what was done, and `crm undo RUN` takes it back, but for what was deleted.',
      ),
      ...commandLines(
        'crm leads import sales.csv --dry-run --json',
        'crm leads import sales.csv --yes --rejects rejects.csv --json',
        'crm seed apply examples/ci-smoke.yaml --json',
      ),
    },
    note('Errors', 'With `--json` they are `{"error": {…}}` on standard error. Go by the exit status and `code`, and do what `hint` says.'),
    {
      heading: 'After an exit status of',
      terms: [
        ['1', 'A fault in crm itself: stop and report it'],
        ['2', 'Nothing was sent. `fields` and `message` say what is wrong: mend that'],
        ['3, 5, 10', 'The service refused, and would again. Read the record, then decide; with 10 it may be as you want it already'],
        ['4', 'The key is missing or was refused. Stop: a person has to set it'],
        ['6', 'Wait as long as `hint` says, then do the same again'],
        [
          '7',
          'A read may be repeated. A write may have arrived: never send it again blindly. Run the command that `hint` names, and repeat the ' +
            'write only where it had no effect. An import goes on with `--resume`, a seed with the same command',
        ],
        ['8', 'Some went through: standard output has them, `failures` the others, each with its error. Go on with those alone'],
        ['9', 'Nothing was sent: somebody has to agree. Ask them, then repeat it with `--yes`'],
      ],
    },
    {
      ...note(
        'Practise',
        'The embedded CRM is a whole one in a file, with demo data: no server, no key, and nobody who gets an email. `--profile sandbox` makes ' +
          'sure that it is meant.',
      ),
      ...commandLines('crm sandbox init', 'crm leads delete 5 --yes --profile sandbox', 'crm sandbox reset --yes'),
    },
    note(
      'Keys',
      'No flag takes the key to a service, and none belongs on a command line or into a conversation: `CRM_API_KEY` holds it, or a profile ' +
        'that a person has added. `--verbose` and `--debug` never show it.',
    ),
  ],
};
