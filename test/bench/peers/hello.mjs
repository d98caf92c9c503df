// The smallest HTTP server: what the embedded CRM is measured against.

import { createServer } from 'node:http';

const body = JSON.stringify({ message: 'hello' });
const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
