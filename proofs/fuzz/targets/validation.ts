/**
 * Validation: for any report of a schema, issues point to the data sent, do not quote it, and are sent as problem
 * details.
 */
import assert from 'node:assert/strict';
import web from 'ristretto';
import type { StandardSchema } from 'ristretto';
import { makeIssue } from '@ristretto/private-engine/lib/addons/validation/issues';
import { assertSame, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

/** The maximum length of a path or message, including the ellipsis. */
const LONGEST = 300;
/** The maximum number of issues in a response. */
const MOST = 3;
/** A whole request is slow, so it is sent only for every 16th text. */
const REQUEST_EACH = 16;
let turn = 0;

/** The issues that the schema below reports next. */
let reported: { message: string; path: PropertyKey[] }[] = [];
const schema: StandardSchema = {
  '~standard': { version: 1, vendor: 'fuzz', validate: () => ({ issues: reported }) },
};
const app = web().set('env', 'test');
app.post(
  '/',
  (req, _res, next) => {
    req.body = JSON.parse(String(req.get('x-body'))) as unknown;
    next();
  },
  web.validate({ body: schema }, { maxIssues: MOST }),
);

const unescape = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the value nested below the keys, each an own property of any name. */
function nested(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => Object.fromEntries([[key, inner]]), value);
}

function assertIssue(keys: readonly string[], message: string, value: string): void {
  const input = nested(keys, value);
  const issue = makeIssue('body', { message, path: [...keys] }, input, false);
  assertSame(Object.keys(issue), ['location', 'path', 'message']);
  assert.ok(issue.path.length <= LONGEST && issue.message.length <= LONGEST);
  if (!issue.path.endsWith('…')) assertSame(issue.path.split('/').slice(1).map(unescape), keys);
  const quoted = JSON.stringify(value);
  // Masking inserts an ellipsis, which could create a value that contains one. Punctuation alone is part of many messages.
  const isSecret = /[\p{L}\p{N}]/u.test(value) && !value.includes('…');
  if (isSecret) assert.ok(!issue.message.includes(quoted), issue.message);
  if (isSecret && /\W/.test(value)) assert.ok(!issue.message.includes(value), issue.message);
  const { value: kept } = makeIssue('body', { message, path: [...keys] }, input, true);
  assertSame(kept, value);
}

async function assertProblem(body: unknown): Promise<void> {
  const { status, headers, text } = await app.inject({
    method: 'POST',
    url: '/',
    headers: { accept: 'application/json', 'x-body': JSON.stringify(body).replace(/[^\x20-\x7e]/g, '?') },
  });
  assert.equal(status, 400);
  assert.equal(headers['content-type'], 'application/problem+json');
  const problem = JSON.parse(text()) as { issues: unknown[]; omitted: number; code: string };
  assert.equal(problem.code, 'validation.failed');
  assert.equal(problem.issues.length, Math.min(MOST, reported.length));
  assert.equal(problem.issues.length + problem.omitted, reported.length);
}

export const target: Target = {
  characters: 'unicode',
  maxLength: 1200,
  seeds: [
    'user.email\nInvalid email "ada@"\nada@',
    'items.0.price\nExpected number, got 7\n7',
    '__proto__.polluted\ntoo short\nx',
    'a/b~c.constructor\n`x`\nx',
    '\n\n',
  ],
  dictionary: [...words(String.raw`. / ~ ~0 ~1 __proto__ constructor toString " ' \ $& $1`), '`', '…'],
  async run(text) {
    const [path = '', message = '', value = ''] = partsOf(text, 3);
    const keys = path === '' ? [] : path.split('.');
    assertIssue(keys, message, value);
    if (turn++ % REQUEST_EACH !== 0) return;
    reported = Array.from({ length: text.length % 6 || 1 }, () => ({ message, path: keys }));
    await assertProblem(nested(keys, value));
  },
};
