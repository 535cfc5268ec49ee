/** The requests that tests send to the shop, and how they record observations; loaded inside the test runners. */
'use strict';

const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

/** Adds an observation of a test to the file of its group, for the scenario to compare. */
function observe(group, name, value) {
  const line = JSON.stringify([name, value === undefined ? 'undefined' : value]);
  fs.appendFileSync(path.join(process.env.OBSERVED, `${group}.jsonl`), `${line}\n`);
}

/** Returns the comparable parts of a supertest response. */
function comparable({ status, headers, text, body }) {
  const { date, 'x-powered-by': by, ...fields } = headers;
  return { status, fields: { ...fields, date: typeof date, by: typeof by }, text: text ?? String(body) };
}

/** Sends all requests to the shop with supertest. */
async function askAll(request, app) {
  const seen = {
    list: await request(app).get('/things?sort[by]=name'),
    one: await request(app).get('/things/2'),
    none: await request(app).get('/things/9'),
    malformed: await request(app).get('/things/%ff'),
    created: await request(app).post('/things').send({ name: 'created' }),
    form: await request(app).post('/things').type('form').send('name=a&name=b'),
    badJson: await request(app).post('/things').type('json').send('{"name":'),
    badGzip: await request(app)
      .post('/things')
      .type('json')
      .set('Content-Encoding', 'gzip')
      .send('{"name":"plain"}'),
    cutGzip: await gzipped(request(app).post('/things'), bytes => bytes.subarray(0, 20)),
    gzip: await gzipped(request(app).post('/things'), bytes => bytes),
    refused: await request(app).post('/things').send({ name: 'refused' }),
    file: await request(app).get('/files/note.txt'),
    noFile: await request(app).get('/files/none.txt'),
    noDownload: await request(app).get('/download/none.txt'),
    static: await request(app).get('/static/note.txt').set('Range', 'bytes=0-3'),
    noStatic: await request(app).get('/static/none.txt'),
    page: await request(app).get('/page'),
    noPage: await request(app).get('/page/missing'),
    throws: await request(app).get('/throws'),
    core: await request(app).get('/core-error'),
    bytes: await request(app).get('/bytes'),
    redirect: await request(app).get('/old'),
    head: await request(app).head('/things'),
    nothing: await request(app).get('/nothing'),
  };
  return Object.fromEntries(Object.entries(seen).map(([name, response]) => [name, comparable(response)]));
}

/** Sends a compressed body, shortened by `cut`. */
async function gzipped(sending, cut) {
  sending.set('Content-Encoding', 'gzip').type('json');
  sending.write(cut(zlib.gzipSync(JSON.stringify({ name: 'compressed' }))));
  return sending;
}

module.exports = { askAll, comparable, observe };
