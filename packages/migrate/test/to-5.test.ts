/** `ristretto migrate --to 5`: the paths and members that it rewrites, compared with Express 4 and 5, and what it lists. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, mock, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import express from 'express';
import express5 from 'express5';
import { convertPath } from '@ristretto/migrate/lib/paths-of-5';
import { rewrite } from '@ristretto/migrate/lib/rewrite';
import { folderOf, installed, migrate, playManagers } from './support/application-folder.js';
import type { Files } from './support/application-folder.js';
import { words } from '../../engine/test/support/random.js';

type Params = Record<string, unknown>;

/** Returns the parameters of the URL if the path matches it. */
function match(framework: { Router: () => object }, pattern: string, url: string): Params | undefined {
  let params: Params | undefined;
  const router = framework.Router() as ((req: object, res: object, out: () => void) => void) & {
    get: (path: string, handler: (req: { params: Params }) => void) => void;
  };
  router.get(pattern, req => (params = { ...req.params }));
  router({ method: 'GET', url }, {}, () => undefined);
  return params;
}

const named = (params: Params | undefined) =>
  params && Object.entries(params).filter(([name, value]) => value !== undefined && !/^\d|splat/.test(name));

/** Returns the source with all changes, and the ids of what is listed, each with its line. */
function changed(source: string): [string, string[]] {
  const { text, rest } = rewrite(source)!;
  return [text, rest.map(({ id, offset }) => `${id} ${String(source.slice(0, offset).split('\n').length)}`)];
}

const rewritten = (source: string): string => {
  const [text, rest] = changed(source);
  assert.deepEqual(rest, []);
  return text;
};

describe('ristretto migrate --to 5: paths', () => {
  test('convertPath: matches the same URLs in Express 5 as the path did in Express 4, with the same parameters', () => {
    const urls = [
      ...words('/ /a /a/ /a/b /a/b/c /a//c /a.json /a.b.json /a-b /b /ab /acd /abcd'),
      ...words(`/files /files/ /files/x /files/x/y/ /files/x%2Fy/%20z /a/files/x /a/b/files/c/d /x/y`),
    ];
    const paths = [
      ...words('/ /a /a/ /:id /:id? /a/:id? /a/:id?/c /:from-:to /:from-:to? /:name.:ext?'),
      ...['/ab?cd', '/a/?', '*', '/*', '/files/*', '/:id/files/*', '/*/files/*', '/a*', '/:splat/*'],
    ];
    for (const old of paths) {
      const { path: converted, wildcards } = convertPath(old)!;
      for (const url of urls) {
        const before = match(express, old, url);
        const after = match(express5, converted, url);
        const what = `${old} -> ${converted}, ${url}`;
        assert.deepEqual(named(after), named(before), what);
        if (before === undefined || after === undefined) continue;
        for (const { index, read } of wildcards) {
          const value: unknown = runInNewContext(read('params'), { params: after });
          assert.equal(value, before[index], what);
        }
      }
    }
  });

  test('convertPath: skips patterns without an equivalent', () => {
    for (const old of [
      '/*/:z?',
      '/*x?',
      '/:id(\\d+)',
      ...words('/(a|b) /a+ /[ab] /:a:b /:id* /:1st /{a} /a! /é /:'),
    ])
      assert.equal(convertPath(old), undefined, old);
  });

  test('registrations: are rewritten on applications and routers, in lists and chains, and on no other objects', () => {
    const source = `
      const express = require('express'), api = express.Router();
      const { Router } = express;
      const web: express.Application = express();
      const users = new Router();
      api.get('/a/:b?', one);
      web.route('/c/:d?').get(one).post(two);
      users.use(['/e/:f?', "/g"], one).all(\`/h/:i?\`, two);
      this.app.get('/j/:k?', one);
      axios.get('/l/m?', config);
      request(app).get('/n?o=1', done);
      app.get('title');
      app.get(\`/p/\${q}\`, one);`;
    assert.equal(
      rewritten(source),
      source
        .replace('/a/:b?', '/a{/:b}')
        .replace('/c/:d?', '/c{/:d}')
        .replace('/e/:f?', '/e{/:f}')
        .replace('/h/:i?', '/h{/:i}')
        .replace('/j/:k?', '/j{/:k}'),
    );
  });

  test('registrations: are rewritten in a chain of any length', () => {
    const chain = `app${".get('/a', handler)".repeat(10_000)}.get('/b*', handler);`;
    const text = rewritten(`const app = require('express')();\n${chain}\n`);
    assert.equal(text.slice(text.lastIndexOf('.get')), ".get('/b{*splat}', handler);\n");
  });

  test('req.params[0]: becomes the named wildcard in handlers of the same call; others are listed', () => {
    assert.equal(
      rewritten("app.get('/files/*', (req, res) => res.send(req.params[0] + req.params['0']));"),
      "app.get('/files/{*splat}', (req, res) => res.send((req.params.splat ?? []).join('/') + (req.params.splat ?? []).join('/')));",
    );
    assert.equal(
      rewritten("app.get('/a/*', (req, res) => res.send(`${req.params[0]}, ${`${req.url}`}`));"),
      "app.get('/a/{*splat}', (req, res) => res.send(`${(req.params.splat ?? []).join('/')}, ${`${req.url}`}`));",
    );
    assert.equal(
      rewritten("app.use('*', (request, res) => res.send(request.params[0]));"),
      "app.use('/{*splat}', (request, res) => res.send(('/' + (request.params.splat ?? []).join('/'))));",
    );
  });

  test('what cannot be converted: is listed with its line', () => {
    const source = `
      app.get('/users/:id(\\\\d+)', show);
      const PATH = '/users/:id?';
      app.get(\`\${base}/:id?\`, show);
      app.get('/files/*', show);
      function show(req, res) { res.send(req.params[0]); }
      app.get(/^\\/r(.*)/, (req, res) => res.send(req.params[0]));
      app.get(['/a/*', '/b/*'], (req, res) => res.send(req.params[0]));`;
    const [text, rest] = changed(source);
    assert.equal(text, source.replace('/files/*', '/files/{*splat}'));
    assert.deepEqual(rest, [
      ...['path 2', 'path 8', 'path 8', 'numbered-parameter 6', 'numbered-parameter 8', 'path 3', 'path 4'],
    ]);
  });
});

describe('ristretto migrate --to 5: members', () => {
  test('responses: the status moves to its own call; others are listed', () => {
    for (const [before, after] of [
      ['res.json({ a: 1 }, 201)', 'res.status(201).json({ a: 1 })'],
      ['res.json(404, { a: [1, 2] })', 'res.status(404).json({ a: [1, 2] })'],
      ['response.jsonp(500, null)', 'response.status(500).jsonp(null)'],
      ["res.send(404, 'No')", "res.status(404).send('No')"],
      ["res.type('txt').send('No', 404)", "res.type('txt').status(404).send('No')"],
      ['res.send(204)', 'res.sendStatus(204)'],
      ["res.redirect('/a', 301)", "res.redirect(301, '/a')"],
      ["res.redirect(301, '/a')", "res.redirect(301, '/a')"],
      ["res.redirect('back')", "res.redirect(res.req.get('Referrer') || '/')"],
      ["res.redirect(303, 'back')", "res.redirect(303, res.req.get('Referrer') || '/')"],
      ["res.location('back')", "res.location(res.req.get('Referrer') || '/')"],
      ["res.sendfile(path.join(__dirname, 'a'))", "res.sendFile(path.join(__dirname, 'a'))"],
      ["res.sendfile('a', { root })", "res.sendFile('a', { root })"],
      [
        "res.json(404, { id: req.param('id', req.host) })",
        'res.status(404).json({ id: (req.params.id ?? req.body?.id ?? req.query.id ?? req.hostname) })',
      ],
      ['res.json(a)', 'res.json(a)'],
    ] as const)
      assert.equal(rewritten(before), after);
    for (const source of [
      "res.send(err.status, 'No')",
      'res.json(a, b)',
      "res.redirect('/a', status)",
      'res.redirect(`/a/${b}`, status)',
    ])
      assert.deepEqual(changed(source), [source, ['status-argument 1']]);
    assert.deepEqual(changed("res.sendfile('a')")[1], ['sendfile 1']);
  });

  test('requests, applications and options: have the names and defaults of Express 5', () => {
    for (const [before, after] of [
      ["req.param('id')", '(req.params.id ?? req.body?.id ?? req.query.id)'],
      ["req.param('id', 7)", '(req.params.id ?? req.body?.id ?? req.query.id ?? 7)'],
      ["req.acceptsLanguage('en')", "req.acceptsLanguages('en')"],
      ['if (req.host === a) req.hostname', 'if (req.hostname === a) req.hostname'],
      ["app.del('/a/:b?', one)", "app.delete('/a{/:b}', one)"],
      ["app.param(':id', load)", "app.param('id', load)"],
      ["app.param(['id', ':n'], load)", "app.param(['id', 'n'], load)"],
      ["app.get('/a', (_, r) => { r.send(204); });", "app.get('/a', (_, r) => { r.sendStatus(204); });"],
      [
        "app.use(async function handle(e, q, a, n) { a.json({ id: q.param('id') }, 500); });",
        'app.use(async function handle(e, q, a, n) { a.status(500).json({ id: (q.params.id ?? q.body?.id ?? q.query.id) }); });',
      ],
      [
        "import web from 'express'; web.urlencoded()",
        "import web from 'express'; web.urlencoded({ extended: true })",
      ],
      [
        "import * as web from 'express'; web.urlencoded({ limit: 1 })",
        "import * as web from 'express'; web.urlencoded({ extended: true, limit: 1 })",
      ],
      [
        "import web from 'express'; web.urlencoded({ ...a })",
        "import web from 'express'; web.urlencoded({ extended: true, ...a })",
      ],
    ] as const)
      assert.equal(rewritten(before), after);
    assert.deepEqual(changed('req.param(name)')[1], ['req-param 1']);
    assert.deepEqual(changed('app.param(fn)')[1], ['param-function 1']);
  });

  test('urlencoded: is followed through destructuring, imports and assignments', () => {
    for (const [head, call] of [
      ["const { urlencoded } = require('express'); ", 'urlencoded'],
      ["const { json: j, urlencoded: parse, Router } = require('express')\n", 'parse'],
      ["import { urlencoded } from 'express'; ", 'urlencoded'],
      ["import e, { json, urlencoded as parse } from 'express'\n", 'parse'],
      ["import e from 'express'; const { urlencoded: parse } = e; ", 'parse'],
      ["const { urlencoded } = await import('express'); ", 'urlencoded'],
      ["const e = require('express'); const parse = e.urlencoded; ", 'parse'],
      ["const parse = require('express').urlencoded\n", 'parse'],
      ['', "require('express').urlencoded"],
    ] as const) {
      assert.equal(rewritten(`${head}app.use(${call}())`), `${head}app.use(${call}({ extended: true }))`);
      assert.equal(
        rewritten(`${head}${call}({ limit: 1 }); ${call}({ extended: false })`),
        `${head}${call}({ extended: true, limit: 1 }); ${call}({ extended: false })`,
      );
      assert.deepEqual(
        changed(`${head}${call}(options)`)[1].map(name => name.split(' ')[0]),
        ['urlencoded'],
      );
    }
  });

  test('urlencoded: is listed if its options are not a literal, or its name may mean something else', () => {
    const head = "const e = require('express'), { urlencoded } = e;\n";
    for (const source of [
      'e.urlencoded(options)',
      'urlencoded(options)',
      'module.exports = { parse: e.urlencoded };',
      'module.exports = { urlencoded };',
      'const parse = urlencoded;',
      'e.urlencoded?.()',
    ])
      assert.deepEqual(changed(head + source), [head + source, ['urlencoded 2']], source);
    for (const [source, lines] of [
      ['function use(urlencoded) {\n urlencoded(); urlencoded({ extended: false }); }', ['2', '3']],
      ["{ const { urlencoded } = require('body-parser');\n urlencoded({}); }", ['2', '3']],
      ['class Parsers { urlencoded() {\n return urlencoded(); } }', ['2', '3']],
    ] as const)
      assert.deepEqual(
        changed(head + source),
        [head + source, lines.map(line => `urlencoded ${line}`)],
        source,
      );
    for (const source of [
      "const { urlencoded } = require('body-parser'); urlencoded();",
      "export { urlencoded } from 'express'; urlencoded();",
      'const { urlencoded } = other; urlencoded(); other.urlencoded(); urlencoded: 1;',
      "const { json } = require('express'); ({ urlencoded: 1 });",
    ])
      assert.equal(rewritten(source), source);
  });

  test('forms that mean the same in Express 5: are not changed', () => {
    for (const source of [
      "app.get(); app.get('title'); app.param('id', load); app.get([a, b], one); app.get([1 + 2, '/x'], one)",
      "req.params['x']; req.params[i]; req.param(); req.host = 'x'; req.host(); req.query.a == 1; req.accepts('json')",
      'res.send(); res.send(body); res.json(); res.send(404, 1, 2); res.status(404)',
      "res.redirect(); res.redirect(a, b, c); res.redirect(url); res.redirect(301, url); res.location('/a')",
      "const express = require('express'); express.urlencoded({ extended: false }); express.urlencoded({ 'extended': false })",
    ])
      assert.equal(rewritten(source), source);
  });

  test('rare forms: names of parameters that may mean something else are left alone', () => {
    for (const source of [
      "app.get('/a', (q, r) => { list.forEach(r => r.send(204)); });",
      "app.get('/a', (q, r) => { list.forEach((a, r) => r.send(204)); });",
      "app.get('/a', (q, r) => { const r = other; r.send(204); });",
      "app.get('/a', (q, r) => { const { r } = other; r.send(204); });",
      "app.get('/a', (q, r) => { const { reply: r } = other; r.send(204); });",
      "app.get('/a', (q, r) => { list.forEach((a, ...r) => { r.send(204); }); });",
      "app.get('/a', (q, r) => { let a = 1, r; r.send(204); });",
      "app.get('/a', (q, r) => { for (r of list) r.send(204); });",
      "app.get('/a', (q, r) => { r ??= other; r.send(204); });",
      "app.get('/a', (q, reply) => { queue.reply.send(204); });",
      "app.get('/a', (q, r) => q.end()); socket.on('a', r => r.send(204));",
      "cache.get('/a', (q, r) => r.send(204));",
    ])
      assert.equal(rewritten(source), source);
  });

  test('rare forms: two numbers, and empty options', () => {
    for (const [before, after] of [
      ['res.jsonp(1, 202)', 'res.status(202).jsonp(1)'],
      ['res.send(404, 200)', 'res.status(404).send(200)'],
      [
        "const express = require('express'); express.urlencoded({})",
        "const express = require('express'); express.urlencoded({ extended: true })",
      ],
    ] as const)
      assert.equal(rewritten(before), after);
  });

  test('rare forms: lists writes to the query, and ambiguous reads of a wildcard', () => {
    for (const write of [
      'delete req.query.a',
      "req.query['a'].b = 1",
      'req.query.n += 1',
      'req.query ??= {}',
      'Object.assign(req.query, { page: 1 })',
      '(req as any).query = {}',
    ])
      assert.deepEqual(changed(write), [write, ['query 1']], write);
    for (const read of ['req.params[0] = 1', 'context.req.params[0]', 'params[0]']) {
      const [text, rest] = changed(`app.get('/a/*', (req, res) => { ${read}; });`);
      assert.deepEqual([text.includes(read), rest], [true, ['numbered-parameter 1']], read);
    }
    for (const read of ['{ 0: path } = req.params', 'show(req.params)']) {
      const [text, rest] = changed(`app.get('/a/*', (req, res) => { ${read}; });`);
      assert.deepEqual([text.includes(read), rest], [true, ['numbered-parameter 1']], read);
    }
    assert.deepEqual(changed("app.get('/:a/*', ({ params: { 0: b } }, res) => res.send(b))")[1], [
      'numbered-parameter 1',
    ]);
    assert.deepEqual(changed("app.get('/:a/*', (req, res) => res.send(req.params.a))")[1], []);
    for (const odd of ["req.param('a-b')", 'req.param(name, 1)'])
      assert.deepEqual(changed(odd), [odd, ['req-param 1']]);
  });

  test('applications: are found where they are created, if nothing else is done there', () => {
    const found = (source: string) => rewrite(source)!.applications.map(({ name, after }) => [name, after]);
    const head = "const express = require('express');";
    assert.deepEqual(found(`${head} const app = express();`), [['app', head.length + 23]]);
    assert.deepEqual(found(`${head}\nconst app = express()\napp.listen()`), [['app', head.length + 22]]);
    assert.deepEqual(found(`${head} const app = express().use(a);`), [['app', undefined]]);
    assert.deepEqual(found(`${head} this.app = express();`), [['app', undefined]]);
    assert.deepEqual(found(`${head} use(express()); express(a);`), []);
  });

  test('the code around: is not changed, whatever strings, templates, comments and regular expressions contain', () => {
    const source = `#!/usr/bin/env node
      // app.del('/a', b)
      const text = "app.del('/a', b)" + \`\${\`app.del(\${'}'}'\`}app.del('/a', b)\`;
      const quotient = a / b / c, pattern = /['"\`/]app.del("[/"]/g.test(x) / 2;
      /* res.send(404) */ label: { a?.b ?? 0.5; }`;
    assert.equal(rewritten(source), source);
    for (const broken of ["return <p>don't</p>;", 'f(]', '`${', "'"])
      assert.equal(rewrite(broken), undefined, broken);
  });
});

describe('ristretto migrate --to 5', () => {
  const APP: Files = {
    'package.json': {
      scripts: { test: 'x' },
      dependencies: { express: '^4.18.2', hpp: '1' },
      devDependencies: { '@types/express': '4' },
    },
    'node_modules/express/package.json': installed('express', '4.22.0'),
    'app.js': "const express = require('express');\nconst app = express();\napp.get('/a/:b?', one);\n",
    'mime.js': "express.static.mime.getType('a');\n",
    'page.jsx': "<p>don't</p>\n",
    'test/app.js': "const app = require('express')();\nreq.query.a = 1;\n",
  };

  test('dry run: prints the changes and the remaining work, and changes nothing', async () => {
    const folder = folderOf(APP);
    const { code, out, err } = await migrate(folder, '--to', '5');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^\+ {4}"express": "npm:ristretto5@\^5\.\d+\.\d+",$/m);
    assert.match(
      out,
      /^-app\.get\('\/a\/:b\?', one\);\n\+app\.set\('query writable', true\);\n\+app\.get\('\/a\{\/:b\}', one\);$/m,
    );
    assert.match(out, /^What was not rewritten \(\d files searched; see .*which\.md\)$/m);
    assert.match(out, /^ {4}mime\.js:1 /m);
    assert.match(out, /page\.jsx could not be read as JavaScript/);
    assert.match(out, /remove @types\/express, or install its version 5/);
    assert.match(out, /^Nothing was written\. "npx ristretto migrate --to 5 --write"/m);
    assert.equal(fs.readFileSync(path.join(folder, 'app.js'), 'utf8'), APP['app.js']);
  });

  test('--write: runs the tests before and after, and can be undone', async () => {
    const folder = folderOf(APP);
    const calls = playManagers({ before: [0, '# pass 3\n# fail 0'], after: [0, '# pass 3\n# fail 0'] });
    const { code, out } = await migrate(folder, '--to', '5', '--write');
    mock.reset();
    assert.deepEqual([code, calls.length], [0, 3]);
    assert.match(out, /^ {2}same {2}npm test/m);
    assert.match(out, /^To undo: .*app\.js\.before-ristretto app\.js/m);
    assert.match(fs.readFileSync(path.join(folder, 'app.js'), 'utf8'), /'\/a\{\/:b\}'/);
  });

  test('writes to req.query: are listed if several applications may need the setting', async () => {
    const { out } = await migrate(folderOf({ ...APP, 'other.js': APP['app.js'] }), '--to', '5');
    assert.doesNotMatch(out, /^\+.*query writable/m);
    assert.match(
      out,
      /^ {2}`req\.query` that is assigned or changed\n.*\n {4}package\.json: hpp\n {4}test\/app\.js:2 /m,
    );
  });

  test('workspace: packages that use Express 5 already are neither rewritten nor listed', async () => {
    const user = (express: string) => ({ dependencies: { express } });
    const { out } = await migrate(
      folderOf({
        'package.json': { private: true, workspaces: ['apps/*'] },
        'apps/four/package.json': user('^4.18.2'),
        'apps/four/app.js': APP['app.js'],
        'apps/five/package.json': { ...user('^5.1.0'), devDependencies: { '@types/express': '^5.0.0' } },
        'apps/five/app.js': APP['app.js'],
        'apps/five/mime.js': APP['mime.js'],
        'apps/five/page.jsx': APP['page.jsx'],
        'lib/shared.js': "exports.add = app => app.get('/c/:d?', one);\n",
      }),
      '--to',
      '5',
    );
    assert.match(out, /^\+app\.get\('\/a\{\/:b\}', one\);$/m);
    assert.doesNotMatch(out, /apps\/five\/(?:app|mime|page)/);
    assert.doesNotMatch(out, /@types/);
  });

  test('an application of Express 5: moves without --to, which is refused, as are other versions', async () => {
    const five = { 'package.json': { dependencies: { express: '^5.1.0' } } };
    assert.match((await migrate(folderOf(five), '--to', '5')).err, /which is Express 5/);
    const { out } = await migrate(folderOf({ ...five, 'app.js': "express.json({ limit: 'x' })" }));
    assert.match(out, /^\+ {4}"express": "npm:ristretto5@\^5\.\d+\.\d+"$/m);
    assert.match(out, /docs\/which\.md#differences-of-ristretto5/);
    const done = { 'package.json': { dependencies: { express: 'npm:ristretto5@^5.50.0' } } };
    assert.match((await migrate(folderOf(done))).out, /Nothing to change: the application uses Ristretto/);
    assert.match((await migrate(folderOf(done), '--to', '5')).err, /which has the API of Express 5/);
    assert.match((await migrate('--to', '6')).err, /^Expected --to 5, got "6"\./);
    assert.match(
      (await migrate('--to', '5', '--middleware')).err,
      /^--to and --middleware are separate steps\./,
    );
  });
});
