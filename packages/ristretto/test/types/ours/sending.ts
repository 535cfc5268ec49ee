/** The argument of `res.send`, `res.json` and `res.jsonp`: no promise, and otherwise as free as in Express. */
import web, { type Response } from 'ristretto';
import type { Send } from 'express-serve-static-core';

interface User {
  id: number;
  name?: string;
}
declare const res: Response;
declare const typed: Response<User>;
declare const user: Promise<User>;
declare const perhaps: User | Promise<User>;
declare function find(id: number): Promise<User> | undefined;

// @ts-expect-error a promise
res.json(user);
// @ts-expect-error a promise
res.send(user);
// @ts-expect-error a promise
res.jsonp(user);
// @ts-expect-error a promise
res.status(201).json(Promise.all([user]));
// @ts-expect-error one of them is a promise
res.json(perhaps);
// @ts-expect-error one of them is a promise
res.json(find(1));
// @ts-expect-error a promise
typed.json(user);
// @ts-expect-error a member that the declared body lacks
typed.json({ id: 1, hash: 'x' });
// @ts-expect-error two arguments, as in Express 3
res.json(404, { error: 'no such user' });
function late<T>(value: Promise<T>): void {
  // @ts-expect-error a promise
  res.json(value);
}
web().get('/', (req, response) => {
  // @ts-expect-error a promise
  response.json(user);
});

declare const anything: any;
declare const unknown: unknown;
declare const record: Record<string, unknown>;
declare const values: object;
res.json();
res.json(undefined);
res.send({ id: 1 });
res.status(200).json(null);
res.json(null).json(1).json('a').json([1, 'a']).json(new Date());
res.json({ a: [{ b: () => 1 }], toJSON: () => 1 });
res.json(anything);
res.json(unknown);
res.json(record);
res.json(values);
typed.json({ id: 1 });
function generic<T, U extends User, K extends keyof U>(value: T, one: U, key: K, to: Response<T>): void {
  res.json(value);
  res.json({ value, one });
  res.json(one[key]);
  to.json(value);
}
function wrapped<T>(to: Response<{ ok: boolean; data: T } | { error: string }>, data: T): void {
  to.json({ ok: true, data });
  to.json({ error: 'x' });
}

// Programs replace these members.
const { json } = res;
const bound = res.json.bind(res);
res.json = body => bound({ data: body.data.anything });
res.json = (body: User) => bound(body.id);
res.json = (...args) => bound(args[0].anything);
res.json = (...args: any[]) => res;
res.json = function (body) {
  this.set('X-Kind', body.kind);
  return json.call(this, body.data);
};
res.json = function (...args) {
  return json.apply(this, args);
};
typed.json = body => {
  const id: number | undefined = body?.id;
  return typed.status(id ?? 200);
};
interface Typed<Body> extends Omit<Response, 'json'> {
  json: Send<Body, this>;
}
declare const mine: Typed<User>;
mine.json({ id: 1 }).json({ id: 2 });
const first = (body: Parameters<Response['json']>[0]): unknown => body.anything;
const mock: Pick<Response, 'json'> = { json: (body: unknown) => res };
const same: Response[] = [typed];
const other: Response<User> = res;
