/** Builds the described application on either framework, and records what its handlers see. */
import type { Web } from '../../packages/engine/test/support/oracle.js';
import type { Case, Handler, Layer, ParamHandler, PathValue, Step, Value } from './description.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- members are called by the names that the description gives */

export interface Side {
  web: Web;
  /** The observations of this side's handlers during the current request. */
  trace: string[];
  /** The traces of each response: what belongs to one may arrive while the next request is in flight. */
  traces: WeakMap<object, string[]>;
  root: string;
  /** The members of a response whose callbacks run where nothing catches their errors. */
  late: RegExp;
  /** The members of a request that each handler records. */
  seen: readonly string[];
}

/** What each handler records unless its versions differ in some. */
export const SEEN = ['method', 'url', 'baseUrl', 'originalUrl', 'path', 'params', 'route.path'];

type Next = (...args: unknown[]) => void;
type Callable = (...args: any[]) => any;

/** Returns the value that the data represents; `run` creates the functions of `{$: 'do'}`. */
export function revive(
  value: Value | undefined,
  root: string,
  run?: (steps: Step[], args: unknown[]) => unknown,
): any {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(item => revive(item, root, run));
  const { $: tag, ...rest } = value;
  const text = String(rest.text);
  switch (tag) {
    case undefined: {
      const entries = Object.entries(value).map(([key, item]) => [key, revive(item, root, run)] as const);
      return Object.fromEntries(entries);
    }
    case 'undefined':
      return undefined;
    case 'NaN':
      return NaN;
    case 'buffer':
      return Buffer.from(text, 'latin1');
    case 'set':
      return new Set(text);
    case 'date':
      return new Date(text);
    case 'bigint':
      return BigInt(text);
    case 'circular': {
      const circular: Record<string, unknown> = {};
      return Object.assign(circular, { circular });
    }
    case 'regexp':
      return new RegExp(String(rest.source), String(rest.flags));
    case 'root':
      return root + (rest.text === undefined ? '' : text);
    case 'error':
      return madeError(rest, root);
    case 'json':
      return { toJSON: () => revive(rest.value, root) };
    case 'function':
      return FUNCTIONS[text];
    case 'do':
      // Once a file is sent, nothing more is needed: its callback acts only on an error.
      return (...args: unknown[]) => {
        run?.(rest.onError && !args[0] ? [] : (rest.steps as unknown as Step[]), args);
      };
    default:
      // Thrown in a handler, it would be the same error page on both sides.
      process.stderr.write(`A generator uses the unknown tag ${String(tag)}.\n`);
      process.exit(1);
  }
}

/** Returns an error with a fixed stack, so that error pages are equal wherever it was created. */
function madeError({ text, ...members }: Record<string, Value>, root: string): Error {
  const error = new Error(String(text));
  error.stack = `Error: ${String(text)}\n    at somewhere`;
  return Object.assign(error, revive(members, root));
}

/** Functions as values of settings and options. */
const FUNCTIONS: Record<string, Callable> = {
  etag: (body: Buffer) => `"${body.length}-custom"`,
  noEtag: () => undefined,
  queryParser: (text: string) => ({ text }),
  trust: (address: string, hop: number) => hop < 1 || address.startsWith('10.'),
  replacer: (key: string, value: unknown) => (key === 'a' ? undefined : value),
  reviver: (_key: string, value: unknown) => (typeof value === 'number' ? value + 1 : value),
  encode: (value: string) => `<${value}>`,
  setHeaders: (res: any, file: string) => res.setHeader('X-File', String(file.length)),
  type: (req: any) => /x-any/.test(req.headers['content-type'] ?? ''),
  verify: (_req: any, res: any, body: Buffer, encoding: string) => {
    res.setHeader('X-Verify', `${body.length} ${encoding}`);
    if (body.includes('refuse')) throw new Error('refused');
  },
  filter: (key: string, value: unknown) => (key === 'skip' ? undefined : value),
};

/** Returns any value as a line of text, equal for equal values on both sides. */
export function show(value: unknown, depth = 0): string {
  if (typeof value === 'function') return 'function';
  if (value === undefined || typeof value === 'symbol' || typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Buffer.isBuffer(value)) return `buffer ${JSON.stringify(value.toString('latin1'))}`;
  if (value instanceof Error) return showError(value);
  if (depth > 34) return '…';
  if (value instanceof RegExp) return String(value);
  const parts = Object.keys(value).map(
    key => `${key}: ${show((value as Record<string, unknown>)[key], depth + 1)}`,
  );
  const kind = Array.isArray(value) ? 'array' : Object.getPrototypeOf(value) === null ? 'null-object' : '';
  return `${kind}{${parts.join(', ')}}`;
}

function showError(error: Error): string {
  // The require stack names the framework's own file.
  const {
    name,
    message,
    stack: _stack,
    requireStack: _from,
    ...own
  } = error as Error & Record<string, unknown>;
  const more = Object.entries(own).map(([key, value]) => ` ${key}=${show(value, 30)}`);
  return `${name}(${message.replace(/\nRequire stack:[^]*/, '')})${more.sort().join('')}`;
}

/** Builds the application; throws the framework's error if it rejects something. */
export function build(description: Case, side: Side): any {
  return fill(side.web(), description.settings, description.layers, side);
}

function fill(app: any, settings: Record<string, Value> | undefined, layers: Layer[], side: Side): any {
  app.engine('tpl', engine);
  for (const [name, value] of Object.entries(settings ?? {})) app.set(name, revive(value, side.root));
  for (const layer of layers) add(app, layer, side);
  return app;
}

/** A template engine that shows the values it received. */
function engine(file: string, options: Record<string, unknown>, done: Next): void {
  const { settings: _settings, ...rest } = options;
  if (file.endsWith('broken.tpl')) throw new Error('broken view');
  done(null, `view ${String(file.split('/').pop())} ${show(rest)}`);
}

function add(target: any, layer: Layer, side: Side): void {
  const at = layer.path === undefined ? [] : [pathOf(layer.path)];
  const nest = (list: unknown[]) => {
    for (let depth = layer.nested ?? 0; depth > 0; depth--) list = [list];
    return list;
  };
  const handlers = (list: Handler[] | undefined) => nest((list ?? []).map(one => handlerOf(one, side)));
  switch (layer.kind) {
    case 'use':
      return target.use(...at, ...handlers(layer.handlers));
    case 'route':
      return target[layer.method!](...at, ...handlers(layer.handlers));
    case 'chain': {
      const route = target.route(...at);
      for (const { method, handlers: list } of layer.chain ?? []) route[method](...handlers(list));
      return;
    }
    case 'router': {
      const router = side.web.Router(revive(layer.options, side.root));
      for (const inner of layer.layers ?? []) add(router, inner, side);
      return target.use(...at, ...nest([router]));
    }
    case 'app': {
      const app = side.web() as any;
      app.on('mount', (parent: any) =>
        side.trace.push(`mounted ${show(app.mountpath ?? app.route)} ${String(parent.path())}`),
      );
      fill(app, layer.settings, layer.layers ?? [], side);
      target.use(...at, ...nest([app]));
      side.trace.push(`path ${String(app.path())}`);
      return;
    }
    case 'param':
      return target.param(layer.name, paramOf(layer.param!, side));
    case 'body':
      return target.use(...at, (side.web as any)[layer.method!](revive(layer.options, side.root)));
    case 'static':
      return target.use(...at, side.web.static(side.root, revive(layer.options, side.root)));
    case 'query':
      return target.use(...at, (side.web as any).query(revive(layer.options, side.root)));
    case 'place':
      return target.use(target.router);
    case 'remove':
      return target.routes[layer.method!]?.splice(layer.at, 1);
  }
}

function pathOf(path: PathValue): unknown {
  return revive(path, '');
}

/** Returns a function of the described arity. */
function handlerOf(handler: Handler, side: Side): Callable {
  const enter = (req: any, res: any, next: Next, err?: unknown) => {
    note({ res, side }, `${handler.id} ${seen(req, side)}${handler.error ? ` error ${show(err)}` : ''}`);
    perform(handler.steps, { req, res, next, side });
  };
  if (handler.error) return (err: unknown, req: any, res: any, next: Next) => enter(req, res, next, err);
  return (req: any, res: any, next: Next) => enter(req, res, next);
}

function paramOf(handler: ParamHandler, side: Side): Callable {
  return (req: any, res: any, next: Next, value: unknown, name: unknown) => {
    note({ res, side }, `param ${handler.id} ${show(value)} ${show(name)} ${seen(req, side)}`);
    perform(handler.steps, { req, res, next, side });
  };
}

/** Returns what every handler records of its request. */
function seen(req: any, { seen: names }: Side): string {
  return show(Object.fromEntries(names.map(name => [name, member(req, name)])));
}

/** Records a line, unless the response has ended: the timing of what follows is not specified. */
function note({ res, side }: Pick<Context, 'res' | 'side'>, line: string): void {
  if (res.writableEnded) return;
  const trace = side.traces.get(res) ?? side.trace;
  trace.push(line.replace(/ gave "(Ristretto|Express)"/, ' gave its name'));
}

interface Context {
  req: any;
  res: any;
  next: Next;
  side: Side;
}

function perform(steps: Step[], context: Context): void {
  for (const step of steps) performOne(step, context);
}

function performOne(step: Step, context: Context): void {
  const { req, res, next, side } = context;
  const run = (steps: Step[], args: unknown[]) => {
    // Callbacks of files and views get (err, …), those of format get (req, res, next): only the former are recorded.
    if (args[0] === undefined || args[0] === null || args[0] instanceof Error)
      note(context, `called ${show(args)}`);
    perform(steps, context);
  };
  const guarded = (steps: Step[], args: unknown[]) => {
    try {
      run(steps, args);
    } catch (error) {
      note(context, `thrown in a callback ${show(error)}`);
      next(error);
    }
  };
  const args = (step.args ?? []).map(value =>
    revive(value, side.root, side.late.test(step.res ?? '') ? guarded : run),
  );
  if (step.res !== undefined) {
    const result = res[step.res](...args);
    if (result !== res) note(context, `res.${step.res} gave ${show(result)}`);
  } else if (step.req !== undefined) {
    const result = step.args ? req[step.req](...args) : member(req, step.req);
    note(context, `req.${step.req} ${show(result)}${result?.type === undefined ? '' : String(result.type)}`);
  } else if (step.seen !== undefined) {
    note(context, `res.${step.seen} ${show(member(res, step.seen))}`);
  } else if (step.setting !== undefined) {
    note(context, `setting ${step.setting} ${show(req.app.get(step.setting))}`);
  } else if (step.put !== undefined) {
    const [object, name] = step.put.split('.') as ['req' | 'res', string];
    context[object][name] = revive(step.value, side.root);
  } else if (step.next !== undefined) {
    next(...step.next.map(value => revive(value, side.root)));
  } else if (step.throw !== undefined) {
    throw revive(step.throw, side.root);
  } else if (step.later !== undefined) {
    setImmediate(() => {
      try {
        perform(step.later!, context);
      } catch (error) {
        note(context, `thrown later ${show(error)}`);
        next(error);
      }
    });
  }
}

/** Returns a member by a dotted name, such as 'route.path'. */
function member(object: any, name: string): any {
  return name.split('.').reduce((value, key) => value?.[key], object);
}
