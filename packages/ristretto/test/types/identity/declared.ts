/** `req.id` as declared by an application that uses `web.requestId`. */
import web from 'ristretto';

declare global {
  namespace Express {
    interface Request {
      id: string;
    }
  }
}

const app = web();
app.use(
  web.requestId({
    header: 'X-Trace',
    trust: ['10.0.0.0/8'],
    generate: req => String(req.url),
    respond: false,
  }),
);
app.get('/', (req, res) => {
  const id: string = req.id;
  res.send(id);
});
// @ts-expect-error -- it is no boolean
web.requestId({ generate: true });
