/** `req.res`: the response to the request. */
import { describe, test } from 'node:test';
import { same } from '../../support/oracle.js';

describe('req.res', () => {
  test('response: is the response that the handler gets', () =>
    same(web => web().get('/', (req, res) => void res.json(req.res === res))));
  test('chain: leads back to the response', () =>
    same(web => web().get('/', (req, res) => void res.json(req.res!.req.res === res))));
  test('sub-application: has the same response', () =>
    same(web =>
      web().use(
        web().use((req, res, next) => next(req.res === res ? undefined : 'other')),
        (_req, res) => void res.send('x'),
      ),
    ));
  test('assigned: returns the new value', () =>
    same(web =>
      web().get('/', (req, res) => {
        const other = { json: 'other' } as never;
        req.res = other;
        res.json(req.res === other);
      }),
    ));
});
