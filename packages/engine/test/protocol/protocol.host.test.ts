/** Extracts the hostname from a `Host` header, and rejects values that are not a host. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostnameOf } from '@ristretto/private-engine/lib/protocol/host';
import { assertFast } from '../support/worst-case.js';

describe('protocol/host: hostnameOf', () => {
  test('name: is returned with and without a port', () => {
    assert.equal(hostnameOf('example.com'), 'example.com');
    assert.equal(hostnameOf('Example.com.:8080'), 'Example.com.');
    assert.equal(hostnameOf('my_host~1:'), 'my_host~1');
    assert.equal(hostnameOf("a-b!$&'()*+,;=%20"), "a-b!$&'()*+,;=%20");
    assert.equal(hostnameOf('127.0.0.1:80'), '127.0.0.1');
    assert.equal(hostnameOf(':80'), '');
  });

  test('IPv6: keeps its brackets', () => {
    assert.equal(hostnameOf('[::1]'), '[::1]');
    assert.equal(hostnameOf('[::ffff:1.2.3.4]:80'), '[::ffff:1.2.3.4]');
    assert.equal(hostnameOf('[fe80::1%25eth0]:'), '[fe80::1%25eth0]');
    for (const host of ['[', '[]', '[::1', '[::1]x', '[::1]]', '[[::1]]', '[::1]:8a', '[a@b]']) {
      assert.equal(hostnameOf(host), undefined, host);
    }
  });

  test('CVE-2026-27959: rejects a port that is not a number, user information and odd characters', () => {
    const hosts = [
      'evil.com:fake@legitimate.com',
      'u@h',
      'u:p@h:80',
      'a:b',
      'a:80:80',
      'a:-1',
      'a:+1',
      'a: 80',
      'a:8０',
    ];
    hosts.push(
      'a/b',
      'a\\b',
      'a?b',
      'a#b',
      'a b',
      ' a',
      'a\t',
      'a\0',
      'a"b',
      'a<b>',
      'a^b',
      'a`b',
      'a|b',
      'a{b}',
      'é',
    );
    for (const host of hosts) assert.equal(hostnameOf(host), undefined, JSON.stringify(host));
  });

  test('worst-case hosts: take linear time', () => {
    for (const prefix of ['', '[', 'a:']) assertFast(hostnameOf, prefix);
  });
});
