// runs: http1, each
/** Classes inserted below the application's prototypes: their methods are called, as with Express. */
import assert from 'node:assert/strict';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import type web from 'ristretto';
import { askPort, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

type Application = ReturnType<typeof web>;
type Functions = Record<string, (this: unknown, ...args: unknown[]) => unknown>;

/** Returns a prototype between a class and its subclasses, which records calls of some of its methods. */
function noting(base: object, names: string[], calls: string[]): object {
  const prototype = Object.create(base) as Functions;
  for (const name of names) {
    prototype[name] = function (...args) {
      calls.push(name);
      return (base as Functions)[name]!.apply(this, args);
    };
  }
  return prototype;
}

const places: Record<string, (app: Application, web: Web) => [request: object, response: object]> = {
  'express.response': (_app, web) => [web.request, web.response],
  'app.response': app => [app.request, app.response],
};

async function callsWith(web: Web, place: keyof typeof places): Promise<unknown> {
  const calls: string[] = [];
  const app = web() as unknown as Application;
  app.set('env', 'test').disable('x-powered-by');
  app.use(web.text() as never);
  app.post('/', (req, res) => {
    res.setHeader('X-Name', 'value');
    res.setHeader('X-Name', 'value');
    res.removeHeader('X-Name');
    res.end(String(req.body));
  });
  const [request, response] = places[place]!(app, web);
  const bases = [request, response].map(object => Object.getPrototypeOf(object) as object);
  Object.setPrototypeOf(request, noting(IncomingMessage.prototype, ['push', '_destroy', 'on'], calls));
  Object.setPrototypeOf(
    response,
    noting(
      ServerResponse.prototype,
      ['setHeader', 'removeHeader', 'writeHead', '_storeHeader', 'end'],
      calls,
    ),
  );
  try {
    return await withServer(createServer(app as never), async port => {
      // Node creates the first request; the application's classes may create the next ones.
      const texts = [];
      for (let i = 0; i < 3; i++) {
        const options = { method: 'POST', body: 'text', headers: { 'Content-Type': 'text/plain' } };
        texts.push((await askPort(port, options)).text);
      }
      return {
        texts,
        calls: calls.filter(name => name !== 'push' && name !== 'on'),
        push: calls.includes('push'),
      };
    });
  } finally {
    Object.setPrototypeOf(request, bases[0]!);
    Object.setPrototypeOf(response, bases[1]!);
  }
}

describe('classes below the prototypes', () => {
  for (const place of Object.keys(places)) {
    test(`functions of a class inserted below ${place} are called as with Express`, async () => {
      const theirs = await callsWith(frameworks.express, place);
      assert.deepEqual(await callsWith(frameworks.ristretto, place), theirs);
    });
  }
});
