import bodyParser, { json, type OptionsJson, urlencoded } from 'body-parser';
import required = require('body-parser');
import express from 'express';
import http from 'node:http';

const app = express();
app.use(bodyParser.json());
app.use(required.urlencoded({ extended: false, parameterLimit: 5 }));
app.use(
  json({
    limit: '1mb',
    strict: false,
    inflate: true,
    type: ['application/json', '+json'],
    reviver: (key, value) => (key === 'a' ? 1 : value),
    verify: (_req, _res, buf, encoding) => {
      if (buf.toString(encoding as BufferEncoding) === '') throw new Error('empty');
    },
  }),
);
app.post(
  '/',
  urlencoded({ extended: true }),
  bodyParser.raw({ type: req => req.headers['x'] === '1' }),
  (req, res) => void res.json(req.body),
);
app.use(bodyParser.text({ defaultCharset: 'utf-8', limit: 5 }));
const options: OptionsJson = { strict: true };
const all: bodyParser.OptionsUrlencoded & bodyParser.OptionsText & bodyParser.Options = {};
app.use(bodyParser.json(options), bodyParser.urlencoded(all));
const parse = bodyParser.json();
http.createServer((req, res) => parse(req, res, () => res.end()));

// @ts-expect-error -- not a limit
bodyParser.json({ limit: {} });
// @ts-expect-error -- no such option
bodyParser.text({ unknown: true });
