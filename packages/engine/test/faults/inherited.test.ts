// runs: each
/**
 * Objects that inherit from an application, a router, a layer, a route, a request or a response, as programs make to change
 * one of their members: what is assigned to such an object does not change the original, as with the Express of that version.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import type { Application, Router } from 'express';
import { withServer } from '../support/http.js';

type Framework = (() => Application) & { Router: () => Router };

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
  });
}
