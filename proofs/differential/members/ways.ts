/** The ways in which the applications of the cases respond. */
import fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { NextFunction, Request, Response } from 'express';
import type { Web } from '../../../packages/engine/test/support/oracle.js';

/** @param socket the connection, which the case may have removed from the messages */
export type Way = (req: Request, res: Response, next: NextFunction, socket: Socket) => unknown;

const root = path.resolve(__dirname, '../../..');
const small = path.join(root, 'package.json');
const large = path.join(root, 'package-lock.json');

/** Calls a function in a later turn of the event loop; its exceptions are the application's, which closes the connection. */
const later = (socket: Socket, act: () => unknown): unknown =>
  setTimeout(() => {
    try {
      act();
    } catch {
      socket.destroy();
    }
  }, 3);

export const waysOf = (web: Web): Record<string, Way> => ({
  'res.send': (_req, res) => res.send('x'),
  'res.json': (_req, res) => res.json({ a: 1 }),
  'res.end': (_req, res) => res.end('x'),
  'res.end without content': (_req, res) => res.end(),
  'res.write and res.end': (_req, res) => (res.write('a'), res.end('b')),
  'res.writeHead and res.end': (_req, res) => res.writeHead(200, { 'Content-Length': 1 }).end('x'),
  'a small file': (_req, res) => res.sendFile(small),
  'a large file': (_req, res) => res.sendFile(large),
  'a download': (_req, res) => res.download(small),
  'web.static': (req, res, next) => {
    req.url = '/package.json';
    web.static(root)(req, res, next);
  },
  'a piped file': (_req, res) => fs.createReadStream(small).pipe(res),
  'a redirect': (_req, res) => res.redirect('/x'),
  'res.sendStatus': (_req, res) => res.sendStatus(204),
  'a 404': (_req, _res, next) => next(),
  'an error': (_req, _res, next) => next(new Error('broken')),
  'an exception': () => {
    throw new Error('thrown');
  },
  'res.send, later': (_req, res, _next, socket) => later(socket, () => res.send('x')),
  'res.end, later': (_req, res, _next, socket) => later(socket, () => res.end('x')),
  'res.write, and res.end later': (_req, res, _next, socket) => {
    res.write('a');
    later(socket, () => res.end('b'));
  },
  'a parsed body': (req, res, next) =>
    void web.json()(req, res, error => (error ? next(error) : res.json(req.body))),
  'a body as text': (req, res, next) =>
    void web.text({ type: () => true })(req, res, error => (error ? next(error) : res.send(req.body))),
});
