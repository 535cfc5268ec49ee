// runs: each
/**
 * Objects that inherit from an application, a router, a layer, a route, a request or a response, as programs make to change
 * one of their members: what is assigned to such an object does not change the original, as with the Express of that version.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import type express4 from 'express';
import type { ErrorRequestHandler } from 'express';
import { withServer } from '../support/http.js';

type Framework = typeof express4;

/** Here, the first never returns the parts of another URL; the second can be assigned on each Node. */
const OURS = ['req._parsedUrl', 'req.signal'];

/** What assigning does: whether the object then has the value, and whether the original keeps its own. */
type Outcome = [isAssigned: boolean, isKept: boolean];

function membersOf(object: object): string[] {
  const names = new Set<string>();
  for (let each: object | null = object; each !== null; each = Object.getPrototypeOf(each) as object | null) {
    if (each === Object.prototype || each === Function.prototype) continue;
    for (const name of Object.getOwnPropertyNames(each)) names.add(name);
  }
  return [...names].filter(name => name !== 'constructor');
}

/** Assigns to each member through an object that inherits from the original. Members that cannot be read or assigned are left out. */
function outcomesOf(label: string, original: object): [string, Outcome][] {
  return membersOf(original).flatMap(name => {
    const holder = original as Record<string, unknown>;
    const heir = Object.create(original) as Record<string, unknown>;
    const value = name === 'regexp' ? /x/ : { name };
    try {
      const before = holder[name];
      heir[name] = value;
      const outcome: Outcome = [heir[name] === value, holder[name] === before];
      if (holder[name] !== before) holder[name] = before;
      return [[`${label}.${name}`, outcome]];
    } catch {
      return [];
    }
  });
}

async function membersIn(framework: Framework): Promise<Record<string, Outcome>> {
  const app = framework().get('/a', (_req, res) => void res.end());
  const found = outcomesOf('app', app);
  const router = framework.Router().get('/a', () => undefined);
  const [layer] = router.stack;
  found.push(...outcomesOf('router', router), ...outcomesOf('layer', layer!));
  found.push(...outcomesOf('route', layer!.route!));
  const messages = framework().use((req, res) => {
    found.push(...outcomesOf('req', req), ...outcomesOf('res', res));
    res.end();
  });
  await withServer(
    messages,
    port => new Promise(resolve => http.get({ port, agent: false }, res => res.resume().on('end', resolve))),
  );
  return Object.fromEntries(found);
}

const BODIES: [type: string, body: string | Buffer, coding?: string][] = [
  ['application/json', '{"a":1}'],
  ['application/json', '{"a":'],
  ['application/json', JSON.stringify('x'.repeat(5000))],
  ['application/json', 'x'.repeat(2_000_000)],
  ['application/json', zlib.gzipSync('{"z":1}'), 'gzip'],
  ['application/json', 'not compressed', 'gzip'],
  ['text/plain', 'hello'],
  ['application/x-www-form-urlencoded', 'a=1&b=2'],
];

/** The responses to bodies that parsers read from `Object.create(req)`, at once and later, on kept connections. */
async function bodiesIn(framework: Framework): Promise<string[]> {
  const router = framework.Router();
  router.use(framework.json({ limit: 2000 }), framework.text(), framework.urlencoded({ extended: true }));
  router.use((req, res) => void res.json(req.body));
  router.use(((error, _req, res, _next) => {
    res.status(error.status).json(error.type ?? error.message);
  }) as ErrorRequestHandler);
  const app = framework().use((req, res, next) => {
    const heir = Object.create(req) as typeof req;
    if (req.url === '/late') setTimeout(() => router(heir, res, next), 10);
    else router(heir, res, next);
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const found: string[] = [];
  await withServer(app, async port => {
    for (const path of ['/', '/late']) {
      for (const [type, body, coding] of BODIES) {
        const headers = { 'Content-Type': type, ...(coding && { 'Content-Encoding': coding }) };
        const request = http.request({ port, path, agent, method: 'POST', headers }).end(body);
        const [response] = (await once(request, 'response')) as [http.IncomingMessage];
        found.push(`${response.statusCode!} ${await text(response)}`);
      }
    }
  });
  agent.destroy();
  return found;
}

for (const [express, ours] of [
  ['express', 'ristretto'],
  ['express5', 'ristretto5'],
] as const) {
  describe(`inherited members (${ours})`, () => {
    test('assigned on an object that inherits: do what they do with Express', async () => {
      const theirs = await membersIn(require(express) as Framework);
      const outcomes = await membersIn(require(ours) as Framework);
      assert.ok(Object.keys(theirs).length > 150);
      for (const [name, outcome] of Object.entries(theirs))
        if (name in outcomes && !OURS.includes(name)) assert.deepEqual(outcomes[name], outcome, name);
    });

    test('requests that inherit from Node’s: their bodies are read, and what is wrong with them is found', async () => {
      const theirs = await bodiesIn(require(express) as Framework);
      assert.equal(theirs[0], '200 {"a":1}');
      assert.deepEqual(await bodiesIn(require(ours) as Framework), theirs);
    });
  });
}
