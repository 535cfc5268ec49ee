/** `req.id` as loggers declare it on the requests of Node: pino-http does. */
import web from 'ristretto';

declare module 'http' {
  interface IncomingMessage {
    id: number | string | object;
    log: { info(text: string): void };
  }
}

const app = web();
app.use(web.requestId());
app.get('/', (req, res) => {
  req.log.info('seen');
  res.send(String(req.id));
});
