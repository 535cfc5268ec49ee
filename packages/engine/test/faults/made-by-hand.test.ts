// runs: each
/**
 * Requests and responses that are plain objects, as programs make them to call an application (batches, adapters, tests): it does
 * the same with them as Express does, also in development.
 */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import type { Application, ErrorRequestHandler, Request, Response } from 'express';
import { inEnvironment } from '../support/environment.js';

type Framework = () => Application;
type Handle = (req: unknown, res: unknown, next: (err?: unknown) => void) => void;

/** A response that keeps what is sent, in the shape that express-batch gives it. */
class PlainResponse extends EventEmitter {
  headers: Record<string, unknown> = {};
  statusCode = 200;
  constructor(private readonly done: (outcome: unknown) => void) {
    super();
  }
  setHeader = (name: string, value: unknown): this => {
    this.headers[name.toLowerCase()] = value;
    return this;
  };
  getHeader = (name: string): unknown => this.headers[name.toLowerCase()];
  get = this.getHeader;
  removeHeader = (name: string): void => void Reflect.deleteProperty(this.headers, name.toLowerCase());
  end = (body?: unknown): void => {
    const { 'x-powered-by': _, ...headers } = this.headers;
    this.done({ status: this.statusCode, headers, body: String(body) });
  };
}

const handlers: Record<string, (req: Request, res: Response, next: (err?: unknown) => void) => unknown> = {
  'res.end': (_req, res) => res.end('ended'),
  'res.json': (req, res) => res.json({ params: req.params, query: req.query, path: req.path }),
  'res.send': (req, res) => res.status(201).send(`${req.method} ${req.originalUrl}`),
  'res.sendStatus': (_req, res) => res.sendStatus(404),
  'res.redirect': (_req, res) => res.redirect('/other'),
  'res.format': (_req, res) =>
    res.format({ json: () => res.json({ a: 1 }), default: () => res.send('other') }),
  'res.cookie': (_req, res) => res.cookie('a', 'b').append('X-A', '1').vary('Origin').type('txt').send('x'),
  'req.get': (req, res) => res.send([req.get('Host'), req.accepts('json'), req.is('json'), req.xhr].join()),
  'res.jsonp': (_req, res) => res.jsonp({ a: 1 }),
  'res.attachment': (_req, res) => res.attachment('a.txt').links({ next: '/b' }).location('/c').send('file'),
  'req.host': (req, res) =>
    res.send([req.hostname, req.protocol, req.subdomains, req.secure, req.fresh].join()),
  'req.ip': (req, res) => res.send(String(req.ip)),
  'req.range': (req, res) => res.send(String(req.range(100))),
  'req.body': (req, res) => res.json({ body: req.body as unknown }),
  'an error': (_req, _res, next) => next(new Error('passed on')),
  'an exception': () => {
    throw new Error('thrown');
  },
  'a later response': (_req, res) => setTimeout(() => res.send('later'), 1),
  'a promise': async (_req, res) => void (await Promise.resolve(), res.send('awaited')),
  "next('route')": (_req, _res, next) => next('route'),
  nothing: (_req, _res, next) => next(),
};

const messages: Record<string, object> = {
  plain: { url: '/users/7?a=1', method: 'GET', headers: { host: 'localhost', accept: 'application/json' } },
  'with a body that a program has parsed': {
    url: '/users/7',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '7' },
    body: { a: 1 },
    _body: true,
  },
  'with a body that no parser has marked': {
    url: '/users/7',
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'content-length': '7' },
    body: { a: 1 },
  },
};

function outcomeOf(framework: Framework, handler: never, message: object): Promise<unknown> {
  return new Promise(resolve => {
    const app = framework();
    app.use('/users', (_req, _res, next) => next());
    app.all('/users/:id', (_req, _res, next) => next(), handler);
    app.use(((error, _req, res, _next) => res.status(500).send(error.message)) as ErrorRequestHandler);
    const next = (error?: unknown): void => resolve({ next: String(error) });
    (app as unknown as Handle)({ ...message }, new PlainResponse(resolve), next);
  });
}

for (const [ours, express] of [
  ['ristretto', 'express'],
  ['ristretto5', 'express5'],
] as const) {
  for (const environment of ['development', 'production']) {
    describe(`messages made by hand (${ours}, ${environment})`, () => {
      for (const [kind, message] of Object.entries(messages)) {
        test(`${kind}: each way to respond does what it does with Express`, async () => {
          for (const [name, handler] of Object.entries(handlers)) {
            const run = (web: string): Promise<unknown> =>
              inEnvironment({ NODE_ENV: environment, RISTRETTO_WARNINGS: undefined }, () =>
                outcomeOf(require(web) as Framework, handler as never, message),
              );
            assert.deepEqual(await run(ours), await run(express), name);
          }
        });
      }
    });
  }
}
