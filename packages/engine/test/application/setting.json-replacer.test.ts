/** The setting `json replacer`: a function or a list that selects the properties of JSON responses. */
import { describe, test } from 'node:test';
import { answering } from '../support/compare.js';
import { same } from '../support/oracle.js';

const body = { name: 'tobi', _id: 12345, nested: { _id: 1, name: 'x' } };
const using = (replacer: unknown) => answering((_req, res) => res.json(body), { 'json replacer': replacer });

describe('setting json replacer', () => {
  test('default: no replacer is used', async () => {
    await same(using(undefined));
    await same(using(null));
  });

  test('function: is called for each property', async () => {
    await same(using((key: string, value: unknown) => (key.startsWith('_') ? undefined : value)));
    await same(using(() => undefined));
  });

  test('array: names the properties that are kept', async () => {
    await same(using(['name', 'nested']));
    await same(using([]));
  });
});
