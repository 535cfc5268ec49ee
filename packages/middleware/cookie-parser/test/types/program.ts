import express = require('express');
import cookieParser = require('cookie-parser');

const app = express();
app.use(cookieParser());
app.use(cookieParser('a'));
app.use(cookieParser(['a', 'b'], { decode: text => text.toUpperCase() }));
const options: cookieParser.CookieParseOptions = { decode: decodeURIComponent };
const handler: express.RequestHandler = cookieParser(undefined, options);
app.use(handler);
app.get('/', (req, res) => {
  const theme: string = req.cookies.theme;
  const user: string | false = req.signedCookies.user;
  res.cookie('a', theme, { signed: true }).json([user]);
});
const json: object | undefined = cookieParser.JSONCookie('j:{}');
const all: { a: object | undefined } = cookieParser.JSONCookies({ a: 'j:{}' });
const value: string | false = cookieParser.signedCookie('s:a.b', ['a']);
const values: { a?: string | false } = cookieParser.signedCookies({ a: 's:a.b' }, 'a');
export = [json, all, value, values];
// @ts-expect-error -- not a secret
cookieParser(5);
