// What a program reads of commands that are refused before anything is sent: the status, `error.code`, the message's beginning, the hint.
// `_` is a blank within a word.

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../import/support.ts';

let shop: Workshop;
beforeAll(() => {
  shop = openWorkshop({ demo: true });
  shop.write('empty', '');
  shop.write('blank', '  \n');
  shop.write('notjson', '{');
  shop.write('f.csv', 'title,status,category\nA,1,1\n');
});
afterAll(() => shop.remove());

const noAdded = 'Add one: crm profile add NAME --base-url URL';
const help = (command: string): string => `See: crm ${command}${command === '' ? '' : ' '}--help`;

describe('a refused command', () => {
  // biome-ignore format: a table
  it.each<[line: string, status: number, code: string, message: string, hint?: string]>([
    ['search _', 2, 'missing_value', 'Say what to look for: crm search TEXT.'],
    ['leads update 1', 2, 'missing_value', 'Nothing to change: give at least one flag.', help('leads update')],
    ['leads status 1', 2, 'missing_value', 'Missing the status: give it behind the id, or with --to.'],
    ['leads status 1,2', 2, 'missing_value', 'Missing the status: give it behind the id, or with --to.'],
    ['leads comments add 1', 2, 'missing_value', 'Missing the text', 'To read them: crm leads comments list 1'],
    ['leads tags 1', 2, 'missing_value', 'Give the whole new set, --add or --remove, or --clear'],
    ['leads assign 1', 2, 'missing_value', 'Give the whole new set, --add or --remove, or --clear'],
    ['leads archive', 2, 'missing_value', 'Say which lead: an id, ids as in 12,13, - for ids'],
    ['leads get', 2, 'missing_value', 'Say which lead: an id, ids as in 12,13, - for ids'],
    ['leads contacted', 2, 'missing_value', 'Say which lead: an id, ids as in 12,13, - for ids'],
    ['leads get x', 2, 'invalid_value', 'lead: "x" is not an id'],
    ['leads get 99999', 3, 'not_found', 'Lead 99999 not found.'],
    ['leads create', 2, 'missing_value', 'Missing --title, --status, --category.'],
    ['leads create --title _ --status 1 --category 1', 2, 'invalid_value', '--title: it is blank, and a new lead needs it.'],
    ['leads create --title a --status Nope --category 1', 2, 'name_unknown', '--status: none of the leads read so far has'],
    ['leads list --status Nope', 2, 'name_unknown', '--status: none of the leads read so far has'],
    ['leads list --nope', 2, 'unknown_flag', "Unknown option '--nope'.", help('leads list')],
    ['leads nope', 2, 'unknown_command', "Unknown command 'nope'.", help('leads')],
    ['nope', 2, 'unknown_command', "Unknown command 'nope'.", 'See: crm --help'],
    ['leads delete 1', 9, 'unconfirmed', "Delete lead 1? This can't be undone.", 'Confirm with --yes.'],
    ['leads delete 1,2', 9, 'unconfirmed', 'Delete 2 leads (1, 2)?', 'Confirm with --yes.'],
    ['leads list --count --at-most 1', 11, 'found', '44 leads, and --at-most is 1.'],
    ['leads list --at-most 1', 2, 'usage', '--at-most and --at-least need --count.'],
    ['items create --rate 1', 2, 'missing_value', 'Missing --description, --category, --default-tax, --unit.'],
    ['notes create --title a --description b --resource lead', 2, 'invalid_value', '--resource: "lead" is not TYPE:ID'],
    ['proposals create --title a --category 4 --start 2026-01-02', 2, 'missing_value', 'Give --client or --lead.'],
    ['proposals create --title a --category 4 --start 2026-01-02 --client 1 --lead 1', 2, 'usage', 'Give only one of --client and --lead.'],
    ['proposals create --title a --category 4 --start 2026-01-02 --end 2026-01-01 --client 1', 2, 'invalid_value', '--end: 2026-01-01 is before'],
    ['leads update 1 --description @empty', 2, 'missing_value', '--description: empty is empty.', 'For an empty value: --description ""'],
    ['leads update 1 --description @blank', 2, 'missing_value', '--description: blank holds only blanks.', 'For an empty value: --description ""'],
    ['leads update 1 --data @notjson', 2, 'invalid_value', '--data: not valid JSON'],
    ['leads update 1 --data []', 2, 'invalid_value', '--data: give one JSON object.'],
    ['leads list --limit 0', 2, 'invalid_value', '--limit: "0" is not a whole number above 0.'],
    ['leads list --retries 100', 2, 'invalid_value', '--retries: "100" is not a whole number from 0 to 99.'],
    ['leads list --where source', 2, 'invalid_value', '--where: "source" is not FIELD=VALUE'],
    ['leads list --where nope=1', 2, 'invalid_value', '--where: unknown field "nope".'],
    ['leads list --fields nope', 2, 'invalid_value', '--fields: unknown field "nope".'],
    ['leads merge 1', 2, 'missing_value', '--into is missing: name the lead that is kept'],
    ['leads merge 1 --into 1', 2, 'usage', "Lead 1 can't be merged into itself."],
    ['apply nope.csv', 2, 'usage', "Can't read nope.csv (no such file or directory)."],
    ['apply f.csv', 2, 'usage', 'f.csv is no change file: it has no column family and none id.'],
    ['undo', 2, 'missing_value', 'There is no run to take back.'],
    ['history nope', 3, 'not_found', 'There is no run nope', 'See them all: crm history'],
    ['history forget', 2, 'missing_value', "Missing required argument 'run'.", help('history forget')],
    ['seed destroy', 2, 'missing_value', 'Say which run: its seed file, or --run NAME.'],
    ['seed from leads', 2, 'missing_value', 'Say which leads: leads:12,17, or --where.'],
    ['seed from nope:1', 2, 'usage', 'There are no records called "nope".'],
    ['diff nope', 2, 'usage', 'There is no snapshot nope.', 'Take one: crm snapshot FOLDER'],
    ['snapshot .', 10, 'conflict', '. exists already'],
    ['profile add x', 2, 'missing_value', '--base-url is missing: say where the service is.'],
    ['profile set nope', 3, 'not_found', 'There is no profile "nope".', noAdded],
    ['profile use nope', 3, 'not_found', 'There is no profile "nope".', noAdded],
    ['profile show nope', 3, 'not_found', 'There is no profile "nope".', noAdded],
    ['profile show', 4, 'no_profile', 'No profile is the current one.'],
    ['-p nope leads list', 4, 'no_profile', '--profile: there is no profile "nope".', noAdded],
    ['explain nope', 2, 'unknown_command', 'command: there is no command "nope".'],
    ['api GET', 2, 'missing_value', "Missing required argument 'path'.", help('api')],
    ['report leads --by nope', 2, 'invalid_value', '--by: "nope" is not one of status, assigned, source, category, tag, age, month.'],
  ])('%s', async (line, exit, code, message, hint) => {
    const { status, stderr, stdout } = await shop.crm([...line.split(' ').map((word) => word.replaceAll('_', ' ')), '--json'], { stdin: '' });
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    expect([status, error.code, error.message.slice(0, message.length)]).toEqual([exit, code, message]);
    if (hint !== undefined) expect(error.hint).toBe(hint);
    if (exit < 10) expect(stdout).toBe('');
  });
});

describe('a command that a run or a profile forbids', () => {
  const errorOf = async (line: string, env: Record<string, string> = {}) => {
    const { status, stderr } = await shop.crm([...line.split(' '), '--json'], { stdin: '', env });
    return [status, JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.code];
  };

  it('what was done already, what is protected, what may not be written', async () => {
    const done = 'leads import f.csv --yes --json';
    expect((await shop.crm(done.split(' '))).status).toBe(0);
    expect(await errorOf('leads import f.csv --yes')).toEqual([10, 'already_imported']);
    expect(await errorOf('undo')).toEqual([2, 'missing_value']);
    expect(await errorOf('leads update 1 --title x', { CRM_READ_ONLY: '1' })).toEqual([9, 'read_only']);
    const add = (name: string, ...more: string[]) =>
      shop.crm(['profile', 'add', name, '--base-url', 'http://127.0.0.1:1', '--key-command', 'x', '--no-verify', ...more]);
    expect([(await add('kept', '--protected')).status, (await add('kept')).status]).toEqual([0, 10]);
    expect(await errorOf('profile add kept --base-url http://127.0.0.1:1 --key-command x --no-verify')).toEqual([10, 'name_taken']);
    expect(await errorOf('profile set kept')).toEqual([2, 'missing_value']);
    const own = { CRM_BASE_URL: '', CRM_PROFILE: 'kept' };
    expect(await errorOf('leads delete 1 --yes', own)).toEqual([9, 'profile_protected']);
    expect(await errorOf('leads delete 1 --confirm other', own)).toEqual([9, 'profile_protected']);
  });
});

it('exec ends with 7 where there is no embedded CRM for its command, and with 2 where the command line is wrong', async () => {
  const of = async (...flags: string[]) => {
    const { status, stderr, stdout } = await shop.crm(['sandbox', 'exec', '--json', ...flags]);
    return [status, JSON.parse(stderr).error.code, stdout];
  };
  const command = ['--', 'crm-no-such-command'];
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  expect(await of('--port', String((other.address() as AddressInfo).port), ...command)).toEqual([7, 'unavailable', '']);
  other.close();
  expect(await of('--from', 'nowhere', ...command)).toEqual([2, 'usage', '']);
  expect(await of('--from', '.', '--empty', ...command)).toEqual([2, 'usage', '']);
  expect(await of('crm-no-such-command')).toEqual([2, 'usage', '']);
  expect(await of('--out', 'x', ...command)).toEqual([2, 'usage', '']);
  expect(await of('--dry-run', ...command)).toEqual([2, 'usage', '']);
  expect(await of('-p', 'x', ...command)).toEqual([2, 'usage', '']);
});
