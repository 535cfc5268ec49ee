// runs: slow, built
/** The package as published, and inside a bundle. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs, { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path, { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { buildSync } from 'esbuild';
import { mistakesOfLoading } from '../../engine/test/types/compile.js';
import { unresolved } from '../../engine/test/types/resolution.js';
import { installedAsExpress, readManifest } from '../../engine/test/types/tarball.js';
import { words } from '../../engine/test/support/random.js';

const { folder, project, installed, files, run } = installedAsExpress('ristretto3');

/** The package as published: installed from its tarball, under the name that programs require. */
describe('package of 3.x', () => {
  test('contents: contains code, declarations and documents', () => {
    const names = files();
    assert.deepEqual(
      names.filter(
        name => !/^(lib\/.*\.(js|d\.ts)|index\.js|package\.json|LICENSE|Readme\.md|History\.md)$/.test(name),
      ),
      [],
    );
    for (const name of ['Readme.md', 'LICENSE', 'lib/express.js', 'lib/middleware/session.js']) {
      assert.ok(names.includes(name), name);
    }
  });

  test('require: an application from 2013 runs with the package as express', () => {
    const program = `
      var express = require('express'), http = require('http'), app = express();
      app.configure(function () {
        app.use(express.bodyParser());
        app.use(express.cookieParser('secret'));
        app.use(express.session());
        app.use(app.router);
      });
      app.get('/', function (req, res) {
        req.session.views = (req.session.views || 0) + 1;
        res.send(200, { version: express.version, views: req.session.views });
      });
      var server = http.createServer(app).listen(0, function () {
        http.get({ port: server.address().port }, function (res) {
          var text = '';
          res.on('data', function (part) { text += part; }).on('end', function () {
            console.log(JSON.stringify(JSON.parse(text)));
            process.exit();
          });
        });
      });`;
    assert.equal(run(program), JSON.stringify({ version: readManifest(installed).version, views: 1 }));
  });

  test('require: the manifest reports version 3, and files in lib can be loaded', () => {
    const program = `
      console.log(require('express/package.json').version.split('.')[0],
        require('express/lib/express') === require('express'),
        require('express/lib/router') !== undefined, require('express/lib/request.js') === require('express').request);`;
    assert.equal(run(program), '3 true true true');
  });

  test('require: lib/utils and lib/view have the functions of Express 3', () => {
    const program = `
      var express = require('express'), utils = require('express/lib/utils'), View = require('express/lib/view.js');
      console.log(utils.accepts('json, html', 'text/*'), typeof utils.pathRegexp, typeof utils.locals,
        express().get('view') === View, typeof View.prototype.lookup);`;
    assert.equal(run(program), 'html function function true function');
  });

  test('require: names outside of lib resolve as with Express 3', () => {
    const names = ['', ...words('/ /index /index.js /package /package.json /LICENSE /Readme.md /History.md')]
      .concat(words(`/lib/express /lib/application /lib/middleware /lib/request /lib/response /lib/router/`))
      .map(name => `express${name}`);
    const theirs = join(folder, 'theirs');
    mkdirSync(join(theirs, 'node_modules'), { recursive: true });
    symlinkSync(
      dirname(require.resolve('express3/package.json')),
      join(theirs, 'node_modules/express'),
      'junction',
    );
    assert.deepEqual(unresolved(names, theirs), []);
    assert.deepEqual(unresolved(names, project), []);
  });

  test('import: the default export is the function, with version as a member', () => {
    const program = `import web from 'express'; console.log(typeof web, web.version[0], typeof web().configure);`;
    assert.equal(run(program, 'app.mjs'), 'function 3 function');
  });

  test('import: has the same names and objects as require, without notices', () => {
    const file = join(project, 'names.mjs');
    writeFileSync(
      file,
      `import { createRequire } from 'node:module';
      import * as everything from 'express';
      const required = createRequire(import.meta.url)('express');
      const names = Object.keys(required);
      const differing = names.filter(name => everything[name] === undefined || everything[name] !== required[name]);
      const more = Object.keys(everything).filter(name => !names.includes(name));
      console.log(names.length > 25, differing, more.filter(name => name !== 'default' && name !== 'module.exports'));`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    assert.deepEqual([stdout.trim(), stderr], ['true [] []', '']);
  });

  test('types: a program compiles in each way of resolving modules', () => {
    assert.deepEqual(mistakesOfLoading(project), []);
  });

  test('start: unused middleware is not loaded', () => {
    const program = `
      require('express')();
      const heavy = Object.keys(require.cache).filter(name => /morgan|busboy|session|compression/.test(name));
      console.log(heavy.length);`;
    assert.equal(run(program), '0');
  });
});

/** The package inside a bundle. `proofs/bundles/` runs the output of real bundlers. */
describe('package: bundled', () => {
  /** Bundles a program, runs it in a folder without packages, and returns its output. */
  function bundled(contents: string): unknown {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto3-bundle-'));
    const outfile = path.join(folder, 'bundle.cjs');
    // The packages used by web.directory and web.errorHandler read files from their own folders.
    const external = ['serve-index', 'errorhandler'];
    try {
      const options = { bundle: true, platform: 'node', outfile, external, logLevel: 'silent' } as const;
      const { warnings } = buildSync({ stdin: { contents, resolveDir: __dirname }, ...options });
      assert.deepEqual(warnings, []);
      return JSON.parse(execFileSync(process.execPath, [outfile], { cwd: folder, encoding: 'utf8' }));
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  }

  test('notices: every deprecated middleware is reported, not only the first', () => {
    const seen = bundled(`
      const names = [];
      process.on('deprecation', ({ message }) => names.push(message.split(':')[0]));
      const web = require('ristretto3');
      web.bodyParser();
      web.methodOverride();
      web.compress();
      web.responseTime();
      console.log(JSON.stringify(names));`);
    assert.deepEqual(seen, ['bodyParser', 'methodOverride', 'compress', 'responseTime']);
  });
});
