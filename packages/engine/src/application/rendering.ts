/** Template engines and views of an application: `app.engine` and `app.render`. */
import { reportsMistakes } from '../report/development';
import type * as warn from '../dev/warn';
import { deferred } from '../deferred';
import { tracingChannel } from 'node:diagnostics_channel';
import { isTraced, RENDER, views } from '../report/channels';
import { merge } from '../message/response/merge';
import type { EngineFunction } from '../types/application-members';
import type { Application, View, ViewConstructor } from '../types/internals';

const explanations = deferred(() => require('../dev/warn') as typeof warn, reportsMistakes);

type RenderCallback = (err: unknown, html?: string) => void;

interface Locals {
  _locals?: object;
  cache?: unknown;
}

/**
 * Registers a template engine for a file extension. Needed for engines without their own `__web` or `__express`
 * function, and to map an engine to another extension.
 */
export function engine(this: Application, ext: string, fn: EngineFunction): Application {
  if (typeof fn !== 'function') throw new Error('callback function required');
  this.engines[ext.startsWith('.') ? ext : '.' + ext] = fn;
  return this;
}

/**
 * Renders a view and passes the HTML to the callback. Merges the application's locals, `options._locals` (the
 * response's locals), and `options`; later ones win.
 */
export function render(
  this: Application,
  name: string,
  options: object | RenderCallback,
  callback?: RenderCallback,
): void {
  const given = (typeof options === 'function' ? {} : options) as Locals;
  const done = (typeof options === 'function' ? options : callback) as RenderCallback;
  if (!isTraced(views)) {
    renderNow(this, name, given, done);
    return;
  }
  const context = { app: this, view: name, options: given };
  tracingChannel(RENDER).traceCallback(renderNow, -1, context, undefined, this, name, given, done);
}

function renderNow(app: Application, name: string, given: Locals, done: RenderCallback): void {
  const locals = merge<Locals>({}, app.locals);
  if (given._locals) merge(locals, given._locals);
  merge(locals, given);
  locals.cache ??= app.enabled('view cache');

  const view = findView(app, name, Boolean(locals.cache));
  if (view.path) tryRender(view, locals, done);
  else done(lookupError(app, name, view));
}

/** Returns the view of that name, from the cache if possible. Only views whose file exists are cached. */
function findView(app: Application, name: string, cached: boolean): View {
  const { engines, cache: kept } = app;
  // A view may be called 'constructor': inherited properties are not views.
  if (cached && Object.hasOwn(kept, name)) return kept[name]!;

  const View = app.get('view') as ViewConstructor;
  const view = new View(name, {
    defaultEngine: app.get('view engine') as string | undefined,
    root: app.get('views') as string | string[],
    engines,
  });
  if (cached && view.path) kept[name] = view;
  return view;
}

function lookupError(app: Application, name: string, view: View): Error {
  const error = new Error(`Failed to lookup view "${name}" in views ${directories(view.root)}`);
  if (app.parent !== undefined && reportsMistakes(app.settings)) {
    const mounted = `The application is mounted at '${String(app.mountpath)}', and has its own setting 'views'.`;
    explanations().explainError(error, [mounted]);
  }
  return Object.assign(error, { view });
}

function directories(root: string | string[]): string {
  if (!Array.isArray(root) || root.length < 2) return `directory "${String(root)}"`;
  return `directories "${root.slice(0, -1).join('", "')}" or "${String(root.at(-1))}"`;
}

/** An engine that throws is treated like one that passes an error to its callback. */
function tryRender(view: View, options: object, callback: RenderCallback): void {
  try {
    view.render(options, callback);
  } catch (err) {
    callback(err);
  }
}
