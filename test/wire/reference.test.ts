// Wire tests of the families that are only read: what a user types, and exactly what the service must then see.
// Typed by hand from the vendor facts (reference records) and the command line's table; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { WireCase } from '../support/wire-case.ts';
import { failure, get, list, ok, refused, sends, whole } from './records.ts';

const CLIENT = { id: 12, company_name: 'Acme Ltd', description: null, status: 'active', phone: '030 1234', website: null, vat: 'DE 1',
  category: { id: 9, name: 'General' }, owner: { id: 5, name: 'Jane Doe' },
  billing: { street: '1 High St', city: 'Leeds', state: null, zip: '01001', country: 'United Kingdom', invoice_due_days: '7' },
  shipping: { street: null, city: null, state: null, zip: null, country: null },
  dates: { created: '2026-01-05T09:30:00.000000Z', updated: '2026-02-01T10:00:00.000000Z' }, tags: ['retail'] };

const MEMBER = { id: 3, first_name: 'Kim', last_name: 'Park', name: 'Kim Park', email: 'kim@crm.test', phone: null, job_position: 'Sales',
  role: { id: 3, name: 'Staff' }, status: 'active', dashboard_access: 'yes',
  social: { facebook: null, twitter: null, linkedin: 'kimpark', github: null, dribbble: null },
  dates: { created: '2026-01-05T09:30:00.000000Z', updated: '2026-01-05T09:30:00.000000Z' } };

const CATEGORY = { id: 6, name: 'Web', description: null, type: 'proposal', visibility: 'everyone', icon: 'sl-icon-docs',
  system_default: 'no', slug: '6-web', count: 4, users_count: 0,
  dates: { created: '2026-01-05T09:30:00.000000Z', updated: '2026-01-05T09:30:00.000000Z' } };

const PROJECT = { id: 7, title: 'Shop fitting', description: null, reference: null, status: 'in_progress', active_state: 'active',
  progress: 40, client: { id: 12, name: 'Acme Ltd' }, category: { id: 20, name: 'Fit-out' },
  dates: { start: '2026-03-01', due: null, created: '2026-01-05T09:30:00.000000Z', updated: '2026-01-05T09:30:00.000000Z' },
  assigned: [{ id: 3, name: 'Kim Park' }], managers: [], tags: [] };

const TASK = { id: 8, title: 'Order the shelves', description: null, status: { id: 1, title: 'New', color: 'default' },
  priority: { id: 2, title: 'High', color: 'red' }, active_state: 'active', project: { id: 7, title: 'Shop fitting' },
  client: { id: 12, name: 'Acme Ltd' }, dates: { due: '2026-03-05' }, assigned: [], tags: ['wood'] };

/** What is typed for a list, and the one query pair that it is sent as. */
type Asked = [flag: string, typed: string, name: string, sent: string];

const asks = (family: string, ...all: Asked[]): WireCase[] => all.map(([flag, typed, name, sent]) =>
  sends(`--${flag} ${typed}`, `${family} list --${flag} '${typed}' --json`,
    flag === 'page' ? get(`/api/${family}?page=${sent}`, list([])) : whole(`/api/${family}`, list([]), 1, { [name]: sent }), { json: [] }));

/** What every family does under either of its words; `many`: what messages call several. */
const reads = (family: string, singular: string, record: { id: number }, many = family): WireCase[] => [
  sends('asks for pages of 100 and prints the records', `${singular} ls --json`,
    whole(`/api/${family}`, list([record])), { json: [record] }),
  sends('reads one and prints it', `${family} get ${record.id} --json`, get(`/api/${family}/${record.id}`, ok(record)),
    { json: record }),
  sends('exits 3 on one that is not there', `${singular} get 99`, get(`/api/${family}/99`, failure(404, 'Not found.')),
    { exit: 3, stdout: /^$/ }),
  sends('says so where the service has no such list', `${family} list`, whole(`/api/${family}`, failure(404, 'Not Found')),
    { exit: 3, stdout: /^$/,
      stderr: new RegExp(`^error: This service has no /api/${family}: not every installation lists its ${many}\\.`) }),
  refused('refuses id 0', `${family} get 0`), refused('needs an id', `${family} get`),
  refused('has no unknown sort name', `${family} list --sort colour`, /--sort/),
  ...['create', 'update', 'delete', 'import'].map((verb) => refused(`has no ${verb}`, `${family} ${verb} 5`, /Unknown command/))];

wireCases('clients', [
  ...reads('clients', 'client', CLIENT),
  ...asks('clients', ['status', 'suspended', 'status', 'suspended'], ['category', '9', 'category_id', '9'],
    ['search', 'acme & sons', 'search', 'acme & sons'], ['sort', 'company_name', 'sort', 'client_company_name'],
    ['sort', 'status', 'sort', 'client_status'], ['sort', 'created', 'sort', 'client_created'],
    ['sort', 'updated', 'sort', 'client_updated'], ['order', 'asc', 'order', 'asc'], ['page', '2', 'page', '2']),
  sends('csv has every documented member, in the documented order', 'clients list --csv', whole('/api/clients', list([CLIENT])),
    { stdout: /^id,company_name,description,status,phone,website,vat,category\.id,category\.name,owner\.id,owner\.name,billing\.street,billing\.city,billing\.state,billing\.zip,billing\.country,billing\.invoice_due_days,shipping\.street,shipping\.city,shipping\.state,shipping\.zip,shipping\.country,dates\.created,dates\.updated,tags\r?\n12,/ }),
  refused('refuses a status that no document has', 'clients list --status asleep', /--status/),
  refused('refuses a category that is no number', 'clients list --category 0', /--category/),
]);

wireCases('team', [
  ...reads('team', 'team', MEMBER, 'team members'),
  ...asks('team', ['status', 'active', 'status', 'active'], ['status', 'suspended', 'status', 'suspended'], ['role', '3', 'role_id', '3'],
    ['search', 'kim', 'search', 'kim'], ['sort', 'first_name', 'sort', 'first_name'], ['sort', 'last_name', 'sort', 'last_name'],
    ['sort', 'email', 'sort', 'email'], ['sort', 'created', 'sort', 'created']),
  refused('refuses a role that is no number', 'team list --role Staff', /--role/),
]);

wireCases('categories', [
  ...reads('categories', 'category', CATEGORY),
  ...asks('categories', ['type', 'lead', 'type', 'lead'], ['type', 'invoice', 'type', 'invoice'],
    ['visibility', 'everyone', 'visibility', 'everyone'], ['search', 'web', 'search', 'web'], ['sort', 'name', 'sort', 'category_name'],
    ['sort', 'type', 'sort', 'category_type'], ['sort', 'created', 'sort', 'category_created']),
]);

wireCases('projects', [
  ...reads('projects', 'project', PROJECT),
  ...asks('projects', ['status', 'in_progress', 'status', 'in_progress'], ['client', '12', 'client_id', '12'],
    ['category', '20', 'category_id', '20'], ['search', 'shop', 'search', 'shop'], ['sort', 'title', 'sort', 'project_title'],
    ['sort', 'status', 'sort', 'project_status'], ['sort', 'start', 'sort', 'project_date_start'],
    ['sort', 'due', 'sort', 'project_date_due'], ['sort', 'created', 'sort', 'project_created'],
    ['sort', 'progress', 'sort', 'project_progress']),
]);

/** A team member is looked up by name. */
const KIM: WireCase['exchanges'][number] = whole('/api/team?search=kim',
  list([{ id: 3, first_name: 'Kim', last_name: 'Park', name: 'Kim Park' }]));

wireCases('team members by name in --where', [
  ...['assigned=kim', 'managers!=kim'].map((condition) => sends(`projects ${condition}`, `projects list --where ${condition} -o ids`,
    [KIM, whole('/api/projects', list([PROJECT]))], { stdout: /^7\n$/ })),
  sends('tasks assigned=kim', 'tasks list --where assigned=kim -o ids',
    [KIM, whole('/api/tasks?assigned_user_id=3', list([TASK, { ...TASK, id: 9, assigned: [{ id: 3, name: 'Kim Park' }] }]))],
    { stdout: /^9\n$/ }),
]);

wireCases('tasks', [
  ...reads('tasks', 'task', TASK),
  ...asks('tasks', ['project', '7', 'project_id', '7'], ['client', '12', 'client_id', '12'], ['status', '1', 'status', '1'],
    ['priority', '2', 'priority', '2'], ['milestone', '4', 'milestone_id', '4'], ['active-state', 'archived', 'active_state', 'archived'],
    ['assigned', '3', 'assigned_user_id', '3'], ['search', 'shelves', 'search', 'shelves'], ['sort', 'title', 'sort', 'task_title'],
    ['sort', 'due', 'sort', 'task_date_due'], ['sort', 'created', 'sort', 'task_created'], ['sort', 'position', 'sort', 'task_position']),
  sends('sends several filters at once', 'tasks list --project 7 --active-state active --sort due --order asc --limit 3 -o ids',
    get('/api/tasks?project_id=7&active_state=active&sort=task_date_due&order=asc&limit=3&page=1', list([TASK])), { stdout: /^8\n$/ }),
  refused('refuses a status that is no number', 'tasks list --status New', /--status/),
  refused('refuses an unknown state', 'tasks list --active-state asleep', /--active-state/),
]);
