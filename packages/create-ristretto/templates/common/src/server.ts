import web from 'ristretto';
import { createApp } from './app.ts';

const port = Number(process.env.PORT ?? 3000);
const server = createApp().listen(port, () => {
  console.log(`http://localhost:${port}`);
});

// On SIGTERM and SIGINT, the server accepts no new connections, and in-flight requests have ten seconds to finish.
await web.stopOnSignals(server, { timeout: 10_000 });
console.log('stopped');
