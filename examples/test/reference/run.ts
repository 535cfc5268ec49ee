/** Runs an example of the reference, in what surrounds it. */
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import ts from 'typescript';
import { matches, stepsOf } from './examples.js';
import type { Example, Message, Step } from './examples.js';

/**
 * Tracks the servers that examples start: they listen on any free port, whatever port they name, and are closed after
 * the example.
 */
const open = new Set<net.Server>();
const { listen } = net.Server.prototype;

// An example may call `app.listen(3000)`, and several run at once.
net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]) {
  open.add(this);
  const callback = args.find(arg => typeof arg === 'function') as (() => void) | undefined;
  return listen.call(this, { port: 0, host: '127.0.0.1' }, callback);
} as typeof listen;

export const listening = {
  /** Closes every server that was started, with its connections. */
  async closeAll(): Promise<void> {
    const servers = [...open];
    open.clear();
    await Promise.all(
      servers.map(server => {
        (server as { closeAllConnections?: () => void }).closeAllConnections?.();
        return new Promise(resolve => server.close(resolve));
      }),
    );
  },
};

/**
 * Provides what the examples of the reference use without defining it: an application, and the reader's own files and
 * functions.
 */
/* eslint-disable @typescript-eslint/no-explicit-any -- the examples run on five frameworks, and check the values themselves */

/** `require('ristretto')`, or another framework of its kind. */
export type Framework = any;
const root = path.resolve(__dirname, '../../..');
const require = createRequire(path.join(root, 'package.json'));
const certificate = (name: string): Buffer => fs.readFileSync(path.join(root, 'examples/https', name));

/** Creates the reader's project, in which examples run. */
export function enterProject(): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'reference-'));
  const files: Record<string, string> = {
    'files/report.pdf': '0123456789',
    'files/7.pdf': '0123456789',
    'rows.csv': 'name,age\nAda,36\n',
    'public/index.html': '<h1>Hello</h1>',
    'public/app.css': 'p { color: red }',
    'public/favicon.ico': 'icon',
    'views/index.html': '<h1>{{title}}</h1>',
    'views/mail.html': '<p>Dear {{name}}</p>',
    'views/page.ejs': '<h1><%= title %></h1>',
  };
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.writeFileSync(path.join(home, name), text);
  }
  process.chdir(home);
  return home;
}

/** A template engine for `{{name}}`. */
function renderFile(file: string, options: any, done: (error: unknown, text?: string) => void): void {
  fs.readFile(file, 'utf8', (error, text) => {
    if (error) done(error);
    else
      done(
        null,
        text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => String(options[name])),
      );
  });
}

/** Returns the names that an example may use, created anew for each example. */
function givenTo(web: Framework): Record<string, unknown> & { app: any; router: any } {
  const app = web();
  app.engine('html', renderFile).set('view engine', 'html').set('views', path.resolve('views'));
  const router = typeof web.Router === 'function' && web.json ? web.Router() : undefined;
  const respond = (text: string) => (_req: unknown, res: any) => res.end(text);
  return {
    ...{ web, app, router, http, http2, https, fs, Readable, require, URL, setTimeout },
    console: { log: () => undefined, error: () => undefined },
    ...{ show: respond('show'), change: respond('change'), list: respond('list'), create: respond('create') },
    ...{ replace: respond('replace'), remove: respond('remove'), save: respond('save') },
    process,
    users: new Map([['7', { name: 'Ada' }]]),
    key: certificate('localhost-key.pem'),
    cert: certificate('localhost-cert.pem'),
    get server() {
      return http.createServer(app).listen(0);
    },
    ...{ pool: { query: () => Promise.resolve([]) }, database: { end: () => undefined } },
    ...{ report: () => undefined, count: () => undefined, send: () => undefined },
    User: schema,
  };
}

/** A Standard Schema, as implemented by zod and others. */
const schema = {
  '~standard': {
    version: 1,
    vendor: 'reader',
    validate: (value: any) =>
      typeof value?.email === 'string'
        ? { value: { email: value.email } }
        : { issues: [{ message: 'Expected text', path: ['email'] }] },
  },
};

// Runs an example of the reference on this package or on Express, and reports where its comments are wrong.

/** Calls that end a response: if a handler example has none, the response is ended for it. */
const ENDS = /\.(?:end|send\w*|json|jsonp|download|render|redirect|format|sse)\(|\bnext\(/;

const AsyncFunction = (async () => undefined).constructor as new (
  ...args: string[]
) => (...args: unknown[]) => Promise<void>;

interface Response {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** Returns the mistakes; an empty array if all comments are right. */
export async function mistakesOf(example: Example, web: Framework): Promise<string[]> {
  const given = givenTo(web);
  const mistakes: string[] = [];
  const seen: unknown[] = [];
  const sees = (actual: unknown, expected: unknown): void => {
    seen.push(actual);
    // Compared as JSON, which ignores inherited properties and keys with undefined values.
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      mistakes.push(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
  };
  const { code, isHandler, values } = instrumented(example.code);
  const names = { ...given, __sees: sees };
  const run = (more: Record<string, unknown>): Promise<void> => {
    const all = { ...names, ...more };
    return new AsyncFunction(...Object.keys(all), `{\n${code}\n}`)(...Object.values(all));
  };
  try {
    const steps = stepsOf(example.code);
    if (isHandler) {
      given.app.use((req: http.IncomingMessage, res: http.ServerResponse, next: (err?: unknown) => void) => {
        run({ req, res, next, request: req }).then(() => {
          if (!ENDS.test(example.code)) res.end();
        }, next);
      });
      if (steps.length === 0) steps.push({ request: simplest, responses: [{ ...simplest, start: '200' }] });
    } else {
      // An example that mounts a router chooses its path itself.
      if (/(?<!\.)\brouter\b/.test(example.code) && !/\buse\(.*router\)/.test(example.code))
        given.app.use(given.router);
      await run({});
    }
    for (const step of steps) mistakes.push(...(await mistakesOfStep(step, given.app)));
    // Some values are passed to callbacks.
    for (let turns = 0; seen.length < values && turns < 100; turns++) await wait(10);
    if (seen.length < values) mistakes.push(`${values - seen.length} values were not seen`);
  } catch (error) {
    mistakes.push(String(error));
  }
  await listening.closeAll();
  return mistakes;
}

const simplest: Message = { start: 'GET /', headers: [], absent: [], body: undefined };

/** Returns whether an example shows a value or a response. */
export const isShown = (code: string): boolean =>
  instrumented(code).values > 0 || stepsOf(code).some(({ responses }) => responses.length > 0);

/** Returns the code with a check for each value in a comment, and whether it is the body of a handler. */
function instrumented(text: string): { code: string; isHandler: boolean; values: number } {
  const code = text.replace('export default ', 'void ');
  const source = ts.createSourceFile('example.js', code, ts.ScriptTarget.Latest, true);
  const inserted: { at: number; text: string }[] = [];
  let isHandler = false;
  let values = 0;
  (function visit(node: ts.Node): void {
    if (ts.isFunctionLike(node) && node.parameters.some(({ name }) => /^re[qs]/.test(name.getText()))) {
      const { isHandler: outer } = { isHandler };
      ts.forEachChild(node, visit);
      isHandler = outer;
      return;
    }
    if (ts.isIdentifier(node) && /^(?:re[qs]|request)$/.test(node.text) && !isPropertyName(node))
      isHandler = true;
    if (ts.isExpressionStatement(node)) {
      const literal = literalAfter(code, node.end);
      if (literal !== undefined) {
        values++;
        const { expression } = node;
        inserted.push({ at: expression.getStart(), text: '__sees((' });
        inserted.push({ at: expression.end, text: `), (${literal}))` });
      }
    }
    ts.forEachChild(node, visit);
  })(source);
  let result = code;
  for (const { at, text: piece } of inserted.sort((a, b) => b.at - a.at))
    result = result.slice(0, at) + piece + result.slice(at);
  return { code: result, isHandler, values };
}

function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent)
  );
}

/** Returns the comment after a statement, if it is a literal. */
function literalAfter(code: string, end: number): string | undefined {
  const text = /^;?[ \t]*\/\/ (.*)/.exec(code.slice(end))?.[1];
  if (text === undefined || !/^(?:['"[{\d-]|true\b|false\b|null\b|undefined\b)/.test(text)) return undefined;
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is a literal of our own documentation
    new Function(`return (${text})`)();
    return text;
  } catch {
    return undefined;
  }
}

async function mistakesOfStep({ request, responses }: Step, app: http.RequestListener): Promise<string[]> {
  const server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const actual = await send(port, request);
  if (responses.length === 0) return [];
  return responses.flatMap((expected, index) => {
    const got = responses.length > 1 ? actual[index] : actual.at(-1);
    return got ? differences(expected, got, request.start) : [`${request.start}: no ${expected.start}`];
  });
}

function differences(expected: Message, actual: Response, title: string): string[] {
  const found: string[] = [];
  const check = (what: string, wanted: string, got: string): void => {
    if (!matches(wanted, got)) found.push(`${title}: ${what} is ${got}, not ${wanted}`);
  };
  check('the status', expected.start, String(actual.status));
  for (const [name, value] of expected.headers)
    check(name, value, [actual.headers[name.toLowerCase()] ?? 'absent'].flat().join(', '));
  for (const name of expected.absent)
    check(name, 'absent', String(actual.headers[name.toLowerCase()] ?? 'absent'));
  if (expected.body !== undefined) check('the body', expected.body, actual.body);
  return found;
}

/** Sends a request; resolves with all responses to it, the final one last. */
function send(port: number, { start, headers, body }: Message): Promise<Response[]> {
  const [method, path] = start.split(' ');
  const all: Record<string, string> = Object.fromEntries(headers);
  if (body !== undefined) {
    all['Content-Type'] ??= /^[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
    all['Content-Length'] = String(Buffer.byteLength(body));
  }
  return new Promise((resolve, reject) => {
    const responses: Response[] = [];
    const request = http.request({ port, host: '127.0.0.1', method, path, headers: all, agent: false });
    request
      .on('error', reject)
      .on('information', ({ statusCode, headers: fields }: http.InformationEvent) => {
        responses.push({ status: statusCode, headers: fields as http.IncomingHttpHeaders, body: '' });
      });
    request.on('response', response => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('error', reject)
        .on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        responses.push({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        resolve(responses);
      });
    });
    request.setTimeout(5000, () => request.destroy(new Error(`${start}: no response`)));
    request.end(body);
  });
}
