/** The library compiled against 4.x: with exports of what Express 5 no longer has. */
import express from 'express';

export * from './common';
export { default } from './common';
export const lookup = () => express.static.mime.lookup('a.html');
export const mime = express.static.mime;
export const parseQuery = () => express.query({});
export const accepted = (req: express.Request) => req.accepted;
