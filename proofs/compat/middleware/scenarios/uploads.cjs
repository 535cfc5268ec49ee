/** Uploaded files. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { multipart } = require('../../frameworks/support/client.cjs');
const { statuses, visit } = require('../support/visit.cjs');

function show(req, res) {
  const one = file => file && { ...file, buffer: undefined, text: file.buffer?.toString() };
  const files = Array.isArray(req.files)
    ? req.files.map(one)
    : req.files && Object.entries(req.files).map(([key, all]) => [key, all.map(one)]);
  res.json({ file: one(req.file), files, body: req.body, params: req.params });
}

/** Returns a storage that counts bytes, and notes its calls. */
function counting(note) {
  return {
    _handleFile(req, file, callback) {
      let size = 0;
      file.stream.on('data', chunk => (size += chunk.length));
      file.stream.on('end', () => callback(null, { size, counted: true }));
    },
    _removeFile(req, file, callback) {
      note('removed', file.originalname, file.size);
      callback(null);
    },
  };
}

/** multer 1, and the program for multer 2: uploaded files, stored in memory, on disk and in a custom storage. */
const multer = {
  packages: ['multer1'],
  exercised:
    'single, array, fields, none, any; memory, disk and own storage; dest; limits; fileFilter (rejecting and failing); nested field names; errors with code and field, files removed after them; a broken and an empty form; in a router and after another parser',
  warnings: { RISTRETTO_UNPARSED_BODY: 'JSON on a route that only takes forms' },
  http2: true,

  async run({ packages: [name], listen, request, note }) {
    const express = require('express');
    const multer = require(name);
    const app = express();
    app.use('/parsed', express.json(), express.urlencoded({ extended: true }));
    const memory = options => multer({ storage: multer.memoryStorage(), ...options });
    const storage = multer.diskStorage({
      destination: (req, file, callback) =>
        fs.mkdir('disk', { recursive: true }, err => callback(err, 'disk')),
      filename: (req, file, callback) =>
        callback(null, `${file.fieldname}-${path.basename(file.originalname)}`),
    });
    const fileFilter = (req, file, callback) =>
      file.mimetype === 'text/evil'
        ? callback(Object.assign(new Error('evil'), { status: 415 }))
        : callback(null, file.mimetype !== 'text/no');
    app.post('/single', memory().single('file'), show);
    app.post('/array', memory().array('many', 2), show);
    app.post('/fields', memory().fields([{ name: 'file', maxCount: 1 }, { name: 'many' }]), show);
    app.post('/none', memory().none(), show);
    app.post(['/any', '/parsed'], memory().any(), show);
    app.post('/disk', multer({ storage, limits: { fileSize: 20 } }).any(), show);
    app.post('/dest', multer({ dest: 'uploads' }).any(), (req, res) => {
      const kept = req.files.map(file => [
        file.destination,
        /^[\da-f]{32}$/.test(file.filename),
        fs.existsSync(file.path),
      ]);
      res.json(kept);
    });
    app.post(
      '/limits',
      memory({
        limits: { fileSize: 10, files: 1, fields: 2, fieldSize: 8, fieldNameSize: 12, parts: 6 },
      }).any(),
      show,
    );
    app.post('/filter', memory({ fileFilter }).any(), show);
    app.post('/own', multer({ storage: counting(note), limits: { files: 2 } }).any(), show);
    const router = express.Router({ mergeParams: true });
    router.post(
      '/',
      (req, res, next) =>
        memory().single('file')(req, res, err => (err ? res.status(422).json({ code: err.code }) : next())),
      show,
    );
    app.use('/users/:user/files', router);
    app.use((err, req, res, next) => {
      if (res.headersSent) return next(err);
      const { code, field, message, status } = err;
      const isMulter = err instanceof multer.MulterError;
      res
        .status(isMulter ? 400 : (status ?? 500))
        .json({ code, field, message, isMulter, storageErrors: err.storageErrors?.length });
    });
    const server = await listen(app);
    const file = (field, filename, value, type = 'text/plain') => ({ name: field, filename, type, value });
    const forms = {
      one: multipart([{ name: 'title', value: 'Grüße' }, file('file', 'a.txt', 'content')]),
      many: multipart([
        file('many', '../../b.png', 'first', 'image/png'),
        file('many', 'c.jpg', 'second'),
        { name: 'tags[a][]', value: '1' },
        { name: 'tags[a][]', value: '2' },
      ]),
      both: multipart([file('file', 'a.txt', 'x'), file('many', 'b.txt', 'y'), file('many', 'c.txt', 'z')]),
      fields: multipart([
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
        { name: '__proto__[x]', value: '3' },
      ]),
      large: multipart([file('file', 'large.txt', 'x'.repeat(40)), { name: 'after', value: '1' }]),
      long: multipart([
        { name: 'a', value: 'x'.repeat(20) },
        { name: 'b', value: '2' },
        { name: 'c', value: '3' },
      ]),
      name: multipart([{ name: 'a-very-long-name', value: 'x' }]),
      kinds: multipart([file('file', 'a.txt', 'yes'), file('file', 'b.txt', 'no', 'text/no')]),
      evil: multipart([file('file', 'a.txt', 'yes'), file('file', 'b.txt', 'evil', 'text/evil')]),
    };
    const plan = {
      single: ['one', 'many', 'both', 'fields'],
      array: ['many', 'both', 'one'],
      fields: ['both', 'many', 'fields'],
      none: ['fields', 'one'],
      any: ['one', 'many', 'both', 'fields', 'large'],
      disk: ['one', 'large', 'both'],
      dest: ['one', 'both'],
      limits: ['one', 'both', 'large', 'long', 'name'],
      filter: ['kinds', 'evil'],
      own: ['one', 'both'],
      parsed: ['one'],
      'users/7/files': ['one', 'many'],
    };
    const visits = Object.entries(plan).flatMap(([route, names]) =>
      names.map(each => [`POST /${route}`, forms[each]]),
    );
    const seen = await visit(request, server, [
      ...visits,
      ['POST /single', { ...forms.one, body: forms.one.body.slice(0, 200) }],
      ['POST /single', { headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' }],
      ['POST /single', { json: { no: 'form' } }],
      ['POST /parsed', { json: { a: 1 } }],
    ]);
    const first = JSON.parse(seen[0].body);
    assert.deepEqual(
      [first.file.originalname, first.file.text, first.body.title],
      ['a.txt', 'content', 'Grüße'],
    );
    assert.deepEqual(statuses(seen.slice(0, 6)), [200, 400, 400, 200, 200, 400]);
    assert.equal(JSON.parse(seen[1].body).code, 'LIMIT_UNEXPECTED_FILE');
    note('left on disk', fs.readdirSync('disk').sort());
    return seen;
  },
};

module.exports = {
  programs: {
    /** express-fileupload: uploaded files in req.files. */
    'express-fileupload': {
      packages: ['express-fileupload'],
      exercised:
        'files in memory and in temporary files, mv, several files of one name, fields, parseNested, limits with abortOnLimit and limitHandler, safeFileNames, preserveExtension, createParentPath, requests without files, a broken body',
      warnings: { RISTRETTO_UNPARSED_BODY: 'JSON on routes that only take forms' },
      http2: true,

      async run({ listen, request, note }) {
        const express = require('express');
        const fileUpload = require('express-fileupload');
        const app = express();
        const show = (req, res) => {
          const one = ({ name, size, mimetype, encoding, truncated, md5, data, tempFilePath }) => {
            const written = tempFilePath && fs.readFileSync(tempFilePath, 'latin1');
            return { name, size, mimetype, encoding, truncated, md5, text: data.toString('latin1'), written };
          };
          const files = Object.entries(req.files ?? {}).map(([name, file]) => [name, [file].flat().map(one)]);
          res.json({ files, body: req.body, none: req.files === undefined });
        };
        app.post('/memory', fileUpload(), show);
        app.post('/temporary', fileUpload({ useTempFiles: true, tempFileDir: 'temporary' }), show);
        app.post(
          '/nested',
          fileUpload({ parseNested: true, safeFileNames: true, preserveExtension: 3 }),
          show,
        );
        app.post(
          '/abort',
          fileUpload({ limits: { fileSize: 10 }, abortOnLimit: true, responseOnLimit: 'too big' }),
          show,
        );
        app.post('/cut', fileUpload({ limits: { fileSize: 10, files: 2 } }), show);
        const limitHandler = (req, res) => res.status(422).json({ limit: true });
        app.post('/handled', fileUpload({ limits: { fileSize: 10 }, limitHandler }), show);
        app.post('/move', fileUpload({ createParentPath: true }), async (req, res) => {
          await req.files.file.mv('moved/deep/file.txt');
          req.files.file.mv('moved/again.txt', err => {
            note('again', err?.code, fs.readFileSync('moved/deep/file.txt', 'utf8'));
            res.status(201).send('moved');
          });
        });
        app.use((err, req, res, next) => {
          if (res.headersSent) return next(err);
          res.status(err.status ?? 500).send(err.message);
        });
        const server = await listen(app);
        const file = (name, filename, value, type = 'text/plain') => ({ name, filename, type, value });
        const form = multipart([
          { name: 'title', value: 'Grüße' },
          { name: 'tags[a]', value: '1' },
          { name: 'tags[b][0]', value: '2' },
          file('file', 'a.txt', 'content'),
          file('many', '../b.png', 'first', 'image/png'),
          file('many', 'c d&é.jpeg', 'second', 'image/jpeg'),
        ]);
        const large = multipart([file('file', 'a.txt', 'x'.repeat(50)), { name: '__proto__', value: 'y' }]);
        const seen = [];
        for (const path of ['memory', 'temporary', 'nested', 'abort', 'cut', 'handled']) {
          seen.push(
            ...(await visit(request, server, [
              [`POST /${path}`, form],
              [`POST /${path}`, large],
              [`POST /${path}`, { json: { no: 'files' } }],
              [`POST /${path}`, multipart([file('file', '', '')])],
            ])),
          );
        }
        const first = JSON.parse(seen[0].body);
        assert.deepEqual(
          first.files.map(([name, files]) => [name, files.length]),
          [
            ['file', 1],
            ['many', 2],
          ],
        );
        assert.equal(first.body.title, 'Grüße');
        assert.deepEqual(JSON.parse(seen[8].body).body.tags, { a: '1', b: ['2'] });
        assert.deepEqual([seen[13].status, seen[13].body], [413, 'too big']);
        assert.equal(seen[21].status, 422);
        const more = await visit(request, server, [
          ['POST /move', form],
          ['POST /memory', { ...form, body: form.body.slice(0, 300) }],
          ['POST /memory', { headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' }],
        ]);
        assert.equal(statuses(more)[0], 201);
        return [...seen, ...more];
      },
    },

    'multer-1': multer,

    'multer-2': { ...multer, packages: ['multer2'], override: true },
  },
};
