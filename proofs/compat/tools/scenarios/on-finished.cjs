/** on-headers and on-finished, and packages built on them: response-time and morgan. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
  packages: ['on-headers', 'on-finished', 'response-time', 'morgan'],
  exercised:
    'Listeners for the header block (status and fields changed in it, order of several, writeHead with arguments, ' +
    'send, json, file, stream, redirect, 304, HEAD, 404, errors) and for the end of the response and of the request; ' +
    'response-time; morgan in every format, `immediate`, own tokens.',
  quick: true,
  override: true,

  async run({ listen, request, note }) {
    const { Writable } = require('node:stream');
    const express = require('express');
    const onHeaders = require('on-headers');
    const onFinished = require('on-finished');
    const responseTime = require('response-time');
    const morgan = require('morgan');
    const { application, drive } = require('../fixtures/application.cjs');
    const lines = [];
    const stream = new Writable({
      write(chunk, encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    morgan.token('route', req => req.route?.path?.toString());
    morgan.token('base', req => req.baseUrl);
    const own =
      ':method :url :route :base :status :res[content-length] :res[x-late] :http-version :remote-addr';
    const app = application(express, {
      before: it => {
        for (const format of ['combined', 'common', 'default', 'short', 'tiny', 'dev', own]) {
          it.use(morgan(format, { stream, skip: req => req.method === 'DELETE' }));
        }
        it.use(morgan(own, { stream, immediate: true }));
        it.use(responseTime());
        it.use(responseTime((req, res, time) => note('time', req.url, typeof time, res.headersSent)));
        it.use((req, res, next) => {
          onHeaders(res, function () {
            note('outer', req.url, this === res, res.statusCode, res.headersSent, res.getHeaderNames());
            this.setHeader('X-Late', String(this.statusCode));
          });
          onHeaders(res, () => {
            note('inner', req.url);
            if (res.statusCode === 204) res.removeHeader('X-Powered-By');
            if (req.url === '/chain' && req.method === 'PATCH') res.statusCode = 202;
          });
          onFinished(res, (error, message) =>
            note('finished', req.url, error?.message, message === res, res.writableEnded),
          );
          onFinished(req, (error, message) =>
            note('request', req.originalUrl, error?.message, message === req),
          );
          next();
        });
      },
    });
    app.get('/head', (req, res) => res.writeHead(203, 'Custom', { 'X-A': '1' }).end('a'));
    app.get('/head/array', (req, res) =>
      res
        .writeHead(203, [
          ['X-A', '1'],
          ['X-A', '2'],
        ])
        .end('a'),
    );
    const server = await listen(app);
    const record = await drive(server, request);
    for (const path of ['/head', '/head/array']) record[path] = await request(server, { path });
    const fresh = { 'If-None-Match': record['GET /'].answer.headers.etag };
    record.fresh = await request(server, { path: '/', headers: fresh });
    await new Promise(resolve => setTimeout(resolve, 20));

    assert.equal(record['GET /'].answer.headers['x-late'], '200');
    assert.equal(record['PATCH /chain'].answer.status, 202);
    assert.equal(record.fresh.status, 304);
    assert.ok(
      lines.includes('GET / / 200 4 200 1.1 127.0.0.1\n') || lines.some(line => line.startsWith('GET / / ')),
    );
    const steady = text =>
      text
        .replace(/\[\d\d\/\w+\/[^\]]+\]|\w{3}, \d\d \w+ [\d: ]+GMT/g, '<date>')
        .replace(/\d+\.\d{3}( ms)?/g, '<ms>');
    for (const entry of Object.values(record)) {
      const answer = entry.answer ?? entry;
      const place = answer.rawHeaders.indexOf('X-Response-Time');
      assert.match(answer.rawHeaders[place + 1], /^[\d.]+ms$/);
      answer.rawHeaders[place + 1] = answer.headers['x-response-time'] = '<ms>';
    }
    return { record, lines: lines.map(steady) };
  },
};
