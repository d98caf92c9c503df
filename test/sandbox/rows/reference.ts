// The reference records that can only be read, and checklists, on an embedded CRM that has its reference data and nothing
// else. Typed by hand from the vendor facts ("Reference records that the vendor documents").

import type { Group } from '../../support/conformance-row.ts';
import { notFound, number, present, refused, refusedOn, text, timestamp } from './shared.ts';

const dates = { created: timestamp, updated: timestamp };

export const groups: Group[] = [
  {
    name: 'reference: clients',
    rows: [
      {
        name: 'list',
        method: 'GET',
        path: '/api/clients',
        query: [['status', 'active'], ['search', 'northgate'], ['sort', 'client_company_name'], ['order', 'asc'], ['limit', '5'], ['page', '1']],
        status: 200,
        body: { data: [{ id: 1, company_name: 'Northgate Trading', category: { id: 9, name: 'General' } }] },
        at: { meta: { current_page: 1, per_page: 5, total: 1, last_page: 1 } },
      },
      {
        name: 'get',
        method: 'GET',
        path: '/api/clients/1',
        status: 200,
        body: {
          data: {
            id: 1,
            company_name: 'Northgate Trading',
            description: text,
            status: 'active',
            phone: text,
            website: text,
            vat: text,
            category: { id: number, name: text },
            owner: { id: null, name: null },
            billing: { street: text, city: text, state: text, zip: text, country: text, invoice_due_days: number },
            shipping: { street: null, city: null, state: null, zip: null, country: null },
            dates,
            tags: [],
          },
          message: text,
        },
      },
      { name: 'none that is suspended', method: 'GET', path: '/api/clients', query: [['status', 'suspended']], status: 200, at: { data: [] } },
      { name: 'none of another category', method: 'GET', path: '/api/clients', query: [['category_id', '1']], status: 200, at: { data: [] } },
      { name: 'sort client_status', method: 'GET', path: '/api/clients', query: [['sort', 'client_status']], status: 200 },
      { name: 'sort client_created', method: 'GET', path: '/api/clients', query: [['sort', 'client_created']], status: 200 },
      { name: 'sort client_updated', method: 'GET', path: '/api/clients', query: [['sort', 'client_updated']], status: 200 },
      { name: 'an unknown sort', method: 'GET', path: '/api/clients', query: [['sort', 'company_name']], ...refusedOn('sort') },
      { name: 'unknown', method: 'GET', path: '/api/clients/99', ...notFound },
    ],
  },
  {
    name: 'reference: team',
    rows: [
      {
        name: 'list, the last one first',
        method: 'GET',
        path: '/api/team',
        status: 200,
        body: { data: [{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }], meta: { total: 4 } },
      },
      {
        name: 'get',
        method: 'GET',
        path: '/api/team/1',
        status: 200,
        body: {
          data: {
            id: 1,
            first_name: 'Maya',
            last_name: 'Lindqvist',
            name: 'Maya Lindqvist',
            email: 'maya@crm.example',
            phone: text,
            job_position: 'Head of Sales',
            role: { id: 1, name: 'Administrator' },
            status: 'active',
            dashboard_access: present,
            social: present,
            dates,
          },
        },
      },
      { name: 'staff', method: 'GET', path: '/api/team/2', status: 200, at: { 'data.role': { id: 3, name: 'Staff' } } },
      {
        name: 'filter by role',
        method: 'GET',
        path: '/api/team',
        query: [['role_id', '1'], ['status', 'active']],
        status: 200,
        body: { data: [{ id: 1 }], meta: { total: 1 } },
      },
      { name: 'search', method: 'GET', path: '/api/team', query: [['search', 'okafor']], status: 200, body: { data: [{ id: 2 }], meta: { total: 1 } } },
      {
        name: 'sort by first name',
        method: 'GET',
        path: '/api/team',
        query: [['sort', 'first_name'], ['order', 'asc']],
        status: 200,
        body: { data: [{ first_name: 'Jonas' }, { first_name: 'Maya' }, { first_name: 'Priya' }, { first_name: 'Tom' }] },
      },
      { name: 'a contact is none of the team', method: 'GET', path: '/api/team/5', ...notFound },
    ],
  },
  {
    name: 'reference: categories',
    rows: [
      {
        name: 'list of one type, by name',
        method: 'GET',
        path: '/api/categories',
        query: [['type', 'proposal'], ['sort', 'category_name'], ['order', 'asc']],
        status: 200,
        body: { data: [{ id: 4, name: 'Implementation' }, { id: 5, name: 'Support Plan' }], meta: { total: 2 } },
      },
      {
        name: 'get',
        method: 'GET',
        path: '/api/categories/9',
        status: 200,
        body: {
          data: {
            id: 9,
            name: 'General',
            description: null,
            type: 'client',
            visibility: text,
            icon: null,
            system_default: text,
            slug: text,
            count: 1,
            users_count: 0,
            dates,
          },
        },
      },
      { name: 'search', method: 'GET', path: '/api/categories', query: [['search', 'REFERRAL']], status: 200, body: { data: [{ id: 3 }], meta: { total: 1 } } },
      { name: 'unknown', method: 'GET', path: '/api/categories/99', ...notFound },
    ],
  },
  {
    name: 'reference: projects and tasks',
    rows: [
      {
        name: 'no projects',
        method: 'GET',
        path: '/api/projects',
        query: [['status', 'completed'], ['client_id', '1'], ['category_id', '1'], ['search', 'x'], ['sort', 'project_progress'], ['order', 'asc']],
        status: 200,
        at: { data: [], 'meta.total': 0 },
      },
      {
        name: 'no tasks',
        method: 'GET',
        path: '/api/tasks',
        query: [['project_id', '1'], ['client_id', '1'], ['status', '1'], ['priority', '1'], ['milestone_id', '1'], ['active_state', 'active'], ['assigned_user_id', '1'], ['search', 'x'], ['sort', 'task_date_due']],
        status: 200,
        at: { data: [], 'meta.total': 0 },
      },
      { name: 'no project', method: 'GET', path: '/api/projects/1', ...notFound },
      { name: 'no task', method: 'GET', path: '/api/tasks/1', ...notFound },
    ],
  },
  {
    name: 'reference: checklists',
    rows: [
      {
        name: 'nothing said',
        method: 'GET',
        path: '/api/checklists',
        ...refused({
          resource_type: ['The resource type field is required.'],
          resource_id: ['The resource id field is required.'],
        }),
      },
      { name: 'no id', method: 'GET', path: '/api/checklists', query: [['resource_type', 'lead']], ...refused({ resource_id: ['The resource id field is required.'] }) },
      { name: 'no type', method: 'GET', path: '/api/checklists', query: [['resource_id', '1']], ...refused({ resource_type: ['The resource type field is required.'] }) },
      { name: 'an unknown type', method: 'GET', path: '/api/checklists', query: [['resource_type', 'unicorn'], ['resource_id', '1']], ...refusedOn('resource_type') },
      { name: 'an id that is no number', method: 'GET', path: '/api/checklists', query: [['resource_type', 'lead'], ['resource_id', 'x']], ...refusedOn('resource_id') },
      {
        name: 'of a lead that has none',
        method: 'GET',
        path: '/api/checklists',
        query: [['resource_type', 'lead'], ['resource_id', '1']],
        status: 200,
        body: { message: text },
        at: { data: [], meta: { current_page: 1, per_page: 25, total: 0, last_page: 1 } },
      },
      { name: 'can not be made here', method: 'POST', path: '/api/checklists', json: { text: 'x' }, status: 405, body: { message: text } },
    ],
  },
];
