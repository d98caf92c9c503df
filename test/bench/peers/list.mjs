// A bare undici loop over every page, as many ahead as crm asks for, one record a line.

import { Agent, request } from 'undici';

const dispatcher = new Agent({ connections: 4 });
const headers = { authorization: `Bearer ${process.env.CRM_API_KEY}`, accept: 'application/json' };
const page = async (number) => {
  const { body } = await request(`${process.env.CRM_BASE_URL}/api/leads?limit=100&page=${number}`, { dispatcher, headers });
  return JSON.parse(await body.text());
};
const ahead = [page(1)];
let next = 2;
let last = 1;
while (ahead.length > 0) {
  const { data, meta } = await ahead.shift();
  last = meta.last_page;
  while (next <= last && ahead.length < 3) ahead.push(page(next++));
  if (!process.stdout.write(data.map((record) => `${JSON.stringify(record)}\n`).join(''))) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
await dispatcher.close();
