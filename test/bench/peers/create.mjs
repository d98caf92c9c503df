// A bare undici loop that creates as many leads as it is told, so many at a time.

import { Agent, request } from 'undici';

const [rows, concurrency] = process.argv.slice(2).map(Number);
const dispatcher = new Agent({ connections: concurrency });
const headers = { authorization: `Bearer ${process.env.CRM_API_KEY}`, 'content-type': 'application/x-www-form-urlencoded' };
let row = 0;
const worker = async () => {
  while (row < rows) {
    row += 1;
    const body = new URLSearchParams({
      lead_title: `Lead ${row}`,
      lead_status: String(1 + (row % 6)),
      lead_categoryid: String(1 + (row % 3)),
      lead_value: `${row}.50`,
      lead_email: `lead-${row}@bench.example`,
      lead_company_name: `Company ${row % 997}`,
    }).toString();
    const answer = await request(`${process.env.CRM_BASE_URL}/api/leads`, { dispatcher, method: 'POST', headers, body });
    await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`status ${answer.statusCode}`);
  }
};
await Promise.all(Array.from({ length: concurrency }, worker));
await dispatcher.close();
