/** `app.listen`: a server whose requests and responses have the application's prototypes from the start. */
import * as http from 'node:http';
import type { Server } from 'node:http';
import type { SecureServerOptions } from 'node:http2';
import { readDuration } from '../amount';
import { deferred } from '../deferred';
import { reportsMistakes } from '../report/development';
import type * as Listening from '../dev/listening';
import { attachHttp1 } from '../serving/http1/attach';
import type { attachHttp2 as attachHttp2Type } from '../serving/http2/attach';
import type { createServer as createHttp2ServerType } from '../serving/http2/server';
import type { Application } from '../types/internals';
import { versionOf } from '../version';
import { logError } from './final-handler';

const listenChecks = deferred(() => require('../dev/listening') as typeof Listening, reportsMistakes);

type Callback = (this: Server, error?: Error) => void;

/** Creates an HTTP server for the application and listens. */
export function listen(this: Application, ...args: unknown[]): Server {
  const callback = args.at(-1);
  if (typeof callback !== 'function' || !versionOf(this).application.reportsListenErrors) {
    return listenWith(this, args);
  }
  const done = once(callback as Callback);
  const server = listenWith(this, [...args.slice(0, -1), done]);
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

function listenWith(app: Application, args: unknown[]): Server {
  const mistakes = reportsMistakes(app.settings) ? listenChecks() : undefined;
  mistakes?.checkListenArguments(args);
  const [options] = args as [SecureServerOptions & { http2?: unknown }];
  if (typeof options === 'object' && (options as object | null) !== null && options.http2) {
    return listenHttp2(app, options, args[1], mistakes);
  }
  // Tools replace `http.createServer` with functions that accept only the listener.
  const server = http.createServer(app);
  limitIdleTime(app, server);
  attachHttp1(app, server);
  mistakes?.explainPortInUse(server, app.settings);
  return server.listen(...(args as Parameters<Server['listen']>));
}

function limitIdleTime(app: Application, server: object): void {
  const timeout = readDuration(app.set('keep-alive timeout'));
  if (timeout !== undefined) (server as { keepAliveTimeout?: number }).keepAliveTimeout = timeout;
}

// Loaded with the first server created here: `node:http2` takes milliseconds.
function listenHttp2(
  app: Application,
  options: SecureServerOptions,
  callback: unknown,
  mistakes: typeof Listening | undefined,
): Server {
  const { createServer } = require('../serving/http2/server') as {
    createServer: typeof createHttp2ServerType;
  };
  const { attachHttp2 } = require('../serving/http2/attach') as { attachHttp2: typeof attachHttp2Type };
  const server = createServer(app, options);
  // Clients that do not know HTTP/2 use HTTP/1.1 on such a server.
  limitIdleTime(app, server);
  attachHttp1(app, server as unknown as Server);
  attachHttp2(app, server as never, error => {
    logError(app, error);
  });
  mistakes?.explainPortInUse(server as unknown as Server, app.settings);
  return server.listen(options, callback as () => void) as unknown as Server;
}
