/** The library compiled against 5.x: with an export in the path syntax of Express 5. */
import express from 'express';

export * from '../../../../ristretto/test/types/library/common';
export { default } from '../../../../ristretto/test/types/library/common';
export const wild = express.Router().get('/files/*path', (req, res) => res.send(req.params.path));
