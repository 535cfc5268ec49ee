/** The pages of the reference: the members of each version of the API, and where they are declared. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../test-files.mjs';
import { membersOf, openPackage, valuesOf } from './declarations.mjs';

/** Functions that rows name without their owner. @type {Record<string, string>} */
const SHORT = {
  redirect: 'res.',
  location: 'res.',
  sendFile: 'res.',
  multipart: 'web.',
  basicAuth: 'web.',
};

/**
 * Returns the rows of all tables below a heading, by member.
 * @returns {Map<string, string[]>}
 */
function differencesIn(/** @type {string} */ file, /** @type {RegExp} */ heading) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const part = text.slice(Math.max(0, text.search(heading)));
  /** @type {Map<string, string[]>} */
  const found = new Map();
  let head = '';
  for (const line of part.split('\n')) {
    if (!line.startsWith('|')) head = '';
    else if (head === '') head = line;
    else if (!/^\| ?-/.test(line)) {
      const [what = '', ...cells] = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map(cell => cell.trim());
      // A row has what Express does and what we do, optionally preceded by a column that names the subject.
      const [express = '', here = ''] = /^\| what /.test(head) ? cells : [what, cells[0]];
      const row = /^\| what /.test(head)
        ? `${what}. Express: ${lower(express)}. Here: ${lower(here)}.`
        : `Express: ${lower(express)}. Here: ${lower(here)}.`;
      for (const member of membersIn(what)) found.set(member, [...(found.get(member) ?? []), row]);
    }
  }
  return found;
}

const lower = (/** @type {string} */ text) =>
  text.replace(/^(?!Node\b)[A-Z](?=[a-z ])/, letter => letter.toLowerCase());

/** Returns the members and settings that appear in code spans. */
function membersIn(/** @type {string} */ cell) {
  const names = new Set();
  for (const [, code = ''] of cell.matchAll(/`([^`]+)`/g)) {
    const [, object, member] = /^(?:new )?(web|express|app|req|res|router|route)\.(\w+)/.exec(code) ?? [];
    const [bare = ''] = /^\w+/.exec(code) ?? [];
    if (member !== undefined) names.add(`${object === 'express' ? 'web' : object}.${member}`);
    else if (Object.hasOwn(SHORT, bare)) names.add(SHORT[bare] + bare);
    else names.add(code);
  }
  return names;
}

/** @typedef {import('./declarations.mjs').Entry} Entry */
/** @typedef {import('./pages.mjs').Page} Page */
/** @typedef {'web' | 'app' | 'req' | 'res' | 'router' | 'route'} Owner */

const require = createRequire(import.meta.url);

/** All HTTP methods share one entry. */
const METHODS = new Set(require('node:http').METHODS.map((/** @type {string} */ name) => name.toLowerCase()));
/** @type {Entry} */
const METHOD_ENTRY = {
  name: 'METHOD',
  signatures: [],
  text:
    'Register handlers for requests of one HTTP method. There is a function for each method that Node.js knows, named in ' +
    'lower case: `get`, `post`, `put`, `delete`, `patch`, `options`, `head`, and further ones such as `propfind`, ' +
    "`subscribe` and `['m-search']`. `get` also serves HEAD where no `head` is registered before.",
  isMethod: true,
  isDeprecated: false,
  isInherited: true,
  tags: {},
  options: [],
};

/** `all` of a route, which is declared together with the methods. @type {Entry} */
const ROUTE_ALL_ENTRY = {
  ...METHOD_ENTRY,
  name: 'all',
  signatures: ['all(...handlers: RequestHandler[]): this'],
  text: 'Register handlers for requests of every HTTP method; they run in order with those of single methods.',
  tags: { example: ["app.route('/').all((req, res) => res.send(req.method));\n// DELETE / -> 200 DELETE"] },
};

/**
 * Returns one entry in place of those of the methods; `get` of an application also reads settings. @returns {Entry[]}
 */
function withoutMethods(/** @type {Entry[]} */ entries, /** @type {Owner} */ owner) {
  const rest = entries.filter(
    ({ name, signatures }) => !METHODS.has(name) || signatures.some(text => text.includes('SettingName')),
  );
  const path = owner === 'route' ? '' : 'path: string | RegExp | (string | RegExp)[], ';
  const call = owner === 'route' ? "app.route('/').post(" : `${owner}.post('/', `;
  const method = {
    ...METHOD_ENTRY,
    signatures: [`METHOD(${path}...handlers: RequestHandler[]): this`],
    tags: {
      throws: ['TypeError for arguments that are not functions'],
      example: [`${call}(req, res) => res.send('created'));\n// POST / -> 200 created`],
    },
  };
  return [
    method,
    ...rest.map(entry => (owner === 'route' && entry.name === 'all' ? ROUTE_ALL_ENTRY : entry)),
  ];
}

const message = (/** @type {string} */ name) =>
  `[\`http.${name}\`](https://nodejs.org/api/http.html#class-http${name.toLowerCase()}) with these members.`;

/** @type {{ owner: Owner, file: string, title: string, type: string, intro: string }[]} */
const PARTS = [
  {
    owner: 'web',
    file: 'web.md',
    title: 'web',
    type: '',
    intro:
      "What `require('PACKAGE')` returns: `web()` creates an application, and these are the function's members.",
  },
  {
    owner: 'app',
    file: 'application.md',
    title: 'Application',
    type: 'Application',
    intro: 'What `web()` returns: a request listener, a router, and a table of [settings](SETTINGS).',
  },
  {
    owner: 'req',
    file: 'request.md',
    title: 'Request',
    type: 'Request',
    intro: `The first argument of handlers: an ${message('IncomingMessage')}`,
  },
  {
    owner: 'res',
    file: 'response.md',
    title: 'Response',
    type: 'Response',
    intro: `The second argument of handlers: an ${message('ServerResponse')}`,
  },
  {
    owner: 'router',
    file: 'router.md',
    title: 'Router',
    type: 'IRouter',
    intro:
      'What `web.Router()` returns: middleware with its own routes. An application has all of its members.',
  },
  {
    owner: 'route',
    file: 'route.md',
    title: 'Route',
    type: 'IRoute',
    intro: 'What `app.route(path)` and `router.route(path)` return: the handlers of one path.',
  },
];

/**
 * @typedef {object} Version
 * @property {string} name
 * @property {string} folder below docs/reference
 * @property {string} package
 * @property {string} declarations the file of the package that declares what it exports
 * @property {boolean} isWhole whether its pages describe what is as in 4.x too
 * @property {string} express the package of Express that it is compared with
 * @property {string} expressName
 * @property {Partial<Record<Owner, string>>} types those that are not of the usual name; an empty one is left out
 * @property {string} own what requests and responses have of their own, beside what their prototypes have
 * @property {[file: string, heading: RegExp]} differences
 */

/** Own members in all versions. */
const OWN =
  'app,req,res,next,locals,method,url,originalUrl,baseUrl,params,query,body,cookies,signedCookies,route';

/** @type {Version[]} */
export const versions = [
  {
    name: '4.x',
    folder: '',
    package: 'ristretto',
    declarations: 'src/express.ts',
    isWhole: true,
    express: 'express',
    expressName: 'Express 4',
    types: {},
    own: '',
    differences: ['docs/DIFFERENCES.md', /^# /m],
  },
  {
    name: '3.x',
    folder: '3.x',
    package: 'ristretto3',
    declarations: 'src/express.ts',
    isWhole: false,
    express: 'express3',
    expressName: 'Express 3',
    types: { router: '', route: '' },
    own: 'files,session,charset',
    differences: ['docs/legacy.md', /^## Differences from Express 3/m],
  },
  {
    name: '5.x',
    folder: '5.x',
    package: 'ristretto5',
    // The declarations that programs see; the code has types of its own.
    declarations: 'index.d.ts',
    isWhole: true,
    express: 'express5',
    expressName: 'Express 5',
    types: { router: 'Router' },
    own: '',
    differences: ['docs/which.md', /^## Differences of ristretto5/m],
  },
];

/** Returns the objects whose members are described. @returns {Record<Owner, object>} */
function objectsOf(/** @type {string} */ name) {
  const web = require(name);
  const app = web();
  const { route } = app;
  return {
    web,
    app,
    req: web.request,
    res: web.response,
    router: typeof web.Router === 'function' && web.Router.length < 2 ? new web.Router() : {},
    route: typeof route === 'function' ? app.route('/') : {},
  };
}

/** Returns the names that can be read on an object. */
function keysOf(/** @type {object} */ object, /** @type {Owner} */ owner, /** @type {string} */ own) {
  const keys = new Set(owner === 'req' || owner === 'res' ? `${OWN},${own}`.split(',') : []);
  for (let at = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) keys.add(name);
  }
  // Applications have a parent after they are mounted.
  if (owner === 'app') keys.add('stack').add('parent');
  return keys.add('METHOD');
}

/** Returns all pages of a version. @returns {Page[]} */
export function pagesOf(/** @type {Version} */ version, /** @type {Page[]} */ base) {
  const own = openPackage(version.package, version.declarations);
  const here = objectsOf(version.package);
  const express = objectsOf(version.express);
  const differences = differencesIn(...version.differences);
  const parts = PARTS.filter(({ owner }) => version.types[owner] !== '');
  const list = parts.map(({ owner, file, title, type, intro }) => {
    const declared = owner === 'web' ? valuesOf(own) : membersOf(own, version.types[owner] ?? type);
    const names = keysOf(here[owner], owner, version.own);
    // Leaves out members that exist in the types only, for programs written for other versions.
    const present = declared.filter(({ name, isDeprecated }) => !isDeprecated || names.has(name));
    const entries =
      owner === 'app' || owner === 'router' || owner === 'route' ? withoutMethods(present, owner) : present;
    const page = base.find(other => other.file === file);
    return {
      file,
      title,
      intro: intro
        .replace('PACKAGE', version.package)
        .replace('SETTINGS', version.folder ? '../settings.md' : 'settings.md'),
      prefix: `${owner}.`,
      entries,
      version,
      express: keysOf(express[owner], owner, version.own),
      differences,
      base: page && {
        entries: page.entries,
        isMissing: (/** @type {string} */ name) => !names.has(name),
      },
    };
  });
  return version.folder ? list : [...list, settingsPage(version, own, differences)];
}

/** @returns {Page} */
function settingsPage(
  /** @type {Version} */ version,
  /** @type {import('./declarations.mjs').Package} */ own,
  /** @type {Map<string, string[]>} */ differences,
) {
  return {
    file: 'settings.md',
    title: 'Settings',
    intro:
      'The settings that the framework knows, for [`app.set`](application.md#app-set). All other names are yours.',
    prefix: '',
    entries: membersOf(own, 'Settings'),
    version,
    differences,
    standard: defaultOf,
  };
}

/** Returns the default of a setting, and the versions in which it differs. */
function defaultOf(/** @type {string} */ setting) {
  const values = versions.map(({ name, package: program }) => ({
    name,
    text: written(require(program)().get(setting)),
  }));
  const [usual, ...others] = values;
  const different = others.filter(({ text }) => text !== usual?.text);
  return `${usual?.text}${different.map(({ name, text }) => `; in ${name} ${text}`).join('')}`;
}

function written(/** @type {unknown} */ value) {
  if (value === undefined) return 'not set';
  if (typeof value !== 'string') return `\`${JSON.stringify(value)}\``;
  return value.startsWith(process.cwd()) ? '`views` in the working directory' : `\`'${value}'\``;
}
