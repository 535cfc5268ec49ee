/** Parse Server, and an empty PostgreSQL server for it on loopback, in the working directory of the run. */
'use strict';
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { freePort, start } = require('../frameworks/support/program.cjs');

/** PostgreSQL refuses to run as root, so it runs as its own user in that case. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  const id = flag => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts PostgreSQL. @returns {Promise<{ url: string, stop: Function }>} */
async function startPostgres() {
  const user = unprivileged();
  const data = path.join(process.cwd(), 'postgres');
  fs.mkdirSync(data);
  if (user.uid !== undefined) {
    fs.chmodSync(process.cwd(), 0o755);
    fs.chownSync(data, user.uid, user.gid);
  }
  const flags = ['-D', data, '-U', 'compat', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync('initdb', flags, { cwd: data, stdio: 'pipe', ...user });
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-F'];
  const ready = /database system is ready to accept connections/;
  const { stop } = await start('postgres', args, { ready, cwd: data, ...user });
  return { url: `postgres://compat@127.0.0.1:${port}/postgres`, stop: () => stop('SIGQUIT') };
}

/** Starts Parse Server with classes, cloud code, files, pages, rate limits, and middleware before it. */
function startParse(databaseURI, port) {
  const { ParseServer } = require('parse-server');
  return ParseServer.startApp({
    ...{ databaseURI, port, host: '127.0.0.1', mountPath: '/parse' },
    serverURL: `http://127.0.0.1:${port}/parse`,
    publicServerURL: `http://127.0.0.1:${port}/parse`,
    appId: 'compat',
    appName: 'compat',
    masterKey: 'master',
    readOnlyMasterKey: 'read',
    restAPIKey: 'rest',
    javascriptKey: 'js',
    directAccess: false,
    silent: true,
    logsFolder: null,
    allowCustomObjectId: true,
    allowClientClassCreation: true,
    enforcePrivateUsers: true,
    filesAdapter: '@parse/fs-files-adapter',
    maxUploadSize: '20kb',
    fileUpload: { enableForPublic: true, enableForAuthenticatedUser: true },
    pages: {},
    schema: { definitions: schemas() },
    rateLimit: [
      {
        requestPath: '/functions/limited',
        requestCount: 2,
        requestTimeWindow: 600000,
        includeInternalRequests: true,
      },
      {
        requestPath: '/classes/Rare/*path',
        requestCount: 1,
        requestTimeWindow: 600000,
        requestMethods: ['GET'],
      },
    ],
    middleware(req, res, next) {
      res.set('X-Before', `${req.method} ${req.originalUrl}`);
      next();
    },
    async cloud(Parse) {
      Parse.Cloud.define('add', ({ params }) => params.a + params.b);
      Parse.Cloud.define('limited', () => 'seldom');
      Parse.Cloud.define(
        'who',
        ({ user, headers, ip }) => `${user?.get('username')} ${headers['x-who']} ${ip}`,
      );
      Parse.Cloud.define('files', ({ params }) => JSON.stringify(params));
      Parse.Cloud.define('fail', () => {
        throw new Parse.Error(4242, 'it failed');
      });
      Parse.Cloud.define('broken', () => undefined.nothing);
      Parse.Cloud.define('valid', ({ params }) => params.name, {
        fields: { name: { type: String, required: true } },
      });
      Parse.Cloud.job('work', ({ message }) => message('working'));
      Parse.Cloud.beforeSave('Note', ({ object }) => {
        if (object.get('text') === 'bad') throw new Parse.Error(142, 'a bad text');
        object.set('size', object.get('text')?.length);
      });
    },
  });
}

/**
 * The classes. Without them, columns would be added concurrently in any order, which is also the order of members in
 * responses.
 */
function schemas() {
  const string = { type: 'String' };
  const number = { type: 'Number' };
  const all = { '*': true };
  const open = { find: all, get: all, count: all, create: all, update: all, delete: all, addField: all };
  const note = {
    text: string,
    n: number,
    tags: { type: 'Array' },
    where: { type: 'GeoPoint' },
    size: number,
  };
  const fields = {
    Note: note,
    Diary: { text: string },
    Rare: { a: string },
    Book: { title: string, n: number },
  };
  return Object.entries(fields).map(([className, its]) => ({
    className,
    fields: its,
    classLevelPermissions: open,
  }));
}

module.exports = { startParse, startPostgres };
