// The team: the users who work with the service, to whom leads are assigned (vendor facts: reference records). They are only read.

import { choice, id, resource, text } from './define.ts';

export const team = resource({
  name: 'team',
  singular: 'team member',
  plural: 'team members',
  path: '/api/team',
  summary: 'Team members',
  readOnly: true,
  namedAs: 'team',
  fields: [],
  record: [
    'id',
    'first_name',
    'last_name',
    'name',
    'email',
    'phone',
    'job_position',
    'role.id',
    'role.name',
    'status',
    'dashboard_access',
    'social.facebook',
    'social.twitter',
    'social.linkedin',
    'social.github',
    'social.dribbble',
    'dates.created',
    'dates.updated',
  ],
  columns: [
    { path: 'id', align: 'right' },
    { path: 'name' },
    { path: 'email' },
    { path: 'phone' },
    { path: 'job_position' },
    { path: 'role.name', header: 'role' },
    { path: 'status' },
  ],
  filters: [
    { flag: 'status', wire: 'status', type: choice('active', 'suspended', 'deleted'), help: 'Status' },
    { flag: 'role', wire: 'role_id', type: id, help: 'Role: 1 is Administrator, 3 is Staff' },
    { flag: 'search', wire: 'search', type: text, help: 'Text to look for' },
  ],
  sort: { first_name: 'first_name', last_name: 'last_name', email: 'email', created: 'created' },
  defaultOrder: 'desc',
  examples: {
    list: ['crm team list --sort first_name --order asc', 'crm team list --role 1 --json'],
    get: ['crm team get 1', 'crm team get 1 --json'],
  },
});
