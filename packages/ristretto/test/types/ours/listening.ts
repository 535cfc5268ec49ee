/** Arguments of `app.listen`: numbers, paths, and values from the environment. */
import type http from 'node:http';
import web from 'ristretto';

declare const handle: any;
declare const text: string;
const app = web();
const server: http.Server = app.listen(process.env['PORT'] ?? 3000);
app.listen(3000);
app.listen(3000, 'localhost', () => undefined);
app.listen(process.env['PORT']);
app.listen(process.env['PORT'] || '3000', () => undefined);
app.listen('/run/app.sock');
app.listen('\\\\.\\pipe\\app', () => undefined);
app.listen(text);
app.listen(handle);
app.listen({ fd: 3 });
app.listen('3000');
const started = app.listen(text, () => void started.address());
const returned = new Promise<http.Server>(resolve => {
  const made = app.listen(text, () => {
    resolve(made);
  });
});
export { returned, server };
