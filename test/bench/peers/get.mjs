// The floor for one request: Node's own http client, and nothing else.

import http from 'node:http';

const headers = { authorization: `Bearer ${process.env.CRM_API_KEY}`, accept: 'application/json' };
http.get(`${process.env.CRM_BASE_URL}/api/leads/1`, { headers }, (response) => {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    text += chunk;
  });
  response.on('end', () => process.stdout.write(`${JSON.stringify(JSON.parse(text).data, null, 2)}\n`));
});
