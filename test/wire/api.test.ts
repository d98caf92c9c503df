// Wire tests of `crm api`, the way to endpoints that have no family yet: any method and path, with the profile's key.
// Typed by hand from the command line's table; what it prints is open, so standard output is only matched loosely.

import { wireCases } from '../support/wire.ts';
import { created, failure, list, ok, refused } from './records.ts';

wireCases('api', [
  { name: 'sends a GET as typed', argv: ['api', 'GET', '/api/clients', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/clients' }, reply: list([{ id: 4, company_name: 'Acme Ltd' }]) }],
    stdout: /Acme Ltd/ },
  ...['leads', 'api/leads'].map((path) => ({
    name: `takes ${path} as a path below the service's own /api`, argv: ['api', 'GET', path],
    exchanges: [{ request: { method: 'GET' as const, path: '/api/leads' }, reply: list([]) }],
  })),
  ...['https://elsewhere.test/api/leads', '//elsewhere.test/leads', 'elsewhere.test:443/leads', '@elsewhere.test', ''].map(
    (path) => refused(`sends nothing to another host: "${path}"`, ['api', 'GET', path], /path: .*such as \/api\/leads/)
  ),
  ...[list([{ id: 4 }, { id: '../clients/1' }]), ok({ count: 3 })].map((reply) => ({
    name: `has no ids of ${JSON.stringify(reply.json)}, where one is missing or no number`,
    argv: ['api', 'GET', '/api/clients', '-o', 'ids'], exchanges: [{ request: { method: 'GET' as const, path: '/api/clients' }, reply }],
    exit: 7, stdout: /^$/, stderr: /the ids would not be those of the list/,
  })),
  { name: 'keeps a query that stands in the path', argv: ['api', 'GET', '/api/categories?type=item'],
    exchanges: [{ request: { method: 'GET', path: '/api/categories', query: [['type', 'item']] }, reply: list([]) }] },
  { name: 'sends -f of a GET in the query', argv: ['api', 'GET', '/api/clients', '-f', 'search=Lee & Sons', '-f', 'page=2'],
    exchanges: [{
      request: { method: 'GET', path: '/api/clients', query: [['search', 'Lee & Sons'], ['page', '2']] }, reply: list([], 2, 2),
    }] },
  { name: 'sends -f of a POST as form fields',
    argv: ['api', 'POST', '/api/clients', '-f', 'client_company_name=Lee Stores', '-f', 'tags[]=a', '-f', 'tags[]=b=c', '-f', 'note='],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/clients',
        form: [['client_company_name', 'Lee Stores'], ['tags[]', 'a'], ['tags[]', 'b=c'], ['note', '']],
      },
      reply: created({ id: 78 }),
    }],
    stdout: /78/ },
  {
    name: 'sends -f of a PUT as form fields', argv: ['api', 'PUT', '/api/projects/3/status', '-f', 'status=completed'],
    exchanges: [{ request: { method: 'PUT', path: '/api/projects/3/status', form: [['status', 'completed']] }, reply: ok({ id: 3 }) }],
  },
  {
    name: 'sends -f of a PATCH as form fields', argv: ['api', 'PATCH', '/api/projects/3', '-f', 'project_title=Fit-out'],
    exchanges: [{ request: { method: 'PATCH', path: '/api/projects/3', form: [['project_title', 'Fit-out']] }, reply: ok({ id: 3 }) }],
  },
  {
    name: 'sends --data as JSON', argv: ['api', 'POST', '/api/clients', '--data', '{"a":1,"b":["x"],"c":{"d":null}}'],
    exchanges: [{ request: { method: 'POST', path: '/api/clients', json: { a: 1, b: ['x'], c: { d: null } } }, reply: created({ id: 78 }) }],
  },
  {
    name: 'sends --data from a file', argv: ['api', 'PATCH', '/api/clients/4', '--data', '@client.json'],
    files: { 'client.json': '{"client_company_name": "Acme"}\n' },
    exchanges: [{ request: { method: 'PATCH', path: '/api/clients/4', json: { client_company_name: 'Acme' } }, reply: ok({ id: 4 }) }],
  },
  { name: 'sends --data from standard input', argv: ['api', 'PUT', '/api/leads/12/assigned', '--data', '-'], stdin: '{"assigned": []}',
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/assigned', json: { assigned: [] } }, reply: ok({ id: 12 }) }] },
  { name: 'sends a PUT without a body', argv: ['api', 'PUT', '/api/leads/12/archive'],
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/archive' }, reply: { status: 204, text: '' } }] },
  { name: 'sends a DELETE without a body', argv: ['api', 'DELETE', '/api/clients/4', '--yes'],
    exchanges: [{ request: { method: 'DELETE', path: '/api/clients/4' }, reply: ok({ id: 4 }) }] },
  { name: 'walks the pages with --paginate, the first request as typed', argv: ['api', 'GET', '/api/clients', '--paginate', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/clients' }, reply: list([{ id: 101 }], 1, 3, 1) },
      { request: { method: 'GET', path: '/api/clients', query: [['page', '2']] }, reply: list([{ id: 102 }], 2, 3, 1) },
      { request: { method: 'GET', path: '/api/clients', query: [['page', '3']] }, reply: list([{ id: 103 }], 3, 3, 1) },
    ],
    stdout: /101[\s\S]*102[\s\S]*103/ },
  { name: 'keeps the query while it walks the pages', argv: ['api', 'GET', '/api/categories?type=lead', '-f', 'limit=50', '--paginate'],
    exchanges: [
      {
        request: { method: 'GET', path: '/api/categories', query: [['type', 'lead'], ['limit', '50']] }, reply: list([{ id: 1 }], 1, 2, 50),
      },
      { request: { method: 'GET', path: '/api/categories', query: [['type', 'lead'], ['limit', '50'], ['page', '2']] },
        reply: list([{ id: 2 }], 2, 2, 50) },
    ] },
  { name: 'takes an answer without meta as the only page', argv: ['api', 'GET', '/api/team', '--paginate'],
    exchanges: [{ request: { method: 'GET', path: '/api/team' }, reply: ok([{ id: 5, name: 'Sam Hill' }]) }], stdout: /Sam Hill/ },
  { name: 'sends no write with --dry-run', argv: ['api', 'POST', '/api/clients', '-f', 'client_company_name=Lee', '--dry-run', '--json'],
    exchanges: [], stdout: /(?=[\s\S]*"POST")(?=[\s\S]*https:\/\/crm\.test\/api\/clients)(?=[\s\S]*client_company_name)/ },
  { name: 'exits 3 on a 404', argv: ['api', 'GET', '/api/clients/99'],
    exchanges: [{ request: { method: 'GET', path: '/api/clients/99' }, reply: failure(404, 'Client not found.') }], exit: 3,
    stderr: /Client 99 not found\./ },
  { name: 'exits 5 on a 405', argv: ['api', 'POST', '/api/team', '-f', 'a=b'],
    exchanges: [{
      request: { method: 'POST', path: '/api/team', form: [['a', 'b']] },
      reply: failure(405, 'The POST method is not supported for this route.'),
    }],
    exit: 5 },
  {
    name: 'sends a POST that fails with 500 once', argv: ['api', 'POST', '/api/clients', '-f', 'a=b'],
    exchanges: [{ request: { method: 'POST', path: '/api/clients', form: [['a', 'b']] }, reply: failure(500, 'Server Error') }], exit: 7,
  },
  refused('refuses -f without a value', ['api', 'POST', '/api/clients', '-f', 'name'], /-f|--field/),
  refused('refuses --data that is not JSON', ['api', 'POST', '/api/clients', '--data', '{a:1}'], /--data/),
  refused('refuses a file that is not there', ['api', 'POST', '/api/clients', '--data', '@missing.json'], /missing\.json/),
  refused('refuses an unknown method', ['api', 'FETCH', '/api/clients'], /FETCH/),
  ...['/api/../../x', '/api/..', 'api/./clients', '/api/%2e%2E/x', '/api/..%2fx', '../x'].map((path) => refused(
    `refuses ${path}, which leaves the base URL's path`, ['api', 'GET', path], /leads out of the base URL's own path/
  )),
  { name: 'takes dots that are no steps up', argv: ['api', 'GET', '/api/a..b/...?x=/../'],
    exchanges: [{ request: { method: 'GET', path: '/api/a..b/...', query: [['x', '/../']] }, reply: ok([]) }] },
  refused('needs a path', ['api', 'GET']),
]);
