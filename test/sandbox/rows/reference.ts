// The reference records that can only be read, and checklists. Typed by hand from the vendor facts ("Reference records that
// the vendor documents"), and from the tables of the demo data which records there are.

import type { Group, Row } from '../../support/conformance-row.ts';
import { json } from '../../support/request.ts';
import { get, group, made, notFound, number, ok, post, put, refused, refusedOn, text, timestamp } from './shared.ts';

const dates = { created: timestamp, updated: timestamp };

/** A list: for each query the ids that it gives, in order. */
const gives = (path: string, ...lists: [query: string, ...ids: number[]][]): Row[] => lists.map(([query, ...ids]) =>
  get(`${path.slice(5)}?${query}`, `${path}?${query}`, ok({ data: ids.map((id) => ({ id })) })));

/** A list whose query is refused on its name. */
const refuses = (path: string, ...queries: string[]): Row[] => queries.map((query) =>
  get(`${path.slice(5)}?${query} is refused`, `${path}?${query}`, refusedOn(query.slice(0, query.indexOf('=')))));

export const groups: Group[] = [
  group('reference: clients', [
    get('list', '/api/clients?status=active&search=northgate&sort=client_company_name&order=asc&limit=5&page=1',
      ok({ data: [{ id: 1, company_name: 'Northgate Trading', category: { id: 9, name: 'General' } }], message: text },
        { at: { meta: { current_page: 1, per_page: 5, total: 1, last_page: 1 } } })),
    get('get', '/api/clients/1',
      ok({ message: text },
        { at: {
            data: { id: 1, company_name: 'Northgate Trading', description: text, status: 'active', phone: text, website: text, vat: text,
              category: { id: 9, name: 'General' }, owner: { id: null, name: null },
              billing: { street: text, city: text, state: text, zip: text, country: text, invoice_due_days: 30 },
              shipping: { street: null, city: null, state: null, zip: null, country: null }, dates, tags: [] } } })),
    post('a person at the client', '/api/contacts', { first_name: 'Ada', last_name: 'Byron', email: 'ada@byron.example', clientid: '1' },
      made('ada')),
    put('owns the account', '/api/contacts/{ada}/account-owner', {}, ok()),
    get('and is its owner', '/api/clients/1', ok({ data: { owner: { id: '{ada}', name: 'Ada Byron' } } })),
    get('unknown', '/api/clients/99', notFound),
    post('can not be made here', '/api/clients', json({ client_company_name: 'x' }), { status: 405, body: { message: text } }),
    ...refuses('/api/clients', 'status=asleep', 'category_id=General', 'sort=company_name', 'order=up', 'limit=all', 'page=0'),
  ]),
  group('reference: clients of the demo', [
    ...gives('/api/clients', ['limit=2', 15, 14], ['limit=2&page=8', 1], ['status=suspended', 12],
      ['status=active&order=asc&limit=2', 1, 2], ['category_id=9&limit=1', 15], ['category_id=1'], ['search=LOGISTICS', 5],
      ['search=ZOË', 6], ['sort=client_company_name&order=asc&limit=3', 10, 11, 6], ['sort=client_status&limit=2', 12, 15],
      ['sort=client_created&order=asc&limit=2', 1, 2], ['sort=client_updated&limit=2', 15, 14]),
    get('at most 100 on a page', '/api/clients?limit=500',
      ok({}, { at: { meta: { current_page: 1, per_page: 100, total: 15, last_page: 1 } } })),
  ], { demo: true }),
  group('reference: team', [
    get('get', '/api/team/1',
      ok({ message: text },
        { at: {
            data: { id: 1, first_name: 'Maya', last_name: 'Lindqvist', name: 'Maya Lindqvist', email: 'maya@crm.example', phone: text,
              job_position: 'Head of Sales', role: { id: 1, name: 'Administrator' }, status: 'active', dashboard_access: text,
              social: { facebook: null, twitter: null, linkedin: null, github: null, dribbble: null }, dates } } })),
    get('staff', '/api/team/2', ok({}, { at: { 'data.role': { id: 3, name: 'Staff' } } })),
    get('list', '/api/team', ok({ data: [{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }], meta: { total: 4 } })),
    ...gives('/api/team', ['status=active&order=asc', 1, 2, 3, 4], ['status=suspended'], ['role_id=1', 1], ['role_id=3', 4, 3, 2],
      ['search=okafor', 2], ['sort=first_name&order=asc', 4, 1, 3, 2], ['sort=last_name&order=asc', 1, 2, 3, 4], ['sort=email', 2, 3, 1, 4],
      ['sort=created&order=asc&limit=1', 1]),
    ...refuses('/api/team', 'status=asleep', 'role_id=Staff', 'sort=name'),
    post('a contact', '/api/contacts', { first_name: 'Ada', last_name: 'Byron', email: 'ada@byron.example', clientid: '1' }, made('ada')),
    get('is none of the team', '/api/team/{ada}', notFound),
    ...gives('/api/team', ['search=byron']),
  ]),
  group('reference: categories', [
    get('get', '/api/categories/9',
      ok({ message: text },
        { at: {
            data: { id: 9, name: 'General', description: null, type: 'client', visibility: text, icon: null, system_default: text,
              slug: text, count: 1, users_count: 0, dates } } })),
    ...gives('/api/categories', ['limit=2', 9, 8], ['type=lead', 3, 2, 1], ['type=proposal', 5, 4], ['type=item', 8, 7, 6],
      ['type=client', 9], ['type=ticket'], ['search=REFERRAL', 3], ['sort=category_name&limit=5', 5, 6, 3, 2, 8],
      ['sort=category_type&order=asc', 9, 6, 7, 8, 1, 2, 3, 4, 5], ['sort=category_created&order=asc&limit=1', 1]),
    get('what everybody sees', '/api/categories/1', ok({}, { save: { visibility: 'data.visibility' } })),
    get('is what they filter by', '/api/categories?visibility={visibility}', ok({}, { at: { 'meta.total': 9 } })),
    ...gives('/api/categories', ['visibility=somebody-else']),
    ...refuses('/api/categories', 'sort=name'),
    get('unknown', '/api/categories/99', notFound),
  ]),
  group('reference: projects', [
    get('get', '/api/projects/1',
      ok({ message: text },
        { at: {
            data: { id: 1, title: 'Warehouse handhelds, second site', description: null, reference: null, status: 'in_progress',
              active_state: 'active', progress: 0, client: { id: 1, name: 'Northgate Trading' }, category: { id: null, name: null },
              dates: { start: '2026-08-03', due: '2026-12-18', created: timestamp, updated: timestamp }, assigned: [], managers: [],
              tags: [] } } })),
    ...gives('/api/projects', ['', 4, 3, 2, 1], ['status=in_progress', 2, 1], ['client_id=4', 3], ['category_id=1'], ['search=ROLL-OUT', 2],
      ['sort=project_title&order=asc', 4, 3, 2, 1], ['sort=project_status&order=asc', 3, 1, 2, 4],
      ['sort=project_date_start&order=asc', 3, 4, 2, 1], ['sort=project_date_due&limit=3', 2, 1, 3],
      ['sort=project_created&order=asc', 3, 4, 2, 1], ['sort=project_progress&limit=1', 3]),
    ...refuses('/api/projects', 'client_id=Northgate', 'sort=title'),
    get('unknown', '/api/projects/99', notFound),
  ], { demo: true }),
  group('reference: tasks', [
    get('get', '/api/tasks/6',
      ok({ message: text },
        { at: {
            data: { id: 6, title: 'Hand over the documentation', description: null, status: { id: number, title: 'Completed', color: text },
              priority: { id: number, title: text, color: text }, active_state: 'active',
              project: { id: 3, title: 'Sensor line monitoring' }, client: { id: 4, name: '株式会社さくら電機' },
              dates: { start: null, due: null, created: timestamp, updated: timestamp }, assigned: [], tags: [] } },
          save: { completed: 'data.status.id', priority: 'data.priority.id' } })),
    get('by the status of that one', '/api/tasks?status={completed}', ok({ data: [{ id: 6 }, { id: 4 }, { id: 1 }] })),
    get('by its priority', '/api/tasks?priority={priority}', ok({}, { at: { 'meta.total': 8 } })),
    ...gives('/api/tasks', ['status=99'], ['priority=99'], ['project_id=1', 3, 2, 1], ['client_id=13', 8, 7], ['milestone_id=1'],
      ['assigned_user_id=1'], ['active_state=active&limit=1', 8], ['active_state=archived'], ['search=TILLS', 5, 4],
      ['sort=task_title&order=asc', 8, 7, 6, 5, 4, 1, 2, 3], ['sort=task_date_due&order=asc&limit=1', 1],
      ['sort=task_created&order=asc', 6, 7, 8, 4, 5, 1, 2, 3], ['sort=task_position&order=asc&limit=2', 1, 2]),
    ...refuses('/api/tasks', 'project_id=Clinic', 'active_state=asleep', 'sort=due'),
    get('unknown', '/api/tasks/99', notFound),
  ], { demo: true }),
  group('reference: checklists', [
    get('nothing said', '/api/checklists',
      refused({ resource_type: ['The resource type field is required.'], resource_id: ['The resource id field is required.'] })),
    get('no id', '/api/checklists?resource_type=lead', refused({ resource_id: ['The resource id field is required.'] })),
    get('no type', '/api/checklists?resource_id=1', refused({ resource_type: ['The resource type field is required.'] })),
    get('an unknown type', '/api/checklists?resource_type=unicorn&resource_id=1', refusedOn('resource_type')),
    get('an id that is no number', '/api/checklists?resource_type=lead&resource_id=x', refusedOn('resource_id')),
    get('of a lead that has none', '/api/checklists?resource_type=lead&resource_id=1',
      ok({ message: text }, { at: { data: [], meta: { current_page: 1, per_page: 25, total: 0, last_page: 1 } } })),
    post('can not be made here', '/api/checklists', json({ text: 'x' }), { status: 405, body: { message: text } }),
  ]),
];
