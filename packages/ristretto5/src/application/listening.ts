/** `app.listen`: as in Express 4, except that the callback also receives an error. */
import type { Server } from 'node:http';
import { listen as baseListen } from '@ristretto/private-engine/lib/application';
import { asBase } from './internals';
import type { Application } from './internals';

type Callback = (this: Server, error?: Error) => void;

/**
 * Creates an HTTP server for the application and listens.
 *
 * @param args the arguments of Node's `server.listen`, with the options of `ristretto` (`http2: true`). A callback as
 * the last argument is called once: without an argument when the server listens, with the error if it cannot
 * @returns Node's server; without a callback, it emits `error` if it cannot listen
 * @example app.listen(3000, error => { if (error) throw error; });
 */
export function listen(this: Application, ...args: unknown[]): Server {
  const callback = args.at(-1);
  if (typeof callback !== 'function') return baseListen.apply(asBase(this), args);
  const done = once(callback as Callback);
  const server = baseListen.apply(asBase(this), [...args.slice(0, -1), done]);
  server.once('error', done);
  return server;
}

function once(callback: Callback): Callback {
  let isCalled = false;
  return function (error) {
    if (isCalled) return;
    isCalled = true;
    if (error === undefined) callback.call(this);
    else callback.call(this, error);
  };
}
