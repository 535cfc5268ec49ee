/** Files and directories. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { field, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  programs: {
    /** serve-index next to the framework's static files. */
    'serve-index': {
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
          ...['a.txt', 'b.html', '.hidden', 'ü & <x>.js', 'sub folder/c.json', 'sub folder/deep'],
          ...['sub folder', ''],
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
            filter: (name, index, files, folder) =>
              /\.txt$/.test(name) && files.length > 0 && folder.length > 0,
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
          ...['GET /list/sub%20folder/', 'GET /list/sub%20folder', 'GET /list/a.txt', 'GET /list/missing/'],
          ...['HEAD /list/', 'OPTIONS /list/', 'POST /list/', 'GET /list/%2e%2e/', 'GET /list/..%2f'],
          ...['GET /list/%00/', 'GET /list/%E0/'],
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
    },

    /** serve-static itself next to the framework's static files. */
    'serve-static': {
      packages: ['serve-static'],
      exercised:
        'index, extensions, dotfiles, fallthrough, redirect, maxAge, immutable, setHeaders, ranges, conditional requests, HEAD and other methods, mounted in routers, together with express.static',
      http2: true,

      async run({ listen, request, note }) {
        const express = require('express');
        const serveStatic = require('serve-static');
        const files = {
          'index.html': '<p>home</p>',
          'about.html': 'about',
          'data.bin': '0123456789',
          '.secret': 'no',
          'dir/index.htm': 'dir',
          'dir/ü b.txt': 'ü',
        };
        fs.mkdirSync('public/dir', { recursive: true });
        const time = new Date('2020-01-02T03:04:05Z');
        for (const [name, text] of Object.entries(files)) {
          fs.writeFileSync(`public/${name}`, text);
          fs.utimesSync(`public/${name}`, time, time);
        }
        const app = express();
        app.use('/plain', serveStatic('public'));
        const setHeaders = (res, file, stat) => {
          note('file', file.slice(process.cwd().length), stat.size);
          res.setHeader('X-Set', 'yes');
        };
        app.use(
          '/options',
          serveStatic('public', {
            index: ['none.html', 'index.htm'],
            extensions: ['html', 'txt'],
            maxAge: '1d',
            immutable: true,
            setHeaders,
          }),
        );
        app.use(
          '/strict',
          serveStatic('public', {
            fallthrough: false,
            dotfiles: 'deny',
            redirect: false,
            acceptRanges: false,
            cacheControl: false,
          }),
        );
        app.use('/open', serveStatic('public', { dotfiles: 'allow', etag: false, lastModified: false }));
        const router = express.Router();
        router.use('/:name/files', serveStatic('public', { index: false }), express.static('public/dir'));
        app.use('/router', router);
        app.use('/missing', serveStatic('nowhere'));
        app.use((err, req, res, next) =>
          res
            .status(err.status ?? 500)
            .json({ message: err.message.replaceAll(process.cwd(), ''), code: err.code }),
        );
        const server = await listen(app);
        const paths = [
          ...['/', '', '/about', '/data.bin', '/.secret', '/dir', '/dir/', '/dir/%C3%BC%20b.txt'],
          ...['/dir/%C3%BC%20b', '/nothing', '/../package.json', '/%2e%2e/x', '/%00', '/%E0'],
        ];
        const seen = [];
        for (const name of ['plain', 'options', 'strict', 'open']) {
          seen.push(
            await visit(
              request,
              server,
              paths.map(path => `GET /${name}${path}`),
            ),
          );
        }
        const headers = { ETag: field(seen[0][3], 'etag'), Last: field(seen[0][3], 'last-modified') };
        const asked = 'GET /plain/data.bin';
        const more = await visit(request, server, [
          [asked, { headers: { 'If-None-Match': headers.ETag } }],
          [asked, { headers: { 'If-Modified-Since': headers.Last } }],
          [asked, { headers: { 'If-Match': '"other"' } }],
          [asked, { headers: { Range: 'bytes=2-4' } }],
          [asked, { headers: { Range: 'bytes=-3', 'If-Range': headers.ETag.slice(2) } }],
          [asked, { headers: { Range: 'bytes=20-' } }],
          [asked, { headers: { Range: 'bytes=0-1,4-5' } }],
          'HEAD /plain/data.bin',
          'POST /plain/data.bin',
          'POST /strict/data.bin',
          ['GET /strict/data.bin', { headers: { Range: 'bytes=0-1' } }],
          'GET /router/x/files/about.html',
          'GET /router/x/files/%C3%BC%20b.txt',
          'GET /router/x/files/',
          'GET /missing/x',
        ]);
        assert.equal(seen[0][0].body, '<p>home</p>');
        assert.deepEqual(statuses(more.slice(0, 6)), [304, 304, 412, 206, 200, 416]);
        assert.equal(field(seen[1][3], 'cache-control'), 'public, max-age=86400, immutable');
        note(Object.keys(serveStatic.mime).includes('types'));
        return { seen, more };
      },
    },
  },
};
