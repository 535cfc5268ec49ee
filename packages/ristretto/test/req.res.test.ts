/** `req.res`: the response to the request. */
import { describe, test } from 'node:test';
import { same } from './support/oracle.js';

describe('req.res', () => {
  test('response: the very one', () =>
    same(web => web().get('/', (req, res) => void res.json(req.res === res))));
  test('chain: req.res.req.res', () =>
    same(web => web().get('/', (req, res) => void res.json(req.res!.req.res === res))));
  test('sub-application: still the same', () =>
    same(web =>
      web().use(
        web().use((req, res, next) => next(req.res === res ? undefined : 'other')),
        (_req, res) => void res.send('x'),
      ),
    ));
  test('assigned: is what is read then', () =>
    same(web =>
      web().get('/', (req, res) => {
        const other = { json: 'other' } as never;
        req.res = other;
        res.json(req.res === other);
      }),
    ));
});
