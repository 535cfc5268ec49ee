/** The table of additions in docs/guide.md has every member that Express does not have, by package. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { IncomingMessage } from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';

const guide = fs.readFileSync(path.join(__dirname, '../../../docs/guide.md'), 'utf8');
const rows = guide
  .split('## Beyond Express')[1]!
  .split('\n')
  .filter(line => line.startsWith('| `'))
  .map(line => line.split(/ +\| */));

interface Framework {
  (): { request: object; response: object };
  Router: new () => object;
  Route: { prototype: object };
}

/** The names of the members of an object, with those that it inherits. */
function namesIn(object: object): Set<string> {
  const names = new Set<string>();
  for (let at: object | null = object; at && at !== Function.prototype && at !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    at = Object.getPrototypeOf(at) as object | null;
  }
  return names;
}

/** Returns the members of the package that Express does not have, such as `app.fetch`. */
function additionsOf(ours: string, theirs: string): string[] {
  const objects = [ours, theirs].map(name => {
    const web = require(name) as Framework;
    const app = web();
    const { Route, Router } = web;
    return { app, web, req: app.request, res: app.response, router: new Router(), route: Route.prototype };
  });
  const [mine, others] = objects.map(object => Object.entries(object));
  return mine!.flatMap(([part, object], i) => {
    const known = namesIn(others![i]![1]);
    return [...namesIn(object)].filter(name => !known.has(name)).map(name => `${part}.${name}`);
  });
}

/** Members that Express has elsewhere: on each message, or in its next version. */
const ELSEWHERE = /^(?:\w+\.(?:constructor|_\w+)|res\.locals)$/;
const OF_EXPRESS_4 =
  /^(?:route\..*|router\.handle|web\.version|app\.(?:lazyrouter|mountpath)|req\.(?:accepts\w+|hostname)|res\.(?:append|charset|sendFile|sendStatus))$/;

describe('additions: the table', () => {
  for (const [column, [ours, theirs]] of [
    ['ristretto3', 'express3'],
    ['ristretto', 'express'],
    ['ristretto5', 'express5'],
  ].entries()) {
    test(`${ours!}: has each member that Express does not have`, () => {
      const listed = rows
        .filter(cells => cells[column + 1] !== 'no')
        .flatMap(([names]) => [...names!.matchAll(/`((?:app|web|req|res|router|route)\.\w+)`/g)])
        .map(([, name]) => name!);
      const additions = additionsOf(ours!, theirs!).filter(
        name => !ELSEWHERE.test(name) && !(ours === 'ristretto3' && OF_EXPRESS_4.test(name)),
      );
      // Newer versions of Node have their own signal.
      if (Object.hasOwn(IncomingMessage.prototype, 'signal')) additions.push('req.signal');
      assert.deepEqual(listed.sort(), [...new Set(additions)].sort());
    });
  }
});
