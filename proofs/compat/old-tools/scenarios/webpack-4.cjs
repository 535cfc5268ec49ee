/** webpack 4, whose parser supports ES2019 and whose resolver ignores `exports` maps, bundles an application. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

module.exports = {
  packages: ['webpack4'],
  exercised:
    'An application of ES modules with `import express, { Router, json } from "express"` and a file of `lib`, bundled for Node, and requests to the result',
  subprocess: true,

  async run({ listen, request }) {
    const { bundle, warnings } = await build();
    fs.writeFileSync('served.txt', 'served');
    // Headers contain its modification time.
    fs.utimesSync('served.txt', 1, 1);
    const { app } = require(bundle);
    const server = await listen(app);
    const answers = {};
    for (const wanted of [
      { path: '/users/7/files/a/b' },
      { path: '/users', method: 'POST', body: { name: 'ada' } },
      { path: '/users', method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      {
        path: '/form',
        method: 'POST',
        body: 'a[b]=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      { path: '/file', headers: { range: 'bytes=1-2' } },
      { path: '/layers' },
      { path: '/error' },
      { path: '/missing' },
    ]) {
      answers[`${wanted.method ?? 'GET'} ${wanted.path} ${wanted.body ?? ''}`] = await request(
        server,
        wanted,
      );
    }
    assert.equal(answers['GET /file '].body, 'er');
    assert.equal(answers['GET /layers '].body, 'true');
    return { answers, warnings };
  },
};

/** Compiles the application; returns the path of the bundle, and the warnings of webpack outside the framework. */
function build() {
  const compiler = require('webpack4')({
    mode: 'none',
    target: 'node',
    node: { __filename: false, __dirname: false },
    entry: path.join(__dirname, '../fixtures/webpack4/app.js'),
    // The default is MD4, which OpenSSL 3 does not have.
    output: {
      path: process.cwd(),
      filename: 'bundle.js',
      libraryTarget: 'commonjs2',
      hashFunction: 'sha256',
    },
  });
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      if (error) return reject(error);
      const { errors, warnings } = stats.toJson();
      if (errors.length > 0) return reject(new Error(errors.join('\n')));
      const unexpected = warnings.filter(text => !text.includes('node_modules/express/lib/view.js'));
      return resolve({ bundle: path.resolve('bundle.js'), warnings: unexpected });
    });
  });
}
