/** One line of JSON for each request, and one logger for everything, including errors of the framework (pino-http). */
'use strict';
const web = require('ristretto');
const pino = require('pino');
const { pinoHttp } = require('pino-http');

/**
 * Creates the application.
 * @param {{ write(text: string): void }} stream receives the lines; standard output by default
 */
module.exports = function makeApp(stream = process.stdout) {
  const logger = pino({ base: null, redact: ['req.headers.authorization', 'req.headers.cookie'] }, stream);
  const app = web();

  // The lines that the framework would write to standard error: errors without a handler.
  app.set('error logger', logger);

  app.use(
    pinoHttp({
      logger,
      // Available once the response is sent: a label to search and aggregate by.
      customProps: req => ({ route: req.matchedPath }),
      customLogLevel: (req, res, error) => (error || res.statusCode >= 500 ? 'error' : 'info'),
      autoLogging: { ignore: req => req.url === '/health' },
    }),
  );

  app.get('/health', (req, res) => res.sendStatus(204));
  app.get('/users/:id', (req, res) => {
    // a logger for this request: its lines have the id of the request
    req.log.info({ user: req.params.id }, 'user loaded');
    res.json({ id: req.params.id });
  });
  app.get('/late', async (req, res, next) => {
    next();
    await Promise.reject(new Error('nobody waits for this'));
  });
  app.get('/late', (req, res) => res.send('sent'));
  app.get('/broken', () => {
    throw new Error('out of order');
  });
  return app;
};

if (require.main === module) {
  const { PORT = 3000 } = process.env;
  module.exports().listen(PORT, () => console.log(`http://localhost:${PORT}/users/7`));
}
