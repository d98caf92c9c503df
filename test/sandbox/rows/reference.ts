// The reference records that can only be read, and checklists. Typed by hand from the vendor facts ("Reference records that
// the vendor documents"), and from the tables of the demo data which records there are.

import type { Group, Row } from '../../support/conformance-row.ts';
import { notFound, number, refused, refusedOn, text, timestamp } from './shared.ts';

const dates = { created: timestamp, updated: timestamp };

/** A list with the demo data: the ids that it gives, in order. */
const gives = (path: string, query: [name: string, value: string][], ...ids: number[]): Row => ({
  name: `${path.slice(5)}?${query.map((pair) => pair.join('=')).join('&')}`, method: 'GET', path, query, status: 200,
  body: { data: ids.map((id) => ({ id })) },
});

/** A list whose query is refused on one of its names. */
const refuses = (path: string, name: string, value: string): Row => ({
  name: `${path.slice(5)}?${name}=${value} is refused`, method: 'GET', path, query: [[name, value]], ...refusedOn(name),
});

export const groups: Group[] = [
  { name: 'reference: clients',
    rows: [
      { name: 'list', method: 'GET', path: '/api/clients',
        query: [
          ['status', 'active'], ['search', 'northgate'], ['sort', 'client_company_name'], ['order', 'asc'], ['limit', '5'], ['page', '1'],
        ],
        status: 200, body: { data: [{ id: 1, company_name: 'Northgate Trading', category: { id: 9, name: 'General' } }], message: text },
        at: { meta: { current_page: 1, per_page: 5, total: 1, last_page: 1 } } },
      { name: 'get', method: 'GET', path: '/api/clients/1', status: 200, body: { message: text },
        at: {
          data: {
            id: 1, company_name: 'Northgate Trading', description: text, status: 'active', phone: text, website: text, vat: text,
            category: { id: 9, name: 'General' }, owner: { id: null, name: null },
            billing: { street: text, city: text, state: text, zip: text, country: text, invoice_due_days: 30 },
            shipping: { street: null, city: null, state: null, zip: null, country: null }, dates, tags: [],
          },
        } },
      { name: 'a person at the client', method: 'POST', path: '/api/contacts',
        form: [['first_name', 'Ada'], ['last_name', 'Byron'], ['email', 'ada@byron.example'], ['clientid', '1']], status: 201,
        save: { ada: 'data.id' } },
      { name: 'owns the account', method: 'PUT', path: '/api/contacts/{ada}/account-owner', status: 200 },
      { name: 'and is its owner', method: 'GET', path: '/api/clients/1', status: 200,
        body: { data: { owner: { id: '{ada}', name: 'Ada Byron' } } } },
      { name: 'unknown', method: 'GET', path: '/api/clients/99', ...notFound },
      { name: 'can not be made here', method: 'POST', path: '/api/clients', json: { client_company_name: 'x' }, status: 405,
        body: { message: text } },
      refuses('/api/clients', 'status', 'asleep'), refuses('/api/clients', 'category_id', 'General'),
      refuses('/api/clients', 'sort', 'company_name'), refuses('/api/clients', 'order', 'up'), refuses('/api/clients', 'limit', 'all'),
      refuses('/api/clients', 'page', '0'),
    ] },
  { name: 'reference: clients of the demo', demo: true,
    rows: [
      gives('/api/clients', [['limit', '2']], 15, 14), gives('/api/clients', [['limit', '2'], ['page', '8']], 1),
      gives('/api/clients', [['status', 'suspended']], 12),
      gives('/api/clients', [['status', 'active'], ['order', 'asc'], ['limit', '2']], 1, 2),
      gives('/api/clients', [['category_id', '9'], ['limit', '1']], 15), gives('/api/clients', [['category_id', '1']]),
      gives('/api/clients', [['search', 'LOGISTICS']], 5), gives('/api/clients', [['search', 'ZOË']], 6),
      gives('/api/clients', [['sort', 'client_company_name'], ['order', 'asc'], ['limit', '3']], 10, 11, 6),
      gives('/api/clients', [['sort', 'client_status'], ['limit', '2']], 12, 15),
      gives('/api/clients', [['sort', 'client_created'], ['order', 'asc'], ['limit', '2']], 1, 2),
      gives('/api/clients', [['sort', 'client_updated'], ['limit', '2']], 15, 14),
      { name: 'at most 100 on a page', method: 'GET', path: '/api/clients', query: [['limit', '500']], status: 200,
        at: { meta: { current_page: 1, per_page: 100, total: 15, last_page: 1 } } },
    ] },
  { name: 'reference: team',
    rows: [
      { name: 'get', method: 'GET', path: '/api/team/1', status: 200, body: { message: text },
        at: {
          data: {
            id: 1, first_name: 'Maya', last_name: 'Lindqvist', name: 'Maya Lindqvist', email: 'maya@crm.example', phone: text,
            job_position: 'Head of Sales', role: { id: 1, name: 'Administrator' }, status: 'active', dashboard_access: text,
            social: { facebook: null, twitter: null, linkedin: null, github: null, dribbble: null }, dates,
          },
        } },
      { name: 'staff', method: 'GET', path: '/api/team/2', status: 200, at: { 'data.role': { id: 3, name: 'Staff' } } },
      { name: 'list', method: 'GET', path: '/api/team', status: 200,
        body: { data: [{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }], meta: { total: 4 } } },
      gives('/api/team', [['status', 'active'], ['order', 'asc']], 1, 2, 3, 4), gives('/api/team', [['status', 'suspended']]),
      gives('/api/team', [['role_id', '1']], 1), gives('/api/team', [['role_id', '3']], 4, 3, 2),
      gives('/api/team', [['search', 'okafor']], 2), gives('/api/team', [['sort', 'first_name'], ['order', 'asc']], 4, 1, 3, 2),
      gives('/api/team', [['sort', 'last_name'], ['order', 'asc']], 1, 2, 3, 4), gives('/api/team', [['sort', 'email']], 2, 3, 1, 4),
      gives('/api/team', [['sort', 'created'], ['order', 'asc'], ['limit', '1']], 1), refuses('/api/team', 'status', 'asleep'),
      refuses('/api/team', 'role_id', 'Staff'), refuses('/api/team', 'sort', 'name'),
      { name: 'a contact', method: 'POST', path: '/api/contacts',
        form: [['first_name', 'Ada'], ['last_name', 'Byron'], ['email', 'ada@byron.example'], ['clientid', '1']], status: 201,
        save: { ada: 'data.id' } },
      { name: 'is none of the team', method: 'GET', path: '/api/team/{ada}', ...notFound }, gives('/api/team', [['search', 'byron']]),
    ] },
  { name: 'reference: categories',
    rows: [
      { name: 'get', method: 'GET', path: '/api/categories/9', status: 200, body: { message: text },
        at: {
          data: {
            id: 9, name: 'General', description: null, type: 'client', visibility: text, icon: null, system_default: text, slug: text,
            count: 1, users_count: 0, dates,
          },
        } },
      gives('/api/categories', [['limit', '2']], 9, 8), gives('/api/categories', [['type', 'lead']], 3, 2, 1),
      gives('/api/categories', [['type', 'proposal']], 5, 4), gives('/api/categories', [['type', 'item']], 8, 7, 6),
      gives('/api/categories', [['type', 'client']], 9), gives('/api/categories', [['type', 'ticket']]),
      gives('/api/categories', [['search', 'REFERRAL']], 3),
      gives('/api/categories', [['sort', 'category_name'], ['limit', '5']], 5, 6, 3, 2, 8),
      gives('/api/categories', [['sort', 'category_type'], ['order', 'asc']], 9, 6, 7, 8, 1, 2, 3, 4, 5),
      gives('/api/categories', [['sort', 'category_created'], ['order', 'asc'], ['limit', '1']], 1),
      { name: 'what everybody sees', method: 'GET', path: '/api/categories/1', status: 200, save: { visibility: 'data.visibility' } },
      { name: 'is what they filter by', method: 'GET', path: '/api/categories', query: [['visibility', '{visibility}']], status: 200,
        at: { 'meta.total': 9 } },
      gives('/api/categories', [['visibility', 'somebody-else']]), refuses('/api/categories', 'sort', 'name'),
      { name: 'unknown', method: 'GET', path: '/api/categories/99', ...notFound },
    ] },
  { name: 'reference: projects', demo: true,
    rows: [
      { name: 'get', method: 'GET', path: '/api/projects/1', status: 200, body: { message: text },
        at: {
          data: {
            id: 1, title: 'Warehouse handhelds, second site', description: null, reference: null, status: 'in_progress',
            active_state: 'active', progress: 0, client: { id: 1, name: 'Northgate Trading' }, category: { id: null, name: null },
            dates: { start: '2026-08-03', due: '2026-12-18', created: timestamp, updated: timestamp }, assigned: [], managers: [], tags: [],
          },
        } },
      gives('/api/projects', [], 4, 3, 2, 1), gives('/api/projects', [['status', 'in_progress']], 2, 1),
      gives('/api/projects', [['client_id', '4']], 3), gives('/api/projects', [['category_id', '1']]),
      gives('/api/projects', [['search', 'ROLL-OUT']], 2),
      gives('/api/projects', [['sort', 'project_title'], ['order', 'asc']], 4, 3, 2, 1),
      gives('/api/projects', [['sort', 'project_status'], ['order', 'asc']], 3, 1, 2, 4),
      gives('/api/projects', [['sort', 'project_date_start'], ['order', 'asc']], 3, 4, 2, 1),
      gives('/api/projects', [['sort', 'project_date_due'], ['limit', '3']], 2, 1, 3),
      gives('/api/projects', [['sort', 'project_created'], ['order', 'asc']], 3, 4, 2, 1),
      gives('/api/projects', [['sort', 'project_progress'], ['limit', '1']], 3), refuses('/api/projects', 'client_id', 'Northgate'),
      refuses('/api/projects', 'sort', 'title'),
      { name: 'unknown', method: 'GET', path: '/api/projects/99', ...notFound },
    ] },
  { name: 'reference: tasks', demo: true,
    rows: [
      { name: 'get', method: 'GET', path: '/api/tasks/6', status: 200, body: { message: text },
        at: {
          data: {
            id: 6, title: 'Hand over the documentation', description: null, status: { id: number, title: 'Completed', color: text },
            priority: { id: number, title: text, color: text }, active_state: 'active', project: { id: 3, title: 'Sensor line monitoring' },
            client: { id: 4, name: '株式会社さくら電機' }, dates: { start: null, due: null, created: timestamp, updated: timestamp }, assigned: [],
            tags: [],
          },
        },
        save: { completed: 'data.status.id', priority: 'data.priority.id' } },
      { name: 'by the status of that one', method: 'GET', path: '/api/tasks', query: [['status', '{completed}']], status: 200,
        body: { data: [{ id: 6 }, { id: 4 }, { id: 1 }] } },
      { name: 'by its priority', method: 'GET', path: '/api/tasks', query: [['priority', '{priority}']], status: 200,
        at: { 'meta.total': 8 } },
      gives('/api/tasks', [['status', '99']]), gives('/api/tasks', [['priority', '99']]),
      gives('/api/tasks', [['project_id', '1']], 3, 2, 1), gives('/api/tasks', [['client_id', '13']], 8, 7),
      gives('/api/tasks', [['milestone_id', '1']]), gives('/api/tasks', [['assigned_user_id', '1']]),
      gives('/api/tasks', [['active_state', 'active'], ['limit', '1']], 8), gives('/api/tasks', [['active_state', 'archived']]),
      gives('/api/tasks', [['search', 'TILLS']], 5, 4),
      gives('/api/tasks', [['sort', 'task_title'], ['order', 'asc']], 8, 7, 6, 5, 4, 1, 2, 3),
      gives('/api/tasks', [['sort', 'task_date_due'], ['order', 'asc'], ['limit', '1']], 1),
      gives('/api/tasks', [['sort', 'task_created'], ['order', 'asc']], 6, 7, 8, 4, 5, 1, 2, 3),
      gives('/api/tasks', [['sort', 'task_position'], ['order', 'asc'], ['limit', '2']], 1, 2),
      refuses('/api/tasks', 'project_id', 'Clinic'), refuses('/api/tasks', 'active_state', 'asleep'), refuses('/api/tasks', 'sort', 'due'),
      { name: 'unknown', method: 'GET', path: '/api/tasks/99', ...notFound },
    ] },
  { name: 'reference: checklists',
    rows: [
      { name: 'nothing said', method: 'GET', path: '/api/checklists',
        ...refused({ resource_type: ['The resource type field is required.'], resource_id: ['The resource id field is required.'] }) },
      { name: 'no id', method: 'GET', path: '/api/checklists', query: [['resource_type', 'lead']],
        ...refused({ resource_id: ['The resource id field is required.'] }) },
      { name: 'no type', method: 'GET', path: '/api/checklists', query: [['resource_id', '1']],
        ...refused({ resource_type: ['The resource type field is required.'] }) },
      { name: 'an unknown type', method: 'GET', path: '/api/checklists', query: [['resource_type', 'unicorn'], ['resource_id', '1']],
        ...refusedOn('resource_type') },
      { name: 'an id that is no number', method: 'GET', path: '/api/checklists', query: [['resource_type', 'lead'], ['resource_id', 'x']],
        ...refusedOn('resource_id') },
      { name: 'of a lead that has none', method: 'GET', path: '/api/checklists', query: [['resource_type', 'lead'], ['resource_id', '1']],
        status: 200, body: { message: text }, at: { data: [], meta: { current_page: 1, per_page: 25, total: 0, last_page: 1 } } },
      { name: 'can not be made here', method: 'POST', path: '/api/checklists', json: { text: 'x' }, status: 405, body: { message: text } },
    ] },
];
