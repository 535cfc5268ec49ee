/** `app.use`: middleware, applications and servers under a path. */
import depd = require('depd');
import { Server } from 'node:http';
import { inspect } from 'node:util';
import { reportsMistakes } from '@ristretto/private-engine/lib/report';
import { isApplication, mountApplication } from '@ristretto/private-engine/lib/application';
import { checks, flatten } from '@ristretto/private-engine/lib/router';
import type { Application } from './routing';
import { asBase } from './routing';
import type { StackEntry } from '../types/routing';
import { version } from '../version';

const deprecate = depd('express');

type Handle = StackEntry['handle'];

/** Anything with a `handle` function, as connect applications had. */
interface Handling {
  handle(...args: unknown[]): unknown;
}

/** Mounts middleware, applications or servers under a path, which a `/` or a `.` may follow (`/apple` matches `/apple.html`). */
export function use(this: Application, route: unknown, _fn?: unknown): Application {
  const path = typeof route === 'string' ? route : '/';
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  const handlers = flatten(Array.prototype.slice.call(arguments, typeof route === 'string' ? 1 : 0));
  if (handlers.length === 0) throw new TypeError('app.use() requires something to mount');
  for (const handler of handlers) {
    if (isApplication(handler)) mount(this, path, handler);
    else push(this, path, handleOf(handler));
  }
  if (path !== '/' && reportsMistakes(asBase(this).settings)) checks().warnOfPath(this, path, version.router);
  return this;
}

function push(app: Application, path: string, handle: Handle): void {
  app.stack.push({ route: path.endsWith('/') ? path.slice(0, -1) : path, handle });
}

function mount(parent: Application, path: string, app: unknown): void {
  const child = app as Application;
  // In a 4.x application this is a function
  if (typeof child.route === 'string') child.route = path;
  mountApplication(asBase(parent), path, asBase(child), {
    use(at, handle) {
      push(parent, at as string, handle as Handle);
    },
  });
}

function handleOf(handler: unknown): Handle {
  if (handler instanceof Server) {
    deprecate('app.use(server): Mount the function that the server was created with');
    return (...args) => handler.emit('request', ...args);
  }
  const { handle } = Object(handler) as Partial<Handling>;
  if (typeof handle === 'function') return (...args) => (handler as Handling).handle(...args);
  if (typeof handler === 'function') return handler as Handle;
  throw new TypeError(
    `app.use(): expected a path as a string, then functions, applications or servers, got ${inspect(handler)}`,
  );
}
