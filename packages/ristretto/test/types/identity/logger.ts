/** `req.id` as loggers such as pino-http declare it on Node's requests. */
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
