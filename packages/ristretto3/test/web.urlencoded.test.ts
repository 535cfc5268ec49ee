/** `web.urlencoded`: parses forms with the defaults of 3.x. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askAll, post, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

const TYPE = 'application/x-www-form-urlencoded';
const form = (text: string) => post(TYPE, text);
const body = show(req => req.body);

describe('web.urlencoded', () => {
  test('body: parses flat and nested keys by default', async () => {
    const answers = await sameEach(
      web => [web.urlencoded(), body],
      [
        form('a=1&b=x%20y+z&a=2'),
        form('a[b][c]=1&a[b][d]=2'),
        form('tags[]=a&tags[]=b&list[0]=x&list[1]=y'),
        form(''),
        form('a'),
        post('text/plain', 'a=1'),
        {},
      ],
    );
    assert.equal(answers[1]!.text, '{"a":{"b":{"c":"1","d":"2"}}}');
  });

  test('extended: false parses flat pairs', async () => {
    const build = (extended: boolean) => (web: Web) => [web.urlencoded({ extended }), body];
    const [flat] = await sameEach(build(false), [form('a[b]=1&c=2&c=3')]);
    assert.equal(flat!.text, '{"a[b]":"1","c":["2","3"]}');
    const [nested] = await sameEach(build(true), [form('a[b]=1')]);
    assert.equal(nested!.text, '{"a":{"b":"1"}}');
  });

  test('limit and parameterLimit: send 413', async () => {
    const many = form(Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&'));
    const [large] = await sameEach(web => [web.urlencoded({ limit: 10 }), body], [form('a=1234567890')], {
      body: true,
    });
    assert.equal(large!.status, 413);
    const [parameters] = await sameEach(web => [web.urlencoded(), body], [many], { body: true });
    assert.equal(parameters!.status, 413);
  });

  test('depth: allows 32 levels, then sends 400 (Express 3 has no limit)', async () => {
    const deep = (levels: number) => form(`a${'[b]'.repeat(levels)}=1`);
    const answers = await askAll([web.urlencoded(), body], [deep(32), deep(33)]);
    assert.deepEqual([answers[0]!.status, answers[1]!.status], [200, 400]);
  });
});
