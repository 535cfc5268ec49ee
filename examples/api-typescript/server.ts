/** Starts the server, and shuts it down without failing a request. Run: `npx tsx .` */
import web from 'ristretto';
import { createApp } from './app.js';

const server = createApp().listen(Number(process.env.PORT ?? 3000), () => {
  console.log('http://localhost:3000/docs');
});
void web.stopOnSignals(server, { timeout: 10_000 });
