/** Shared by the scenarios of this group: sequences of requests, with cookies kept between them. */
'use strict';

const { createHmac } = require('node:crypto');
const { client, field, without } = require('../../frameworks/support/client.cjs');

/**
 * Sends requests one after the other: `'GET /path'` or `['POST /path', { json, form, body, headers }]`.
 * @param {Function} request the harness's own
 * @param {object | number} server a listening server, or its port
 * @param {(string | [string, object])[]} visits
 * @param {string[]} [ignored] lower-case names of headers that differ between runs
 * @returns {Promise<{ asked: string, status: number, headers: string[], body: string }[]>}
 */
async function visit(request, server, visits, ignored = []) {
  const see = client(request, server, ignored);
  const seen = [];
  for (const each of visits) {
    const [line, options] = Array.isArray(each) ? each : [each];
    seen.push({ asked: line, ...(await see(line, options)) });
  }
  return seen;
}

/** Returns the statuses of responses, for compact assertions. */
function statuses(answers) {
  return answers.map(({ status }) => status);
}

/** Returns the `Cookie` header that a browser would send after these responses. */
function cookies(...answers) {
  const jar = new Map();
  for (const line of answers.flatMap(({ headers }) => headers)) {
    const [, name, value] = /^Set-Cookie: ([^=]+)=([^;]*)/i.exec(line) ?? [];
    if (name) jar.set(name, value);
  }
  return { Cookie: [...jar].map(pair => pair.join('=')).join('; ') };
}

/** Returns the value of a cookie as the framework signs it, for a `Cookie` header. */
function signed(value, secret) {
  const signature = createHmac('sha256', secret).update(value).digest('base64').replace(/=+$/, '');
  return encodeURIComponent(`s:${value}.${signature}`);
}

module.exports = { client, cookies, field, signed, statuses, visit, without };
