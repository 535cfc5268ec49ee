/** `req._parsedUrl`: the parsed URL that the framework shares with the package parseurl. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseTarget } from '@ristretto/private-engine/lib/protocol/url';
import { defineParsedUrl } from '@ristretto/private-engine/lib/router/parsed-url';
import { oracleModule } from '../../support/fake-request.js';

const parseurl = oracleModule('parseurl') as (req: object) => ReturnType<typeof parseTarget>;
const prototype = {};
defineParsedUrl(prototype);

function requestFor(url: string): { url: string; _parsedUrl: ReturnType<typeof parseTarget> | undefined } {
  return Object.assign(Object.create(prototype) as object, { url }) as never;
}

describe('req._parsedUrl', () => {
  test('parts: are the same as those of parseurl', () => {
    for (const url of ['/a?b=c', '/', '/a#b', 'http://x/y?z', '*']) {
      assert.deepEqual(requestFor(url)._parsedUrl, parseurl({ url }));
    }
  });

  test('kept: is reused while the URL stays the same', () => {
    const req = requestFor('/a?b');
    const first = req._parsedUrl;
    assert.equal(req._parsedUrl, first);
    req.url = '/c';
    assert.equal(req._parsedUrl?.pathname, '/c');
  });

  test('parseurl: reuses the value, and its own value is reused in turn', () => {
    const req = requestFor('/a?b');
    assert.equal(parseurl(req), req._parsedUrl);
    req.url = '/c#d';
    assert.equal(parseurl(req), req._parsedUrl);
  });

  test('set: keeps the value while it matches the URL', () => {
    const req = requestFor('/a');
    const own = parseTarget('/a');
    req._parsedUrl = own;
    assert.equal(req._parsedUrl, own);
    Object.assign(req, { _parsedUrl: undefined });
    assert.equal(req._parsedUrl.pathname, '/a');
  });

  test('impossible host: throws as Express does', () => {
    assert.throws(() => requestFor('http://[bad/')._parsedUrl, { code: 'ERR_INVALID_URL' });
  });
});
