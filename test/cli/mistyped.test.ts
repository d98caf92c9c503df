// How a command line is mistyped, and what it says then: about the flag that was typed, and where to read on. Values that can't be are
// told all at once, each beside its flag. All of it without a service: nothing is sent but for the help and the dry runs that it ends in.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../import/support.ts';

let shop: Workshop;
beforeAll(() => {
  shop = openWorkshop({ demo: true });
});
afterAll(() => shop.remove());

/** A command line as one would type it, without quotes. */
const typed = (line: string) => shop.crm(line.split(' '));

describe('what is said, to the letter', () => {
  it.each([
    // A value for a flag that takes none, and none for one that takes a value.
    ['leads list --json=true', 'error: --json takes no value. Did you mean --json?\nSee: crm leads list --help'],
    ['contacts create --send-email=yes', 'error: --send-email takes no value. Did you mean --send-email?\nSee: crm contacts create --help'],
    ['profile set x --protected=false', 'error: --protected takes no value. Did you mean --no-protected?\nSee: crm profile set --help'],
    ['contacts create --send-email=no', 'error: --send-email takes no value. Without the flag it is off.\nSee: crm contacts create --help'],
    ['contacts list --account-owner --limit 1', 'error: --account-owner: a value is missing (yes or no).\nSee: crm contacts list --help'],
    [
      'leads list -o --all',
      'error: --output: a value is missing (table, json, ndjson, csv, yaml, ids, xlsx, markdown or html).\nSee: crm leads list --help',
    ],
    ['leads list --limit', 'error: --limit: a value is missing.\nSee: crm leads list --help'],
    ['leads create --title --status=1', 'error: --title: a value is missing.\nIf "--status=1" is the value: --title=--status=1'],
    // Short flags, alone and in a row, are what a forgotten value swallows, too.
    ['leads update 12 --title -y', 'error: --title: a value is missing.\nIf "-y" is the value: --title=-y'],
    ['leads update 12 --title -yq', 'error: --title: a value is missing.\nIf "-yq" is the value: --title=-yq'],
    ['leads update 12 --title -pacme', 'error: --title: a value is missing.\nIf "-pacme" is the value: --title=-pacme'],
    ['leads update 12 --title --yes', 'error: --title: a value is missing.\nIf "--yes" is the value: --title=--yes'],
    ['leads update 12 --status -q', 'error: --status: a value is missing.\nSee: crm leads update --help'],
    ['leads list --where -q', 'error: --where: a value is missing.\nIf "-q" is the value: --where=-q'],
    ['leads get 12 -p -q', 'error: --profile: a value is missing.\nIf "-q" is the value: --profile=-q'],
    ['leads get 12 -qp -y', 'error: --profile: a value is missing.\nIf "-y" is the value: --profile=-y'],
    // Behind a = a flag's name is a value.
    ['contacts list --account-owner=--limit', 'error: --account-owner: "--limit" is not one of yes, no.'],
    // A flag of create on an update.
    ['contacts update 8 --client 3', "error: --client: it can't be changed after creation.\nSee: crm contacts update --help"],
    ['notes update 1 --resource=lead:3', "error: --resource: it can't be changed after creation.\nSee: crm notes update --help"],
    ['contacts update 8 --send-email', 'error: --send-email: only create takes it.\nSee: crm contacts update --help'],
    // A level above commands tells of its flags as a command does.
    ['leads -p', 'error: --profile: a value is missing.\nSee: crm leads --help'],
    ['leads --json=true', 'error: --json takes no value. Did you mean --json?\nSee: crm leads --help'],
    ['leads --status 3 list', "error: Unknown option '--status'.\nSee: crm leads --help"],
    ['leads list -qz', "error: Unknown option '-qz'.\nSee: crm leads list --help"],
    ['history list a,b c', "error: Too many words after 'list': a,b c.\nSee: crm history list --help"],
    // The hint goes as far as the words were understood.
    ['frobnicate leads', "error: Unknown command 'frobnicate'.\nSee: crm --help"],
    ['leads frobnicate 3', "error: Unknown command 'frobnicate'.\nSee: crm leads --help"],
    // What can't be, one value or several; what is missing is one sentence.
    ['contacts create --first-name A --last-name B --client 2 --email bad', 'error: --email: "bad" is not an email address.'],
    [
      'contacts create --first-name A --last-name B --client 2 --email=a@x.example;b@x.example',
      'error: --email: "a@x.example;b@x.example" is several email addresses: give one.',
    ],
    [
      'leads create --title T --status x --category y --value z',
      `error: 3 values are wrong.
  --status: none of the leads read so far has the lead status "x"; you can give its id. They have New (1), Contacted (2), Qualified (3), Proposal Sent (4), Negotiation (5) and Lost (6).
  --category: no lead category is called "y". There are Inbound (1), Outbound (2) and Referral (3).
  --value: "z" is not a decimal number such as 1250.00.`,
    ],
    ['leads create --title T', 'error: Missing --status, --category.'],
    [
      'proposals send 5',
      "error: Unknown command 'send'. The service sends proposals in its web application alone. crm sets their status: crm proposals status 5 STATUS\nSee: crm proposals --help",
    ],
    [
      'proposals publish 5',
      "error: Unknown command 'publish'. The service sends proposals in its web application alone. crm sets their status: crm proposals status 5 STATUS\nSee: crm proposals --help",
    ],
    [
      'leads status 45,46 --status Contacted',
      "error: Unknown option '--status'. Did you mean --to Contacted?\nSee: crm leads status --help",
    ],
    ['contacts get João', 'error: contact: "João" is not an id, a whole number above 0.\nTo find it by name: crm search \'João\''],
    [
      'leads create --title T --status 1 --category 1 --last-contacted 05/03/2026',
      'error: --last-contacted: "05/03/2026" is not a day written YYYY-MM-DD, or today, yesterday, tomorrow, -30d, +2w (d w m y).',
    ],
    ['leads comments 5', 'error: Missing the text: give it behind the id, or with --text.\nTo read them: crm leads comments list 5'],
    ['leads assign 12 --to 2 --add 3', 'error: --to names the whole new set: give it without other values, --add, --remove and --clear.'],
    ['leads duplicates --plan x.csv --limit 1', 'error: --plan holds every group: give it without --limit.'],
  ])('%s', async (line, said) => {
    const { status, stdout, stderr } = await typed(line);
    expect([status, stdout, stderr.trimEnd()]).toEqual([2, '', said]);
  });
});

it.each([
  ['leads update 12 --title - --dry-run', 'lead_title=-'],
  ['leads update 12 --title -3d --dry-run', 'lead_title=-3d'],
  ['leads update 12 --title -x --dry-run', 'lead_title=-x'],
  ['leads update 12 --title=-y --dry-run', 'lead_title=-y'],
  ['leads update 12 --title=--yes --dry-run', 'lead_title=--yes'],
])('%s: a value', async (line, sent) => {
  const { status, stdout } = await typed(line);
  expect([status, stdout.split('\n')]).toEqual([0, expect.arrayContaining([`  ${sent}`])]);
});

// The lines that the guesses are answered with: each works as it stands, or says what it needs.
it.each([
  ['history --limit 1 --json', 0],
  ['team get me', 2],
  ['leads list --assigned me', 2],
  ['notes create --resource lead:60 --title T --description D --dry-run', 0],
  ['leads tags --where tags=hot --add warm --remove hot --dry-run', 0],
  ['report leads --json', 0],
  ['leads status 3,10 --to Contacted --dry-run', 0],
  ['leads comments list 5', 0],
  ['proposals status 5 new --dry-run', 0],
])('%s ends with %d', async (line, ends) => {
  const { status, stderr } = await typed(line);
  expect(status, stderr).toBe(ends);
  if (ends === 2) expect(stderr).toContain('crm profile set');
});

// A level's implied command reads its flags, and help is asked for at any place.
it.each([
  ['history --record leads:719 --json', '[]'],
  ['-p -5 history --json', 'error'],
  ['-q help leads convert', 'Usage: crm leads convert'],
  ['leads --help convert', 'Usage: crm leads convert'],
  ['leads convert 3 4 5 -qh', 'Usage: crm leads convert'],
])('%s', async (line, said) => {
  const { stdout, stderr } = await typed(line);
  expect(stdout + stderr).toContain(said);
});

it.each([
  ['--help leads lst', ["Unknown command 'lst'"]],
  ['--help frobnicate', ["Unknown command 'frobnicate'"]],
  // A verb without its family is met with the commands that it calls.
  ['help convert', ["'convert' needs a family in front: crm leads convert.", 'See: crm help leads convert']],
  ['archive 12', ['crm leads archive']],
  ['leads archive x 1 y', ['  lead: "x"', '  lead: "y"']],
])('%s: among what is said', async (line, parts) => {
  const { status, stdout, stderr } = await typed(line);
  expect([status, stdout]).toEqual([2, '']);
  for (const part of parts) expect(stderr).toContain(part);
});

// What was meant: a field of the family, then what other tools say, then a slip. Nothing behind the error's own sentence: no suggestion.
describe('what is suggested', () => {
  it.each([
    // A field, where the command has another place for it.
    ['leads list --country Norway', '--where country=Norway'],
    ['leads list --country=Norway --limit 3', '--where country=Norway'],
    ['leads list --last-contacted', '--where last-contacted=VALUE'],
    ['leads list --archived', '--state archived'],
    ['leads archive --status New', '--where status=New'],
    ['leads update 12 --assigned Priya', 'crm leads assign 12 --add Priya'],
    ['leads update 12 --tags hot', 'crm leads tags 12 --add hot'],
    ['leads update - --assigned', 'crm leads assign - --add PERSON'],
    ['proposals update 5 --status accepted', 'crm proposals status 5 accepted'],
    ['leads update 12 --desc x', '--description'],
    ['notes create --desc x', '--description'],
    // What others call it.
    ['leads list --desc', '--order desc'],
    ['leads list --reverse', '--order desc'],
    ['leads list --asc', '--order asc'],
    ['leads list -n 5', '--limit 5'],
    ['leads list -n', '--limit N'],
    ['leads list --format json', '-o json'],
    ['leads get 12 --format=csv', '-o csv'],
    ['leads export', 'crm leads list --csv'],
    ['export leads', 'crm leads list --csv'],
    ['leads count', 'crm leads list --count'],
    ['leads find harbour freight', "crm leads list --search 'harbour freight'"],
    ['find leads harbour', 'crm leads list --search harbour'],
    ['find harbour freight', "crm search 'harbour freight'"],
    ['leads search', 'crm leads list --search TEXT'],
    ['clients search north --limit 3', 'crm clients list --search north'],
    ['lead show 12', 'crm leads get 12'],
    ['show lead 12', 'crm leads get 12'],
    ['leads close 12', 'crm leads status 12 --to STATUS'],
    // What people guess.
    ['seed list', 'crm history'],
    ['whoami', 'crm profile show'],
    ['me', 'crm team get me'],
    ['today', 'crm leads list --assigned me'],
    ['leads list --mine', '--assigned me'],
    ['leads note 60', 'crm notes create --resource lead:60'],
    ['lead note', 'crm notes create --resource lead:ID'],
    ['tags rename hot warm', 'crm leads tags --where tags=OLD --add NEW --remove OLD'],
    ['report pipeline', 'crm report leads'],
    ['leads report', 'crm report leads'],
    ['lead report --by source', 'crm report leads'],
    ['proposals report', 'crm report proposals'],
    ['contacts report', undefined],
    ['history --limt 3', '--limit'],
    ['history --limt', '--limit'],
    ['leads status 60 61 62 Contacted', 'crm leads status 60,61,62 --to Contacted'],
    ['leads contacted 60 61 hello', 'crm leads contacted 60,61 --text hello'],
    ['leads comments add 60 61 hello', 'crm leads comments add 60,61 --text hello'],
    // A list takes no words.
    ['leads list harbour freight', "--search 'harbour freight'"],
    ['leads list status=New', '--where status=New'],
    ['leads list value=5..', '--where value=5..'],
    ['leads list 12,13 14', 'crm leads get 12,13,14'],
    ['leads merge 12 13 --into 5', '12,13'],
    ['leads update 12 13 --value 5', '12,13'],
    ['leads 12', 'crm leads get 12'],
    ['comments 12', undefined],
    // Slips.
    ['leads list --limt 5', '--limit'],
    ['leads list --status_id 3', '--status'],
    ['leads lst', 'crm leads list'],
    ['leads comments lst', 'crm leads comments list'],
    ['leeds list', 'crm leads'],
    ['help ouput', 'crm help output'],
    // What writes or agrees is but a letter away.
    ['leads delet 12', 'crm leads delete'],
    ['leads archve 12', 'crm leads archive'],
    ['unod k7f2', 'crm undo'],
    ['leads delete 12 --yess', '--yes'],
    ['leads tags 12 --clera', '--clear'],
    ['leads del 12', undefined],
    ['leads remove 12', undefined],
    ['leads arch 12', undefined],
    ['leads rename 12', undefined],
    ['leads new', undefined],
    ['do', undefined],
    ['contacts close 1', undefined],
    ['leads delete 12 --conf', undefined],
    ['leads delete 12 --ye', '--yes'],
    ['leads delete 12 --y', undefined],
    ['leads list --des', undefined],
    ['leads convert 12 --delete', undefined],
    ['leads import f.csv --send', undefined],
    ['sandbox init --forec', '--force'],
    ['sandbox init --fresh', undefined],
    ['leads update 12 --force', undefined],
    ['leads update 12 --sorce Fair', '--source'],
    ['contacts update 8 --client 3', undefined],
    ['leads get 12 --constructor', undefined],
    ['leads constructor', undefined],
  ])('%s: %s', async (line, meant) => {
    const { status, stdout, stderr } = await typed(line);
    expect([status, stdout]).toEqual([2, '']);
    const [sentence = ''] = stderr.split('\n');
    expect(/ Did you mean (.*)\?$/.exec(sentence)?.[1], sentence).toBe(meant);
  });

  it('says the words that are too many', async () => {
    expect((await typed('doctor now please')).stderr).toBe("error: Too many words after 'doctor': now please.\nSee: crm doctor --help\n");
  });
});

describe('the fields of what is said as JSON', () => {
  const fieldsOf = async (words: readonly string[]) => {
    const { status, stdout, stderr } = await shop.crm([...words, '--json']);
    expect([status, stdout], stderr).toEqual([2, '']);
    return JSON.parse(stderr).error as { message: string; fields: { flag: string | null; name: string | null; messages: string[] }[] };
  };

  it('a value that can’t be, with its message', async () => {
    const { message, fields } = await fieldsOf('contacts create --first-name A --last-name B --client 2 --email bad'.split(' '));
    expect(fields).toEqual([{ flag: '--email', name: 'email', messages: ['"bad" is not an email address.'] }]);
    expect(message).toBe('--email: "bad" is not an email address.');
  });

  it('what is missing, with a message each', async () => {
    const { fields } = await fieldsOf('leads create --title T'.split(' '));
    expect(fields).toEqual([
      { flag: '--status', name: 'lead_status', messages: ['it is missing.'] },
      { flag: '--category', name: 'lead_categoryid', messages: ['it is missing.'] },
    ]);
  });

  // Wherever they stand: --data and --set, the id in front, filters, order and extent, global flags.
  it.each([
    ['contacts list --client --limit 1', ['--client client_id']],
    [
      'leads create --title T --status x --category y --value z',
      ['--status lead_status', '--category lead_categoryid', '--value lead_value'],
    ],
    [
      'leads update abc --email bad --data {"status":"x"} --set lead_value=1e5',
      ['null lead', '--email lead_email', '--data status status', '--set lead_value lead_value'],
    ],
    ['leads list --status 0 --sort y --order z --limit 0', ['--status status', '--sort sort', '--order order', '--limit limit']],
    ['leads status 1 x', ['<status> status']],
    ['items update 5 --custom-field 11=x', ['--custom-field item_custom_field_N']],
  ])('%s', async (line, wanted) => {
    const { fields } = await fieldsOf(line.split(' '));
    expect(fields.map(({ flag, name }) => `${flag} ${name}`)).toEqual(wanted);
  });

  it('global flags are named by themselves', async () => {
    const { fields } = await fieldsOf('items list --timeout x --retries y'.split(' '));
    expect(fields.map(({ flag }) => flag)).toEqual(['--timeout', '--retries']);
  });
});

it.each([
  ['--title --x', 'lead_title=--x'],
  ['--title=--status', 'lead_title=--status'],
])('a word that no flag has is a value, and so is a flag’s name behind a =: %s', async (words, sent) => {
  const { status, stdout } = await typed(`leads create ${words} --status 1 --category 1 --dry-run`);
  expect(status).toBe(0);
  expect(stdout).toContain(sent);
});

it.each([
  ['--help leads list', 'Usage: crm leads list [flags]'],
  ['-h leads list', 'Usage: crm leads list [flags]'],
  ['leads --help list', 'Usage: crm leads list [flags]'],
  ['--json --help -p x leads ls', 'Usage: crm leads list [flags]'],
  ['leads list -h', 'Usage: crm leads list [flags]'],
  ['-h leads', 'Usage: crm leads <command> [flags]'],
  ['leads --help comments add', 'Usage: crm leads comments add [id] [comment] [flags]'],
])('help is that of all words, wherever it is asked for: %s', async (line, usage) => {
  const { status, stdout } = await typed(line);
  expect([status, stdout.split('\n', 1)[0]]).toEqual([0, usage]);
});
