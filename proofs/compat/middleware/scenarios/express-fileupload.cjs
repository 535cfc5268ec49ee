/** express-fileupload: uploaded files in req.files. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { multipart } = require('../../frameworks/support/client.cjs');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
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
    app.post('/nested', fileUpload({ parseNested: true, safeFileNames: true, preserveExtension: 3 }), show);
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
};
