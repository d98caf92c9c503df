// A bare undici loop that reads each lead and writes it back with another source, so many at a time.

import { Agent, request } from 'undici';

const [count, concurrency] = process.argv.slice(2).map(Number);
const dispatcher = new Agent({ connections: concurrency });
const authorization = { authorization: `Bearer ${process.env.CRM_API_KEY}`, accept: 'application/json' };
const form = { ...authorization, 'content-type': 'application/x-www-form-urlencoded' };
let next = 1;
const worker = async () => {
  while (next <= count) {
    const url = `${process.env.CRM_BASE_URL}/api/leads/${next}`;
    next += 1;
    const read = await request(url, { dispatcher, headers: authorization });
    const { data } = await read.body.json();
    const body = new URLSearchParams({
      lead_title: data.title,
      lead_status: data.status.id,
      lead_categoryid: data.category.id,
      lead_value: data.value,
      lead_email: data.contact.email,
      lead_company_name: data.contact.company_name,
      lead_source: 'web',
    }).toString();
    const answer = await request(url, { dispatcher, method: 'PATCH', headers: form, body });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
  }
};
await Promise.all(Array.from({ length: concurrency }, worker));
await dispatcher.close();
