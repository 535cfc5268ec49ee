/** `res.req`: the request of the response. */
import { describe, test } from 'node:test';
import { same } from '../../support/oracle.js';

describe('res.req', () => {
  test('request: is the request that the handler gets', () =>
    same(web => web().get('/', (req, res) => void res.json(res.req === req))));
  test('sub-application: has the same request', () =>
    same(web =>
      web().use(
        web().use((req, res, next) => next(res.req === req ? undefined : 'other')),
        (_req, res) => void res.send('x'),
      ),
    ));
  test('members: methods of the response use it, even if it is replaced', () =>
    same(
      web =>
        web().get('/', (req, res) => {
          res.req = Object.create(req, { method: { value: 'HEAD' } }) as typeof req;
          res.send('not sent');
        }),
      '/',
    ));
});
