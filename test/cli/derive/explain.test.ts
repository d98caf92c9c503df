// What explain says, against the command line's contract (typed by hand: how values are given), against the documents that are really
// printed, and as it looks. What each command sends, does and ends with stands in docs/surface.txt, a fact a line.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { globalFlags } from '../../../src/base/global-flags.ts';
import { loadGroups } from '../../../src/cli/command.ts';
import { type ExplainedCommand, explainFlag, explainGroups } from '../../../src/cli/derive/explain.ts';
import { groups as declared } from '../../../src/commands/index.ts';
import { referenceFamilies, resources } from '../../../src/model/resources/index.ts';
import { runHere } from '../../support/run-here.ts';

const groups = explainGroups(await loadGroups(declared), [...resources, ...referenceFamilies]);
const commands = groups.flatMap((group) => group.commands);

function explained(name: string): ExplainedCommand {
  const found = commands.find((one) => one.command === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

it('api takes any method, and destroys with DELETE', () => {
  const { requests, destroys_when } = explained('api');
  expect([requests.map(({ method }) => method).join(), destroys_when]).toEqual(['GET,POST,PUT,PATCH,DELETE', 'with DELETE']);
});

describe('one command', () => {
  it('says what is required, and what the flags are called in the request', () => {
    const { flags } = explained('contacts create');
    expect(flags.filter(({ required }) => required).map(({ name, wire }) => [name, wire])).toEqual([
      ['--first-name', 'first_name'],
      ['--last-name', 'last_name'],
      ['--email', 'email'],
      ['--client', 'clientid'],
    ]);
    expect(flags.find(({ name }) => name === '--job-position')).toMatchObject({ wire: 'position', type: 'text' });
    expect(explained('proposals create').needs).toEqual([{ count: 'exactly one', of: ['--client', '--lead'], unless: null }]);
    expect(explained('items update').flags.find(({ name }) => name === '--estimation-notes')?.wire).toBe('item_notes_estimatation');
  });

  it('says by what a list is narrowed and sorted', () => {
    const { flags, sort } = explained('proposals list');
    expect(flags.filter(({ filter }) => filter).map(({ name, wire, of }) => [name, wire, of])).toEqual([
      ['--status', 'status', null],
      ['--client', 'client_id', 'client'],
      ['--lead', 'lead_id', null],
      ['--category', 'category_id', 'proposal-category'],
      ['--search', 'search', null],
    ]);
    expect(sort).toEqual({ title: 'doc_title', status: 'doc_status', start: 'doc_date_start', created: 'doc_created' });
  });

  it('says the states, and the commands that lead to them', () => {
    const states = (name: string) => groups.find((group) => group.name === name)?.states ?? [];
    expect(states('leads')).toEqual([
      {
        member: 'active_state',
        values: [
          { value: 'active', command: 'leads activate' },
          { value: 'archived', command: 'leads archive' },
        ],
      },
    ]);
    expect(states('proposals')[0]?.values[2]).toEqual({ value: 'accepted', command: 'proposals status ID accepted' });
  });
});

/** The commands that take several records, as the command line's contract lists them. */
const several = `
contacts get, update, delete
proposals get, update, delete, tags, status
leads get, update, delete, archive, activate, status, assign, tags, contacted, comments
items get, update, delete
notes get, update, delete, tags
clients get
team get
categories get
projects get
tasks get
`;

/** What reads a text from a file, and from standard input: \`@\` and \`-\`; \`-\` alone takes no @file. Ids are left out. */
const readers = `
contacts create: --data @-
contacts update: --data @-
contacts import: file -
proposals create: --body @-, --data @-
proposals update: --body @-, --data @-
proposals import: file -
proposals clone: --data @-
leads create: --description @-, --data @-
leads update: --description @-, --data @-
leads import: file -
leads contacted: comment @-, --text @-
leads comments add: comment @-, --text @-
leads convert: --data @-
leads clone: --data @-
items create: --description @-, --notes @-, --estimation-notes @-, --data @-
items update: --description @-, --notes @-, --estimation-notes @-, --data @-
items import: file -
notes create: --description @-, --data @-
notes update: --description @-, --data @-
notes import: file -
seed apply: file -
api: --data @-
`;

describe('how values are given', () => {
  const named = commands.map((command) => ({ ...command, values: [...command.arguments, ...command.flags] }));

  it('several records by 12,13, by - or by --where', () => {
    const said = named.filter(({ values }) => values.some(({ name, commas, stdin }) => name === 'id' && commas && stdin));
    const families = Map.groupBy(said, ({ command }) => command.split(' ')[0] ?? '');
    const lines = [...families].map(([family, some]) => `${family} ${some.map(({ name }) => name.split('.')[1]).join(', ')}`);
    expect(lines.sort()).toEqual(several.trim().split('\n').sort());
    for (const { needs } of said) expect(needs).toContainEqual({ count: 'exactly one', of: ['id', '--where'], unless: null });
  });

  it('texts by @file and -', () => {
    const said = named.map(({ command, values }) => {
      const read = values.filter(({ name, at_file, stdin }) => name !== 'id' && (at_file || stdin));
      return `${command}: ${read.map(({ name, at_file, stdin }) => `${name} ${at_file ? '@' : ''}${stdin ? '-' : ''}`).join(', ')}`;
    });
    expect(said.filter((line) => !line.endsWith(': ')).sort()).toEqual(readers.trim().split('\n').sort());
  });

  it('the default that help names is the one that explain says', () => {
    const flags = [...globalFlags.map(explainFlag), ...commands.flatMap((command) => command.flags)];
    const told = flags.filter(({ help }) => /\(default [^)]/.test(help));
    const named = told.map(({ name, help }) => [name, /\(default ([^,:)]+)/.exec(help)?.[1]]);
    expect(told.map(({ name, default: standard }) => [name, String(standard)])).toEqual(named);
    expect(new Set(told.map(({ name }) => name)).size).toBeGreaterThan(10);
  });

  it('numbers within their bounds', () => {
    const bounds = (command: string, flag: string) => {
      const all = command === '' ? globalFlags.map(explainFlag) : explained(command).flags;
      const { minimum, maximum, exclusive_minimum: above } = all.find(({ name }) => name === flag) ?? {};
      return [minimum, maximum, above];
    };
    expect(bounds('', '--retries')).toEqual([0, 99, null]);
    expect(bounds('', '--timeout')).toEqual([null, 86_400, 0]);
    expect(bounds('leads list', '--limit')).toEqual([1, null, null]);
    expect(bounds('leads import', '--concurrency')).toEqual([1, 64, null]);
    expect(bounds('items create', '--custom-field')).toEqual([1, 10, null]);
    expect(bounds('sandbox serve', '--port')).toEqual([0, 65_535, null]);
    expect(bounds('leads convert', '--invoice-due-days')).toEqual([0, null, null]);
  });

  it('ids by what lists them', () => {
    const lists = (command: string) =>
      Object.fromEntries(
        [...explained(command).arguments, ...explained(command).flags].flatMap((one) =>
          one.listed_by === null ? [] : [[one.name, one.listed_by]],
        ),
      );
    expect(lists('items create')).toEqual({
      '--category': 'categories list --type item',
      '--default-tax': 'names taxes',
      '--unit': 'names units',
    });
    const people = { '--add': 'team list', '--remove': 'team list', '--to': 'team list' };
    expect(lists('leads assign')).toEqual({ id: 'leads list', person: 'team list', ...people });
    expect(lists('leads comments delete')).toEqual({ id: 'leads list', 'comment-id': 'leads comments list ID' });
    expect(lists('leads status')).toMatchObject({ status: 'names statuses', '--to': 'names statuses' });
    expect(lists('profile use')).toEqual({ name: 'profile list' });
    expect(lists('proposals create')).toMatchObject({ '--lead': 'leads list' });
  });

  it('--yes where nobody can be asked', () => {
    const said = commands.filter(({ yes_when: when }) => when.length > 0);
    const always = said.filter(({ yes_when: when }) => when.includes('always')).map(({ command }) => command);
    expect(always).toEqual(
      commands.filter(({ command, does }) => does === 'destroys' || command === 'leads merge').map(({ command }) => command),
    );
    const others = said.filter(({ command }) => !always.includes(command)).map(({ command, yes_when: when }) => [command, when.join(', ')]);
    const selecting = 'with -, with --where';
    expect(Object.fromEntries(others)).toEqual({
      ...Object.fromEntries(['contacts', 'proposals', 'leads', 'items', 'notes'].map((family) => [`${family} update`, selecting])),
      ...Object.fromEntries(['contacts', 'proposals', 'leads', 'items', 'notes'].map((family) => [`${family} import`, 'with --again'])),
      ...Object.fromEntries(['proposals', 'leads', 'notes'].map((family) => [`${family} tags`, selecting])),
      ...Object.fromEntries(
        ['archive', 'activate', 'status', 'assign', 'contacted', 'comments add'].map((verb) => [`leads ${verb}`, selecting]),
      ),
      'proposals status': `${selecting}, on a signed proposal`,
      'leads convert': 'with --delete-lead',
      'sandbox init': 'with --force',
      api: 'with DELETE',
    });
  });
});

describe('the document', () => {
  const place = { env: { CRM_CONFIG_DIR: '/nonexistent/crm' }, cwd: '/nonexistent' };

  it('of all commands is an index, a line a command', async () => {
    const { stdout } = await runHere(['explain', '--json'], place);
    const all = JSON.parse(stdout);
    expect(Object.keys(all)).toEqual(['schema_version', 'crm', 'commands']);
    expect(all.schema_version).toBe(3);
    expect(all.commands.map(({ command }: { command: string }) => command)).toEqual(commands.map(({ command }) => command));
    const line = (command: string): unknown => all.commands.find((one: { command: string }) => one.command === command);
    expect(line('leads get')).toEqual({ command: 'leads get', summary: explained('leads get').summary, does: 'reads' });
    expect(line('leads convert')).toMatchObject({ does: 'writes', destroys_when: 'with --delete-lead', yes_when: ['with --delete-lead'] });
    expect(line('leads delete')).toMatchObject({ does: 'destroys', yes_when: ['always'] });
    expect(stdout.length).toBeLessThan(30_000);
  });

  it('of a family has all of its commands, and what every command shares', async () => {
    const { stdout } = await runHere(['explain', 'contacts', '--json'], place);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      schema_version: 3,
      name: 'contacts',
      states: expect.any(Array),
      statuses: expect.any(Array),
      errors: expect.any(Array),
    });
    expect(document.global_flags.map(({ name }: { name: string }) => name)).toEqual(globalFlags.map(({ name }) => `--${name}`));
    const create = document.commands.find(({ name }: { name: string }) => name === 'contacts.create');
    expect(create.prints.members.map(({ name }: { name: string }) => name)).toEqual(['id', 'name']);
    expect(create.prints.whole.flag).toBe('--read');
    expect(stdout).not.toMatch(/": (null|false|\[\]|\{\})[,\n]/);
  });
});

describe('the exit statuses of a command', () => {
  const place = { env: { CRM_CONFIG_DIR: '/nonexistent/crm' }, cwd: '/nonexistent' };
  const always = [0, 1, 2, 4, 7, 129, 130, 143];
  it.each<[string, number[]]>([
    ['leads.list', [3, 5, 6, 8, 11]],
    ['leads.get', [3, 5, 6, 8]],
    ['leads.create', [3, 5, 6, 9, 10]],
    ['leads.archive', [3, 5, 6, 8, 9, 10]],
    ['leads.import', [3, 5, 6, 8, 9, 10]],
    ['apply', [3, 5, 6, 8, 9, 10]],
    ['undo', [3, 5, 6, 8, 9, 10]],
    ['doctor', [3, 5, 6, 11]],
    ['profile.use', [3, 10]],
    ['completion.print', []],
  ])('%s', async (name, own) => {
    const { stdout } = await runHere(['explain', name, '--json'], place);
    const { statuses } = JSON.parse(stdout) as { statuses: { status: number; meaning: string }[] };
    expect(statuses.map(({ status }) => status)).toEqual([...always, ...own].sort((a, b) => a - b));
    expect(statuses[0]).toEqual({ status: 0, meaning: 'done' });
  });
});

describe('the command', () => {
  const place = { env: { CRM_CONFIG_DIR: '/nonexistent/crm' }, cwd: '/nonexistent' };
  const explain = (...args: string[]) => runHere(['explain', ...args], place);

  it('holds the schemas of body and record, without a profile', async () => {
    const { status, stdout } = await explain('leads', 'comments', 'add', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'leads.comments.add',
      requests: [{ method: 'POST', path: '/api/leads/{id}/comments' }],
      body: { type: 'object', required: ['comment'] },
      record: { required: ['id', 'text', 'creator'] },
    });
    const create = JSON.parse((await explain('contacts.create', '--json')).stdout);
    expect([create.body.required, create.record.required, create.whole_record.required.length]).toEqual([
      ['first_name', 'last_name', 'email', 'clientid'],
      ['id', 'name'],
      13,
    ]);
    const find = JSON.parse((await explain('leads.duplicates', '--json')).stdout);
    expect([find.body, find.record]).toEqual([null, null]);
    const convert = JSON.parse((await explain('leads.convert', '--json')).stdout);
    expect(convert.body.required).toEqual(['first_name', 'last_name', 'email']);
    expect(Object.keys(convert.record.properties)).toContain('shipping');
  });

  it.each([
    [['lead', 'ls'], 'leads list'],
    [['leads.unarchive'], 'leads activate'],
    [['leads', 'comment', 'rm'], 'leads comments delete'],
    [['names'], 'names'],
  ])('knows %j by any name', async (words, command) => {
    expect(JSON.parse((await explain(...words, '--json')).stdout).command).toBe(command);
  });

  it('tells a level, a family and the whole tree', async () => {
    const names = async (...words: string[]) =>
      JSON.parse((await explain(...words, '--json')).stdout).commands.map(({ command }: { command: string }) => command);
    expect(await names('leads.comments')).toEqual(['leads comments list', 'leads comments add', 'leads comments delete']);
    expect(await names('notes')).toEqual(commands.map(({ command }) => command).filter((command) => command.startsWith('notes ')));
    expect(await names()).toHaveLength(commands.length);
  });

  it.each([
    ['leads.craete', /there is no command "leads\.craete"\. Did you mean "leads\.create"\?/],
    ['proposal.list.x', /there is no command "proposals\.list\.x"/],
    ['laeds', /Did you mean "leads"\?/],
  ])('suggests what %s may have meant', async (word, says) => {
    const { status, stdout, stderr } = await explain(word);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });

  it('in a pipe is a line for each fact, tab-separated', async () => {
    const lines = (await explain('contacts.account-owner')).stdout.split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'PART\tNAME\tWIRE\tTYPE\tREQUIRED\tHELP',
      "command\tcontacts account-owner\t\twrites\t\tMake a contact its client's account owner",
      'request\tPUT /api/contacts/{id}/account-owner\t\t\t\t',
      "argument\tid\t\tid\tyes\tThe contact's id or email",
    ]);
    expect(lines).toContain('error\tno_client_account\t\t10\t\tthe contact has no client account (409)');
  });
});

describe('what is printed is what is said', () => {
  let folder: string;
  let comment: string;
  let place: { env: Record<string, string>; cwd: string };
  const json = async (...args: string[]): Promise<unknown> => {
    const { status, stdout, stderr } = await runHere([...args, '--json'], place);
    if (status !== 0) throw new Error(`crm ${args.join(' ')}: ${status} ${stderr}`);
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crm-explain-'));
    place = { env: { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') }, cwd: folder };
    writeFileSync(join(folder, 'new.csv'), 'title,status,category\nTill,1,1\n');
    await json('sandbox', 'init');
    await json('seed', 'demo', '--leads', '1');
    comment = String(((await json('leads', 'comments', 'add', '13', 'First')) as { id: number }).id);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['contacts list', ['--all']],
    ['proposals list', ['--all']],
    ['leads list', ['--all']],
    ['items list', ['--all']],
    ['notes list', ['--all']],
    ['clients list', ['--all']],
    ['team list', ['--all']],
    ['categories list', ['--all']],
    ['projects list', ['--all']],
    ['tasks list', ['--all']],
    ['contacts create', ['--first-name', 'A', '--last-name', 'B', '--email', 'c@b.example', '--client', '2']],
    ['contacts create', ['--first-name', 'A', '--last-name', 'B', '--email', 'd@b.example', '--client', '2', '--read']],
    ['contacts update', ['5', '--phone', '1']],
    ['proposals create', ['--client', '2', '--title', 'T', '--start', '2027-01-04', '--category', '4']],
    ['proposals create', ['--client', '2', '--title', 'T', '--start', '2027-01-04', '--category', '4', '--read']],
    ['leads create', ['--title', 'T', '--status', '1', '--category', '1', '--email', 't@b.example']],
    ['leads create', ['--title', 'T', '--status', '1', '--category', '1', '--email', 't@b.example', '--read']],
    ['leads duplicates', []],
    ['items create', ['--description', 'D', '--rate', '1', '--category', '6', '--default-tax', '2', '--unit', '3']],
    ['notes create', ['--title', 'T', '--description', 'D']],
    ['leads get', ['12']],
    ['leads get', ['12,13']],
    ['leads delete', ['11', '--yes']],
    ['leads delete', ['9', '10', '--yes']],
    ['leads archive', ['8']],
    ['leads comments list', ['13']],
    ['leads comments add', ['12', 'Called']],
    ['leads comments delete', ['13', 'COMMENT', '--yes']],
    ['leads contacted', ['12', 'Called']],
    ['leads convert', ['7', '--first-name', 'A', '--last-name', 'B', '--email', 'a@b.example']],
    ['leads import', ['new.csv']],
    ['names', []],
    ['doctor', []],
    ['report leads', []],
    ['report leads', ['--by', 'age']],
    ['report proposals', ['--by', 'month']],
    ['profile list', []],
    ['profile show', []],
    ['profile use', ['sandbox']],
    ['profile set', ['sandbox', '--me', '2']],
    ['profile check', []],
    ['profile add', ['other', '--base-url', 'sandbox:']],
    ['sandbox init', ['--force', '--yes']],
  ])('%s %j', async (command, args) => {
    const { prints } = explained(command);
    const data = await json(...command.split(' '), ...args.map((word) => (word === 'COMMENT' ? comment : word)));
    const isArray = Array.isArray(data);
    expect(prints.json.split(' or ')).toContain(isArray ? 'array' : 'object');
    const members = prints.whole !== null && args.includes(prints.whole.flag) ? prints.whole.members : prints.members;
    const said = new Map(members.map((member) => [member.name, member]));
    const seen = new Map<string, unknown[]>();
    for (const one of isArray ? data : [data])
      for (const [path, value] of valuesIn(one, '', said)) seen.set(path, [...(seen.get(path) ?? []), value]);
    const unsaid = [...seen.keys()].filter((path) => !said.has(path));
    expect(unsaid, 'members that are printed, and explain does not name').toEqual([]);
    const isThere = (path: string): boolean => [...seen.keys()].some((one) => one === path || path.startsWith(`${one}.`));
    const unseen = [...said.values()].filter(({ name, optional }) => !optional && !isThere(name)).map(({ name }) => name);
    expect(unseen, 'members that explain names, and nothing prints').toEqual([]);
    for (const [path, values] of seen)
      for (const value of values)
        expect(
          fits(value, said.get(path)),
          `${path} is printed as ${JSON.stringify(value)}, and explain says ${said.get(path)?.type}`,
        ).toBe(true);
  });
});

type Member = ExplainedCommand['prints']['members'][number];

/** The values of a document by the paths that are said of it; what is no object, and no array that is said to hold more, stands at its own. */
function* valuesIn(value: unknown, path: string, said: ReadonlyMap<string, Member>): Generator<[string, unknown]> {
  const below = path === '' ? '' : `${path}.`;
  const isSaid = said.has(path);
  if (Array.isArray(value) && !isSaid) {
    for (const one of value) yield* valuesIn(one, `${path}[]`, said);
  } else if (typeof value === 'object' && value !== null && !isSaid) {
    for (const [name, one] of Object.entries(value)) yield* valuesIn(one, `${below}${name}`, said);
  } else yield [path, value];
}

function fits(value: unknown, member: Member | undefined): boolean {
  if (member === undefined) return false;
  // An object that is null stands for all its members.
  if (value === null) return member.nullable || member.type === 'any?';
  switch (member.type) {
    case 'id':
    case 'integer':
      return Number.isInteger(value) || (typeof value === 'string' && /^\d+$/.test(value));
    case 'decimal':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value);
    case 'choice':
      return member.choices?.includes(String(value)) === true;
    case 'any':
      return true;
    default:
      return typeof value === 'string';
  }
}

it('a family on a terminal says what each command does, and of one that writes its writes alone', async () => {
  const env = { CRM_CONFIG_DIR: '/nonexistent/crm' };
  const { stdout } = await runHere(['explain', 'leads', '--no-pager'], { env, tty: true, columns: 120 });
  const lines = stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));
  for (const line of [
    'leads get | reads | GET /api/leads/{id}',
    'leads update | writes | PATCH /api/leads/{id}',
    'leads delete | destroys | DELETE /api/leads/{id}',
    'leads convert | writes | POST /api/leads/{id}/convert; destroys with --delete-lead',
  ])
    expect(lines).toContain(line);
  const headings = lines.filter((line) => /^[A-Z].*:$/.test(line));
  expect(headings).toEqual(['Commands:', 'Members:', 'Filters:', 'Sort names:', expect.stringContaining('States')]);
});
