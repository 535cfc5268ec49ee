/**
 * Parse Server on PostgreSQL: its REST API, files, pages and cloud code. Its batch requests fail on both sides, as in
 * every installation with `router` 2.3. Its GraphQL API is left out, because it needs another version of `graphql` than
 * the one installed here.
 */
'use strict';
const assert = require('node:assert/strict');

module.exports = {
  packages: ['parse-server'],
  exercised:
    'startApp on PostgreSQL, with middleware before it: objects created, read, queried, changed and deleted, methods and keys given in bodies, users, sessions, roles and access lists, schemas, cloud functions with JSON and uploaded forms, triggers and jobs, files (streamed, directories, metadata, ranges, deletion), pages with wildcards, rate limits by path, CORS, double slashes, wrong keys and malformed requests; its own client',
  express: [5],
  needs: ['postgres'],
  timeout: 120,

  async run({ request }) {
    const { freePort } = require('../frameworks/support/program.cjs');
    const { client, without } = require('../frameworks/support/client.cjs');
    const { startParse, startPostgres } = require('../support/parse-server.cjs');
    const database = await startPostgres();
    const port = await freePort();
    const started = await startParse(database.url, port);
    const plain = client(request, port, ['x-ratelimit-reset', 'retry-after', 'last-modified']);
    // Generated ids and tokens, times, and the port
    const random =
      /(?<=objectId\\":\\"|_User\/|_Role\/|Status-Id: |users\/|roles\/|sessions\/|\\"id\\":\\")[\w+/=-]{8,}|r:[\da-f]{32}|[\da-f]{32}(?=_|\\")|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=127\.0\.0\.1(?::|%3A))\d+/g;
    const see = async (...args) => without(await plain(...args), random);
    const record = {
      objects: await objects(see),
      users: await users(see, plain),
      cloud: await cloud(see),
      files: await files(see, plain),
      pages: await pages(see),
      refused: await refused(see),
      client: await itsClient(port),
    };
    await started.handleShutdown();
    await database.stop();
    return record;
  },
};

const KEYS = { 'X-Parse-Application-Id': 'compat', 'X-Parse-REST-API-Key': 'rest' };
const MASTER = { ...KEYS, 'X-Parse-Master-Key': 'master' };
const as = token => ({ ...KEYS, 'X-Parse-Session-Token': token });

async function objects(see) {
  const headers = KEYS;
  const note = (objectId, text, n) =>
    see('POST /parse/classes/Note', {
      headers,
      json: { objectId, text, n, tags: [text], where: { __type: 'GeoPoint', latitude: 1, longitude: n } },
    });
  const where = (value, more = '') => `where=${encodeURIComponent(JSON.stringify(value))}${more}`;
  const batch = [
    { method: 'POST', path: '/parse/classes/Note', body: { objectId: 'batched', text: 'in a batch' } },
    { method: 'PUT', path: '/parse/classes/Note/first', body: { n: { __op: 'Increment', amount: 10 } } },
    { method: 'DELETE', path: '/parse/classes/Note/none' },
  ];
  const record = {
    created: await note('first', 'hello', 1),
    second: await note('second', 'more', 2),
    bad: await note('third', 'bad', 3),
    read: await see('GET /parse/classes/Note/first', { headers }),
    head: await see('HEAD /parse/classes/Note/first', { headers }),
    keys: await see('GET /parse/classes/Note/first?keys=text', { headers }),
    missing: await see('GET /parse/classes/Note/none', { headers }),
    all: await see('GET /parse/classes/Note?order=-n&limit=5&count=1', { headers }),
    found: await see(`GET /parse/classes/Note?${where({ n: { $gt: 1 } }, '&keys=text,n')}`, { headers }),
    nested: await see('GET /parse/classes/Note?where[n][$gt]=1', { headers }),
    badWhere: await see('GET /parse/classes/Note?where={', { headers }),
    byBody: await see('POST /parse/classes/Note', {
      headers,
      json: { _method: 'GET', where: { text: 'more' } },
    }),
    changed: await see('PUT /parse/classes/Note/first', {
      headers,
      json: { n: { __op: 'Increment', amount: 1 } },
    }),
    batch: await see('POST /parse/batch', { headers, json: { requests: batch } }),
    deleted: await see('DELETE /parse/classes/Note/second', { headers }),
    deletedAgain: await see('DELETE /parse/classes/Note/second', { headers }),
    aggregate: await see('GET /parse/aggregate/Note?distinct=text', { headers: MASTER }),
    schema: await see('POST /parse/schemas/Shape', {
      headers: MASTER,
      json: { className: 'Shape', fields: { sides: { type: 'Number' } } },
    }),
    schemas: await see('GET /parse/schemas/Shape', { headers: MASTER }),
    noSchema: await see('DELETE /parse/schemas/Shape', { headers: MASTER }),
    purged: await see('DELETE /parse/purge/Note', { headers: MASTER }),
    config: await see('PUT /parse/config', { headers: MASTER, json: { params: { color: 'red' } } }),
    readConfig: await see('GET /parse/config', { headers }),
    info: await see('GET /parse/serverInfo', { headers: MASTER }),
    hooks: await see('POST /parse/hooks/functions', {
      headers: MASTER,
      json: { functionName: 'h', url: 'http://127.0.0.1:1/' },
    }),
    listedHooks: await see('GET /parse/hooks/functions', { headers: MASTER }),
    slashes: await see('GET //parse/health', { headers }),
    doubled: await see('GET /parse//classes/Note', { headers }),
  };
  assert.equal(record.created.status, 201, JSON.stringify(record.created));
  assert.match(record.read.body, /"text":"hello","n":1.*"size":5/);
  assert.match(record.all.body, /"count":2/);
  assert.match(record.byBody.body, /"text":"more"/);
  assert.deepEqual([record.bad.status, record.missing.status], [400, 404]);
  return record;
}

async function users(see, plain) {
  const headers = KEYS;
  const json = { objectId: 'ann0000000', username: 'ann', password: 'secret', email: 'ann@a.example' };
  const signed = await plain('POST /parse/users', { headers, json });
  const { sessionToken } = JSON.parse(signed.body);
  const own = as(sessionToken);
  const record = {
    taken: await see('POST /parse/users', { headers, json: { username: 'ann', password: 'x' } }),
    login: await see('GET /parse/login?username=ann&password=secret', { headers }),
    loginByPost: await see('POST /parse/login', { headers, json: { username: 'ann', password: 'secret' } }),
    wrong: await see('POST /parse/login', { headers, json: { username: 'ann', password: 'no' } }),
    verified: await see('GET /parse/verifyPassword?username=ann&password=secret', { headers }),
    me: await see('GET /parse/users/me', { headers: own }),
    meWithout: await see('GET /parse/users/me', { headers }),
    meWrong: await see('GET /parse/users/me', { headers: as('r:0123') }),
    sessions: await see('GET /parse/sessions/me', { headers: own }),
    changed: await see('PUT /parse/users/ann0000000', { headers: own, json: { phone: '1' } }),
    notOwn: await see('PUT /parse/users/ann0000000', { headers, json: { phone: '2' } }),
    role: await see('POST /parse/roles', {
      headers: MASTER,
      json: { name: 'admins', ACL: { '*': { read: true } } },
    }),
    private: await see('POST /parse/classes/Diary', {
      headers: own,
      json: { objectId: 'page', text: 'mine', ACL: { ann0000000: { read: true, write: true } } },
    }),
    readOwn: await see('GET /parse/classes/Diary/page', { headers: own }),
    readOthers: await see('GET /parse/classes/Diary/page', { headers }),
    byBody: await see('POST /parse/classes/Diary/page', {
      body: JSON.stringify({
        _method: 'GET',
        _ApplicationId: 'compat',
        _JavaScriptKey: 'js',
        _SessionToken: sessionToken,
      }),
      headers: { 'Content-Type': 'text/plain' },
    }),
    logout: await see('POST /parse/logout', { headers: own, json: {} }),
    after: await see('GET /parse/users/me', { headers: own }),
    reset: await see('POST /parse/requestPasswordReset', { headers, json: { email: 'nobody@a.example' } }),
  };
  assert.equal(signed.status, 201);
  assert.match(record.me.body, /"username":"ann"/);
  assert.deepEqual([record.readOwn.status, record.readOthers.status, record.byBody.status], [200, 404, 200]);
  return record;
}

async function cloud(see) {
  const { multipart } = require('../frameworks/support/client.cjs');
  const call = (name, json = {}, headers = KEYS) => see(`POST /parse/functions/${name}`, { headers, json });
  const form = multipart([
    { name: 'title', value: 'one' },
    { name: 'file', filename: 'a.txt', type: 'text/plain', value: "file's text" },
  ]);
  const upload = { ...form, headers: { ...KEYS, ...form.headers } };
  const record = {
    add: await call('add', { a: 1, b: 2 }),
    who: await call('who', {}, { ...KEYS, 'X-Who': 'me' }),
    form: await see('POST /parse/functions/files', upload),
    fail: await call('fail'),
    broken: await call('broken'),
    invalid: await call('valid'),
    valid: await call('valid', { name: 'a' }),
    unknown: await call('unknown'),
    limited: [await call('limited'), await call('limited'), await call('limited')],
    rare: [
      await see('GET /parse/classes/Rare/a', { headers: KEYS }),
      await see('GET /parse/classes/Rare/b', { headers: KEYS }),
    ],
    job: await see('POST /parse/jobs/work', { headers: MASTER, json: {} }),
    jobRefused: await see('POST /parse/jobs/work', { headers: KEYS, json: {} }),
    jobs: await see('GET /parse/cloud_code/jobs/data', { headers: MASTER }),
    event: await see('POST /parse/events/AppOpened', { headers: KEYS, json: {} }),
  };
  assert.equal(record.add.body, '{"result":3}');
  assert.match(record.form.body, /file's text|a\.txt/);
  assert.deepEqual(
    record.limited.map(({ status }) => status),
    [200, 200, 429],
  );
  assert.match(record.fail.body, /4242/);
  return record;
}

async function files(see, plain) {
  const text = { ...KEYS, 'Content-Type': 'text/plain' };
  const saved = await plain('POST /parse/files/hello.txt', { headers: text, body: 'the text of a file' });
  const { name } = JSON.parse(saved.body);
  const path = `/parse/files/compat/${name}`;
  const record = {
    saved: saved.status,
    read: await see(`GET ${path}`),
    head: await see(`HEAD ${path}`),
    range: await see(`GET ${path}`, { headers: { Range: 'bytes=4-7' } }),
    metadata: await see(`GET /parse/files/compat/metadata/${name}`),
    missing: await see('GET /parse/files/compat/a/b/none.txt'),
    otherApp: await see('GET /parse/files/other/none.txt'),
    noName: await see('POST /parse/files', { headers: text, body: 'x' }),
    badName: await see('POST /parse/files/a%20b%2F.txt', { headers: text, body: 'x' }),
    undecodable: await see('POST /parse/files/%zz.txt', { headers: text, body: 'x' }),
    tooLarge: await see('POST /parse/files/large.txt', { headers: text, body: 'x'.repeat(30000) }),
    streamed: await see('POST /parse/files/s.txt', {
      headers: { ...text, 'X-Parse-Upload-Mode': 'stream' },
      body: 'a stream',
    }),
    json: await see('POST /parse/files/j.txt', {
      headers: { 'Content-Type': 'text/plain' },
      body: JSON.stringify({
        _ApplicationId: 'compat',
        _JavaScriptKey: 'js',
        base64: 'anNvbg==',
        fileData: {},
      }),
    }),
    html: await see('POST /parse/files/page.html', {
      headers: { ...KEYS, 'Content-Type': 'text/html' },
      body: '<p>',
    }),
    refused: await see(`DELETE /parse/files/${name}`, { headers: KEYS }),
    deleted: await see(`DELETE /parse/files/${name}`, { headers: MASTER }),
    gone: await see(`GET ${path}`),
  };
  assert.equal(record.read.body, 'the text of a file');
  assert.deepEqual([record.deleted.status, record.gone.status], [200, 404]);
  return record;
}

async function pages(see) {
  return {
    health: await see('GET /parse/health'),
    reset: await see('GET /parse/apps/compat/request_password_reset?token=t&username=ann'),
    resetForm: await see('POST /parse/apps/compat/request_password_reset', {
      form: { token: 't', new_password: 'n' },
    }),
    verify: await see('GET /parse/apps/compat/verify_email?token=t'),
    verifyWithout: await see('GET /parse/apps/compat/verify_email'),
    resend: await see('POST /parse/apps/compat/resend_verification_email', { form: { username: 'ann' } }),
    choose: await see('GET /parse/apps/choose_password?appId=compat'),
    resource: await see('GET /parse/apps/email_verification_success.html'),
    deep: await see('GET /parse/apps/a/b/c.html'),
    outside: await see('GET /parse/apps/..%2F..%2Fpackage.json'),
    otherApp: await see('GET /parse/apps/other/verify_email?token=t'),
  };
}

async function refused(see) {
  const json = { ...KEYS, 'Content-Type': 'application/json' };
  const record = {
    noKeys: await see('GET /parse/classes/Note'),
    wrongKey: await see('GET /parse/classes/Note', { headers: { ...KEYS, 'X-Parse-REST-API-Key': 'no' } }),
    wrongMaster: await see('GET /parse/schemas', { headers: { ...KEYS, 'X-Parse-Master-Key': 'no' } }),
    readOnly: await see('POST /parse/classes/Note', {
      headers: { ...KEYS, 'X-Parse-Master-Key': 'read' },
      json: { a: 1 },
    }),
    malformed: await see('POST /parse/classes/Note', { headers: json, body: '{"a":' }),
    tooLarge: await see('POST /parse/classes/Note', {
      headers: json,
      body: JSON.stringify({ a: 'x'.repeat(30000) }),
    }),
    primitive: await see('POST /parse/classes/Note', { headers: json, body: '"a"' }),
    encoding: await see('POST /parse/classes/Note', {
      headers: { ...json, 'Content-Encoding': 'x' },
      body: '{}',
    }),
    context: await see('GET /parse/classes/Note', { headers: { ...KEYS, 'X-Parse-Cloud-Context': '[' } }),
    badClass: await see('GET /parse/classes/_Secret', { headers: KEYS }),
    undecodable: await see('GET /parse/classes/%zz', { headers: KEYS }),
    unknown: await see('GET /parse/nothing', { headers: KEYS }),
    wrongMethod: await see('PATCH /parse/classes/Note', { headers: KEYS }),
    basic: await see('GET /parse/serverInfo', {
      headers: { Authorization: `Basic ${Buffer.from('compat:master').toString('base64')}` },
    }),
    preflight: await see('OPTIONS /parse/classes/Note', { headers: { Origin: 'https://a.example' } }),
    outside: await see('GET /elsewhere'),
  };
  assert.deepEqual(
    [record.noKeys.status, record.wrongKey.status, record.wrongMaster.status],
    [403, 403, 403],
  );
  assert.equal(record.tooLarge.status, 413);
  return record;
}

/** Parse's own client, over HTTP. */
async function itsClient(port) {
  const Parse = require('parse/node');
  Parse.initialize('compat', 'js', 'master');
  Parse.serverURL = `http://127.0.0.1:${port}/parse`;
  const Book = Parse.Object.extend('Book');
  const books = ['a', 'b', 'c'].map((title, n) => new Book({ title, n }));
  for (const book of books) await book.save();
  const query = new Parse.Query('Book').greaterThan('n', 0).ascending('title');
  const found = await query.find();
  const file = await new Parse.File('f.txt', { base64: 'aGVsbG8=' }, 'text/plain').save({
    useMasterKey: true,
  });
  const failed = await Parse.Cloud.run('fail').catch(({ code, message }) => ({ code, message }));
  for (const book of books) await book.destroy();
  const record = {
    titles: found.map(book => book.get('title')),
    first: (await new Parse.Query('Book').first()) ?? null,
    file: file.name().replace(/^[\da-f]+/, ''),
    sum: await Parse.Cloud.run('add', { a: 2, b: 3 }),
    failed,
  };
  assert.deepEqual(record.titles, ['b', 'c']);
  assert.deepEqual(failed, { code: 4242, message: 'it failed' });
  return record;
}
