/**
 * The reference: an entry for every public member, made of the declarations, their documentation and the table of
 * features.
 *
 *     node scripts/reference.mjs            writes docs/reference/
 *     node scripts/reference.mjs --check    fails when it is out of date
 *
 * Needs a built package: which members Express has is read from Express itself.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { membersOf, openPackage, valuesOf } from './reference/declarations.mjs';
import { pageOf } from './reference/pages.mjs';
import { root } from './test-files.mjs';

const FOLDER = 'docs/reference';
const require = createRequire(import.meta.url);

/** HTTP methods are one entry. */
const METHODS = new Set(require('node:http').METHODS.map((/** @type {string} */ name) => name.toLowerCase()));
const METHOD_ENTRY = {
  name: 'METHOD',
  signatures: ['METHOD(path: string | RegExp | (string | RegExp)[], ...handlers: RequestHandler[]): this'],
  isMethod: true,
  options: [],
};

/** @typedef {import('./reference/declarations.mjs').Entry} Entry */

/** @returns {Entry[]} */
function withoutMethods(
  /** @type {Entry[]} */ entries,
  /** @type {string} */ prefix,
  /** @type {string} */ path,
) {
  const rest = entries.filter(
    ({ name, signatures }) => !METHODS.has(name) || /^get\(name/.test(signatures[0] ?? ''),
  );
  const method = {
    ...METHOD_ENTRY,
    signatures: [path ? (METHOD_ENTRY.signatures[0] ?? '') : 'METHOD(...handlers: RequestHandler[]): this'],
    text:
      'Registers handlers for requests of one HTTP method. There is a function for each method that Node.js knows, named in ' +
      'lower case: `get`, `post`, `put`, `delete`, `patch`, `options`, `head`, and further ones such as `propfind`, ' +
      "`subscribe` and `['m-search']`. `get` also serves HEAD where no `head` is registered before.",
    tags: { example: [`${prefix}get(${path}(req, res) => res.send('hello'));`] },
  };
  return [method, ...rest];
}

/** What requests and responses have of their own, beside what their prototypes have. */
const OWN = {
  request: 'app,res,next,method,url,originalUrl,baseUrl,params,query,body,cookies,signedCookies,route'.split(
    ',',
  ),
  response: 'app,req,locals'.split(','),
};

/** The names of the members of an application and its parts, as they are at run time. */
function namesOf(/** @type {typeof import('express')} */ web) {
  return {
    web: keysOf(web),
    app: keysOf(web()).add('METHOD').add('stack'),
    req: keysOf(web.request, OWN.request),
    res: keysOf(web.response, OWN.response),
    router: keysOf(web.Router()).add('METHOD'),
    route: keysOf(web().route('/')).add('METHOD'),
  };
}

function pages() {
  const own = openPackage('ristretto');
  const here = namesOf(require('ristretto'));
  const express = namesOf(require('express'));
  /** Without what only the types declare, for programs written for other versions. */
  const present = (/** @type {keyof typeof here} */ what, /** @type {Entry[]} */ entries) =>
    entries.filter(({ name, isDeprecated }) => !isDeprecated || here[what].has(name));
  const message = (/** @type {string} */ name) =>
    `[\`http.${name}\`](https://nodejs.org/api/http.html#class-http${name.toLowerCase()}) with these members.`;
  return [
    {
      file: 'web.md',
      title: 'web',
      intro:
        "What `require('ristretto')` returns: `web()` makes an application, and these are the function's members.",
      prefix: 'web.',
      entries: present('web', valuesOf(own)),
      express: express.web,
    },
    {
      file: 'application.md',
      title: 'Application',
      intro: 'What `web()` returns: a request listener, a router, and a table of [settings](settings.md).',
      prefix: 'app.',
      entries: present('app', withoutMethods(membersOf(own, 'Application'), 'app.', "'/', ")),
      express: express.app,
    },
    {
      file: 'request.md',
      title: 'Request',
      intro: `The first argument of handlers: an ${message('IncomingMessage')}`,
      prefix: 'req.',
      entries: present('req', membersOf(own, 'Request')),
      express: express.req,
    },
    {
      file: 'response.md',
      title: 'Response',
      intro: `The second argument of handlers: an ${message('ServerResponse')}`,
      prefix: 'res.',
      entries: present('res', membersOf(own, 'Response')),
      express: express.res,
    },
    {
      file: 'router.md',
      title: 'Router',
      intro:
        'What `web.Router()` returns: middleware with routes of its own. An application has all of its members.',
      prefix: 'router.',
      entries: present('router', withoutMethods(membersOf(own, 'IRouter'), 'router.', "'/', ")),
      express: express.router,
    },
    {
      file: 'route.md',
      title: 'Route',
      intro: 'What `app.route(path)` and `router.route(path)` return: the handlers of one path.',
      prefix: 'route.',
      entries: present('route', withoutMethods(membersOf(own, 'IRoute'), "app.route('/').", '')),
      express: express.route,
    },
    {
      file: 'settings.md',
      title: 'Settings',
      intro:
        'The settings that the framework knows, for [`app.set`](application.md#app-set). All other names are yours.',
      prefix: '',
      entries: membersOf(own, 'Settings'),
    },
  ];
}

/** The names that can be read on an object. */
function keysOf(/** @type {object} */ object, /** @type {string[]} */ more = []) {
  const keys = new Set(more);
  for (let at = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) keys.add(name);
  }
  return keys;
}

/** What tests show of each member of this package. */
function behaviours() {
  const { catalog } = require('../packages/ristretto/test/features/catalog.ts');
  /** @type {Record<string, Record<string, string>>} */
  const found = {};
  for (const { members = {}, home } of catalog) {
    if (home !== undefined) continue;
    for (const [name, rows] of Object.entries(members)) found[name] = { ...found[name], ...rows };
  }
  return found;
}

/** @returns {Promise<number>} the exit code */
async function main(/** @type {string[]} */ args) {
  require('./typescript.cjs');
  const shown = behaviours();
  const style = await resolveConfig(path.join(root, 'README.md'));
  let outdated = 0;
  for (const page of pages()) {
    const file = path.join(root, FOLDER, page.file);
    const text = await format(pageOf(page, shown), { ...style, parser: 'markdown' });
    const written = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    if (written === text) continue;
    outdated++;
    if (!args.includes('--check')) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    } else console.error(`${FOLDER}/${page.file} is out of date: npm run reference`);
  }
  return args.includes('--check') && outdated > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
