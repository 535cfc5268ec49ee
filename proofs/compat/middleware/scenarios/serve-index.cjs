/** serve-index next to the framework's static files. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['serve-index'],
  exercised:
    'HTML, JSON and text, icons, both views, hidden, filter, a template as file and function, a stylesheet, names to be escaped, subdirectories, mounted, with static files, methods, traversal',
  http2: true,

  async run({ listen, request }) {
    const express = require('express');
    const serveIndex = require('serve-index');
    fs.mkdirSync('public/sub folder/deep', { recursive: true });
    for (const name of ['a.txt', 'b.html', '.hidden', 'ü & <x>.js', 'sub folder/c.json'])
      fs.writeFileSync(`public/${name}`, name);
    const time = new Date('2020-01-02T03:04:05Z');
    for (const name of [
      'a.txt',
      'b.html',
      '.hidden',
      'ü & <x>.js',
      'sub folder/c.json',
      'sub folder/deep',
      'sub folder',
      '',
    ])
      fs.utimesSync(`public/${name}`, time, time);
    fs.writeFileSync('template.html', '<title>{directory}</title>{linked-path}|{files}|{style}');
    fs.writeFileSync('style.css', 'body { color: red }');
    const app = express();
    app.use(
      '/list',
      express.static('public', { index: false, etag: false, lastModified: false }),
      serveIndex('public'),
    );
    app.use('/icons', serveIndex('public', { icons: true, view: 'details', hidden: true }));
    app.use(
      '/filter',
      serveIndex('public', {
        filter: (name, index, files, folder) => /\.txt$/.test(name) && files.length > 0 && folder.length > 0,
      }),
    );
    app.use('/template', serveIndex('public', { template: 'template.html', stylesheet: 'style.css' }));
    const template = (locals, callback) => {
      if (locals.directory.includes('deep'))
        return callback(Object.assign(new Error('too deep'), { status: 418 }));
      callback(
        null,
        JSON.stringify([
          locals.directory,
          locals.displayIcons,
          locals.viewName,
          locals.fileList.map(file => file.name),
        ]),
      );
    };
    app.use('/function', serveIndex('public', { template }));
    const server = await listen(app);
    const accept = value => ({ headers: { Accept: value } });
    const seen = await visit(request, server, [
      ['GET /list/', accept('text/html')],
      ['GET /list', accept('text/html')],
      ['GET /list/', accept('application/json')],
      ['GET /list/', accept('text/plain')],
      ['GET /list/', accept('image/png')],
      'GET /list/sub%20folder/',
      'GET /list/sub%20folder',
      'GET /list/a.txt',
      'GET /list/missing/',
      'HEAD /list/',
      'OPTIONS /list/',
      'POST /list/',
      'GET /list/%2e%2e/',
      'GET /list/..%2f',
      'GET /list/%00/',
      'GET /list/%E0/',
      ['GET /icons/', accept('text/html')],
      'GET /filter/',
      ['GET /template/sub%20folder/', accept('text/html')],
      ['GET /function/', accept('text/html')],
      ['GET /function/sub%20folder/deep/', accept('text/html')],
    ]);
    assert.deepEqual(JSON.parse(seen[2].body), ['sub folder', 'a.txt', 'b.html', 'ü & <x>.js']);
    assert.match(seen[0].body, /ü &amp; &lt;x&gt;\.js/);
    assert.equal(statuses(seen)[4], 406);
    assert.match(seen[16].body, /\.hidden/);
    assert.match(seen[18].body, /color: red/);
    return seen;
  },
};
