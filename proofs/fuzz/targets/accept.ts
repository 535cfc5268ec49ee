/** The four Accept headers: parsed as by negotiator, and the choice is one of the offers. */
import assert from 'node:assert/strict';
import type { Request } from 'express';
import { fakeRequest } from '../../../packages/engine/test/support/fake-request.js';
import { frameworks } from '../../../packages/engine/test/support/oracle.js';
import { assertSame, fieldOf, outcomeOf, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const FIELDS = ['accept', 'accept-charset', 'accept-encoding', 'accept-language'] as const;
const OFFERS: Record<(typeof FIELDS)[number], string[]> = {
  accept: ['html', 'application/json', 'text/plain;a=b', 'a/b'],
  'accept-charset': ['utf-8', 'iso-8859-1', 'a'],
  'accept-encoding': ['gzip', 'br', 'identity'],
  'accept-language': ['en', 'de-AT', 'de', 'a'],
};
const MEMBERS = {
  accept: (req: Request, offers: string[]) => req.accepts(...(offers as [string])),
  'accept-charset': (req: Request, offers: string[]) => req.acceptsCharsets(...(offers as [string])),
  'accept-encoding': (req: Request, offers: string[]) => req.acceptsEncodings(...(offers as [string])),
  'accept-language': (req: Request, offers: string[]) => req.acceptsLanguages(...(offers as [string])),
};

export const target: Target = {
  seeds: [
    '0\ntext/html;q=0.5, application/json',
    '0\na/b;c="d,e";q=0.1, */*',
    '1\nutf-8;q=0.1, *;q=0',
    '2\ngzip, br;q=1.0, *;q=0.5',
    '3\nde-AT, de;q=0.5, en-US',
  ],
  dictionary: [
    ...words(String.raw`;q= q=0 q=1 q=0.5 q="1" , ; * */* text/* a/b a utf-8 gzip identity de -AT " \" =
      __proto__ text/plain;a=b level=1 q=NaN q=-1 q=1e9`),
    ' ',
    '\t',
  ],
  run(text) {
    const [first = '', written = ''] = partsOf(text, 2);
    const field = fieldOf(written);
    const name = FIELDS[first.charCodeAt(0) & 3]!;
    const use = MEMBERS[name];
    const ours = fakeRequest(frameworks.ristretto, { [name]: field });
    const theirs = fakeRequest(frameworks.express, { [name]: field });
    for (const offers of [OFFERS[name], []]) {
      const outcome = outcomeOf(() => use(ours, offers));
      assertSame(
        outcome,
        outcomeOf(() => use(theirs, offers)),
      );
      assert.ok('value' in outcome);
      if (offers.length > 0) assert.ok(outcome.value === false || offers.includes(outcome.value as string));
    }
  },
};
