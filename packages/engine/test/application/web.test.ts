/** `web`: creates an application; its prototypes `web.request` and `web.response`. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import http = require('node:http');
import { describe, test } from 'node:test';
import type { Application, RequestHandler } from 'express';
import web from 'ristretto';
import { assemble, ASSEMBLIES } from '../support/assembled-application.js';
import { ask } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';

type Loose = Record<string, unknown>;
const loose = (framework: Web) => framework as unknown as Loose;
const { ristretto, express } = frameworks;

/** Returns names in order, with kind, parameters and flags. Accessors in place of plain values may differ. */
function shape(target: object, accessors: string[] = []): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    const { value, writable, enumerable, configurable } = descriptor;
    if (isAddition(name, descriptor)) continue;
    if (accessors.includes(name)) result[name] = { enumerable, configurable };
    else
      result[name] = {
        kind: kindOf(descriptor),
        parameters: parametersOf(value),
        writable,
        enumerable,
        configurable,
      };
  }
  return result;
}

/** Members that Express does not have; they are not enumerable. */
const ADDITIONS = ['fetch', 'inject', 'onSend', 'remove', 'routes', 'ws'];

const isAddition = (name: string, { enumerable }: PropertyDescriptor): boolean =>
  ADDITIONS.includes(name) && enumerable === false;

const kindOf = (descriptor: PropertyDescriptor): string =>
  descriptor.get ? 'accessor' : typeof descriptor.value;

const parametersOf = (value: unknown): number | undefined =>
  typeof value === 'function' ? value.length : undefined;

/** Asserts that objects made with both frameworks have the same properties in the same order. */
function sameShape(make: (framework: Web) => object, accessors: string[] = []): void {
  const ours = shape(make(ristretto), accessors);
  const theirs = shape(make(express), accessors);
  assert.deepEqual(ours, theirs);
  assert.deepEqual(Object.keys(ours), Object.keys(theirs));
}

type Stack = { route?: { stack: object[] } }[];
const stackOf = (app: unknown): Stack => (app as { _router: { stack: Stack } })._router.stack;
const routed = (framework: Web): Stack => stackOf(framework().get('/x/:id', () => undefined));

const removed = words(`
  bodyParser compress cookieSession session logger cookieParser favicon responseTime errorHandler timeout
  methodOverride vhost csrf directory limit multipart staticCache
`);

/** Exports of the package and the shape of the objects it creates, property by property as in Express. */
describe('web', () => {
  test('web(): creates an application, a function of request, response and next', () => {
    const app = web();
    assert.equal(typeof app, 'function');
    assert.equal(app.length, 3);
    assert.equal(app.name, 'app');
    assert.equal(web.name, 'createApplication');
  });
  test('web(): creates a new application each time', () => {
    assert.notEqual(web(), web());
    assert.notEqual(web().request, web().request);
  });
  test('members: have the names and types of Express, in its order', () => {
    sameShape(framework => {
      const members = Object.getOwnPropertyDescriptors(framework) as Loose;
      for (const name of words(`
        stop stopOnSignals deadline health requestId overload metrics openTelemetry validate describe
        HttpError openApi openApiPage
      `)) {
        assert.equal(name in members, framework === ristretto, name);
        Reflect.deleteProperty(members, name);
      }
      return Object.defineProperties({}, members as PropertyDescriptorMap);
    });
  });
  test('application: is the prototype of applications, and each application has its members', () => {
    const application = loose(ristretto).application as Loose;
    const app = web() as unknown as Loose;
    for (const name of Object.keys(application)) assert.equal(app[name], application[name], name);
    application.shout = () => 'loud';
    assert.equal((web() as unknown as { shout(): string }).shout(), 'loud');
    assert.equal(app.shout, undefined);
    delete application.shout;
  });
  for (const how of ASSEMBLIES)
    test(`application: its members, ${how}, turn another function into an application`, async () => {
      const build = (framework: Web) => {
        const own = assemble<Application & { handle: RequestHandler }>(loose(framework) as never, how);
        own.set('env', 'test').set('shared', 'test');
        own.get('/a', (req, res) => void res.json([req.app === own, res.app === own, req.query, req.ip]));
        own.get('/fail', (_req, _res, next) => next('no'));
        const inner = framework();
        inner.get('/', (req, res) => void res.json([req.app === inner, inner.get('shared')]));
        own.use('/inner', inner);
        const outer = framework();
        outer.use('/outer', (req, res, next) => {
          own.handle(req, res, next);
        });
        return outer.use((req, res) => void own.handle(req, res, undefined as never));
      };
      assert.equal((await same(build, '/a?b[c]=1')).text.slice(0, 27), '[true,true,{"b":{"c":"1"}},');
      assert.equal((await same(build, '/inner')).text, '[true,"test"]');
      for (const path of ['/outer/a', '/outer/inner', '/none', '/fail']) await same(build, path);
    });
  test('application: replaced members apply to applications created afterwards', () => {
    const application = loose(ristretto).application as Loose;
    const { get } = application;
    application.get = () => 'replaced';
    try {
      assert.equal(web().get('env'), 'replaced');
    } finally {
      application.get = get;
    }
  });
  test('request, response: are the prototypes of all messages', () => {
    assert.equal(Object.getPrototypeOf(web().request), web.request);
    assert.equal(Object.getPrototypeOf(web().response), web.response);
  });
  test('Route: is constructed with a path', () => {
    const route = new (
      web as unknown as { Route: new (path: string) => { path: string; stack: unknown[] } }
    ).Route('/x');
    assert.equal(route.path, '/x');
    assert.deepEqual(route.stack, []);
  });
  test('Router: creates routers, with and without new', () => {
    const { Router } = web as unknown as { Router: { new (): object; (): object } };
    assert.equal(Object.getPrototypeOf(Router()), Router);
    assert.equal(Object.getPrototypeOf(new Router()), Router);
  });
  test('query: creates middleware that parses the query string', async () => {
    const app = web();
    app.use(web.query({ depth: 1 } as never), (req, res) => void res.json(req.query));
    // The application has already parsed it
    assert.equal((await ask(app, '/?a[b][c]=d')).text, '{"a":{"b":{"c":"d"}}}');
    for (const framework of [ristretto, express]) {
      const query = (
        framework as unknown as {
          query(options?: unknown): (req: Loose, res: null, next: () => void) => void;
        }
      ).query;
      const parsed = (options: unknown, req: Loose): unknown => {
        query(options)(req, null, () => undefined);
        return JSON.stringify(req.query);
      };
      assert.equal(parsed(undefined, { url: '/?a[b]=c' }), '{"a":{"b":"c"}}');
      assert.equal(
        parsed((text: string) => ({ text }), { url: '/x?a=b' }),
        '{"text":"a=b"}',
      );
      assert.equal(parsed(undefined, { url: '/?a=b', query: { kept: 1 } }), '{"kept":1}');
      assert.equal(parsed({ depth: 0 }, { url: '/?a[b]=c' }), '{"a[b]":"c"}');
    }
  });
  test('query: an unknown option throws', () => {
    assert.throws(() => web.query({ delimiter: ';' } as never), {
      name: 'TypeError',
      message: /no option 'delimiter'/,
    });
  });
  test('application: members that event emitters have are not copied', () => {
    for (const framework of [ristretto, express]) {
      const application = loose(framework).application as Loose;
      application.once = 'mine';
      try {
        assert.equal(framework().once, EventEmitter.prototype.once);
      } finally {
        delete application.once;
      }
    }
  });
  test('static.mime: looks up media types and extensions', () => {
    for (const framework of [ristretto, express]) {
      assert.equal(framework.static.mime.lookup('file.html'), 'text/html');
      assert.equal(framework.static.mime.extension('text/html'), 'html');
      framework.static.mime.define({ 'x-test/type': ['xtesttype'] });
      assert.equal(framework.static.mime.lookup('a.xtesttype'), 'x-test/type');
    }
  });
  for (const name of removed) {
    test(`removed middleware: ${name} throws and says what to do`, () => {
      const messageOf = (framework: Web): string => {
        try {
          return String(loose(framework)[name]);
        } catch (error) {
          return String(error);
        }
      };
      assert.match(messageOf(ristretto), new RegExp(`^Error: Most middleware \\(like ${name}\\)`));
      assert.equal(messageOf(ristretto), messageOf(express));
    });
  }
  test('removed middleware: can be defined again', () => {
    Object.defineProperty(web, 'logger', {
      ...Object.getOwnPropertyDescriptor(web, 'logger'),
      get: () => 'mine',
    });
    assert.equal((web as unknown as Loose).logger, 'mine');
  });

  test('shape: application prototype matches Express', () =>
    sameShape(framework => loose(framework).application as object));
  test('shape: application matches Express', () =>
    sameShape(framework => framework(), ['request', 'response']));
  test('shape: application with a router matches Express', () =>
    sameShape(framework => framework().use(() => undefined), ['request', 'response']));
  test('shape: its request and response prototypes match Express', () => {
    sameShape(framework => (framework() as unknown as Record<string, object>).request!, ['app']);
    // `locals` is an accessor there, not a property set on each response
    const { app } = shape((express() as unknown as Record<string, object>).response!, ['app']);
    assert.deepEqual(shape(web().response, ['app', 'locals']), { locals: app, app });
  });
  test('shape: Router matches Express', () => sameShape(framework => framework.Router));
  test('shape: router matches Express', () => sameShape(framework => framework.Router(), ['stack']));
  test('shape: Route and its prototype match Express', () => {
    sameShape(framework => loose(framework).Route as object);
    sameShape(framework => (loose(framework).Route as { prototype: object }).prototype);
  });
  test('shape: route matches Express', () =>
    sameShape(framework =>
      framework()
        .route('/x')
        .get(() => undefined),
    ));
  test('shape: layers of a router and of a route match Express', () => {
    sameShape(framework => routed(framework)[0]!, ['regexp']);
    sameShape(framework => routed(framework)[2]!, ['regexp']);
    sameShape(framework => routed(framework)[2]!.route!.stack[0]!, ['regexp']);
  });
  test('shape: layers are serialized to the same JSON', () => {
    assert.equal(JSON.stringify(routed(ristretto)), JSON.stringify(routed(express)));
  });
  test('names: every function of the prototypes has the name it has in Express', () => {
    const named = (target: object): string[] =>
      Object.entries(target).map(
        ([name, value]) => `${name}: ${typeof value === 'function' ? value.name : ''}`,
      );
    assert.deepEqual(
      named(loose(ristretto).application as object),
      named(loose(express).application as object),
    );
    assert.deepEqual(named(ristretto.Router), named(express.Router));
  });
  test('prototype chain: an application is a plain function with the members of an event emitter', () => {
    const app = web() as unknown as Loose;
    assert.equal(Object.getPrototypeOf(app), Function.prototype);
    assert.equal(app instanceof EventEmitter, false);
    assert.equal(app.on, EventEmitter.prototype.on);
  });
});

/**
 * Members that are not part of Express's interface: Express sets the first on each request instead, the next three are
 * Node's, made faster, and the rest is new.
 */
const HIDDEN = ['_parsedUrl', '_dump', 'push', '_destroy', 'matchedPath', 'signal'];

/** Returns the members of the interface by name. */
function descriptors(web: Web): [string, PropertyDescriptor][] {
  const all = Object.entries(Object.getOwnPropertyDescriptors(web.request));
  return all.filter(([name, { enumerable }]) => !HIDDEN.includes(name) || enumerable);
}

/** Returns kind, flags and number of parameters of each member. */
function members(web: Web): Record<string, unknown> {
  const entries = descriptors(web).map(([name, descriptor]) => {
    const { value, get, ...flags } = descriptor;
    const implementation = (value ?? get) as (...args: unknown[]) => unknown;
    return [name, { kind: get ? 'getter' : typeof value, length: implementation.length, ...flags }];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const implementations = (web: Web) =>
  descriptors(web).map(([name, { value, get }]): [string, (...args: unknown[]) => unknown] => [
    name,
    (value ?? get) as never,
  ]);

describe('web.request', () => {
  test('members: have the names, types and flags of Express, in its order', () => {
    assert.deepEqual(members(frameworks.ristretto), members(frameworks.express));
    assert.deepEqual(Object.keys(frameworks.ristretto.request), Object.keys(frameworks.express.request));
  });

  test('members: functions have the names they have in Express, or the name of the member', () => {
    const ours = new Map(implementations(frameworks.ristretto));
    for (const [name, theirs] of implementations(frameworks.express)) {
      assert.equal(ours.get(name)?.name, theirs.name || name);
    }
  });

  test('prototype: is http.IncomingMessage.prototype', () => {
    assert.equal(Object.getPrototypeOf(frameworks.ristretto.request), http.IncomingMessage.prototype);
  });

  test('module: lib/request.js exports the same object', () => {
    assert.equal(require('ristretto/lib/request'), frameworks.ristretto.request);
    assert.equal(require('ristretto/lib/request.js'), frameworks.ristretto.request);
  });

  test('shared: a member added or replaced there is on the requests of every application', async () => {
    const request = frameworks.ristretto.request as unknown as Record<string, unknown>;
    const original = request.is;
    request.shout = function (this: { path: string }) {
      return this.path.toUpperCase();
    };
    request.is = () => 'replaced';
    try {
      const app = frameworks.ristretto();
      app.use((req, res) => void res.json([(req as unknown as { shout(): string }).shout(), req.is('html')]));
      assert.equal((await ask(app, '/quiet')).text, '["/QUIET","replaced"]');
    } finally {
      delete request.shout;
      request.is = original;
    }
  });

  test('req._parsedUrl: is available to tools, which may assign it', async () => {
    const app = frameworks.ristretto();
    app.use((req, res) => {
      const internal = req as unknown as { _parsedUrl: { pathname: string; query: string } };
      const { pathname, query } = internal._parsedUrl;
      req.url = '/other';
      res.json([pathname, query, internal._parsedUrl.pathname]);
    });
    assert.equal((await ask(app, '/a?b=c')).text, '["/a","b=c","/other"]');
  });
});
