// runs: slow, built, each
/**
 * Tracers hook `router`, the package that Express 5 is based on. They recognize it by the last `node_modules/` in the
 * path of a file and the package.json there, and find ours in the same way.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { LONGEST_WAIT } from '../../engine/test/support/until';

/** Calls `hook` once with the exports of each file of a package `router`, and replaces them with what it returns. */
const HOOKS = `
  const Module = require('node:module');
  const path = require('node:path');
  const hooked = new Map();
  const files = [];
  function hooking(hook) {
    const load = Module.prototype.require;
    Module.prototype.require = function (id) {
      const file = Module._resolveFilename(id, this);
      const exported = load.call(this, id);
      const [, home, name] = /^(.*[\\\\/]node_modules[\\\\/]router)[\\\\/](.*)$/.exec(file) ?? [];
      if (home === undefined) return exported;
      if (!hooked.has(file)) {
        const { name: of, version } = JSON.parse(require('node:fs').readFileSync(path.join(home, 'package.json')));
        files.push([of, version.split('.')[0], name.replaceAll(path.sep, '/')].join(' '));
        hooked.set(file, hook(name.replaceAll(path.sep, '/'), exported));
      }
      return hooked.get(file);
    };
  }
  process.on('exit', () => console.log(JSON.stringify({ files, seen })));
  const seen = [];
`;

/**
 * Runs a program on a framework in a separate process; returns what it put into `seen`, and the files that were hooked.
 */
function run(name: string, program: string): { files: string[]; seen: unknown[] } {
  const text = `${HOOKS} const express = () => require('${name}'); ${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', text], {
    cwd: __dirname,
    encoding: 'utf8',
    timeout: LONGEST_WAIT,
  });
  assert.notEqual(stdout, '', stderr);
  const { files, seen } = JSON.parse(stdout) as { files: string[]; seen: unknown[] };
  return { files: files.sort(), seen };
}

function same(program: string): { files: string[]; seen: unknown[] } {
  const ours = run('ristretto5', program);
  const theirs = run('express5', program);
  assert.deepEqual(ours.seen, theirs.seen);
  assert.ok(ours.files.every(file => theirs.files.includes(file)));
  return ours;
}

const ASK = `
  function ask(app, url) {
    const server = app.set('env', 'test').listen(0, async () => {
      await fetch('http://127.0.0.1:' + server.address().port + url).then(response => response.text());
      server.closeAllConnections();
      server.close();
    });
  }
`;

describe('tracers', () => {
  test('Layer: hooks that patch handleRequest and handleError see every call', () => {
    const { files, seen } = same(`${ASK}
      hooking((name, exported) => {
        if (name !== 'lib/layer.js') return exported;
        for (const member of ['handleRequest', 'handleError']) {
          const original = exported.prototype[member];
          exported.prototype[member] = function (...args) {
            seen.push([member, this.name, this.handle.toString().startsWith('function ' + this.name + ' (req, res, next) {')]);
            return original.apply(this, args);
          };
        }
        return exported;
      });
      const app = express()();
      app.use(function log(req, res, next) { next(); });
      const inner = express().Router();
      inner.get('/users/:id', async function fails() { throw new Error('x'); });
      app.use('/api', inner, function onError(error, req, res, next) { res.status(500).end(); });
      ask(app, '/api/users/7');
    `);
    assert.deepEqual(files, ['router 2 index.js', 'router 2 lib/layer.js']);
    // The router's own functions have the source text by which tracers recognize them
    assert.deepEqual(seen, [
      ['handleRequest', 'log', false],
      ['handleRequest', 'router', true],
      ['handleRequest', 'handle', true],
      ['handleRequest', 'fails', false],
      ['handleError', 'onError', false],
    ]);
  });

  test('Router: hooks that replace the export and wrap its methods affect applications and web.Router', () => {
    const { seen } = same(`${ASK}
      hooking((name, Original) => {
        if (name !== 'index.js') return Original;
        function Wrapped(...args) {
          const router = Original.apply(this, args);
          const { handle } = router;
          router.handle = function (req, res, next) { seen.push('handle'); return handle.call(this, req, res, next); };
          seen.push('made');
          return router;
        }
        Object.defineProperties(Wrapped, Object.getOwnPropertyDescriptors(Original));
        for (const member of ['use', 'route', 'param']) {
          const original = Original.prototype[member];
          Original.prototype[member] = function (...args) { seen.push(member); return original.apply(this, args); };
        }
        return Wrapped;
      });
      const app = express()();
      app.param('id', (req, res, next) => next());
      const inner = express().Router();
      inner.get('/:id', (req, res) => res.end());
      app.use('/m', inner);
      ask(app, '/m/1');
    `);
    assert.deepEqual(seen, ['made', 'param', 'made', 'route', 'use', 'handle', 'handle']);
  });

  test('text: contains the assignments that tracers rewrite while the files are loaded', () => {
    const home = path.join(
      path.dirname(require.resolve('ristretto5/package.json')),
      'traced/node_modules/router',
    );
    const read = (name: string): string => fs.readFileSync(path.join(home, name), 'utf8');
    for (const member of ['use', 'route', 'param']) {
      assert.match(
        read('index.js'),
        new RegExp(`^Router\\.prototype\\.${member} = function ${member}\\(`, 'm'),
      );
    }
    for (const member of ['handleRequest', 'handleError']) {
      assert.match(
        read('lib/layer.js'),
        new RegExp(`^Layer\\.prototype\\.${member} = function ${member}\\(`, 'm'),
      );
    }
  });
});
