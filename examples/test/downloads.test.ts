/** examples/downloads */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../downloads/index.js');

describe('example downloads', () => {
  test('sends a file for display', async () => {
    const res = await request(app).get('/view/report.csv');
    assert.equal(res.headers['content-type'], 'text/csv; charset=UTF-8');
    assert.equal(res.headers['content-disposition'], undefined);
    assert.equal(res.text, 'month,sum\n1,100\n2,250\n');
  });
  test('sends a file as a download, also in parts', async () => {
    const res = await request(app).get('/download/coffee%20notes.txt');
    assert.equal(res.headers['content-disposition'], 'attachment; filename="coffee notes.txt"');
    const rest = await request(app).get('/download/report.csv').set('Range', 'bytes=-6');
    assert.deepEqual([rest.status, rest.text], [206, '2,250\n']);
  });
  test('sends a file under another name', async () => {
    const res = await request(app).get('/latest');
    assert.equal(
      res.headers['content-disposition'],
      `attachment; filename="????? 2026.csv"; filename*=UTF-8''%D0%9E%D1%82%D1%87%D1%91%D1%82%202026.csv`,
    );
    assert.equal(res.headers['cache-control'], 'public, max-age=3600');
  });
  test('sends generated content', async () => {
    const res = await request(app).get('/generated');
    assert.equal(res.headers['content-disposition'], 'attachment; filename="numbers.json"');
    assert.deepEqual(res.body, [1, 2, 3]);
  });
  test('never sends files outside the folder', async () => {
    for (const path of [
      '/view/..%2Findex.js',
      '/download/..%2Findex.js',
      '/view/none.txt',
      '/download/none.txt',
    ]) {
      const res = await request(app).get(path);
      assert.ok([403, 404].includes(res.status), path);
      assert.equal(res.text, 'There is no such file');
    }
  });
});
