/** Parses JSON bodies and rejects all others: `web.json` alone skips the types that it does not parse. */
import web from 'ristretto';
import type { RequestHandler } from 'ristretto';
import { fails, problem } from './problems.js';

const onlyJson: RequestHandler = (req, res, next) => {
  next(req.is('json') === false ? problem(415, 'a body has to be application/json') : undefined);
};

export const json = [...fails(400, 413, 415), onlyJson, web.json({ limit: '10kb' })];
