/** Every documented member of a response. */
import type { CookieOptions, NextFunction, Request, Response } from 'express';

export function answer(req: Request, res: Response, next: NextFunction): Response {
  res.append('Link', ['<a>', '<b>']).append('Warning', '199').append('X-Empty');
  res.attachment().attachment('file.txt');
  res.cookie('name', 'value').cookie('name', { json: true }, { httpOnly: true, maxAge: 1000 }).cookie('n', 1);
  const options: CookieOptions = {
    domain: 'a.b',
    path: '/',
    signed: true,
    secure: true,
    expires: new Date(),
  };
  res.clearCookie('name').clearCookie('name', options);
  res.download('file');
  res.download('file', error => next(error));
  res.download('file', 'name.pdf');
  res.download('file', 'name.pdf', (error: Error) => next(error));
  res.download('file', 'name.pdf', { maxAge: 1, headers: { a: 'b' } }, error => error && next(error.message));
  res.format({
    text: () => res.send('x'),
    'text/html': function () {
      res.send('<p>x');
    },
    json: (request: Request, response: Response) => response.json({}),
    default() {
      res.status(406).end();
    },
  });
  const type: string | undefined = res.get('Content-Type');
  res.json(null).json([1]).jsonp({ a: type });
  res.json();
  res.links({ next: '/2', last: '/3' });
  res.location('back').location('/x');
  res.redirect('/x');
  res.redirect(301, '/x');
  res.redirect('/x', 301);
  res.render('view');
  res.render('view', { a: 1 });
  res.render('view', (err: Error, html: string) => res.send(html));
  res.render('view', { a: 1 }, (err, html) => (err ? next(err) : res.send(html)));
  res.send().send('x').send(Buffer.from('x')).send({}).send([1]).send(true).send(null);
  res.sendFile('/file');
  res.sendFile('file', {
    root: __dirname,
    dotfiles: 'allow',
    maxAge: '1d',
    immutable: true,
    lastModified: false,
  });
  res.sendFile('file', { headers: { 'x-timestamp': Date.now() } }, err => (err ? next(err) : undefined));
  res.sendFile('/file', error => next(error));
  res.sendfile('/file');
  res.sendStatus(200).end();
  res.set('A', 'b').set('A', ['b', 'c']).set({ A: 'b', C: 'd' }).header('A', 'b').header({ A: 'b' });
  res.status(200).type('html').contentType('text/plain').vary('Accept');
  res.setHeader('X', 1);
  res.writeHead(200, { A: 'b' }).end('x');
  res.write('x');
  const sent: boolean = res.headersSent;
  res.locals.user = 'x';
  res.statusCode = sent ? 200 : 500;
  res.on('finish', () => console.log(res.req.originalUrl, res.app.locals.title));
  const json = res.json.bind(res);
  res.json = body => {
    console.log(body);
    return json(body);
  };
  const original = res.send;
  res.send = function (body) {
    return original.call(this, body);
  };
  const end = res.end;
  res.end = function (this: Response, ...rest: any[]) {
    return end.apply(this, rest as any);
  } as typeof res.end;
  return res.status(200).json({ done: true });
}
export const mock: Partial<Response> = {
  status: function (this: Response, code: number) {
    return this;
  },
  locals: {},
};
export function typed(res: Response<{ a: string }>): void {
  res.json({ a: 'x' });
  res.send({ a: 'y' });
  // @ts-expect-error the body has another type
  res.json({ b: 'x' });
  // @ts-expect-error a number is no body of this type
  res.send(1);
}
// Types of mocks distinguish members by a condition of this form, as `jest.Mocked` does.
type Mocked<T> = T & {
  [K in keyof T]: T[K] extends (this: infer This, ...args: any[]) => any
    ? { returns(value: ReturnType<T[K]>): This }
    : T[K];
};
export function mocks(res: Mocked<Response>) {
  res.json.returns(res);
  res.send.returns(res);
  res.jsonp.returns(res);
  res.status.returns(res);
}
