// runs: each
/** Programs that assign any value to a member of a request or response: each request gets a response, and the process goes on. */
import assert from 'node:assert/strict';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import web5 from 'ristretto5';
import { withServer } from '../support/http.js';
import { words } from '../support/random.js';

type App = ReturnType<typeof web>;

const values: Record<string, unknown> = {
  undefined: undefined,
  null: null,
  number: 5,
  list: ['a'],
  'object without a prototype': Object.create(null),
  symbol: Symbol('value'),
};

const members = {
  req: words(`
    url method originalUrl baseUrl params query body headers rawHeaders route next app res httpVersion
    httpVersionMajor _parsedUrl complete secret
  `),
  // Without `res.req`, Node 26 ends the process itself
  res: ['statusCode', 'statusMessage', 'locals', 'app', 'shouldKeepAlive'],
};

/** Returns an application in which a handler assigns what the query says, and the features after it read it. */
function assigning(framework: typeof web, end: (app: App) => unknown): App {
  const app = framework().set('env', 'test');
  const assign: web.RequestHandler = (req, res, next) => {
    const [holder, name, value, isLate] = String(req.headers['x-case']).split(' ');
    Reflect.set(holder === 'req' ? req : res, name!, values[value!.replaceAll('_', ' ')]);
    if (isLate === 'late') setImmediate(next);
    else next();
  };
  app.use(web.requestId(), web.deadline('10s'));
  app.use('/mounted', assign).use('/here', assign);
  app.use(web.json(), web.urlencoded({ extended: true }), web.static(path.join(__dirname, 'none')));
  app.use((_req, res, next) => {
    res.onSend(() => Promise.resolve());
    next();
  });
  app.use(framework().use((_req, _res, next) => next()));
  app.use(
    '/mounted',
    framework.Router().use((_req, _res, next) => next()),
  );
  end(app);
  return app;
}

const ends: Record<string, (app: App) => unknown> = {
  'nothing responds': () => undefined,
  'an error': app => app.use((_req, _res, next) => next(new Error('mine'))),
  'res.json': app => app.use((_req, res) => res.set('X-A', 'a').vary('b').json({ a: 1 })),
  'what reads the request': app =>
    app.use((req, res) => {
      const read = [req.path, req.hostname, req.ip, req.protocol, req.fresh, req.query, req.accepts('json')];
      res.cookie('a', 'b').location('c').send({ read });
    }),
};

for (const [name, framework] of Object.entries({
  ristretto: web,
  ristretto5: web5 as unknown as typeof web,
})) {
  for (const [end, add] of Object.entries(ends)) {
    describe(`assigned values (${name}): ${end}`, () => {
      for (const [holder, names] of Object.entries(members)) {
        for (const member of names) {
          test(`${holder}.${member}: may be assigned any value, at once or later, mounted or not`, () =>
            withServer(assigning(framework, add), async port => {
              const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
              for (const value of Object.keys(values)) {
                for (const moment of ['now', 'late']) {
                  for (const place of ['/here/a?b=1', '/mounted/a?b=1']) {
                    const headers = {
                      'X-Case': [holder, member, value.replaceAll(' ', '_'), moment].join(' '),
                    };
                    await new Promise<void>((resolve, reject) => {
                      const request = http.get({ port, path: place, headers, agent }, response =>
                        response.resume().on('close', resolve),
                      );
                      // A response that cannot be sent closes the connection
                      request.on('error', (error: NodeJS.ErrnoException) =>
                        error.code === 'ECONNRESET' ? resolve() : reject(error),
                      );
                    });
                  }
                }
              }
              agent.destroy();
              assert.ok(true, 'no exception has ended the process, and every request has ended');
            }));
        }
      }
    });
  }
}
