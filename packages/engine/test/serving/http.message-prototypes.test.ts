// runs: each
/** serving/message-prototypes: what a kind of server adds to the prototypes of responses. */
import assert from 'node:assert/strict';
import { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import {
  extendResponses,
  onResponsePrototypes,
} from '@ristretto/private-engine/lib/serving/message-prototypes';

describe('serving/message-prototypes', () => {
  test('a kind of server extends the prototypes that exist when it is loaded, and those created later', () => {
    const [early, late] = [0, 1].map(() => Object.create(ServerResponse.prototype) as object);
    const extended: object[] = [];
    extendResponses(early!);
    onResponsePrototypes(prototype => extended.push(prototype));
    assert.equal(extended.at(-1), early);
    extendResponses(late!);
    assert.equal(extended.at(-1), late);
  });
});
