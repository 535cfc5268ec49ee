/** `res.render`: sends a rendered view as the response. */
import type { Response } from '../../types/internals';

type RenderCallback = (err: Error, html: string) => void;

/** Renders a view with the locals of the application and of the response and the given ones, and sends the HTML. */
export function renderView(
  this: Response,
  view: string,
  options?: object | RenderCallback,
  callback?: RenderCallback,
): void {
  const locals = (typeof options === 'function' ? {} : options || {}) as { _locals?: object };
  const done = typeof options === 'function' ? (options as RenderCallback) : callback;
  locals._locals = this.locals;
  this.req.app.render(view, locals, done || ((err, html) => sendOrFail(this, err, html)));
}

function sendOrFail(res: Response, err: Error | null, html: string | undefined): void {
  if (err) res.req.next?.(err);
  else res.send(html);
}
