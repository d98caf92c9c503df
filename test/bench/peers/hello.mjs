// The smallest Hono server: what the embedded CRM is measured against.

import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono().get('/', (context) => context.json({ message: 'hello' }));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}/`));
