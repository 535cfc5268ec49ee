/** Attacks on file serving that depend on timing, or on a system with different file names. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { isCanonical, namesDevice, namesOther } from '@ristretto/private-engine/lib/static/resolve';
import { withServer } from '../support/http.js';
import { root, watchDescriptors } from '../support/tree.js';
import { until } from '../support/until.js';

describe('threats: files', () => {
  test('GHSA-wr4h-v87w-p3r7: devices and streams of Windows are not files', () => {
    const devices = ['CON', 'con.txt', 'a/nul', 'a\\NUL.tar.gz', 'aux/x', 'COM1', 'lpt9 .x', 'com²', 'PRN/'];
    for (const path of [...devices, 'C:/x', 'file.txt::$DATA', 'x:stream'])
      assert.ok(namesDevice(path), path);
    for (const path of ['console', 'a/nulls.txt', 'aux-x', 'com10', 'lpt', 'x.con', 'icon'])
      assert.ok(!namesDevice(path), path);
  });

  test('GHSA-wr4h-v87w-p3r7: a backslash is not canonical where it is a separator', () => {
    for (const path of ['/admin\\x', '/admin%5Cx', '/a\\..\\b']) {
      assert.ok(!isCanonical(path, '\\'), path);
      assert.ok(isCanonical(path, '/'), path);
    }
  });

  test('GHSA-wr4h-v87w-p3r7: a file is not served under other names that Windows accepts for it', () => {
    for (const path of ['secret.txt.', 'secret.txt ', 'admin./x', 'ENV~1', 'admini~1\\x'])
      assert.ok(namesOther(path), path);
    for (const path of ['secret.txt', '.env', 'report~2024.pdf', 'a b', '.'])
      assert.ok(!namesOther(path), path);
  });

  test('CVE-2014-3742: an abort while the response waits for the client closes the descriptor', async t => {
    const opened = watchDescriptors(t);
    const answers: http.ServerResponse[] = [];
    const app = web().use((_req, res, next) => {
      answers.push(res as never);
      next();
    });
    app.use(web.static(root) as never);
    await withServer(app as never, async port => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write('GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n');
      });
      socket.on('error', () => undefined).pause();
      // The client does not read: once all buffers are full, nothing more is read from the file.
      let waiting = 0;
      await until(() => (waiting = answers[0]?.writableNeedDrain ? waiting + 1 : 0) > 20);
      assert.equal(opened.size, 1);
      socket.destroy();
      await until(() => opened.size === 0);
    });
  });
});
