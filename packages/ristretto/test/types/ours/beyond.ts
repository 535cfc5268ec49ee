/** Members that Express does not have. */
import web from 'ristretto';
import type { InjectOptions, InjectResponse } from 'ristretto';

const app = web();
app.use((req, res, next) => {
  res
    .onSend((body, same) => {
      const text: string | Buffer | undefined = body;
      const itself: web.Response = same;
      itself.set('X-Length', String(text?.length));
    })
    .onSend((_body, same) => same.set('X-A', '1'))
    .onSend(body => body)
    .onSend(async body => (body === undefined ? undefined : Buffer.from(body)))
    .onSend(() => Promise.resolve())
    .onSend(function () {
      this.set('X-B', '1');
    });
  // @ts-expect-error an object is no body
  res.onSend(() => ({ a: 1 }));
  // @ts-expect-error a hook is a function
  res.onSend('hook');

  res.earlyHints('</app.css>; rel=preload; as=style').earlyHints(['</a>; rel=next']);
  res.earlyHints({
    preconnect: 'https://cdn.example',
    preload: [{ href: '/a', as: 'font', crossorigin: true }, '/b'],
  });
  // @ts-expect-error the URL is missing
  res.earlyHints({ preload: { as: 'style' } });
  next();
});

// The options and results of test helpers have named types.
async function injectAs(token: string, options: InjectOptions): Promise<InjectResponse> {
  return app.inject({ ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } });
}
void injectAs('x', { url: '/', query: { a: 1 } }).then(({ status, cookies }) => [status, cookies[0]?.value]);
