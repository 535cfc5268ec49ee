// runs: slow, http1
/** Applications of Express 4, of this package and of a second copy of it in one tree behave like Express 4 alone. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { secondCopy } from '../support/modules.js';
import { OTHER, tmpl, VIEWS } from '../support/views.js';
import { portOf } from '../support/http.js';

/** A tree of three applications, each with its own framework, and a record of everything observable in it. */
type App = ReturnType<Web>;

/** The framework of each level, the outermost first. */
type Webs = readonly [Web, Web, Web];
type Next = (err?: unknown) => void;

interface Tree {
  webs: Webs;
  /** Mounts an application in its parent. */
  mount: (parent: App, at: string, child: App, webs: Webs) => unknown;
  /** Changes an application before it is mounted. */
  vary: (app: App, level: number) => unknown;
  serve: (app: App) => http.Server;
}

/** Returns an application's name, which identifies it. */
const nameOf = (app: unknown): unknown => (app as App | undefined)?.locals?.name;

/** The `locals` object that a response had when first inspected. */
const firstLocals = new WeakMap<Response, unknown>();

/** Builds the tree; `noted` collects what is seen at each point. */
function build({ webs, mount, vary }: Tree, noted: unknown[]): App {
  const apps = webs.map((web, level) => makeApp(web, level, noted)) as [App, App, App];
  const [outer, middle, inner] = apps;
  outer
    .set('trust proxy', 1)
    .set('json spaces', 1)
    .engine('tmpl', tmpl as never)
    .set('view engine', 'tmpl');
  middle.set('etag', 'strong').set('json escape', true).set('subdomain offset', 1);
  inner.set('query parser', 'simple').disable('x-powered-by');
  for (const [level, app] of apps.entries()) {
    vary(app, level);
    fill(app, level, webs[level]!, noted, () => {
      const child = apps[level + 1];
      if (child) mount(app, level === 0 ? '/a' : '/:id', child, webs);
    });
  }
  noted.push(
    apps.map(app => [app.path(), app.mountpath, nameOf((app as unknown as { parent?: App }).parent)]),
  );
  noted.push(apps.map(app => settingsOf(app)));
  return outer;
}

function makeApp(web: Web, level: number, noted: unknown[]): App {
  const app = web();
  app.locals.name = `app ${String(level)}`;
  app.set('env', 'test').set('views', level === 1 ? OTHER : VIEWS);
  app.set(`title ${String(level)}`, `title of ${String(level)}`).set('title', `title ${String(level)}`);
  app.on('mount', (parent: App) => {
    noted.push(['mount', nameOf(app), nameOf(parent), app.mountpath, app.path(), settingsOf(app)]);
  });
  return app;
}

function settingsOf(app: App): unknown[] {
  const names = [
    'title',
    'title 0',
    'title 1',
    'title 2',
    'trust proxy',
    'json spaces',
    'etag',
    'view engine',
  ];
  return names.map(name => app.get(name) as unknown);
}

/** Adds middleware, routes and an error handler to an application, with its child between them. */
function fill(app: App, level: number, web: Web, noted: unknown[], addChild: () => void): void {
  const look = (point: string) => (req: Request, res: Response, next: Next) => {
    noted.push([`${point} ${String(level)}`, seen(req, res)]);
    next();
  };
  app.use(look('before'));
  app.use((_req, res, next) => {
    res.locals.trail = `${String(res.locals.trail ?? '')}${String(level)}`;
    next();
  });
  app.use(web.json());
  app.param('id', (req, res, next, id) => {
    noted.push(['param', level, id, nameOf(req.app), nameOf(res.app)]);
    next();
  });
  addRoutes(app, level);
  addChild();
  app.use(look('after'));
  app.use(((err, req, res, next) => {
    noted.push([`error ${String(level)}`, String(err), seen(req, res)]);
    if (level === 0) res.status(503).json({ failed: String(err) });
    else next(err);
  }) as ErrorRequestHandler);
}

/** The routes of each application; the level is appended to their names. */
const routes: Record<string, (req: Request, res: Response, next: Next) => unknown> = {
  json: (req, res) => res.json([nameOf(req.app), { '<': req.query, ip: req.ip }]),
  send: (req, res) => res.send(`<p>${String(nameOf(res.app))} ${String(req.subdomains)}</p>`),
  render: (req, res) => {
    res.render('user', { user: { name: nameOf(req.app) }, title: req.app.get('title') as string });
  },
  cached: (_req, res) => {
    res.render('user', { cache: true, user: { name: 'cached' } });
  },
  missing: (_req, res) => {
    res.render('nowhere');
  },
  late: (req, res) => setImmediate(() => res.json([seen(req, res), res.locals])),
  fail: (_req, _res, next) => {
    next('failed');
  },
  throw: () => {
    throw new Error('thrown');
  },
  redirect: (_req, res) => {
    res.redirect('/there');
  },
  file: (_req, res) => {
    res.sendFile('user.tmpl', { root: VIEWS });
  },
  cookie: (_req, res) => res.cookie('a', 'b').links({ next: '/x' }).status(201).jsonp(res.locals),
  replaced: (_req, res, next) => {
    res.locals = { replaced: nameOf(res.app) };
    next();
  },
  leave: (_req, _res, next) => {
    next('router');
  },
};

function addRoutes(app: App, level: number): void {
  for (const [name, handler] of Object.entries(routes)) app.get(`/${name}${String(level)}`, handler);
  app.post(`/body${String(level)}`, (req, res) => void res.json([req.body, nameOf(req.app)]));
}

/** Returns everything that a handler can see about its place in the tree. */
function seen(req: Request, res: Response): unknown {
  const marks = [req, res].map(message => (message as unknown as { mark?: string }).mark);
  if (!firstLocals.has(res)) firstLocals.set(res, res.locals);
  return {
    apps: [nameOf(req.app), nameOf(res.app)],
    pair: [req.res === res, res.req === req, typeof req.next],
    marks,
    settings: settingsOf(req.app as App),
    locals: [res.locals === firstLocals.get(res), { ...res.locals }, 'locals' in res],
    network: [req.ip, req.ips, req.protocol, req.secure, req.hostname, req.subdomains, req.xhr, req.fresh],
    target: [req.url, req.baseUrl, req.originalUrl, req.path, req.params, req.query],
    prototypes: [(req.app as App).request, (res.app as App).response].map(({ app }) => nameOf(app)),
    members: ['json', 'render', 'sendFile', 'setHeader', 'end'].map(name => typeof res[name as 'json']),
    headers: [req.get('host'), req.accepts('json'), req.is('json'), res.get('x-nothing'), res.headersSent],
  };
}

interface Wanted {
  method?: string;
  path: string;
  body?: string;
}

const query = '?q[r]=1&q[s]=2';

const requests: Wanted[] = ['', '/a', '/a/7'].flatMap((prefix, level) => {
  const at = (name: string): string => `${prefix}/${name}${String(level)}${query}`;
  return [
    ...Object.keys(routes).map(name => ({ path: at(name) })),
    { path: `${prefix}/none?x=y` },
    { method: 'POST', path: at('body'), body: '{"a":1}' },
    { method: 'POST', path: at('body'), body: '{' },
    { method: 'OPTIONS', path: at('json') },
    { method: 'HEAD', path: at('send') },
  ];
});

/** Sends a request on a keep-alive connection; resolves with the response, except the framework's name and the date. */
function exchange(agent: http.Agent, port: number, { method = 'GET', path, body }: Wanted): Promise<unknown> {
  const headers = {
    Host: 'a.b.example.com',
    'X-Forwarded-For': '192.0.2.1, 192.0.2.2',
    'X-Forwarded-Proto': 'https',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length }),
  };
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, port, host: '127.0.0.1', method, path, headers }, response => {
      let text = '';
      response.setEncoding('latin1').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        const { statusCode, statusMessage, rawHeaders } = response;
        const fields = rawHeaders.map((value, at) =>
          /^(?:date|x-powered-by)$/i.test(rawHeaders[at - 1] ?? '') ? '' : value,
        );
        resolve([statusCode, statusMessage, fields, text]);
      });
    });
    request.on('error', reject).end(body);
  });
}

/** Builds a tree and sends it all requests on one connection; resolves with what was seen and sent. */
async function explore(tree: Tree): Promise<unknown[]> {
  const noted: unknown[] = [];
  const server = tree.serve(build(tree, noted));
  const record: unknown[] = [['built', ...noted.splice(0)]];
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const port = await portOf(server);
  try {
    for (const wanted of [...requests, ...requests.filter(({ path }) => /cached|json|body/.test(path))]) {
      const response = await exchange(agent, port, wanted);
      record.push([wanted.method, wanted.path, response, ...noted.splice(0)]);
    }
  } finally {
    agent.destroy();
    server.close();
  }
  return record;
}

const { express, ristretto } = frameworks;
const kinds: Record<string, Web> = { express, ristretto, 'second copy': secondCopy() };

const mounts: Record<string, Tree['mount']> = {
  'mounted by itself': (parent, at, child) => parent.use(at, child),
  'mounted twice, once in an array': (parent, at, child) => parent.use(['/x', '/y'], [child]).use(at, child),
  'in a router of the outermost framework': (parent, at, child, [web]) =>
    parent.use(at, web.Router().use(child)),
  'in a router of the innermost framework': (parent, at, child, [, , web]) =>
    parent.use(web.Router({ mergeParams: true }).use(at, child)),
  'called by a middleware': (parent, at, child) =>
    parent.use(at, (req, res, next) => {
      child(req, res, next);
    }),
};
const prototypesOf = (app: App): { mark?: string }[] => [app.request, app.response] as { mark?: string }[];

const variants: Record<string, Pick<Tree, 'vary' | 'serve'>> = {
  'as they are': { vary: () => undefined, serve: app => app.listen(0) },
  'on a separate server': { vary: () => undefined, serve: app => http.createServer(app).listen(0) },
  'with extended prototypes': {
    vary: (app, level) => {
      for (const prototype of prototypesOf(app)) prototype.mark = `mark ${String(level)}`;
    },
    serve: app => app.listen(0),
  },
  'the innermost with an extended prototype': {
    vary: (app, level) => {
      if (level === 2) prototypesOf(app)[1]!.mark = 'mark 2';
    },
    serve: app => app.listen(0),
  },
};

/** Every framework at every level. */
const every = Object.keys(kinds).flatMap((outer, first) =>
  Object.keys(kinds).flatMap((middle, second) =>
    Object.keys(kinds).map((inner, third) => ({
      what: `${outer} > ${middle} > ${inner}`,
      webs: [kinds[outer]!, kinds[middle]!, kinds[inner]!] as const,
      sum: first + second + third,
    })),
  ),
);

/** With fewer cases, on additional versions of Node: every two frameworks at every two levels. */
const isSample = Number(process.env.DIFFERENTIAL_CASES ?? Infinity) < 1000;
const combinations = isSample ? every.filter(({ sum }) => sum % 3 === 0) : every;

/** Builds the tree in every combination and asserts that each one behaves like Express alone. */
async function sameInAll(tree: Omit<Tree, 'webs'>): Promise<void> {
  const expected = await explore({ ...tree, webs: [express, express, express] });
  for (const { what, webs } of combinations) {
    const record = await explore({ ...tree, webs });
    for (const [at, entry] of record.entries()) assert.deepEqual(entry, expected[at], what);
  }
}

describe('app.use: applications of several frameworks', () => {
  for (const [how, mount] of Object.entries(mounts)) {
    test(`${how}: three levels behave as with Express alone, in every combination`, () =>
      sameInAll({ mount, ...variants['as they are']! }));
  }
  for (const [how, variant] of Object.entries(variants).slice(1)) {
    test(`${how}: three levels behave as with Express alone, in every combination`, () =>
      sameInAll({ mount: mounts['mounted by itself']!, ...variant }));
  }
});
