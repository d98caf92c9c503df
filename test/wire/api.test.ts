// Wire tests of `crm api`, the way to endpoints that have no family yet: any method and path, with the profile's key.
// Typed by hand from the command line's table; what it prints is open, so standard output is only matched loosely.

import { json } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import { created, del, failure, get, list, numbered, ok, patch, post, put, refused, sends } from './records.ts';

wireCases('api', [
  sends('sends a GET as typed', 'api GET /api/clients --json', get('/api/clients', list([{ id: 4, company_name: 'Acme Ltd' }])),
    { stdout: /Acme Ltd/ }),
  ...['leads', 'api/leads'].map((path) => sends(`takes ${path} as a path below the service's own /api`, `api GET ${path}`,
    get('/api/leads', list([])))),
  ...['https://elsewhere.test/api/leads', '//elsewhere.test/leads', 'elsewhere.test:443/leads', '@elsewhere.test', ''].map(
    (path) => refused(`sends nothing to another host: "${path}"`, `api GET '${path}'`, /path: .*such as \/api\/leads/)),
  ...[list([{ id: 4 }, { id: '../clients/1' }]), ok({ count: 3 })].map((reply) => sends(
    `has no ids of ${JSON.stringify(reply.json)}, where one is missing or no number`, 'api GET /api/clients -o ids',
    get('/api/clients', reply), { exit: 7, stdout: /^$/, stderr: /the printed ids would not be the whole list/ })),
  refused('refuses a member that stands twice', `api POST /api/x --data '{"a":1,"b":{"c":1,"c":2}}'`, /--data: the member "c" stands twice in one object\./),
  sends('shows the numbers of --data as typed', `api POST /api/x --data '{"a":12345678901234567890.10}' --dry-run --json`, [],
    { stdout: /12345678901234567890\.10/ }),
  sends('keeps a query that stands in the path', 'api GET /api/categories?type=item', get('/api/categories?type=item', list([]))),
  sends('sends -f of a GET in the query', "api GET /api/clients -f 'search=Lee & Sons' -f page=2",
    get('/api/clients', list([], 2, 2), { search: 'Lee & Sons', page: '2' })),
  sends('sends -f of a POST as form fields', "api POST /api/clients -f 'client_company_name=Lee Stores' -f tags[]=a -f tags[]=b=c -f note=",
    post('/api/clients', { client_company_name: 'Lee Stores', 'tags[]': ['a', 'b=c'], note: '' }, created({ id: 78 })), { stdout: /78/ }),
  sends('sends -f of a PUT as form fields', 'api PUT /api/projects/3/status -f status=completed',
    put('/api/projects/3/status', { status: 'completed' }, ok({ id: 3 }))),
  sends('sends -f of a PATCH as form fields', 'api PATCH /api/projects/3 -f project_title=Fit-out',
    patch('/api/projects/3', { project_title: 'Fit-out' }, ok({ id: 3 }))),
  sends('sends --data as JSON', `api POST /api/clients --data '{"a":1,"b":["x"],"c":{"d":null}}'`,
    post('/api/clients', json({ a: 1, b: ['x'], c: { d: null } }), created({ id: 78 }))),
  sends('sends --data from a file', 'api PATCH /api/clients/4 --data @client.json',
    patch('/api/clients/4', json({ client_company_name: 'Acme' }), ok({ id: 4 })),
    { files: { 'client.json': '{"client_company_name": "Acme"}\n' } }),
  sends('sends --data from standard input', 'api PUT /api/leads/12/assigned --data -',
    put('/api/leads/12/assigned', json({ assigned: [] }), ok({ id: 12 })), { stdin: '{"assigned": []}' }),
  sends('sends a PUT without a body', 'api PUT /api/leads/12/archive', put('/api/leads/12/archive', {}, { status: 204, text: '' })),
  sends('sends a DELETE without a body', 'api DELETE /api/clients/4 --yes', del('/api/clients/4', ok({ id: 4 }))),
  sends('walks the pages with --paginate, the first request as typed', 'api GET /api/clients --paginate --json',
    [get('/api/clients', list([{ id: 101 }], 1, 3, 1)), get('/api/clients?page=2', list([{ id: 102 }], 2, 3, 1)),
      get('/api/clients?page=3', list([{ id: 103 }], 3, 3, 1))], { stdout: /101[\s\S]*102[\s\S]*103/ }),
  sends('keeps the query while it walks the pages', 'api GET /api/categories?type=lead -f limit=50 --paginate',
    [get('/api/categories?type=lead&limit=50', list(numbered(1, 50), 1, 2, 50)),
      get('/api/categories?type=lead&limit=50&page=2', list(numbered(51, 100), 2, 2, 50))]),
  sends('takes an answer without meta as the only page', 'api GET /api/team --paginate',
    get('/api/team', ok([{ id: 5, name: 'Sam Hill' }])), { stdout: /Sam Hill/ }),
  sends('sends no write with --dry-run', 'api POST /api/clients -f client_company_name=Lee --dry-run --json', [],
    { stdout: /(?=[\s\S]*"POST")(?=[\s\S]*https:\/\/crm\.test\/api\/clients)(?=[\s\S]*client_company_name)/ }),
  sends('exits 3 on a 404', 'api GET /api/clients/99', get('/api/clients/99', failure(404, 'Client not found.')),
    { exit: 3, stderr: /Client 99 not found\./ }),
  sends('exits 5 on a 405', 'api POST /api/team -f a=b',
    post('/api/team', { a: 'b' }, failure(405, 'The POST method is not supported for this route.')), { exit: 5 }),
  sends('sends a POST that fails with 500 once', 'api POST /api/clients -f a=b',
    post('/api/clients', { a: 'b' }, failure(500, 'Server Error')), { exit: 7 }),
  refused('refuses -f without a value', 'api POST /api/clients -f name', /-f|--field/),
  refused('refuses --data that is not JSON', 'api POST /api/clients --data {a:1}', /--data/),
  refused('refuses a file that is not there', 'api POST /api/clients --data @missing.json', /missing\.json/),
  refused('refuses an unknown method', 'api FETCH /api/clients', /FETCH/),
  ...['/api/../../x', '/api/..', 'api/./clients', '/api/%2e%2E/x', '/api/..%2fx', '../x'].map((path) => refused(
    `refuses ${path}, which leaves the base URL's path`, `api GET ${path}`, /leads out of the base URL's own path/)),
  sends('takes dots that are no steps up', 'api GET /api/a..b/...?x=/../', get('/api/a..b/...?x=/../', ok([]))),
  refused('needs a path', 'api GET'),
]);
