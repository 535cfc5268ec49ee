/** Runs cases on one framework, in a process of its own. */
import '../quiet.js';
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { symbolNamed } from '@ristretto/private-engine/lib/serving/node-internals';
import type { RequestHandler } from 'express';
import { frameworks } from '../../../packages/engine/test/support/oracle.js';
import { CHANGES, WHOLE } from './case.js';
import type { Case, Outcome } from './case.js';
import { waysOf } from './ways.js';

const [, , framework, patience] = process.argv as [string, string, 'ristretto' | 'express', string];
const web = frameworks[framework];
const ways = waysOf(web);

let current: Case | undefined;
let uncaught: string[] = [];
const note = (error: unknown): void =>
  void uncaught.push(error instanceof Error ? error.stack! : String(error));
process.on('uncaughtException', note).on('unhandledRejection', note);

function change({ of, member, change }: Case, req: IncomingMessage, res: ServerResponse): void {
  const message = (of === 'req' ? req : res) as unknown as Record<PropertyKey, unknown>;
  try {
    if (member === '') WHOLE[change]!(message);
    else CHANGES[change]!(message, keyOf(message, member));
  } catch {
    // The member can't be changed: a case like any other
  }
}

/** Returns the key of a member: symbols of Node's by their description. */
function keyOf(message: object, member: string): PropertyKey {
  const description = /^Symbol\((.*)\)$/.exec(member)?.[1];
  return description === undefined ? member : (symbolNamed(message, description) ?? Symbol(description));
}

const respond: RequestHandler = (req, res, next) => {
  const one = current!;
  const act = (): void => change(one, req, res);
  if (one.moment === 'before') act();
  else if (one.moment === 'tick') process.nextTick(act);
  else if (one.moment === 'turn') setImmediate(act);
  void ways[one.way]!(req, res, next, req.socket);
  if (one.moment === 'after') act();
};

const app = web();
app.set('env', 'test');
app.get('/ordinary', (_req, res) => void res.send('ordinary'));
app.use('/case', respond);
const server = http.createServer(app);

/** Sends a request; resolves with status and size of the response, or how it failed. */
function ask(agent: http.Agent, target: string, body?: string): Promise<string> {
  return new Promise(resolve => {
    const { port } = server.address() as AddressInfo;
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const timer = setTimeout(() => {
      resolve('timeout');
      req.destroy();
    }, Number(patience));
    const finish = (outcome: string): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const req = http.request({ port, path: target, agent, headers, method: body ? 'POST' : 'GET' }, res => {
      text(res).then(
        ({ length }) => finish(`${res.statusCode} ${length}`),
        () => finish('aborted'),
      );
    });
    req.on('error', () => finish('error')).end(body);
  });
}

async function run(one: Case): Promise<Outcome> {
  current = one;
  uncaught = [];
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  // The first exchange of a connection may be Node's own
  await ask(agent, '/ordinary');
  const answer = await ask(agent, '/case', one.way.includes('body') ? '{"a":1}' : undefined);
  const next = await ask(agent, '/ordinary');
  await sleep(2);
  agent.destroy();
  await sleep(2);
  return { answer, next, uncaught };
}

process.on('message', async (cases: Case[]) => {
  const outcomes = [];
  for (const one of cases) outcomes.push(await run(one));
  process.send!(outcomes);
});
server.listen(0, () => process.send!('ready'));
