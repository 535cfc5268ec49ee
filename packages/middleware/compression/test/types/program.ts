import compression = require('compression');
import express = require('express');

const app = express();
app.use(compression());
app.use(
  compression({ level: 6, memLevel: 8, chunkSize: 1024, threshold: '2kb', windowBits: 15, strategy: 0 }),
);
app.use(compression({ threshold: 100, enforceEncoding: 'br', brotli: { params: { 1: 4 } } }));
app.use(
  compression({ filter: (req: express.Request, res: express.Response) => compression.filter(req, res) }),
);

const filter: compression.CompressionFilter = (req, res) => req.path !== '/raw' && !res.headersSent;
const options: compression.CompressionOptions = { filter, dictionary: Buffer.alloc(1) };
const handler: express.RequestHandler = compression(options);
app.use('/events', handler, (_req, res) => {
  res.write('data: 1\n\n');
  res.flush();
});

// @ts-expect-error a threshold is a number or text
compression({ threshold: true });
