import cors from 'cors';
import type { CorsOptions, CorsOptionsDelegate, CorsRequest } from 'cors';
import express, { type Request } from 'express';
import http from 'node:http';

const app = express();
app.use(cors());
app.use(cors({ origin: true }));
app.get('/', cors({ origin: ['a', /b/, true], credentials: true }), (_req, res) => void res.json({}));
app.options(/.*/, cors());

const options: CorsOptions = {
  origin: (origin, callback) => {
    if (origin === undefined || origin.endsWith('.test')) callback(null, true);
    else callback(new Error('no'));
  },
  methods: ['GET'],
  allowedHeaders: 'a,b',
  exposedHeaders: ['a'],
  maxAge: 5,
  preflightContinue: false,
  optionsSuccessStatus: 200,
};
app.use(cors(options));
const delegate: CorsOptionsDelegate<Request> = (req, callback) => {
  callback(null, { origin: req.header('Origin') === 'a' });
};
app.use(cors(delegate));
app.use(cors<Request>((req, callback) => callback(null, { origin: req.hostname })));
const general: cors.CorsOptionsDelegate = (req: CorsRequest, callback) =>
  callback(null, { origin: req.headers.origin });
app.use(cors(general));
http.createServer((req, res) => {
  cors()(req, res, (error: unknown) => res.end(String(error)));
});

// @ts-expect-error -- not an origin
cors({ origin: 5 });
// @ts-expect-error -- no such option
cors({ unknown: true });
