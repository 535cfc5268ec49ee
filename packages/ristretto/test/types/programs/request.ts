/** Every documented member of a request. */
import type { Request, Response } from 'express';

export function read(req: Request, res: Response): unknown[] {
  const type: string | undefined = req.get('Content-Type');
  const cookies: string[] | undefined = req.get('set-cookie') ?? req.header('set-cookie');
  const best: string | false = req.accepts('html');
  const list: string[] = req.accepts();
  const one: string | false = req.accepts(['json', 'text']) || req.accepts('json', 'text');
  const charset: string | false = req.acceptsCharsets('utf-8') || req.acceptsCharsets(['utf-8']);
  const encoding: string | false = req.acceptsEncodings('gzip', 'br') || req.acceptsEncodings(['gzip']);
  const language: string | false = req.acceptsLanguages('de', 'en') || req.acceptsLanguages(['de']);
  const all: string[] = [...req.acceptsCharsets(), ...req.acceptsEncodings(), ...req.acceptsLanguages()];
  const is: string | false | null = req.is('json') || req.is(['html', 'text']);
  const range = req.range(1000, { combine: true });
  if (range !== undefined && typeof range !== 'number') {
    const [first] = range;
    res.set('X-Range', `${range.type} ${first!.start}-${first!.end}`);
  } else if (range === -1 || range === -2) {
    res.sendStatus(416);
  }
  const flags: boolean[] = [req.secure, req.fresh, req.stale, req.xhr, req.complete];
  const texts: string[] = [
    req.protocol,
    req.hostname,
    req.path,
    req.baseUrl,
    req.originalUrl,
    req.url,
    req.method,
  ];
  const address: string | undefined = req.ip;
  const lists: string[] = [...req.ips, ...req.subdomains];
  const legacy: string = req.param('id', 'none') + req.host;
  const app = req.app.get('anything');
  const related = req.res?.locals.user;
  const route: string = req.route.path;
  req.next?.();
  req.query = { a: ['b', { c: 'd' }] };
  req.params = { id: '1' };
  req.params[0] = 'x';
  req.body = { any: 'thing' };
  req.url = '/elsewhere';
  const agent: string | undefined = req.headers['user-agent'];
  const socket = req.socket.remoteAddress;
  const name = req.cookies.name + req.signedCookies.name;
  return [
    type,
    cookies,
    best,
    list,
    one,
    charset,
    encoding,
    language,
    all,
    is,
    flags,
    texts,
    address,
    lists,
  ].concat([legacy, app, related, route, agent, socket, name]);
}
