/** The servers on which a middleware is compared with its original: frameworks, connect, and functions of bare `http`. */
import http from 'node:http';
import { createRequire } from 'node:module';

export type Next = (error?: unknown) => void;
export type Handler = (req: http.IncomingMessage, res: http.ServerResponse, next: Next) => unknown;
export type ErrorHandler = (
  error: unknown,
  req: http.IncomingMessage,
  res: http.ServerResponse,
  next: Next,
) => unknown;
export type Listener = (req: http.IncomingMessage, res: http.ServerResponse) => void;

interface App extends Listener {
  use(handler: Handler): unknown;
  set?(name: string, value: unknown): unknown;
}

/** Loaded on first use: Express 3 patches `node:http`, and the types of two versions do not fit in one program. */
const load = createRequire(__filename);

/** The name of each of them in `frameworks.ts`, by the package that implements it. */
const PACKAGES = {
  express4: 'express',
  express5: 'express5',
  express3: 'express3',
  ristretto: 'ristretto',
  ristretto5: 'ristretto5',
  ristretto3: 'ristretto3',
  connect: 'connect',
};

export type FrameworkName = keyof typeof PACKAGES | 'http';

/** The frameworks that any process can load together. Compare with `express3` in a separate test file. */
export const FRAMEWORKS: readonly FrameworkName[] = [
  'express4',
  'express5',
  'ristretto',
  'ristretto5',
  'ristretto3',
  'connect',
  'http',
];

/**
 * Returns a new application of a framework, with these handlers in order.
 *
 * @param name the framework
 * @param handlers may include those of `errorHandler`
 * @param settings for frameworks that have settings
 */
export function application(
  name: FrameworkName,
  handlers: Handler[],
  settings: Record<string, unknown> = {},
): Listener {
  if (name === 'http') return chained(handlers);
  if (name === 'express3') prepareForExpress3();
  const app = (load(PACKAGES[name]) as () => App)();
  for (const [setting, value] of Object.entries(settings)) app.set?.(setting, value);
  for (const handler of handlers) app.use(handler);
  return app;
}

/** Returns an error handler as an element of the list: frameworks recognize it by its four parameters. */
export function errorHandler(handler: ErrorHandler): Handler {
  return handler as unknown as Handler;
}

/** Returns a listener for bare `http` that calls one handler after the other. */
function chained(handlers: Handler[]): Listener {
  return (req, res) => {
    const run = (index: number, error?: unknown): void => {
      const handler = handlers[index];
      if (handler === undefined) {
        if (res.headersSent) return void res.destroy();
        res.statusCode = error === undefined ? 404 : 500;
        return void res.end(error === undefined ? 'not found' : 'error');
      }
      const next: Next = reason => run(index + 1, reason);
      const takesErrors = handler.length === 4;
      if (takesErrors !== (error !== undefined)) return run(index + 1, error);
      try {
        if (takesErrors) (handler as unknown as ErrorHandler)(error, req, res, next);
        else handler(req, res, next);
      } catch (thrown) {
        run(index + 1, thrown);
      }
    };
    run(0);
  };
}

/** Express 3 reads headers from a property that Node 24 removed. */
function prepareForExpress3(): void {
  if ('_headers' in http.OutgoingMessage.prototype) return;
  Object.defineProperty(http.OutgoingMessage.prototype, '_headers', {
    configurable: true,
    get(this: http.OutgoingMessage) {
      return this.getHeaders();
    },
  });
}
