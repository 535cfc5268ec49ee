// runs: slow, once
/**
 * Every header that the package reads: 16 KiB of anything take less than 5 ms, and twice as much takes about twice as
 * long. The headers are extracted from the sources, so that a new one cannot be missed.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Request, Response } from 'express';
import web from 'ristretto';
import { charsetOf } from '@ristretto/private-engine/lib/body/charset';
import { contentCoding } from '@ristretto/private-engine/lib/body/inflate';
import { examineRequest } from '@ristretto/private-engine/lib/serving/strict-request';
import { asksForSocket } from '@ristretto/private-engine/lib/serving/http1/upgrades';
import { targetOf } from '@ristretto/private-engine/lib/serving/http2/attach.js';
import { contentDisposition } from '@ristretto/private-engine/lib/protocol/content-disposition';
import { hasBody } from '@ristretto/private-engine/lib/protocol/content-type';
import { compileTrust, trustedAddresses } from '@ristretto/private-engine/lib/protocol/proxy';
import { parseRange } from '@ristretto/private-engine/lib/protocol/range';
import { traceIdOf } from '@ristretto/private-engine/lib/addons/middleware/request-id';
import { decode } from '@ristretto/private-engine/lib/message/response/event-stream';
import { conditionStatus, matchesIfRange } from '@ristretto/private-engine/lib/static/conditional';
import { HostAcceptor } from '@ristretto/private-engine/lib/addons/websocket/acceptor';
import { refusalOf } from '@ristretto/private-engine/lib/addons/websocket/handshake';
import { readPart } from '@ristretto/private-engine/lib/addons/validation/parts';
import { fieldsReadIn } from '../support/fields-read.js';
import { assertFast } from '../support/worst-case.js';

type Read = (field: string) => unknown;
interface Row {
  name: string;
  id?: string;
  /** Valid beginnings, for values whose error comes late. */
  prefixes?: string[];
  reads: Read[];
}

const app = web().set('trust proxy', 'loopback, uniquelocal, 1.1.1.1');
const TAG = 'W/"b-1"';
const DATE = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** Creates a request with one header, from a trusted proxy, whose response has validators. */
function having(name: string, use: (req: Request) => unknown): Read {
  const message = new http.IncomingMessage(undefined as never);
  const res = Object.setPrototypeOf(new http.ServerResponse(message), app.response) as Response;
  res.setHeader('ETag', TAG);
  res.setHeader('Last-Modified', DATE);
  const req = Object.assign(Object.create(app.request) as Request, { method: 'GET', url: '/', res });
  Object.defineProperty(req, 'socket', { value: { remoteAddress: '127.0.0.1' } });
  res.req = req;
  return field => {
    req.headers = { [name]: field };
    return use(req);
  };
}

/** Checks a request for a WebSocket with one header that is anything. */
function opening(name: string): Read {
  const origins = new Set<string>();
  return field => {
    const headers = {
      host: 'x',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      [name]: field,
    };
    const request = { method: 'GET', httpVersionMajor: 1, headers, app, get: () => 'x' };
    return [asksForSocket(request as never), refusalOf(request as never, { origins } as never)];
  };
}

const strict = (name: string, others: object = {}): Read => {
  const rawHeaders = ['host', 'x'];
  return field =>
    examineRequest({
      ...{ method: 'GET', url: '/', httpVersion: '1.1', httpVersionMajor: 1, rawHeaders },
      headers: { host: 'x', ...others, [name]: field },
    } as never);
};
const condition = (name: string): Read =>
  function read(field) {
    return conditionStatus({ [name]: field }, 200, TAG, DATE);
  };

const rows: Row[] = [
  {
    name: 'accept',
    id: 'CVE-2016-10539, CVE-2025-25200',
    prefixes: ['', 'text/html;', 'a/b;c="'],
    reads: [
      having('accept', req => req.accepts()),
      having('accept', req => req.accepts('html', 'json', 'image/png')),
      having('accept', req => {
        req.res!.format({
          html: () => undefined,
          'text/plain;a=b': () => undefined,
          default: () => undefined,
        });
      }),
    ],
  },
  {
    name: 'accept-charset',
    id: 'CVE-2016-10539',
    prefixes: ['', 'utf-8;'],
    reads: [
      having('accept-charset', req => req.acceptsCharsets()),
      having('accept-charset', req => req.acceptsCharsets('utf-8', 'iso-8859-1')),
    ],
  },
  {
    name: 'accept-encoding',
    id: 'CVE-2016-10539',
    prefixes: ['', 'gzip;'],
    reads: [
      having('accept-encoding', req => req.acceptsEncodings()),
      having('accept-encoding', req => req.acceptsEncodings('br', 'gzip')),
    ],
  },
  {
    name: 'accept-language',
    id: 'CVE-2016-10539',
    prefixes: ['', 'en-', 'en;'],
    reads: [
      having('accept-language', req => req.acceptsLanguages()),
      having('accept-language', req => req.acceptsLanguages('de-AT', 'en')),
    ],
  },
  {
    name: 'content-type',
    id: 'CVE-2026-35213',
    prefixes: ['', 'a/b; ', 'a/b; a="', 'a/b; charset=', 'text/', 'a/b;'],
    reads: [
      having('content-type', req => {
        req.headers['content-length'] = '1';
        return req.is(['json', 'text/*', '+xml', 'multipart']);
      }),
      field => charsetOf(field, { readsParameters: true }),
      field => charsetOf(field, { readsParameters: false }),
    ],
  },
  { name: 'content-encoding', reads: [field => contentCoding({ 'content-encoding': field }, true)] },
  {
    name: 'content-length',
    reads: [field => hasBody({ 'content-length': field }), strict('content-length')],
  },
  {
    name: 'transfer-encoding',
    prefixes: ['', 'chunked'],
    reads: [field => hasBody({ 'transfer-encoding': field }), strict('transfer-encoding')],
  },
  {
    name: 'host',
    prefixes: ['', 'a:', '['],
    reads: [having('host', req => req.hostname), having('host', req => req.subdomains), strict('host')],
  },
  {
    name: 'x-forwarded-for',
    id: 'CVE-2025-25200',
    prefixes: ['', '1.1.1.1,', '10.0.0.1, ', '::', '1:', '0', '::1%'],
    reads: [
      having('x-forwarded-for', req => req.ip),
      having('x-forwarded-for', req => req.ips),
      list => trustedAddresses('127.0.0.1', list, compileTrust(true)),
    ],
  },
  {
    name: 'x-forwarded-host',
    id: 'CVE-2025-25200',
    prefixes: ['', 'a:', '['],
    reads: [having('x-forwarded-host', req => req.subdomains)],
  },
  {
    name: 'x-forwarded-proto',
    id: 'CVE-2025-25200',
    reads: [having('x-forwarded-proto', req => req.protocol)],
  },
  {
    name: 'content-disposition',
    id: 'CVE-2016-10539',
    prefixes: ['', '%4'],
    reads: [name => contentDisposition(name), name => contentDisposition(`${name}\u20ac`)],
  },
  ...[':method', ':path', ':scheme', ':authority', ':protocol', 'expect'].map(name => ({
    name,
    prefixes: ['', '/', 'a:'],
    reads: [field => targetOf({ [name]: field }, [name, field], true)] as Read[],
  })),
  {
    name: 'cookie',
    prefixes: ['', 'a=', 'a="'],
    reads: [having('cookie', req => readPart(req as never, 'cookies'))],
  },
  ...['sec-websocket-version', 'sec-websocket-key', 'origin', 'upgrade'].map(name => ({
    name,
    prefixes: ['', 'https://', '1'],
    reads: [opening(name)],
  })),
  {
    name: 'sec-websocket-protocol',
    prefixes: ['', ',', 'a,'],
    reads: [
      having('sec-websocket-protocol', req =>
        new HostAcceptor({ protocols: ['b'], heartbeat: 0 } as never).accept(req, { canPing: true } as never),
      ),
    ],
  },
  // Only copied to a span.
  { name: 'user-agent', reads: [having('user-agent', req => req.headers['user-agent'])] },
  { name: 'traceparent', prefixes: ['', '00-'], reads: [traceIdOf] },
  {
    name: 'last-event-id',
    reads: [having('last-event-id', req => decode(req.get('Last-Event-ID')!))],
  },
  // The error page compares these two with strings.
  ...['sec-fetch-site', 'sec-fetch-mode'].map(name => ({
    name,
    reads: [having(name, req => req.headers[name] === 'cross-site')],
  })),
  { name: 'x-requested-with', reads: [having('x-requested-with', req => req.xhr)] },
  {
    name: 'range',
    prefixes: ['', 'bytes='],
    reads: [
      having('range', req => req.range(100)),
      having('range', req => req.range(100, { combine: true })),
      field => parseRange(100, field, { combine: true, limit: 100 }),
    ],
  },
  {
    name: 'if-range',
    prefixes: ['', '"'],
    reads: [
      field => matchesIfRange(field, TAG, DATE, false),
      field => matchesIfRange(field, TAG, DATE, true),
    ],
  },
  {
    name: 'if-none-match',
    prefixes: ['', 'W/"'],
    reads: [having('if-none-match', req => req.fresh), condition('if-none-match')],
  },
  { name: 'if-modified-since', reads: [having('if-modified-since', req => req.fresh)] },
  { name: 'if-match', prefixes: ['', '"'], reads: [condition('if-match')] },
  { name: 'if-unmodified-since', reads: [condition('if-unmodified-since')] },
  {
    name: 'cache-control',
    prefixes: ['', 'no-cache'],
    reads: [
      having('cache-control', req => {
        req.headers['if-none-match'] = '*';
        return req.fresh;
      }),
    ],
  },
  ...['referer', 'referrer'].map(name => ({
    name,
    prefixes: ['', '//', 'http://'],
    reads: [
      having(name, req => {
        process.noDeprecation = true;
        req.res!.location('back');
      }),
    ],
  })),
];

describe('linear time: headers', () => {
  for (const { name, id, prefixes = [''], reads } of rows) {
    test(`${id ? `${id}: ` : ''}${name}: processes 16 KiB of anything in less than 5 ms`, () => {
      for (const read of reads) for (const prefix of prefixes) assertFast(read, prefix);
    });
  }

  test('all headers that the sources read: have a row here', () => {
    const read = fieldsReadIn(path.join(__dirname, '../../src'));
    assert.ok(read.size > 15);
    const known = new Set(rows.map(({ name }) => name));
    assert.deepEqual(
      [...read].filter(name => !known.has(name)),
      [],
    );
  });
});
