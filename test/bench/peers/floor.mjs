// The honest floor for one request: Node's own http client, asked of Node. An import would build a namespace, which loads much more.

const http = process.getBuiltinModule('node:http');

const headers = { authorization: `Bearer ${process.env.CRM_API_KEY}`, accept: 'application/json' };
http.get(`${process.env.CRM_BASE_URL}/api/leads/1`, { headers }, (response) => {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    text += chunk;
  });
  response.on('end', () => process.stdout.write(`${JSON.stringify(JSON.parse(text).data, null, 2)}\n`));
});
