/**
 * The middleware whose share of a request is measured: what to call before the handler, with the original and with ours.
 *
 * @typedef {import('http').IncomingMessage} Request
 * @typedef {(req: Request, res: import('http').ServerResponse, next: (error?: unknown) => void) => void} Handler
 */
'use strict';

/** @type {Record<string, { original: string, ours: string, make: (factory: any) => Handler, headers?: Record<string, string> }>} */
const stacks = {
  helmet: { original: 'helmet', ours: '@ristretto/helmet', make: helmet => helmet() },
  cors: {
    original: 'cors',
    ours: '@ristretto/cors',
    make: cors => cors({ origin: ['https://a.test', 'https://b.test'], credentials: true }),
    headers: { Origin: 'https://b.test' },
  },
  morgan: {
    original: 'morgan',
    ours: '@ristretto/morgan',
    make: morgan => morgan('combined', { stream: { write: () => undefined } }),
    headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)', Referer: 'https://a.test/' },
  },
  'rate-limit': {
    original: 'express-rate-limit',
    ours: '@ristretto/rate-limit',
    make: rateLimit =>
      rateLimit({ limit: 1e9, standardHeaders: 'draft-8', legacyHeaders: false, validate: false }),
  },
};

module.exports = { stacks };
