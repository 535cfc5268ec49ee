// runs: http1, each
/** HTTP/2 rejects the requests that it cannot represent, which the tests of members therefore do not send. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask } from '../support/http.js';
import { isHttp1Only, requests } from '../support/http1-only.js';
import { withSession } from '../support/http2.js';
import { askHttp2Port } from '../support/transport.js';

describe('HTTP/2: requests that it cannot represent', () => {
  for (const { reason, samples, isHttp2Wider } of requests) {
    test(`${reason} Such requests are ${isHttp2Wider ? 'refused over HTTP/1.1' : 'refused'}`, async () => {
      for (const asked of samples) {
        const [app, title] = [web(), JSON.stringify(asked)];
        let count = 0;
        app.use((_req, res) => {
          count++;
          res.end();
        });
        assert.ok(isHttp1Only(asked), title);
        if (isHttp2Wider) {
          assert.equal((await ask(app as never, asked)).status, 400, title);
        } else {
          const refused = withSession(http2.createServer(app as never), (_session, port) =>
            askHttp2Port(port, asked),
          );
          await assert.rejects(refused, /NGHTTP2_PROTOCOL_ERROR|SINGLE_VALUE|single value/, title);
        }
        assert.equal(count, 0, title);
      }
    });
  }
});
