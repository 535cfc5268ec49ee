/** Builds the application of a case on either framework, and records which handlers run and what they see. */
import path from 'node:path';
import { inspect } from 'node:util';
import type { App, Web } from '../../../packages/ristretto3/test/support/oracle.js';
import type { Act, Case, End, Handler, Layer } from './description.js';

type Call = (...args: unknown[]) => unknown;
type Members = Record<string, unknown> & Record<string, Call>;
type Next = (err?: unknown) => void;

const ROOT = path.join(__dirname, '../../../packages/engine/test/fixtures/views');

export class Builder {
  private handlers = 0;

  constructor(
    private readonly web: Web,
    private readonly trace: string[],
  ) {}

  build({ settings, layers }: Case): App {
    const app = this.web();
    // Without a stack, errors have the same text on both
    app.set('env', 'test');
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    for (const layer of layers) this.add(app, layer);
    app.use((err, req, res, _next) => {
      this.note(`left over: ${describe(err)} at ${req.url}`);
      if (res.headersSent) res.destroy();
      else res.send(err instanceof Error ? 555 : 556, describe(err));
    });
    return app;
  }

  private note(text: string): void {
    this.trace.push(text);
  }

  private add(app: App, layer: Layer): void {
    const members = app as unknown as Members;
    switch (layer.layer) {
      case 'use': {
        const handle = this.handler(layer.handler, false);
        if (layer.path === undefined) members.use!(handle);
        else members.use!(layer.path, handle);
        break;
      }
      case 'app': {
        const child = this.web();
        for (const one of layer.layers) this.add(child, one);
        app.use(layer.path, child);
        break;
      }
      case 'router':
        members.use!(app.router);
        break;
      case 'route': {
        const handlers = layer.handlers.map(one => this.handler(one, true));
        members[layer.method]!(layer.path, ...(layer.nested ? [[handlers]] : handlers));
        break;
      }
      case 'param': {
        const { acts, end } = layer.handler;
        members.param!(
          layer.name,
          (req: Members, res: Members, next: Next, value: unknown, name: unknown) => {
            this.note(`param ${String(name)}=${String(value)}`);
            this.run(acts, end, req, res, next);
          },
        );
        break;
      }
      case 'remove':
        app.routes[layer.method]?.splice(layer.at, 1);
    }
  }

  private handler({ error, acts, end }: Handler, isRoute: boolean): Call {
    const id = this.handlers++;
    const run = (err: unknown, req: Members, res: Members, next: Next): void => {
      this.note(`${id}${error ? ` ${describe(err)}` : ''} ${String(req.method)} ${String(req.url)}`);
      this.run(acts, isRoute ? end : ofMiddleware(end), req, res, next);
    };
    if (error) return (err, req, res, next) => run(err, req as Members, res as Members, next as Next);
    return (req, res, next) => run(undefined, req as Members, res as Members, next as Next);
  }

  private run(acts: Act[], end: End, req: Members, res: Members, next: Next): void {
    for (const act of acts) this.act(act, res);
    switch (end.do) {
      case 'next':
        next(end.with);
        break;
      case 'throw':
        throw new Error(end.message);
      case 'end':
        res.end!(end.text);
        break;
      case 'sendfile':
        // Express 3 removes it if there is no such file
        res.removeHeader!('Content-Disposition');
        res.sendfile!(end.name, { root: ROOT });
        break;
      case 'format':
        res.format!(Object.fromEntries(end.types.map(type => [type, () => res.send!(`as ${type}`)])));
        break;
      case 'location':
        res.location!(...end.args);
        res.end!(String(res.get!('Location')));
        break;
      case 'look':
        res.type!('txt');
        res.send!(this.look(end, req));
        break;
      default:
        res[end.do]!(...end.args);
    }
  }

  private look({ member, args }: End & { do: 'look' }, req: Members): string {
    const value = args ? req[member]!(...args) : req[member];
    const plain = Array.isArray(value) ? [Array.from(value), Object.entries(value)] : value;
    return inspect(plain, { depth: 5 });
  }

  private act(act: Act, res: Members): void {
    if (act.act === 'charset') (res as unknown as { charset: string }).charset = act.value;
    else if (act.act === 'locals') (res.locals as Call)(act.values);
    else if (act.act === 'onHeader') {
      res.on!('header', () => {
        this.note(`header ${act.name}`);
        res.setHeader!(act.name, `late ${String(res.statusCode)}`);
      });
    } else res[act.act]!(...act.args);
  }
}

/** Adapts an end for middleware, which has no parameters and no route: docs/legacy.md describes what it would see. */
function ofMiddleware(end: End): End {
  if (end.do === 'look' && end.member.startsWith('param')) return { do: 'look', member: 'url' };
  return end.do === 'next' && end.with === 'route' ? { do: 'next' } : end;
}

function describe(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
