/**
 * Provides what the examples of the reference use without defining it: an application, and the reader's own files and
 * functions.
 */
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';

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
export function givenTo(web: Framework): Record<string, unknown> & { app: any; router: any } {
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
