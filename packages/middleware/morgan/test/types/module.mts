import morgan from 'morgan';
import type { FormatFn, TokenIndexer } from 'morgan';
const { compile, token } = morgan;
import express, { type Request, type Response } from 'express';
import http from 'node:http';
import fs from 'node:fs';

const app = express();
app.use(morgan('combined'));
app.use(morgan('dev', { immediate: true }));
app.use(morgan(':method :url', { skip: (_req, res) => res.statusCode < 400, stream: process.stderr }));
app.use(
  morgan<Request, Response>((tokens, req, res) =>
    [tokens.method?.(req, res), req.ip, res.locals.x].join(' '),
  ),
);
app.use(morgan('tiny', { stream: { write: message => console.log(message.trim()) } }));
app.use(morgan('common', { stream: fs.createWriteStream('/dev/null', { flags: 'a' }) }));
app.use(
  morgan((tokens: TokenIndexer, req, res) => {
    const status: string | undefined = tokens['status']?.(req, res);
    return status === undefined ? null : tokens.res?.(req, res, 'content-length');
  }),
);
morgan.token('id', req => req.headers['x-id'] as string);
morgan.token<Request>('user', req => req.hostname).token('x', () => 'y');
token('type', (req, _res, arg) => req.headers[String(arg)] as string);
morgan.format('own', ':id :method');
morgan.format('fn', (_tokens, req) => req.url);
const compiled: FormatFn = compile(':url');
const own: morgan.FormatFn<Request> = (_tokens, req) => req.ip;
app.use(morgan(compiled), morgan(own));
const options: morgan.Options<Request, Response> = { skip: req => req.path === '/health' };
app.use(morgan('short', options));
const stream: morgan.StreamOptions = { write: () => undefined };
void stream;
const logger = morgan('dev');
http.createServer((req, res) => logger(req, res, () => res.end()));
const callback: morgan.TokenCallbackFn<Request, Response> = (req, res) => req.get('x') ?? res.get('y');
void callback;

// @ts-expect-error -- not a format
morgan(5);
// @ts-expect-error -- no such option
morgan('dev', { unknown: true });
