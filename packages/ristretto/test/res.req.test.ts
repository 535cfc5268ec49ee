/** `res.req`: the request that the response answers. */
import { describe, test } from 'node:test';
import { same } from './support/oracle.js';

describe('res.req', () => {
  test('request: the very one', () =>
    same(web => web().get('/', (req, res) => void res.json(res.req === req))));
  test('sub-application: still the same', () =>
    same(web =>
      web().use(
        web().use((req, res, next) => next(res.req === req ? undefined : 'other')),
        (_req, res) => void res.send('x'),
      ),
    ));
  test('members: use it, so that another one counts', () =>
    same(
      web =>
        web().get('/', (req, res) => {
          res.req = Object.create(req, { method: { value: 'HEAD' } }) as typeof req;
          res.send('not sent');
        }),
      '/',
    ));
});
