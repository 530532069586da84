/** A bare Hono route that answers with the JSON it is given, and a static server of a folder: the measure for the hub. */
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

const [answer = '{}', folder = '.'] = process.argv.slice(2);
const value = JSON.parse(answer);
const app = new Hono();
app.get('/api/v1/search', (context) => context.json(value));
app.use('/files/*', serveStatic({ root: folder, rewriteRequestPath: (path) => path.replace('/files', '') }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
