/** `app.path`: the canonical path of an application. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('app.path', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`root: is the empty string (${framework})`, () => {
      assert.equal(web().path(), '');
    });
    test(`mounted: is the mount path (${framework})`, () => {
      const sub = web();
      web().use('/blog', sub);
      assert.equal(sub.path(), '/blog');
    });
    test(`nested mounts: are joined (${framework})`, () => {
      const blog = web();
      const admin = web();
      web().use('/blog', blog);
      blog.use('/admin', admin);
      assert.equal(admin.path(), '/blog/admin');
    });
    test(`no path: the mount path is a slash (${framework})`, () => {
      const sub = web();
      const inner = web();
      web().use(sub);
      sub.use('/x', inner);
      assert.equal(sub.path(), '/');
      assert.equal(inner.path(), '//x');
    });
    test(`several patterns: are joined with commas (${framework})`, () => {
      const sub = web();
      web().use(['/a', '/b'], sub);
      assert.equal(sub.path(), '/a,/b');
    });
    test(`mounted twice: is the last mount path (${framework})`, () => {
      const sub = web();
      web().use('/first', sub).use('/second', sub);
      assert.equal(sub.path(), '/second');
    });
  }
});
