// Two requests of one script with Node's own http client: a lead is read, and one value of it is written with all others.

import http from 'node:http';

const headers = { authorization: `Bearer ${process.env.CRM_API_KEY}`, accept: 'application/json' };
const send = (method, body) =>
  new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const request = http.request(`${process.env.CRM_BASE_URL}/api/leads/12`, { method, headers: { ...headers, ...type } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => (response.statusCode === 200 ? resolve(JSON.parse(text).data) : reject(new Error(text))));
    });
    request.on('error', reject).end(body);
  });

const lead = await send('GET');
const body = new URLSearchParams({
  lead_title: lead.title,
  lead_status: lead.status.id,
  lead_categoryid: lead.category.id,
  lead_value: '5',
});
const changed = await send('PATCH', body.toString());
process.stdout.write(`${JSON.stringify(changed, null, 2)}\n`);
