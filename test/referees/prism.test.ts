// Prism judges every request of `crm` and every answer of `crm sandbox serve` in the acceptance scripts by docs/openapi.json.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runScript, type Surroundings, scripts } from '../support/acceptance.ts';
import { runHere } from '../support/run-here.ts';
import { serveHere } from '../support/serve-here.ts';
import { describeWith } from '../support/tools.ts';
import { type Plant, type Prism, startPrism, type Verdict } from './prism.ts';

/** Not judged; they run all the same. */
const left = [
  // They ask the embedded CRM in their own process, and servers that they start themselves.
  'exec',
  'fresh-seeds',
  'jobs',
  'sandbox',
];

describeWith(['bash', 'jq', 'curl'], 'Prism', { timeout: 600_000 }, () => {
  let prism: Prism;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crm-prism-'));
    prism = await startPrism('docs/openapi.json');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function judged(name: string, surroundings: Surroundings = {}): Promise<void> {
    const verdict: Verdict = { requests: 0, complaints: [] };
    const { status, output } = await runScript(name, { ...surroundings, between: prism.between(verdict) });
    expect(status, output).toBe(0);
    expect(verdict.complaints).toEqual([]);
    expect(verdict.requests).toBeGreaterThan(0);
  }

  // Of a form Prism sees only the names that the document has; of JSON it sees them all. The oldest runtime's scripts send these as forms.
  const asJson = ['contacts', 'items', 'leads', 'notes', 'proposals'];
  const asForms = scripts.filter((name) => ![...left, ...asJson].includes(name));

  it.concurrent.each(asForms)('finds nothing in %s', (name) => judged(name));

  it.concurrent.each(asJson)('finds nothing in %s with JSON bodies', (name) => judged(name, { asJson: true }));

  it.concurrent.each(left)('is no judge of %s', async (name) => {
    const { status, output } = await runScript(name);
    expect(status, output).toBe(0);
  });

  const changed =
    (from: RegExp, to: string): Plant =>
    ({ status, body }) => ({ status, body: body.replace(from, to) });

  it.each<[string, string[], string, Plant?]>([
    [
      'a member of another type',
      ['leads', 'get', '12'],
      'GET /api/leads/12 200 response.body.data.title',
      changed(/"title":"[^"]*"/, '"title":7'),
    ],
    [
      'a member that is missing',
      ['leads', 'get', '12'],
      'GET /api/leads/12 200 response.body.data: ',
      changed(/"active_state":"active",/, ''),
    ],
    ['an element of another type', ['notes', 'list'], 'GET /api/notes 200 response.body', changed(/"creator_id":1/, '"creator_id":"1"')],
    ['a status of no document', ['items', 'get', '5'], 'GET /api/items/5 202 response', ({ body }) => ({ status: 202, body })],
    ['a query beyond the limit', ['api', 'GET', '/api/leads', '-f', 'limit=101'], 'GET /api/leads 200 request.query.limit'],
    [
      'a value of another type',
      ['api', 'PUT', '/api/leads/12/status', '--data', '{"status":"lost"}'],
      'PUT /api/leads/12/status 422 request.body',
    ],
  ])('finds %s', async (_name, argv, complaint, plant) => {
    const server = await serveHere(join(mkdtempSync(join(folder, 'plant-')), 'service.sqlite'));
    const verdict: Verdict = { requests: 0, complaints: [] };
    const stage = await prism.between(verdict, plant)(server.baseUrl);
    const asked = () => runHere(argv, { env: { CRM_BASE_URL: stage.baseUrl, CRM_API_KEY: server.key } });
    await asked();
    const complaints = [...verdict.complaints];
    await asked();
    await stage.close();
    await server.stop();
    expect(complaints.join('\n')).toContain(complaint);
    // Of what is the same Prism is asked once.
    expect(verdict.complaints).toEqual([...complaints, ...complaints]);
  });
});
